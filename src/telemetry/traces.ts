/** Which trace an exchange belongs to: that of its caller, that of the SCA journey of its consent or payment, or its own. */
import { createHmac } from 'node:crypto';
import { createRecentCache, type Exchange, headerIn, namedResource } from '../exchange/index.js';
import { operationRow, resourceCreatedBy } from '../spec/index.js';

/** Ids as bytes: 16 of the trace, 8 of the span. */
export interface SpanPlace {
  readonly trace: Uint8Array;
  readonly span: Uint8Array;
}

export interface Placed {
  /** The trace, and the parent in it; null: a trace of its own. */
  readonly within: SpanPlace | null;
  /** The id that others know its span by without having seen it; null: any. */
  readonly span: Uint8Array | null;
  /** The journey that it goes on with in another trace. */
  readonly link: SpanPlace | null;
}

interface Journey extends SpanPlace {
  readonly isCreated: boolean;
}

const MOST_JOURNEYS = 10_000;
const ALONE: Placed = { within: null, span: null, link: null };

/**
 * The ids of a journey follow from its consent or payment and the secret of the store: gateways and workers on one store
 * put its calls into one trace without asking each other. What is remembered is only what does not follow.
 */
export function createTraces(secret: Uint8Array) {
  const journeys = createRecentCache<string, Journey>(MOST_JOURNEYS);
  const derive = (text: string): SpanPlace => {
    const bytes = createHmac('sha256', secret).update(`trace\n${text}`).digest();
    return { trace: bytes.subarray(0, 16), span: bytes.subarray(16, 24) };
  };
  /** The sandbox gives the same id to each creation: another creation begins another journey. */
  const create = (key: string, id: string, caller: SpanPlace | null): Journey => {
    const own = derive(journeys.get(key)?.isCreated === true ? `${key}\n${id}` : key);
    const journey = { trace: caller?.trace ?? own.trace, span: own.span, isCreated: true };
    journeys.set(key, journey);
    return journey;
  };
  const find = (key: string): Journey => {
    const known = journeys.get(key);
    if (known !== undefined) return known;
    const journey = { ...derive(key), isCreated: false };
    journeys.set(key, journey);
    return journey;
  };

  return (exchange: Exchange): Placed => {
    const { call } = exchange;
    const caller = callerOf(headerIn(call.request.headers, 'traceparent'));
    const resource = namedResource(exchange);
    if (resource === null) return caller === null ? ALONE : { within: caller, span: null, link: null };
    const key = `${call.session}\n${resource.kind}\n${resource.id}`;
    if (resourceCreatedBy(call.operation) !== null) {
      const { trace, span } = create(key, call.id, caller);
      return { within: caller ?? { trace, span: NO_SPAN }, span, link: null };
    }
    const journey = find(key);
    const isWithin = isOfSca(exchange) && (caller === null || isSame(caller.trace, journey.trace));
    if (isWithin) return { within: caller ?? journey, span: null, link: null };
    return { within: caller, span: null, link: journey };
  };
}

/** In place of a parent: the span is the first of its trace. */
export const NO_SPAN = new Uint8Array(0);

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Creation, authorisation and token are; calls in the ninety days behind them are traces of their own. */
function isOfSca({ call }: Exchange): boolean {
  const { operation } = call;
  if (call.direction === 'to-tpp') return false;
  if (operation === null) return call.listener === 'psu';
  const { group, creates, on } = operationRow(operation);
  if (group === 'oauth') return call.operation !== 'oauth.token' || !isRefresh(call);
  return (creates !== null || on === 'authorisation') && !operation.includes('cancellation');
}

const isRefresh = ({ content }: Exchange['call']): boolean =>
  content.kind === 'form' &&
  content.fields.some(([name, value]) => name === 'grant_type' && value === 'refresh_token');

/** Version 00 ends with its flags; a later one may have more. */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** W3C Trace Context; what is none is left out. */
function callerOf(traceparent: string | undefined): SpanPlace | null {
  if (traceparent === undefined || traceparent.length > 512) return null;
  const [, trace, span] = TRACEPARENT.exec(traceparent) ?? [];
  if (trace === undefined || span === undefined) return null;
  return { trace: Buffer.from(trace, 'hex'), span: Buffer.from(span, 'hex') };
}
