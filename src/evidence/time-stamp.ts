/** Time stamps (RFC 3161): an independent authority states that a checkpoint existed at a time. */
import { createHash, X509Certificate } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  ExtKeyUsage,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
/** RFC 3161 2.3: the authority's certificate is for this and nothing else. */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const EXTENDED_KEY_USAGE = '2.5.29.37';
/** RFC 3161 2.4.2: granted, and granted with modifications. */
const GRANTED: ReadonlySet<number> = new Set([0, 1]);

const digestOf = (statement: string): Buffer => createHash('sha256').update(statement).digest();

const bytesOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** What is sent to an authority, DER. `nonce` ties its answer to this request. */
export function timeStampRequest(statement: string, nonce: Uint8Array): Uint8Array {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
      hashedMessage: new OctetString({ valueHex: bytesOf(digestOf(statement)) }),
    }),
    nonce: integerOf(nonce),
    certReq: true,
  });
  return new Uint8Array(request.toSchema().toBER());
}

/** Positive, in its shortest form, as DER wants it. */
function integerOf(bytes: Uint8Array): Integer {
  return Integer.fromBigInt(BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`));
}

/**
 * The token of an authority's answer, DER.
 * @throws Error where it refused, or answers something else than it was asked
 */
export function readTimeStampResponse(
  response: Uint8Array,
  statement: string,
  nonce: Uint8Array,
): Uint8Array {
  const { status, timeStampToken } = TimeStampResp.fromBER(bytesOf(response));
  if (timeStampToken === undefined || !GRANTED.has(status.status))
    throw new Error(`the time stamping authority refused (status ${status.status})`);
  const token = new Uint8Array(timeStampToken.toSchema().toBER());
  const { info } = openToken(token);
  if (!isOver(info, statement)) throw new Error('the time stamp is over something else');
  if (info.nonce === undefined || info.nonce.toBigInt() !== integerOf(nonce).toBigInt())
    throw new Error('the time stamp answers another request');
  return token;
}

export interface CheckedTimeStamp {
  /** Epoch ms. */
  readonly at: number;
  /** Subject of the authority's certificate; empty where it is not trusted. */
  readonly authority: string;
  /** Whether the signature is that of an authority below one of the anchors. */
  readonly isTrusted: boolean;
}

/**
 * null where it is no time stamp over the statement.
 * @param anchors certificates, PEM, that the reader trusts; the authority's must have been valid below one of them at
 *   the time that it stamped
 */
export async function checkTimeStamp(
  token: Uint8Array,
  statement: string,
  anchors: readonly string[],
): Promise<CheckedTimeStamp | null> {
  try {
    const { signed, info } = openToken(token);
    if (!isOver(info, statement)) return null;
    const authority = await authorityOf(signed, info, statement, anchors);
    return { at: info.genTime.getTime(), authority: authority ?? '', isTrusted: authority !== null };
  } catch {
    return null;
  }
}

/** null where it is not to be trusted. */
async function authorityOf(
  signed: SignedData,
  { genTime }: TSTInfo,
  statement: string,
  anchors: readonly string[],
): Promise<string | null> {
  if (anchors.length === 0) return null;
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({
      ...{ signer: 0, data: bytesOf(Buffer.from(statement)), checkChain: true, checkDate: genTime },
      trustedCerts: anchors.map((pem) => Certificate.fromBER(bytesOf(new X509Certificate(pem).raw))),
      extendedMode: true,
    });
    if (signatureVerified !== true || signerCertificate == null || !isForTimeStamps(signerCertificate))
      return null;
    return new X509Certificate(Buffer.from(signerCertificate.toSchema().toBER())).subject.replaceAll(
      '\n',
      ', ',
    );
  } catch {
    return null;
  }
}

function isForTimeStamps({ extensions = [] }: Certificate): boolean {
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const purposes = usage?.parsedValue instanceof ExtKeyUsage ? usage.parsedValue.keyPurposes : [];
  return usage?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING;
}

function openToken(token: Uint8Array): { readonly signed: SignedData; readonly info: TSTInfo } {
  const signed = new SignedData({ schema: ContentInfo.fromBER(bytesOf(token)).content });
  const content = signed.encapContentInfo.eContent?.getValue();
  if (content === undefined) throw new Error('the time stamp holds nothing');
  return { signed, info: TSTInfo.fromBER(content) };
}

function isOver({ messageImprint }: TSTInfo, statement: string): boolean {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  return (
    hashAlgorithm.algorithmId === SHA_256 && digestOf(statement).equals(Buffer.from(hashedMessage.getValue()))
  );
}
