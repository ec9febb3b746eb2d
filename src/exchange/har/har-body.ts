/** Bodies as HAR files hold them: as text, base64, form parameters, still compressed, or left out. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Body, HeaderIndex } from '../wire.js';
import type { HarBodyNote, HarEntry } from './har-schema.js';

/** Decompressed, a body may be this large; a bomb is not observed. */
const MOST_BYTES = 16 * 1024 * 1024;
const LIMIT = { maxOutputLength: MOST_BYTES };

/** `note` is ours, where we wrote the file. */
export function requestBodyOf({ request, _sandgate }: HarEntry, header: HeaderIndex): Body | null {
  const { postData } = request;
  if (_sandgate !== undefined) return ownBody(_sandgate.requestBody, postData?.text);
  const params = postData?.params ?? [];
  let text = postData?.text ?? '';
  if (text === '' && params.length > 0) {
    text = new URLSearchParams(
      params.map(({ name, value }): [string, string] => [name, value ?? '']),
    ).toString();
  }
  if (text !== '') return readText(text, postData?.encoding === 'base64', request.bodySize, header);
  const size = request.bodySize ?? 0;
  return size > 0 ? leftOut(size) : null;
}

export function answerBodyOf({ request, response, _sandgate }: HarEntry, header: HeaderIndex): Body | null {
  const { content } = response;
  if (_sandgate !== undefined) return ownBody(_sandgate.answer?.body, content?.text);
  const text = content?.text ?? '';
  if (text !== '') return readText(text, content?.encoding === 'base64', response.bodySize, header);
  if (request.method === 'HEAD' || response.status === 204 || response.status === 304) return null;
  const size = Math.max(content?.size ?? -1, response.bodySize ?? -1);
  // -1 is "unknown"; a media type then tells that there was something.
  const unknown = size < 0 && (content?.mimeType ?? '') !== '' && content?.text == null;
  return size > 0 || unknown ? leftOut(Math.max(size, 0)) : null;
}

function ownBody(note: HarBodyNote | undefined, text: string | null | undefined): Body | null {
  return note === undefined ? null : { text: text ?? '', ...note };
}

function leftOut(size: number): Body {
  return { text: '', size, truncated: true };
}

function readText(
  text: string,
  base64: boolean,
  wireSize: number | null | undefined,
  header: HeaderIndex,
): Body {
  if (!base64) return { text, size: sizeOf(wireSize, Buffer.byteLength(text)) };
  const bytes = Buffer.from(text, 'base64');
  const size = sizeOf(wireSize, bytes.length);
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), size };
  // Some proxies write the bytes as they went over the wire, content coding and all.
  const decoded = decompress(bytes, header['content-encoding']);
  if (decoded === 'too-large') {
    return { ...leftOut(size), sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  if (isUtf8(decoded)) return { text: decoded.toString('utf8'), size };
  return { text: decoded.toString('base64'), base64: true, size };
}

function sizeOf(wireSize: number | null | undefined, length: number): number {
  return wireSize == null || wireSize < 0 ? length : wireSize;
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
  deflate: inflate,
};

/** `deflate` is zlib by the standard, and raw deflate by some who misread it. */
function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, LIMIT);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return inflateRawSync(bytes, LIMIT);
  }
}

/** The bytes without their content codings; unchanged where they have none that is known, or none after all. */
function decompress(bytes: Buffer, codings: string | undefined): Buffer | 'too-large' {
  let decoded = bytes;
  for (const coding of (codings ?? '').toLowerCase().split(',').reverse()) {
    const name = coding.trim();
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (decode === undefined) continue;
    try {
      decoded = decode(decoded);
    } catch (error) {
      if (isTooLarge(error)) return 'too-large';
      return bytes;
    }
  }
  return decoded;
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
