/** The signature in a PDF file, PAdES B-B and B-T (ETSI EN 319 142-1): CMS that names its certificate, without a signing time, and with a time stamp where one is asked for. */
import { hash, sign, verify, X509Certificate } from 'node:crypto';
import { fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { type CheckedTimeStamp, checkTimeStamp, type StampAnchor } from '../time-stamp/index.js';
import { type Seal, sealName } from './open-seal.js';

const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const SHA_256 = '2.16.840.1.101.3.4.2.1';
const ALGORITHMS: Readonly<Record<string, string>> = {
  rsa: '1.2.840.113549.1.1.11',
  ec: '1.2.840.10045.4.3.2',
};
/** DER of a SET, as which attributes are signed (RFC 5652 5.4). */
const SET = 0x31;

const plain = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const octets = (bytes: Uint8Array): OctetString => new OctetString({ valueHex: plain(bytes) });
const digestOf = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
const pkiOf = ({ raw }: X509Certificate): Certificate => Certificate.fromBER(plain(raw));

/** DER of the signature over `content`. `stamp` gives a time stamp over the bytes that it gets. */
export async function makeSignature(
  content: Uint8Array,
  { key, certificate, above }: Seal,
  stamp: ((bytes: Uint8Array) => Promise<Uint8Array>) | null,
): Promise<Uint8Array> {
  const own = pkiOf(certificate);
  const signedAttrs = new SignedAndUnsignedAttributes({
    type: 0,
    // In the order of DER, which is that of their bytes.
    attributes: [
      new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: DATA })] }),
      new Attribute({ type: MESSAGE_DIGEST, values: [octets(digestOf(content))] }),
      new Attribute({ type: SIGNING_CERTIFICATE_V2, values: [certificateId(certificate)] }),
    ],
  });
  const value = sign('sha256', signedBytes(signedAttrs), key);
  const digestAlgorithm = new AlgorithmIdentifier({ algorithmId: SHA_256 });
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm,
    signedAttrs,
    signatureAlgorithm: new AlgorithmIdentifier({
      algorithmId: ALGORITHMS[key.asymmetricKeyType ?? ''] ?? '',
    }),
    signature: octets(value),
  });
  if (stamp !== null) {
    const token = fromBER(plain(await stamp(value))).result;
    signer.unsignedAttrs = new SignedAndUnsignedAttributes({
      type: 1,
      attributes: [new Attribute({ type: TIME_STAMP_TOKEN, values: [token] })],
    });
  }
  const signed = new SignedData({
    version: 1,
    digestAlgorithms: [digestAlgorithm],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: DATA }),
    certificates: [own, ...above.map(pkiOf)],
    signerInfos: [signer],
  });
  const info = new ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER());
}

/** RFC 5035: SHA-256 is the default, and the issuer is in the signature already. */
const certificateId = ({ raw }: X509Certificate): Sequence =>
  new Sequence({ value: [new Sequence({ value: [new Sequence({ value: [octets(digestOf(raw))] })] })] });

function signedBytes(attributes: SignedAndUnsignedAttributes): Uint8Array {
  const bytes = new Uint8Array(attributes.toSchema().toBER());
  bytes[0] = SET;
  return bytes;
}

export interface CheckedSeal {
  /** null: the signature fits the content. Else a sentence. */
  readonly wrong: string | null;
  readonly certificate: X509Certificate | null;
  readonly subject: string;
  /** null without a time stamp. */
  readonly stamp: CheckedTimeStamp | null;
}

const unfit = (wrong: string): CheckedSeal => ({ wrong, certificate: null, subject: '', stamp: null });

/** Never rejects. */
export async function checkSeal(
  content: Uint8Array,
  signature: Uint8Array,
  anchors: readonly StampAnchor[],
): Promise<CheckedSeal> {
  try {
    return await judgeSeal(content, signature, anchors);
  } catch {
    return unfit('The seal is not readable.');
  }
}

async function judgeSeal(
  content: Uint8Array,
  signature: Uint8Array,
  anchors: readonly StampAnchor[],
): Promise<CheckedSeal> {
  const signed = new SignedData({ schema: ContentInfo.fromBER(plain(signature)).content });
  const [signer] = signed.signerInfos;
  const { signedAttrs } = signer ?? {};
  if (signer === undefined || signedAttrs === undefined || signed.signerInfos.length !== 1)
    return unfit('The seal has not the form of one that Sandgate makes.');
  const value = (type: string) => signedAttrs.attributes.find((one) => one.type === type)?.values[0];
  if (value(SIGNING_TIME) !== undefined) return unfit('The seal names a signing time, which PAdES forbids.');
  const certificate = certificateIn(signed, value(SIGNING_CERTIFICATE_V2));
  if (certificate === null) return unfit('The seal does not hold the certificate that it names.');
  const subject = sealName(certificate);
  const bytes = Buffer.from(signer.signature.valueBlock.valueHexView);
  const isSigned = verify('sha256', signedBytes(signedAttrs), certificate.publicKey, bytes);
  const token = signer.unsignedAttrs?.attributes.find(({ type }) => type === TIME_STAMP_TOKEN)?.values[0];
  const stamp =
    token === undefined ? null : await checkTimeStamp(new Uint8Array(token.toBER()), bytes, anchors);
  const digest = Buffer.from(value(MESSAGE_DIGEST)?.valueBlock.valueHexView ?? []);
  const wrong = !isSigned
    ? `The signature of the seal of ${subject} does not fit.`
    : digestOf(content).equals(digest)
      ? null
      : `The file was changed after ${subject} sealed it.`;
  return { wrong, certificate, subject, stamp };
}

/** The certificate whose digest the signature covers. */
function certificateIn({ certificates = [] }: SignedData, id: unknown): X509Certificate | null {
  const named = id instanceof Sequence ? Buffer.from(id.toBER()).toString('hex') : '';
  for (const one of certificates) {
    if (!(one instanceof Certificate)) continue;
    const certificate = new X509Certificate(Buffer.from(one.toSchema().toBER()));
    if (named === Buffer.from(certificateId(certificate).toBER()).toString('hex')) return certificate;
  }
  return null;
}
