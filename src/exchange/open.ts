/** Opens a call and closes it with its answer; the only place where exchanges are made. */
import type { CertificateObservation } from '../certificate/index.js';
import type { Recognition } from '../spec/index.js';
import { readContent, readForm } from './content.js';
import type { Answer, Body, Call, Connection, Exchange, HeaderList, ListenerName } from './exchange.js';
import { indexHeaders } from './headers.js';

export interface Arrival {
  readonly id: string;
  readonly session: string;
  readonly at: number;
  readonly listener: ListenerName;
  readonly connection: Connection;
  readonly certificate: CertificateObservation;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Body | null;
}

/** Path and query of a request target; an absolute-form target loses its origin. */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = relative.indexOf('?');
  if (mark < 0) return { path: relative === '' ? '/' : relative, query: '' };
  return { path: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) };
}

/** Who calls: the organizationIdentifier of the certificate, else its fingerprint, else null. */
export function tppOf(certificate: CertificateObservation): string | null {
  if (typeof certificate === 'string') return null;
  return certificate.organizationIdentifier?.text ?? `cert:${certificate.fingerprint256}`;
}

/** Every member is written out: a spread costs more than all else here, for each call. */
export function openCall(arrival: Arrival, recognition: Recognition): Call {
  const { id, session, at, listener, connection, certificate, method, target, headers, body } = arrival;
  const { path, query } = splitTarget(target);
  const header = indexHeaders(headers);
  const call: Call = {
    id,
    session,
    at,
    listener,
    connection,
    certificate,
    tpp: tppOf(certificate),
    operation: recognition.kind === 'operation' ? recognition.operation : null,
    params: recognition.kind === 'path-unknown' ? {} : recognition.params,
    request: { method, target, path, query: readForm(query), headers, body },
    header,
    content: readContent(body, header['content-type']),
  };
  if (recognition.kind === 'operation') return call;
  return recognition.kind === 'method-unknown'
    ? { ...call, allow: recognition.allow }
    : { ...call, nearest: recognition.nearest };
}

/** An answer out of what goes over the wire; `content` may be given where it is known already. */
export function openAnswer(
  wire: Pick<Answer, 'source' | 'status' | 'headers' | 'body'>,
  content?: Answer['content'],
): Answer {
  const { source, status, headers, body } = wire;
  const header = indexHeaders(headers);
  return {
    source,
    status,
    headers,
    body,
    header,
    content: content ?? readContent(body, header['content-type']),
  };
}

export function closeCall(
  call: Call,
  answer: Answer | null,
  elapsed: Exchange['elapsed'],
  fault: Exchange['fault'] = null,
): Exchange {
  return { call, answer, fault, elapsed };
}
