/** Bodies as bytes: as text and back, and their content codings (RFC 9110 8.4), which are undone for judging. */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Body } from './wire.js';

type Bounded = (coded: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;
type BoundedNow = (coded: Uint8Array, options: { maxOutputLength: number }) => Buffer;
type Encode = (plain: Uint8Array) => Promise<Buffer>;

interface Coding {
  readonly decode: Bounded;
  readonly decodeNow: BoundedNow;
  readonly encode: Encode;
}

const gzip: Coding = {
  decode: promisify(zlib.gunzip),
  decodeNow: zlib.gunzipSync,
  encode: promisify(zlib.gzip),
};
const inflate: Bounded = promisify(zlib.inflate);
const inflateRaw: Bounded = promisify(zlib.inflateRaw);
const brotli = promisify(zlib.brotliCompress);

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    // Some senders leave out the zlib wrapper that RFC 9110 8.4.1.2 asks for.
    decode: (coded, options) => (isZlibWrapped(coded) ? inflate(coded, options) : inflateRaw(coded, options)),
    decodeNow: (coded, options) =>
      isZlibWrapped(coded) ? zlib.inflateSync(coded, options) : zlib.inflateRawSync(coded, options),
    encode: promisify(zlib.deflate),
  },
  br: {
    decode: promisify(zlib.brotliDecompress),
    decodeNow: zlib.brotliDecompressSync,
    // The library's own default is its slowest: half a second for a MiB.
    encode: (plain) => brotli(plain, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  ...zstandard(),
};

/** Node has it from 22.15 on. */
function zstandard(): Record<string, Coding> {
  const { zstdDecompress, zstdDecompressSync, zstdCompress } = zlib as Partial<Record<string, unknown>>;
  if (typeof zstdDecompress !== 'function' || typeof zstdCompress !== 'function') return {};
  const decode = promisify(zstdDecompress as typeof zlib.gunzip) as Bounded;
  const encode = promisify(zstdCompress as typeof zlib.gzip) as Encode;
  return { zstd: { decode, decodeNow: zstdDecompressSync as BoundedNow, encode } };
}

function isZlibWrapped(coded: Uint8Array): boolean {
  const [first = 0, second = 0] = coded;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

const MOST_CODINGS = 3;

/** In the order in which they were applied; empty for an uncoded body. */
export function codingsOf(contentEncoding: string | undefined): readonly string[] {
  if (contentEncoding === undefined) return [];
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

export type Decoded =
  | { readonly kind: 'plain'; readonly bytes: Buffer }
  /** A coding that is not known here: nothing can be said of the body. */
  | { readonly kind: 'unknown' }
  /** It is not what its coding says. */
  | { readonly kind: 'corrupt' }
  | { readonly kind: 'bomb' };

/** `limit` bounds what each coding may grow to, and with it the time that is spent. */
export async function decodeBody(coded: Buffer, codings: readonly string[], limit: number): Promise<Decoded> {
  const known = knownOf(codings);
  let bytes = coded;
  try {
    for (const { decode } of known ?? []) bytes = await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    return failed(error);
  }
  return known === null ? { kind: 'unknown' } : { kind: 'plain', bytes };
}

/** The same at once, for what no call waits for. */
export function decodeBodyNow(coded: Buffer, codings: readonly string[], limit: number): Decoded {
  const known = knownOf(codings);
  let bytes = coded;
  try {
    for (const { decodeNow } of known ?? []) bytes = decodeNow(bytes, { maxOutputLength: limit });
  } catch (error) {
    return failed(error);
  }
  return known === null ? { kind: 'unknown' } : { kind: 'plain', bytes };
}

/** The last that was applied first; null where not all are known. */
function knownOf(codings: readonly string[]): Coding[] | null {
  const known = codings
    .toReversed()
    .flatMap((one) => (Object.hasOwn(CODINGS, one) ? (CODINGS[one] ?? []) : []));
  return codings.length > MOST_CODINGS || known.length < codings.length ? null : known;
}

function failed(error: unknown): Decoded {
  return { kind: (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'bomb' : 'corrupt' };
}

/** Encodes a body again with the codings that `decodeBody` has undone, in their order. */
export async function encodeBody(plain: Buffer, codings: readonly string[]): Promise<Buffer> {
  let bytes = plain;
  for (const coding of codings) bytes = (await CODINGS[coding]?.encode(bytes)) ?? bytes;
  return bytes;
}

/** A body that came as a whole, in a coding that cannot be undone: what is secret in it cannot be found either. */
export function unreadBody(coded: Buffer): Body {
  const sha256 = hash('sha256', coded, 'hex');
  return { text: '', size: coded.length, truncated: true, sha256 };
}

/** A body out of its bytes without codings; `size` is that on the wire. */
export function bodyOfBytes(bytes: Buffer, size: number): Body {
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), size }
    : { text: bytes.toString('base64'), base64: true, size };
}

/** The bytes of a body, which is not truncated. */
export function bytesOfBody({ text, base64 }: Pick<Body, 'text' | 'base64'>): Buffer {
  return Buffer.from(text, base64 === true ? 'base64' : 'utf8');
}
