/** Time stamps (RFC 3161): an independent authority states that a checkpoint or a seal existed at a time. */
import { hash, X509Certificate } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  ExtKeyUsage,
  MessageImprint,
  SignedData,
  type SignedDataVerifyParams,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { parsePemFile } from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
/** RFC 3161 2.3: the authority's certificate is for this and nothing else. */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const EXTENDED_KEY_USAGE = '2.5.29.37';
/** RFC 3161 2.4.2: granted, and granted with modifications. */
const GRANTED: ReadonlySet<number> = new Set([0, 1]);

/** The statement of a checkpoint, or the value of a signature. */
type Stamped = string | Uint8Array;

const digestOf = (statement: Stamped): Buffer => hash('sha256', statement, 'buffer');

const bytesOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const contentOf = (statement: Stamped): ArrayBuffer =>
  bytesOf(typeof statement === 'string' ? Buffer.from(statement) : statement);

export function timeStampRequest(statement: Stamped, nonce: Uint8Array): Uint8Array {
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

function integerOf(bytes: Uint8Array): Integer {
  return Integer.fromBigInt(BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`));
}

/**
 * The token of an authority's answer, DER.
 * @throws Error where it refused, or answers something else than it was asked
 */
export function readTimeStampResponse(
  response: Uint8Array,
  statement: Stamped,
  nonce: Uint8Array,
): Uint8Array {
  const { status, timeStampToken } = TimeStampResp.fromBER(bytesOf(response));
  if (timeStampToken === undefined || !GRANTED.has(status.status))
    throw new Error(`the time stamping authority refused (status ${status.status})`);
  const token = new Uint8Array(timeStampToken.toSchema().toBER());
  const { info } = openToken(token);
  if (!isOver(info, statement)) throw new Error('the time stamp is for something else');
  if (info.nonce === undefined || info.nonce.toBigInt() !== integerOf(nonce).toBigInt())
    throw new Error('the time stamp answers another request');
  return token;
}

/** A certificate that the reader trusts: of an authority itself, or of a CA above one. */
export interface StampAnchor {
  readonly fingerprint: string;
  readonly certificate: Certificate;
}

/**
 * Each certificate of a file, PEM or DER; `name` is what the user calls it.
 * @throws SandgateError (input) where it holds none, or one that no time stamp can rest on
 */
export function openStampAnchors(bytes: Uint8Array, name: string): StampAnchor[] {
  const found = parsePemFile(bytes);
  if (found.length === 0) throw new SandgateError('certificate.none', { file: name });
  return found.map((der) => {
    let opened: X509Certificate;
    try {
      opened = new X509Certificate(der);
    } catch (cause) {
      throw new SandgateError('certificate.unreadable', { file: name }, { cause });
    }
    if (!opened.ca && !opened.keyUsage?.includes(TIME_STAMPING))
      throw new SandgateError('certificate.no-time-stamps', { file: name, subject: nameOf(opened) });
    const fingerprint = hash('sha256', opened.raw, 'hex');
    return { fingerprint, certificate: Certificate.fromBER(bytesOf(opened.raw)) };
  });
}

const nameOf = ({ subject }: X509Certificate): string => subject.replaceAll('\n', ', ');

/**
 * `unchecked`: there was no anchor to check it against. Else why it is not to be trusted: `other`: it is no time stamp
 * over the statement; `forged`: its signature does not fit; `purpose`: its certificate is not one for time stamps alone
 * (RFC 3161 2.3); `outdated`: that was not valid at the time of the stamp; `stranger`: it leads to no anchor.
 */
export type StampState = 'trusted' | 'unchecked' | 'other' | 'forged' | 'purpose' | 'outdated' | 'stranger';

export interface CheckedTimeStamp {
  readonly state: StampState;
  readonly at: number | null;
  /** Subject of the authority's certificate; empty where its signature was not found to fit. */
  readonly authority: string;
}

/** Never rejects. The authority must have been valid below one of the anchors, or be one, at the time that it stamped. */
export async function checkTimeStamp(
  token: Uint8Array,
  statement: Stamped,
  anchors: readonly StampAnchor[],
): Promise<CheckedTimeStamp> {
  try {
    const { signed, info } = openToken(token);
    if (!isOver(info, statement)) return { state: 'other', at: null, authority: '' };
    const at = info.genTime.getTime();
    if (anchors.length === 0) return { state: 'unchecked', at, authority: '' };
    return { at, ...(await judgeSigner(signed, at, statement, anchors)) };
  } catch {
    return { state: 'other', at: null, authority: '' };
  }
}

async function judgeSigner(
  signed: SignedData,
  at: number,
  statement: Stamped,
  anchors: readonly StampAnchor[],
): Promise<Pick<CheckedTimeStamp, 'state' | 'authority'>> {
  const signer = await signerOf(signed, { data: contentOf(statement) });
  if (signer === null) return { state: 'forged', authority: '' };
  const certificate = new X509Certificate(Buffer.from(signer.toSchema().toBER()));
  const as = (state: StampState) => ({ state, authority: nameOf(certificate) });
  if (!isForTimeStamps(signer)) return as('purpose');
  if (at < signer.notBefore.value.getTime() || at > signer.notAfter.value.getTime()) return as('outdated');
  const trustedCerts = anchors.map((anchor) => anchor.certificate);
  if (trustedCerts.some((one) => certificate.raw.equals(Buffer.from(one.toSchema().toBER()))))
    return as('trusted');
  const chained = await signerOf(signed, {
    data: contentOf(statement),
    checkChain: true,
    checkDate: new Date(at),
    trustedCerts,
  });
  return as(chained === null ? 'stranger' : 'trusted');
}

async function signerOf(signed: SignedData, asked: SignedDataVerifyParams): Promise<Certificate | null> {
  try {
    const found = await signed.verify({ ...asked, signer: 0, extendedMode: true });
    return found.signatureVerified === true ? (found.signerCertificate ?? null) : null;
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
  if (content === undefined) throw new Error('the time stamp is empty');
  return { signed, info: TSTInfo.fromBER(content) };
}

function isOver({ messageImprint }: TSTInfo, statement: Stamped): boolean {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  return (
    hashAlgorithm.algorithmId === SHA_256 && digestOf(statement).equals(Buffer.from(hashedMessage.getValue()))
  );
}
