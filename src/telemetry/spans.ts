/** The spans of an exchange, as bytes of OTLP: the call, what the gateway did for it (the rules), and what the bank did. */
import { arrivedAt, type Exchange, isFailedConnection } from '../exchange/index.js';
import type { Finding } from '../rules/index.js';
import type { OperationId } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { attribute, count, field, lengthOfVarint, type Writer } from './protobuf.js';
import { createTraces, NO_SPAN, type Placed } from './traces.js';

export interface SpansParts {
  /** Random bytes. */
  readonly bytes: (size: number) => Uint8Array;
  readonly secret: Uint8Array;
  /** Path templates. No path is told: it may hold the number of an account. */
  readonly routes: ReadonlyMap<OperationId, string>;
  /** Its host; null where there is none, or several. */
  readonly bank: string | null;
}

/** Numbers of fields of `Span` (opentelemetry-proto, trace/v1), and of the few within. */
const NAME = 5;
const KIND = 6;
const ATTRIBUTE = 9;
const EVENT = 11;
const DROPPED_EVENTS = 12;
const LINK = 13;
const STATUS = 15;
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const ERROR = field(STATUS, count(3, 2));
const [TRACE_ID, SPAN_ID, PARENT_ID, START, END] = [0x0a, 0x12, 0x22, 0x39, 0x41];
/** With their lengths in front. */
const IDS_AND_TIMES = 18 + 10 + 9 + 9;
const PARENT_BYTES = 10;
const LINK_BYTES = 30;
const ID_LENGTH = 11;
const EXCHANGE_ID = attribute(ATTRIBUTE, 'sandgate.exchange', '0'.repeat(ID_LENGTH)).subarray(0, -ID_LENGTH);

/** The bytes that stand in the spans of all calls alike. */
interface Forms {
  readonly call: Buffer;
  readonly rules: Buffer | null;
  readonly source: Buffer | null;
}

const MOST_FORMS = 2_000;
const MOST_EVENTS = 32;
/** So many random bytes are made at once. */
const POOL = 4_080;
/** Bytes of the ids of a trace and of the call's span; those of the spans in it follow it. */
const IDS_OF_ONE = 24;

/** An id within bytes: they are not cut out for each. */
interface Id {
  readonly bytes: Uint8Array;
  readonly at: number;
}

const idOf = (bytes: Uint8Array): Id => ({ bytes, at: 0 });

/** Writes the spans of exchanges, each a field of `ScopeSpans`. */
export function createSpans({ bytes, secret, routes, bank }: SpansParts) {
  const place = createTraces(secret);
  const take = createPool(bytes);
  const formsOf = remembered(
    ({ call, answer, fault }: Exchange) =>
      `${call.listener} ${call.operation} ${call.request.method} ${answer?.status} ${answer?.source} ${fault?.kind}`,
    (exchange: Exchange) => makeForms(exchange, routes, bank),
  );
  const eventOf = remembered(
    ({ rule, severity, judges, waived }: Finding) => `${rule} ${severity} ${judges} ${waived === undefined}`,
    makeEvent,
  );

  return {
    /** More bytes than the spans of an exchange are. */
    most: ({ findings }: Pick<RecordedExchange, 'findings'>): number =>
      4_096 + Math.min(findings.length, MOST_EVENTS) * 512,
    write: (to: Writer, { exchange, findings }: RecordedExchange): void => {
      const { call, elapsed } = exchange;
      const { within, span, link } = place(exchange);
      const { call: whole, rules, source } = formsOf(exchange);
      const own = take();
      const trace = within === null ? own : idOf(within.trace);
      const id = span === null ? { bytes: own.bytes, at: own.at + 16 } : idOf(span);
      const start = arrivedAt(call);
      const end = start + elapsed.total;
      const turn = end - elapsed.answerer;
      const parent = within === null || within.span === NO_SPAN ? null : idOf(within.span);
      const more = EXCHANGE_ID.length + ID_LENGTH + (link === null ? 0 : LINK_BYTES);
      writeHead(to, whole.length + more, { trace, id, nth: 0, parent, start, end });
      to.part(whole);
      to.part(EXCHANGE_ID);
      to.ascii(call.id);
      if (link !== null) writeLink(to, link);
      if (rules !== null) {
        const made = findings.length === 0 ? NO_EVENTS : findings.slice(0, MOST_EVENTS).map(eventOf);
        const left = findings.length - made.length;
        const dropped = left === 0 ? NO_SPAN : count(DROPPED_EVENTS, left);
        const length = made.reduce((sum, event) => sum + lengthOfEvent(event), rules.length + dropped.length);
        writeHead(to, length, { trace, id, nth: 1, parent: id, start, end: turn });
        to.part(rules);
        to.part(dropped);
        for (const event of made) writeEvent(to, event, turn);
      }
      if (source === null) return;
      writeHead(to, source.length, { trace, id, nth: 2, parent: id, start: turn, end });
      to.part(source);
    },
  };
}

const NO_EVENTS: readonly Buffer[] = [];

