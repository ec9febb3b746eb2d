/** Finds out what a Digest is of, if it is not that of the body. */
import { hash } from 'node:crypto';
import {
  type Body,
  bytesOfBody,
  type Call,
  type Content,
  codingsOf,
  type DigestEntry,
} from '../../exchange/index.js';
import { type Outcome, violation } from '../rule.js';
import { bodyForms, firstDifference } from './text-forms.js';

interface DigestAlgorithm {
  readonly hash: 'sha256' | 'sha512';
  /** Length of the base64. */
  readonly length: number;
}

const ALGORITHMS = new Map<string, DigestAlgorithm>([
  ['sha-256', { hash: 'sha256', length: 44 }],
  ['sha-512', { hash: 'sha512', length: 88 }],
]);

/** undefined for one that Berlin Group does not know. Labels are in any letter case (RFC 3230 4.1.1). */
export const digestAlgorithm = (label: string): DigestAlgorithm | undefined =>
  ALGORITHMS.get(label.toLowerCase());

const HASH_OF_LENGTH: Readonly<Record<number, readonly [hash: string, label: string]>> = {
  16: ['md5', 'MD5'],
  20: ['sha1', 'SHA-1'],
  32: ['sha256', 'SHA-256'],
  48: ['sha384', 'SHA-384'],
  64: ['sha512', 'SHA-512'],
};

type Decoding = readonly [cause: string | null, pattern: RegExp, decode: (text: string) => Buffer];
const utf8 = (bytes: Buffer): string => bytes.toString('latin1');
const DECODINGS: readonly Decoding[] = [
  [
    null,
    /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    (text) => Buffer.from(text, 'base64'),
  ],
  ['base64 without padding', /^[/+A-Za-z0-9]+$/, (text) => Buffer.from(text, 'base64')],
  ['base64url in place of base64', /^[\w-]+={0,2}$/, (text) => Buffer.from(text, 'base64url')],
  ['hexadecimal in place of base64', /^[0-9a-f]+$/i, (text) => Buffer.from(text, 'hex')],
  [
    'base64 of the hexadecimal text in place of that of the bytes',
    /^[A-Za-z0-9+/]+={0,2}$/,
    (text) => Buffer.from(utf8(Buffer.from(text, 'base64')), 'hex'),
  ],
  [
    'base64 twice',
    /^[A-Za-z0-9+/]+={0,2}$/,
    (text) => Buffer.from(utf8(Buffer.from(text, 'base64')), 'base64'),
  ],
];

export interface SentBody {
  readonly body: Body | null;
  readonly content: Content;
  readonly contentType: string | undefined;
}

const UNCODED = 'the digest was taken before the body was compressed';
/** Bytes of body that are hashed at most to find a cause. */
const MOST_HASHED = 2 * 1024 * 1024;
const LONGEST_BODY = 64 * 1024;

/** The mistake in words; null if no known one gives this digest. */
export function causeOfDigest(
  { algorithm, value }: DigestEntry,
  { body, content, contentType }: SentBody,
): string | null {
  const sent = body === null ? Buffer.alloc(0) : bytesOfBody(body);
  const claims = claimsOf(algorithm, value);
  const wire = body?.coded;
  const of = (found: string, claim: Claim): string =>
    [found, ...claim.causes].filter((one) => one !== '').join('; ');
  for (const claim of claims) {
    if (wire?.sha256 === claim.hex || wire?.sha512 === claim.hex) return of('', claim);
    if (hash(claim.hash, sent, 'hex') === claim.hex) return of(wire === undefined ? '' : UNCODED, claim);
    if (hash(claim.hash, hash('sha256', sent, 'buffer'), 'hex') === claim.hex)
      return of('the digest was hashed twice', claim);
    if (hash(claim.hash, '', 'hex') === claim.hex) return of('the digest is that of an empty body', claim);
  }
  if (sent.length > LONGEST_BODY) return null;
  let hashed = 0;
  for (const { cause, bytes } of bodyForms(
    body?.base64 === true ? '' : (body?.text ?? ''),
    content,
    contentType,
  )) {
    hashed += bytes.length;
    if (hashed > MOST_HASHED) return null;
    for (const claim of claims)
      if (hash(claim.hash, bytes, 'hex') === claim.hex)
        return of(`the digest is of the body ${cause}${differenceText(sent, bytes)}`, claim);
  }
  return null;
}

function differenceText(sent: Uint8Array, used: Uint8Array): string {
  const difference = firstDifference(sent, used);
  if (difference === null) return '';
  return ` (first difference: byte ${difference.at + 1}, ${difference.sent} was sent, ${difference.used} was hashed)`;
}

interface Claim {
  readonly hex: string;
  readonly hash: string;
  readonly causes: readonly string[];
}

/** The hashes that a value may stand for. */
function claimsOf(algorithm: string, value: string): Claim[] {
  return DECODINGS.flatMap(([coding, pattern, decode]): Claim[] => {
    const bytes = pattern.test(value) ? decode(value) : Buffer.alloc(0);
    const [name, label] = HASH_OF_LENGTH[bytes.length] ?? [];
    if (name === undefined || label === undefined) return [];
    const isLabelled = label.toLowerCase() === algorithm.toLowerCase();
    const causes = [coding, isLabelled ? null : `it is ${label} under the label ${algorithm}`];
    return [{ hex: bytes.toString('hex'), hash: name, causes: causes.filter((cause) => cause !== null) }];
  });
}

const EXPECTED = 'the hash of the body as it was sent';

/** A digest in several algorithms has to be right in each that is known. */
export function judgeDigest(digest: readonly DigestEntry[], call: Call): Outcome {
  const { body } = call.request;
  if (body?.truncated === true) return 'not-observed';
  const sent = { body, content: call.content, contentType: call.header['content-type'] };
  // Without the hashes, only the body without its coding is known.
  const isUncoded =
    body !== null && body.coded === undefined && codingsOf(call.header['content-encoding']).length > 0;
  let isSearched = false;
  const outcomes = digest.flatMap((entry): (true | string)[] => {
    const algorithm = digestAlgorithm(entry.algorithm);
    if (algorithm?.length !== entry.value.length) return [];
    const isRight = isOfBody(entry.value, algorithm.hash, body);
    if (isUncoded) return [isRight ? UNCODED : 'not-observed'];
    if (isRight) return [true];
    // One search: a header holds hundreds of wrong digests.
    const cause = isSearched ? null : causeOfDigest(entry, sent);
    isSearched = true;
    return [cause ?? 'no known cause'];
  });
  if (outcomes.length === 0) return 'not-applicable';
  if (outcomes.includes('not-observed')) return 'not-observed';
  return outcomes.flatMap((one) =>
    one === true ? [] : [violation('header Digest', EXPECTED, `another digest: ${one}`)],
  );
}

function isOfBody(value: string, name: DigestAlgorithm['hash'], body: Body | null): boolean {
  const hex = body?.coded?.[name] ?? hash(name, body === null ? '' : bytesOfBody(body), 'hex');
  return Buffer.from(hex, 'hex').toString('base64') === value;
}
