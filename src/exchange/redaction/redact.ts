/** Redacts an exchange: fingerprints in place of secrets. */
import { mediaType } from '../content.js';
import type { Call, Exchange } from '../exchange.js';
import { changeHeaders } from '../headers.js';
import { changeTarget } from '../link.js';
import type { Answer, Request } from '../message.js';
import { hideSeal, sendingSealed } from '../sealed.js';
import type { Body, HeaderList } from '../wire.js';
import type { Fingerprint } from './fingerprint.js';
import { redactBody } from './redact-body.js';
import { redactHeaders } from './redact-headers.js';
import { redactHidden } from './redact-hidden.js';
import { redactWithin } from './redact-json.js';
import { redactAssignments, redactPairs } from './redact-text.js';
import { secrecyOf } from './redacted-fields.js';
import { createSecretMemory, type Redaction, redactCopies, redactSecret } from './redaction.js';

export interface Redacted {
  readonly exchange: Exchange;
  /** Redacts texts about the exchange, such as findings: secrets met in it, and those of an address in the text. */
  readonly redactWords: (text: string) => string;
  /** The call that it was made of, and how many secrets had been met then. */
  readonly of: Call;
  readonly met: number;
  readonly redaction: Redaction;
}

/** Redacting twice changes nothing more. `begun` is what was made of the beginning of the same call. */
export type Redactor = (exchange: Exchange, begun?: Redacted) => Redacted;

/** For one recorder, or one run over a recording: it remembers what comes again from exchange to exchange, bounded. */
export function createRedactor(fingerprint: Fingerprint): Redactor {
  const memory = openRedaction(fingerprint);
  return (exchange, begun) => redact(begun?.redaction ?? { ...memory, met: [] }, exchange, begun);
}

/** A single exchange; of many, `createRedactor` remembers what comes again. */
export function redactExchange(exchange: Exchange, fingerprint: Fingerprint): Exchange {
  return createRedactor(fingerprint)(exchange).exchange;
}

function redact(redaction: Redaction, exchange: Exchange, begun?: Redacted): Redacted {
  const { call, answer, fault } = exchange;
  const isPage = call.listener === 'psu';
  const before = begun?.of === call ? begun : undefined;
  let request = before?.exchange.call.request ?? redactRequest(redaction, call.request, isPage);
  redaction.request = request;
  let redactedAnswer = answer === null ? null : redactAnswer(redaction, answer, isPage);
  let message = fault === null ? '' : redactAssignments(redaction, fault.message);
  const met = redaction.met.length;
  if (met > 0) {
    if (before?.met !== met) request = redactRequestCopies(redaction, request);
    redactedAnswer &&= redactAnswerCopies(redaction, redactedAnswer);
    message = redactCopies(redaction, message);
  }
  const isElsewhere = request.target !== call.request.target && request.path !== call.request.path;
  const redactParam = (value: string) => redactCopies(redaction, redactAssignments(redaction, value));
  const redactedCall =
    request === before?.exchange.call.request
      ? before.exchange.call
      : sendingSealed(
          call,
          call.sending(request, isElsewhere ? redactParam : undefined),
          redaction.fingerprint,
        );
  const scope = exchange.scope === undefined ? undefined : redactWords(redaction, exchange.scope);
  const isSame =
    redactedCall === call &&
    redactedAnswer === answer &&
    message === (fault?.message ?? '') &&
    scope === exchange.scope;
  return {
    exchange: isSame
      ? exchange
      : {
          call: redactedCall,
          answer: redactedAnswer,
          fault: fault === null ? null : { ...fault, message },
          elapsed: exchange.elapsed,
          ...(exchange.crossed === undefined ? {} : { crossed: exchange.crossed }),
          ...(exchange.injected === undefined ? {} : { injected: exchange.injected }),
          ...(scope === undefined ? {} : { scope }),
        },
    redactWords: (text) => redactWords(redaction, text),
    of: call,
    met,
    redaction,
  };
}

function redactWords(redaction: Redaction, text: string): string {
  const copied = redactCopies(redaction, text);
  // Its own words may name a field: only what is an address, or coded, is looked into.
  return copied.includes('://') ? redactAssignments(redaction, copied) : redactHidden(redaction, copied);
}