/** Random bytes for the ids of one exchange at a time. */
function createPool(bytes: SpansParts['bytes']): () => Id {
  let pool: Uint8Array = NO_SPAN;
  let next = 0;
  return () => {
    if (next + IDS_OF_ONE > pool.length) {
      pool = bytes(POOL);
      next = 0;
    }
    next += IDS_OF_ONE;
    return { bytes: pool, at: next - IDS_OF_ONE };
  };
}

interface Head {
  readonly trace: Id;
  readonly id: Id;
  /** Added to the id. */
  readonly nth: number;
  readonly parent: Id | null;
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
}

/** `length`: of all that follows of the span. */
function writeHead(to: Writer, length: number, { trace, id, nth, parent, start, end }: Head): void {
  to.byte(0x12);
  to.varint(IDS_AND_TIMES + (parent === null ? 0 : PARENT_BYTES) + length);
  to.byte(TRACE_ID);
  to.byte(16);
  to.few(trace.bytes, trace.at, 16);
  to.byte(SPAN_ID);
  to.byte(8);
  to.few(id.bytes, id.at, 7);
  to.byte((id.bytes[id.at + 7] ?? 0) + nth);
  if (parent !== null) {
    to.byte(PARENT_ID);
    to.byte(8);
    to.few(parent.bytes, parent.at, 8);
  }
  to.byte(START);
  to.time(start);
  to.byte(END);
  to.time(end);
}

function writeLink(to: Writer, { trace, span }: NonNullable<Placed['link']>): void {
  to.byte((LINK << 3) | 2);
  to.byte(LINK_BYTES - 2);
  to.byte(TRACE_ID);
  to.byte(16);
  to.few(trace, 0, 16);
  to.byte(SPAN_ID);
  to.byte(8);
  to.few(span, 0, 8);
}

const lengthOfEvent = (event: Buffer): number => 1 + lengthOfVarint(event.length + 9) + 9 + event.length;

function writeEvent(to: Writer, event: Buffer, at: number): void {
  to.byte((EVENT << 3) | 2);
  to.varint(event.length + 9);
  to.byte(0x09);
  to.time(at);
  to.part(event);
}

/** Neither place nor value: names of members and headers are a caller's own. */
const makeEvent = ({ rule, severity, judges, waived }: Finding): Buffer =>
  Buffer.concat([
    field(2, 'finding'),
    attribute(3, 'sandgate.rule', rule.slice(0, 100)),
    attribute(3, 'sandgate.severity', severity),
    attribute(3, 'sandgate.judges', judges),
    ...(waived === undefined ? [] : [attribute(3, 'sandgate.waived', true)]),
  ]);

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

type Attributes = Readonly<Record<string, string | number | null | undefined>>;

function form(name: string, kind: number, isError: boolean, attributes: Attributes): Buffer {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value == null ? [] : [attribute(ATTRIBUTE, key, value)],
  );
  return Buffer.concat([field(NAME, name), count(KIND, kind), ...given, ...(isError ? [ERROR] : [])]);
}

/** By the semantic conventions of OpenTelemetry for HTTP. */
function makeForms(exchange: Exchange, routes: SpansParts['routes'], bank: string | null): Forms {
  const { call, answer, fault } = exchange;
  if (isFailedConnection(exchange)) {
    const attributes = { 'error.type': fault?.kind, 'sandgate.listener': call.listener };
    return { call: form('connection', SERVER, true, attributes), rules: null, source: null };
  }
  const { operation, listener } = call;
  const isToTpp = call.direction === 'to-tpp';
  const method = METHODS.has(call.request.method) ? call.request.method : '_OTHER';
  const route = operation === null ? undefined : routes.get(operation);
  const status = answer?.status;
  const http = {
    'http.request.method': method,
    'http.response.status_code': status,
    'error.type': fault?.kind ?? (status !== undefined && status >= 500 ? String(status) : undefined),
  };
  const isError = fault !== null || (status ?? 0) >= 500;
  const name =
    `${method === '_OTHER' ? 'HTTP' : method} ${isToTpp ? 'notification' : (route ?? '')}`.trimEnd();
  const source = answer?.source ?? (exchange.elapsed.answerer > 0 ? 'upstream' : null);
  const isBank = source === 'upstream';
  const whole = form(name, isToTpp ? CLIENT : SERVER, isError, {
    ...http,
    'http.route': route,
    'url.path': route,
    'url.scheme': isToTpp ? undefined : 'https',
    'sandgate.listener': listener,
    'sandgate.operation': operation,
    'sandgate.source': answer?.source,
  });
  const asked = form(
    isBank ? `${method} bank` : (source ?? ''),
    isBank ? CLIENT : INTERNAL,
    isBank && isError,
    {
      ...(isBank ? { ...http, 'url.template': route, 'server.address': bank } : {}),
    },
  );
  return {
    call: whole,
    rules: isToTpp ? null : form('rules', INTERNAL, false, {}),
    source: isToTpp || source === null || source === 'rule' || source === 'gateway' ? null : asked,
  };
}

/** Makes each kind once. What is asked for comes from outside, so only so many are kept. */
function remembered<T, V>(keyOf: (of: T) => string, make: (of: T) => V): (of: T) => V {
  const known = new Map<string, V>();
  return (of) => {
    const key = keyOf(of);
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(of);
    if (known.size < MOST_FORMS && key.length < 500) known.set(key, made);
    return made;
  };
}
