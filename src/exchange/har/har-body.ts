/** Bodies as HAR files hold them: as text, base64, form parameters, still compressed, or left out. */

import { isUtf8 } from 'node:buffer';
import { bodyOfBytes, codingsOf, decodeBodyNow, unreadBody } from '../body-bytes.js';
import type { Body, HeaderIndex } from '../wire.js';
import type { HarBodyNote, HarEntry } from './har-schema.js';

/** Decompressed, a body may be this large; a bomb is not observed. */
const MOST_BYTES = 16 * 1024 * 1024;

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
  if (isUtf8(bytes)) return bodyOfBytes(bytes, size);
  // Some proxies write the bytes as they went over the wire, content coding and all.
  const decoded = decodeBodyNow(bytes, codingsOf(header['content-encoding']), MOST_BYTES);
  // A body that cannot be decoded is not kept: secrets in it would not be found.
  return decoded.kind === 'plain' ? bodyOfBytes(decoded.bytes, size) : { ...unreadBody(bytes), size };
}

function sizeOf(wireSize: number | null | undefined, length: number): number {
  return wireSize == null || wireSize < 0 ? length : wireSize;
}
