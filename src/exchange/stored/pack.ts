/** Packs an exchange into its stored form: plain JSON without derived values, split by what repeats. */

import { hash } from 'node:crypto';
import type { CertificateFacts, CertificateObservation } from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import { Call, type Elapsed, EXCHANGE_FORMAT, type Exchange } from '../exchange.js';
import { byHeaderName } from '../headers.js';
import { Answer, Request } from '../message.js';
import { closeCall } from '../open.js';
import type { Body, HeaderList } from '../wire.js';
import type { PackedBody, PackedExchange, PackedHeader, PackedOwn, PackedShape } from './packed.js';

/**
 * Times are kept to the microsecond. The certificate's facts are kept apart, under their reference. `isPrivate`: the shape
 * holds no header that may tell of a person.
 */
export function packExchange(exchange: Exchange, isPrivate = false): PackedExchange {
  const { call, answer, fault, elapsed } = exchange;
  const { request, connection } = call;
  const values: string[] = [];
  const alone = isPrivate ? privateAlone : nameAlone;
  const headers = packHeaders(request.headers, alone, values);
  const answerValues: (string | number)[] = [];
  const answerHeaders = answer === null ? null : packHeaders(answer.headers, alone, answerValues, values);
  const paramNames = Object.keys(call.params);
  const own: PackedOwn = [
    call.at,
    toMicroseconds(elapsed.total),
    packAnswerer(elapsed),
    connection.address,
    request.target,
    paramNames.map((name) => call.params[name] as string),
    values,
    packBody(request.body),
    answerValues,
    packBody(answer?.body ?? null),
  ];
  return {
    id: call.id,
    session: call.session,
    // Every member is written out: a spread makes an object of a slower kind. JSON leaves out what is undefined.
    shape: {
      format: EXCHANGE_FORMAT,
      listener: call.listener,
      certificate: referenceOf(call.certificate),
      seal: call.seal === undefined ? undefined : referenceOf(call.seal),
      tpp: call.tpp,
      operation: call.operation,
      method: request.method,
      tls: connection.tls,
      bank: connection.bank,
      sender: connection.sender,
      params: paramNames,
      allow: call.allow,
      nearest: call.nearest,
      headers,
      answer:
        answer === null
          ? null
          : { source: answer.source, status: answer.status, headers: answerHeaders ?? [] },
      fault: fault?.kind,
    },
    own: withRare(own, fault?.message ?? null, call.ahead, exchange),
    requestBody: request.body?.text ?? null,
    answerBody: answer?.body?.text ?? null,
  };
}

function withRare(
  own: PackedOwn,
  fault: string | null,
  ahead: number,
  { crossed = 0, scope, injected }: Exchange,
): PackedOwn {
  if (injected !== undefined)
    return [...own, fault, ahead, crossed, scope ?? null, injected] as unknown as PackedOwn;
  if (scope !== undefined) return [...own, fault, ahead, crossed, scope] as unknown as PackedOwn;
  if (crossed !== 0) return [...own, fault, ahead, crossed] as unknown as PackedOwn;
  if (ahead !== 0) return [...own, fault, ahead] as unknown as PackedOwn;
  return fault === null ? own : ([...own, fault] as unknown as PackedOwn);
}

/** `certificateOf` gives the facts of a reference. */
export function unpackExchange(
  packed: PackedExchange,
  certificateOf: (reference: string) => CertificateFacts,
): Exchange {
  const { id, session, shape, own, requestBody, answerBody } = checkedFormat(packed);
  const [at, total, answerer, address, target, paramValues, values, body, answerValues, answerBodyFacts] =
    own;
  const observed = (reference: string): CertificateObservation =>
    reference === 'absent' || reference === 'not-observed' ? reference : certificateOf(reference);
  const call = new Call({
    id,
    session,
    at,
    ahead: own[11] ?? 0,
    listener: shape.listener,
    connection: {
      ...{ address, tls: shape.tls },
      ...(shape.bank === undefined ? {} : { bank: shape.bank }),
      ...(shape.sender === undefined ? {} : { sender: shape.sender }),
    },
    certificate: observed(shape.certificate),
    seal: shape.seal === undefined ? undefined : observed(shape.seal),
    tpp: shape.tpp,
    operation: shape.operation,
    params: Object.fromEntries(shape.params.map((name, i) => [name, paramValues[i] ?? ''])),
    allow: shape.allow,
    nearest: shape.nearest,
    request: new Request(
      shape.method,
      target,
      unpackHeaders(shape.headers, values),
      unpackBody(requestBody, body),
    ),
  });
  const fault = shape.fault === undefined ? null : { kind: shape.fault, message: own[10] ?? '' };
  const answer = unpackAnswer(shape, unpackBody(answerBody, answerBodyFacts), answerValues, values);
  const exchange = closeCall(
    call,
    answer,
    unpackElapsed(total, answerer),
    fault,
    own[12],
    own[14] ?? undefined,
  );
  const scoped = own[13] == null ? exchange : { ...exchange, scope: own[13] };
  if (own[15] === undefined) return scoped;
  return { ...scoped, withheld: own[15] === 'erased' ? 'erased' : 'enciphered' };
}

