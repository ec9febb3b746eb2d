/**
 * What a Digest and a Signature cover must stay as it was sent, or nobody can judge them again. If it changes, the call says
 * so, and they are hidden: with them a guess at what was taken out, such as a PIN, could be verified.
 */
import type { Call } from './exchange.js';
import { changeHeaders } from './headers.js';
import { readSignature, signedValue } from './http-signature.js';
import type { Request } from './message.js';
import type { Body, HeaderIndex, HeaderList } from './wire.js';

/** Names in lower case; null: nothing is sealed. */
export function coveredHeaders(header: HeaderIndex): ReadonlySet<string> | null {
  if (header.signature === undefined) return header.digest === undefined ? null : new Set();
  const read = readSignature(header.signature);
  return new Set('problem' in read ? [] : read.covered);
}

const isSameBody = (one: Body | null, other: Body | null): boolean =>
  one === other || (one?.text === other?.text && one?.base64 === other?.base64);

function isSameHead(sent: Request, made: Request): boolean {
  const read = readSignature(sent.header.signature ?? '');
  if ('problem' in read) return true;
  return read.covered.every((name) => signedValue(sent, read, name) === signedValue(made, read, name));
}

const isSealed = ({ header }: Request): boolean =>
  header.signature !== undefined || header.digest !== undefined;

/** Whether all that is sealed is as it was sent. */
export const isSealKept = (sent: Request, made: Request): boolean =>
  sent === made || !isSealed(sent) || (isSameBody(sent.body, made.body) && isSameHead(sent, made));

/** The call with another request; `hide` gives what stands for a value that would tell what was taken out. */
export function sendingSealed(call: Call, made: Call, hide: (value: string) => string): Call {
  const { request: sent } = call;
  const { request } = made;
  if (isSealKept(sent, request)) return made;
  const isBodyKept = isSameBody(sent.body, request.body);
  const headers = hideSeal(request.headers, isBodyKept, hide);
  const hidden = request.with(
    request.target,
    headers,
    isBodyKept ? request.body : withoutHashes(request.body),
  );
  return made.with({ request: hidden, seal: 'not-observed' });
}

export const hideSeal = (
  headers: HeaderList,
  isBodyKept: boolean,
  hide: (value: string) => string,
): HeaderList =>
  changeHeaders(headers, (value, name) => {
    const key = name.toLowerCase();
    return key === 'signature' || (key === 'digest' && !isBodyKept) ? hide(value) : value;
  });

function withoutHashes(body: Body | null): Body | null {
  if (body?.coded === undefined) return body;
  const { coded: _, ...rest } = body;
  return rest;
}
