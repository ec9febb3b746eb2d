/** The question to an OCSP responder, and what its answer is worth (RFC 6960). */
import { hash, X509Certificate } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  BasicOCSPResponse,
  CertID,
  Certificate,
  Extension,
  getCrypto,
  OCSPRequest,
  OCSPResponse,
  Request,
  type SingleResponse,
  TBSRequest,
} from 'pkijs';
import type { AskedCertificate, OcspNote, OcspVerdict } from '../certificate/index.js';

/** RFC 5019 2.1.1: the hash that every responder knows. */
const SHA_1 = '1.3.14.3.2.26';
const SHA_256 = '2.16.840.1.101.3.4.2.1';
const HASHES: Readonly<Record<string, string>> = { [SHA_1]: 'sha1', [SHA_256]: 'sha256' };
const NONCE = '1.3.6.1.5.5.7.48.1.2';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';

const SUCCESSFUL = 0;
const TRY_LATER = 3;

/** Clocks of responders may be ahead by so much. */
const SKEW_MS = 300_000;
/** An answer that does not say until when it holds was made within the last day, and holds for an hour. */
const OLDEST_OPEN_MS = 86_400_000;
const OPEN_MS = 3_600_000;
/** No answer is kept for longer, whatever it says. */
const LONGEST_MS = 10 * 86_400_000;
const MOST_RESPONDERS = 4;

type Asked = Pick<AskedCertificate, 'serialNumber' | 'issuer' | 'isListed'>;

export interface OcspAnswer {
  readonly verdict: OcspVerdict;
  readonly since?: string;
  readonly notes: readonly OcspNote[];
  /** Epoch ms: until then it holds; null: it does not count. */
  readonly until: number | null;
}

const arrayOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Hashes of the issuer's name and key, as a question names them. */
function issuerHashes({ issuer }: Pick<Asked, 'issuer'>, type: string) {
  const { subjectPublicKey } = Certificate.fromBER(arrayOf(issuer.certificate.raw)).subjectPublicKeyInfo;
  return {
    name: hash(type, Buffer.from(issuer.subjectDer, 'hex'), 'buffer'),
    key: hash(type, subjectPublicKey.valueBlock.valueHexView, 'buffer'),
  };
}

const nonceValue = (nonce: Uint8Array): ArrayBuffer => new OctetString({ valueHex: arrayOf(nonce) }).toBER();

export function ocspRequest(asked: Asked, nonce: Uint8Array): Uint8Array {
  const { name, key } = issuerHashes(asked, 'sha1');
  const reqCert = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_1 }),
    issuerNameHash: new OctetString({ valueHex: arrayOf(name) }),
    issuerKeyHash: new OctetString({ valueHex: arrayOf(key) }),
    serialNumber: Integer.fromBigInt(BigInt(`0x${asked.serialNumber || '0'}`)),
  });
  const request = new OCSPRequest({
    tbsRequest: new TBSRequest({
      requestList: [new Request({ reqCert })],
      requestExtensions: [new Extension({ extnID: NONCE, extnValue: nonceValue(nonce) })],
    }),
  });
  return new Uint8Array(request.toSchema(true).toBER());
}

const worthless = (verdict: OcspVerdict): OcspAnswer => ({ verdict, notes: [], until: null });

/** Never rejects. `now`: epoch ms. */
export async function readOcspAnswer(
  bytes: Uint8Array,
  asked: Asked,
  nonce: Uint8Array,
  now: number,
): Promise<OcspAnswer> {
  try {
    const { responseStatus, responseBytes } = OCSPResponse.fromBER(arrayOf(bytes));
    const status = responseStatus.valueBlock.valueDec;
    if (status !== SUCCESSFUL) return worthless(status === TRY_LATER ? 'try-later' : 'refused');
    if (responseBytes === undefined) return worthless('unreadable');
    const basic = BasicOCSPResponse.fromBER(arrayOf(responseBytes.response.valueBlock.valueHexView));
    if (!(await isSigned(basic, asked, now))) return worthless('wrong-signer');
    const single = basic.tbsResponseData.responses.find((one) => isAbout(one.certID, asked));
    if (single === undefined) return worthless('other-certificate');
    const sent = basic.tbsResponseData.responseExtensions?.find(({ extnID }) => extnID === NONCE);
    const isOther =
      sent !== undefined &&
      !Buffer.from(sent.extnValue.valueBlock.valueHexView).equals(Buffer.from(nonceValue(nonce)));
    return isOther ? worthless('wrong-nonce') : judge(single, sent !== undefined, now);
  } catch {
    return worthless('unreadable');
  }
}

function judge(single: SingleResponse, hasNonce: boolean, now: number): OcspAnswer {
  const { certStatus, thisUpdate, nextUpdate } = single;
  const begin = thisUpdate.getTime();
  const end = nextUpdate?.getTime() ?? begin + OLDEST_OPEN_MS;
  if (begin > now + SKEW_MS) return worthless('not-yet');
  if (end <= now) return worthless('stale');
  const notes: OcspNote[] = [];
  if (!hasNonce) notes.push('no-nonce');
  if (nextUpdate === undefined) notes.push('no-next-update');
  const until = Math.min(end, now + (nextUpdate === undefined ? OPEN_MS : LONGEST_MS));
  const verdict = (['good', 'revoked', 'unknown'] as const)[certStatus.idBlock.tagNumber];
  if (verdict === undefined) return worthless('unreadable');
  if (verdict !== 'revoked') return { verdict, notes, until };
  const since = certStatus.valueBlock.value[0].toDate().toISOString();
  return { verdict, since, notes, until };
}

function isAbout(
  { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }: CertID,
  asked: Asked,
): boolean {
  const type = HASHES[hashAlgorithm.algorithmId];
  if (type === undefined) return false;
  const { name, key } = issuerHashes(asked, type);
  const serial = serialNumber.toBigInt() === BigInt(`0x${asked.serialNumber || '0'}`);
  return (
    serial &&
    name.equals(issuerNameHash.valueBlock.valueHexView) &&
    key.equals(issuerKeyHash.valueBlock.valueHexView)
  );
}

/** By the issuer, or by a responder to whom the issuer itself gave a certificate for this (RFC 6960 4.2.2.2). */
async function isSigned(basic: BasicOCSPResponse, asked: Asked, now: number): Promise<boolean> {
  const issuer = Certificate.fromBER(arrayOf(asked.issuer.certificate.raw));
  const named = (basic.certs ?? []).slice(0, MOST_RESPONDERS).filter((one) => isNamed(one, asked, now));
  const signed = arrayOf(basic.tbsResponseData.tbsView);
  for (const { subjectPublicKeyInfo } of [issuer, ...named]) {
    const verified = getCrypto(true)
      .verifyWithPublicKey(signed, basic.signature, subjectPublicKeyInfo, basic.signatureAlgorithm)
      .catch(() => false);
    if (await verified) return true;
  }
  return false;
}

function isNamed(certificate: Certificate, { issuer, isListed }: Asked, now: number): boolean {
  const opened = new X509Certificate(Buffer.from(certificate.toSchema().toBER()));
  return (
    opened.checkIssued(issuer.certificate) &&
    opened.verify(issuer.key) &&
    opened.keyUsage?.includes(OCSP_SIGNING) === true &&
    Date.parse(opened.validFrom) <= now &&
    now <= Date.parse(opened.validTo) &&
    !isListed(opened.serialNumber)
  );
}