function redactRequest(redaction: Redaction, request: Request, isPage: boolean): Request {
  const body = isPage
    ? dropped(request.body)
    : redactBody(redaction, request.body, request.content, {
        contentType: mediaType(request.header['content-type']),
        codesAreMessages: false,
      });
  return request.with(
    redactTarget(redaction, request.target),
    redactHeaders(redaction, request.headers),
    body,
  );
}

function redactAnswer(redaction: Redaction, answer: Answer, isPage: boolean): Answer {
  const body = isPage
    ? dropped(answer.body, answer)
    : redactBody(redaction, answer.body, answer.content, {
        contentType: mediaType(answer.header['content-type']),
        codesAreMessages: answer.status >= 400,
      });
  const headers = redactHeaders(redaction, answer.headers);
  return answer.with(body === answer.body ? headers : hideSeal(headers, false, redaction.fingerprint), body);
}

/** In characters of HTML. */
const TITLE = /<title>[^<]{1,200}<\/title>/;

/**
 * Pages of the PSU hold logins and balances: only their size is kept, and the title of a page by which the built-in bank
 * refuses: it is the same for every PSU, and says why.
 */
function dropped(body: Body | null, answer?: Answer): Body | null {
  if (body === null || body.text === '') return body;
  const isRefusal = answer?.source === 'emulator' && answer.status >= 400;
  const text = (isRefusal ? TITLE.exec(body.text)?.[0] : undefined) ?? '';
  return { text, size: body.size, truncated: true };
}

const redactTarget = (redaction: Redaction, target: string): string =>
  changeTarget(
    target,
    (path) => redactAssignments(redaction, path),
    (query) => redactPairs(redaction, query),
  );

function redactRequestCopies(redaction: Redaction, request: Request): Request {
  const { target, headers, body } = request;
  return request.with(
    redactCopies(redaction, target),
    redactHeaderCopies(redaction, headers),
    redactBodyCopies(redaction, body),
  );
}

const redactAnswerCopies = (redaction: Redaction, answer: Answer): Answer =>
  answer.with(redactHeaderCopies(redaction, answer.headers), redactBodyCopies(redaction, answer.body));

const redactHeaderCopies = (redaction: Redaction, headers: HeaderList): HeaderList =>
  changeHeaders(headers, (value) => redactCopies(redaction, value));

function redactBodyCopies(redaction: Redaction, body: Body | null): Body | null {
  if (body === null) return null;
  const text = redactCopies(redaction, body.text);
  return text === body.text ? body : { ...body, text };
}

function openRedaction(fingerprint: Fingerprint): Redaction {
  const secretOf = createSecretMemory(fingerprint);
  return { fingerprint, secretOf, unmarked: new WeakMap(), met: [], depth: 0, request: null };
}

/** Redacts a text by itself: an address keeps its scheme, host and path. Doing it twice changes nothing more. */
export function redactText(text: string, fingerprint: Fingerprint): string {
  return redactWithin(openRedaction(fingerprint), text, false);
}

/** Whether two addresses are the same, where one of them may have been redacted. */
export function isSameAddress(one: string, other: string, fingerprint: Fingerprint): boolean {
  return one === other || redactText(one, fingerprint) === redactText(other, fingerprint);
}

/** Redacts the texts of a plain value; the same value where nothing in it is secret. */
export function redactValue<V>(value: V, fingerprint: Fingerprint): V {
  return redactIn(openRedaction(fingerprint), value, '') as V;
}

function redactIn(redaction: Redaction, value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return secrecyOf(name) === 'secret'
      ? redactSecret(redaction, value)
      : redactWithin(redaction, value, false);
  if (typeof value !== 'object' || value === null) return value;
  let redacted: Record<string, unknown> | unknown[] | null = null;
  for (const [key, one] of Object.entries(value)) {
    const made = redactIn(redaction, one, Array.isArray(value) ? name : key);
    if (made === one) continue;
    redacted ??= Array.isArray(value) ? [...value] : { ...value };
    (redacted as Record<string, unknown>)[key] = made;
  }
  return redacted ?? value;
}
