/** Opens a call and closes it with its answer; the only place where exchanges are made. */
import type { CertificateObservation } from '../certificate/index.js';
import type { Recognise, Recognition } from '../spec/index.js';
import { Call, type Connection, type Exchange, type Injection, type ListenerName } from './exchange.js';
import { splitTarget } from './link.js';
import { Answer, Request } from './message.js';
import type { Body, Content, HeaderList } from './wire.js';

export interface Arrival {
  readonly id: string;
  readonly session: string;
  readonly at: number;
  readonly ahead?: number;
  readonly listener: ListenerName;
  readonly connection: Connection;
  readonly certificate: CertificateObservation;
  readonly seal?: CertificateObservation | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Body | null;
}

/** Who calls: the organizationIdentifier of the certificate, else its fingerprint, else null. */
export function tppOf(certificate: CertificateObservation): string | null {
  if (typeof certificate === 'string') return null;
  return certificate.organizationIdentifier?.text ?? `cert:${certificate.fingerprint256}`;
}

export function openCall(arrival: Arrival, recognition: Recognition): Call {
  const { id, session, at, ahead = 0, listener, connection, certificate, seal } = arrival;
  const { method, target, headers, body } = arrival;
  const request = new Request(method, target, headers, body);
  return new Call({
    id,
    session,
    at,
    ahead,
    listener,
    connection,
    certificate,
    seal,
    request,
    tpp: tppOf(certificate),
    operation: recognition.kind === 'operation' ? recognition.operation : null,
    params: recognition.kind === 'path-unknown' ? {} : recognition.params,
    allow: recognition.kind === 'method-unknown' ? recognition.allow : undefined,
    nearest: recognition.kind === 'path-unknown' ? recognition.nearest : undefined,
  });
}

/** The exchange as another interface has it; pages and notifications are of none. */
export function recognisedBy(exchange: Exchange, recognise: Recognise): Exchange {
  const { call } = exchange;
  if (call.direction === 'to-tpp') return exchange;
  const recognition = recognise(call.request.method, splitTarget(call.request.target).path);
  const isPage = call.operation === null && call.nearest === undefined && call.allow === undefined;
  if (isPage && recognition.kind !== 'operation') return exchange;
  const { operation, params, allow, nearest } = openCall({ ...call, ...call.request }, recognition);
  return { ...exchange, call: call.with({ operation, params, allow, nearest }) };
}

/** An answer out of what goes over the wire; `content` may be given where it is known already. */
export function openAnswer(
  { source, status, headers, body }: Pick<Answer, 'source' | 'status' | 'headers' | 'body'>,
  content?: Content,
): Answer {
  return new Answer(source, status, headers, body, content);
}

export function closeCall(
  call: Call,
  answer: Answer | null,
  elapsed: Exchange['elapsed'],
  fault: Exchange['fault'] = null,
  crossed = 0,
  injected?: Injection,
): Exchange {
  const exchange =
    crossed === 0 ? { call, answer, fault, elapsed } : { call, answer, fault, elapsed, crossed };
  return injected === undefined ? exchange : { ...exchange, injected };
}