function unpackAnswer(
  shape: PackedShape,
  body: Body | null,
  answerValues: PackedOwn[8],
  values: readonly string[],
): Answer | null {
  if (shape.answer === null) return null;
  const { source, status } = shape.answer;
  const resolved = answerValues.map((value) => (typeof value === 'number' ? (values[value] ?? '') : value));
  return new Answer(source, status, unpackHeaders(shape.answer.headers, resolved), body);
}

/** Puts the values that are the call's own into `values`; one that is among `echoed` as its place there. */
function packHeaders(
  headers: HeaderList,
  aloneOf: typeof nameAlone,
  values: (string | number)[],
  echoed?: readonly string[],
): PackedHeader[] {
  return headers.map((pair) => {
    const [name, value] = pair;
    const alone = aloneOf(name);
    if (alone === null) return pair;
    const place = echoed === undefined ? -1 : echoed.indexOf(value);
    values.push(place < 0 ? value : place);
    return alone;
  });
}

function unpackHeaders(headers: readonly PackedHeader[], values: readonly string[]): HeaderList {
  let next = 0;
  return headers.map(([name, value]) => [name, value ?? values[next++] ?? '']);
}

function packBody(body: Body | null): PackedBody {
  if (body === null) return null;
  if (!body.base64 && !body.truncated && body.sha256 === undefined && body.coded === undefined)
    return body.size;
  const { text: _, ...facts } = body;
  return facts;
}

function unpackBody(text: string | null, facts: PackedBody): Body | null {
  if (facts === null || text === null) return null;
  return typeof facts === 'number' ? { text, size: facts } : { text, ...facts };
}

function packAnswerer({ answerer, firstByte }: Elapsed): PackedOwn[2] {
  const whole = toMicroseconds(answerer);
  return firstByte === undefined ? whole : [whole, toMicroseconds(firstByte)];
}

function unpackElapsed(total: number, packed: PackedOwn[2]): Elapsed {
  if (typeof packed === 'number') return { total, answerer: packed };
  const [answerer, firstByte] = packed;
  return { total, answerer, firstByte };
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

const references = new WeakMap<CertificateFacts, string>();

/** SHA-256 over the facts as JSON, base64url: other facts of the same certificate (a later revocation) differ. */
export function certificateReference(facts: CertificateFacts): string {
  let reference = references.get(facts);
  if (reference === undefined) {
    reference = hash('sha256', JSON.stringify(facts), 'base64url');
    references.set(facts, reference);
  }
  return reference;
}

const referenceOf = (certificate: CertificateObservation): string =>
  typeof certificate === 'string' ? certificate : certificateReference(certificate);

/** Lower case. Taking one up or out is no change of format: each stored shape says which values it holds. */
const INVARIANT = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'access-control-allow-origin',
  'allow',
  'aspsp-notification-support',
  'aspsp-sca-approach',
  'cache-control',
  'connection',
  'content-encoding',
  'content-language',
  'content-security-policy',
  'content-type',
  'expires',
  'host',
  'keep-alive',
  'pragma',
  'psu-ip-address',
  'psu-user-agent',
  'referrer-policy',
  'sandgate-findings',
  'sandgate-source',
  'server',
  'strict-transport-security',
  'tpp-explicit-authorisation-preferred',
  'tpp-nok-redirect-uri',
  'tpp-redirect-preferred',
  'tpp-redirect-uri',
  'tpp-signature-certificate',
  'transfer-encoding',
  'user-agent',
  'vary',
  'via',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
]);

/** The stored form of a header whose value differs in each call, the same for each name; null for other headers. */
const nameAlone = byHeaderName((key, name): PackedHeader | null => (INVARIANT.has(key) ? null : [name]));

/** These of them may tell of a person. */
const PERSONAL = new Set([
  ...['accept-language', 'psu-ip-address', 'psu-user-agent', 'user-agent', 'via'],
  ...['tpp-nok-redirect-uri', 'tpp-redirect-uri'],
]);

const privateAlone = byHeaderName((key, name): PackedHeader | null =>
  INVARIANT.has(key) && !PERSONAL.has(key) ? null : [name],
);

/** A later format is read here too; test/fixtures/format/ has a sample of each. */
function checkedFormat(packed: PackedExchange): PackedExchange {
  const { format } = packed.shape;
  if (format === EXCHANGE_FORMAT) return packed;
  throw new SandgateError('recording.newer-format', { format, most: EXCHANGE_FORMAT });
}
