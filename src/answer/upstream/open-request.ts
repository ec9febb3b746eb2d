/** The TPP's call as a request to the bank: the same bytes, below the bank's base path. */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { bytesOfBody, type Call, splitTarget } from '../../exchange/index.js';
import type { AnswerContext } from '../answerer.js';
import { requestHeaders } from './forward-headers.js';

export type BankRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & {
  readonly headers: string[];
  readonly body: Uint8Array | Readable | null;
};

/** `base` has no slash at its end. null: the recording holds only a part of the body. */
export function openRequest(call: Call, context: AnswerContext, base: string): BankRequest | null {
  const { request, header } = call;
  const { raw, rest } = context;
  const path = pathOf(request.target, base);
  if (rest !== undefined) {
    const headers = requestHeaders(request.headers);
    const length = header['content-length'];
    if (length !== undefined) headers.push('Content-Length', length);
    if (raw !== undefined && raw.length > 0) rest.unshift(raw);
    return { method: request.method, path, headers, body: rest };
  }
  if (raw !== undefined) {
    return { method: request.method, path, headers: requestHeaders(request.headers), body: raw };
  }
  // Without the raw bytes the body is decoded; so it goes, and without a word of its coding.
  const { body } = request;
  if (body?.truncated === true) return null;
  const headers = requestHeaders(request.headers, body === null ? undefined : 'content-encoding');
  const bytes = body === null ? null : bytesOfBody(body);
  return { method: request.method, path, headers, body: bytes };
}

/** Path and query as they came; an absolute-form target has lost its origin. */
export function pathOf(target: string, base: string): string {
  if (target.startsWith('/')) return base + target;
  const { path, query } = splitTarget(target);
  return query === '' ? base + path : `${base}${path}?${query}`;
}
