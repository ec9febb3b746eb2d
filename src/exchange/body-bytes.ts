/** Content codings (RFC 9110 8.4): decoded for judging, encoded again where a body was changed. */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

type Bounded = (coded: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;
type Encode = (plain: Uint8Array) => Promise<Buffer>;

interface Coding {
  readonly decode: Bounded;
  readonly encode: Encode;
}

const gzip: Coding = { decode: promisify(zlib.gunzip), encode: promisify(zlib.gzip) };
const inflate: Bounded = promisify(zlib.inflate);
const inflateRaw: Bounded = promisify(zlib.inflateRaw);
const brotli = promisify(zlib.brotliCompress);

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    // Some senders leave out the zlib wrapper that RFC 9110 8.4.1.2 asks for.
    decode: (coded, options) => (isZlibWrapped(coded) ? inflate(coded, options) : inflateRaw(coded, options)),
    encode: promisify(zlib.deflate),
  },
  br: {
    decode: promisify(zlib.brotliDecompress),
    // The library's own default is its slowest: half a second for a MiB.
    encode: (plain) => brotli(plain, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  ...zstandard(),
};

/** Node has it from 22.15 on. */
function zstandard(): Record<string, Coding> {
  const { zstdDecompress, zstdCompress } = zlib as Partial<Record<string, unknown>>;
  if (typeof zstdDecompress !== 'function' || typeof zstdCompress !== 'function') return {};
  const decode = promisify(zstdDecompress as typeof zlib.gunzip) as Bounded;
  return { zstd: { decode, encode: promisify(zstdCompress as typeof zlib.gzip) as Encode } };
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
  if (codings.length > MOST_CODINGS || !codings.every((coding) => Object.hasOwn(CODINGS, coding))) {
    return { kind: 'unknown' };
  }
  let bytes = coded;
  for (const coding of codings.toReversed()) {
    try {
      bytes = (await CODINGS[coding]?.decode(bytes, { maxOutputLength: limit })) ?? bytes;
    } catch (error) {
      const bomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return { kind: bomb ? 'bomb' : 'corrupt' };
    }
  }
  return { kind: 'plain', bytes };
}

/** Of codings that `decodeBody` has undone. */
export async function encodeBody(plain: Buffer, codings: readonly string[]): Promise<Buffer> {
  let bytes = plain;
  for (const coding of codings) bytes = (await CODINGS[coding]?.encode(bytes)) ?? bytes;
  return bytes;
}
