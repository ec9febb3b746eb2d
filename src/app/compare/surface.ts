/** The interface of a bank as one recording shows it: by operation and status the shapes of its answers. */
import {
  type Answer,
  type Call,
  type Exchange,
  HEADERS_THAT_MATTER,
  isObject,
  mediaType,
  memberOf,
  queryValue,
} from '../../exchange/index.js';
import { messageCode } from '../../report/index.js';
import { type Dialect, type OperationId, operationRow, STATUSES } from '../../spec/index.js';
import { type Budget, count, createShape, type Shape, type Taking, takeOther, takeValue } from './shape.js';

/** The answers of one operation with one status. */
export interface StatusSurface {
  answers: number;
  readonly header: Shape;
  readonly body: Shape;
}

/** Entries of the longest list in answers that a further page follows, and in those that none does. */
export interface Pages {
  paged: number;
  shortest: number;
  longest: number;
  longestWhole: number;
}

export interface OperationSurface {
  readonly operation: OperationId;
  /** Parameters of the calls on which the shape of the answer depends: `withBalance=true`. */
  readonly variant: string;
  readonly statuses: Map<number, StatusSurface>;
  /** By error code: the statuses that it came with. */
  readonly errors: Map<string, Map<string, number>>;
  readonly pages: Pages;
}

export interface Surface {
  readonly operations: ReadonlyMap<string, OperationSurface>;
  /** Members of the bodies that create a consent or a payment, which a read gives back: `consents access.balances`. */
  readonly sent: ReadonlySet<string>;
  readonly exchanges: number;
  readonly answers: number;
  /** Calls of no known operation. */
  readonly unknown: number;
  /** Some places were left out, because there are too many. */
  readonly isCut: boolean;
}

/** Numbers of states, the same for all recordings that are compared. */
export type States = Map<string, number>;

const MOST_STATES = 100;
const MOST_SENT = 2_000;
const MOST_ERRORS = 200;

/** Takes the exchanges of a recording one by one, in any order. */
export function createSurface(states: States, dialect: Dialect) {
  const operations = new Map<string, OperationSurface>();
  const sent = new Set<string>();
  const budget: Budget = { shapes: 0, isSpent: false };
  const told = { exchanges: 0, answers: 0, unknown: 0 };
  return {
    take(exchange: Exchange): void {
      told.exchanges++;
      const { call, answer, injected } = exchange;
      const { operation } = call;
      if (call.listener !== 'api') return;
      if (operation === null) told.unknown++;
      if (operation === null || operationRow(operation).listener !== 'api') return;
      takeSent(sent, operation, call);
      if (answer === null || injected !== undefined || !OF_BANK.has(answer.source)) return;
      told.answers++;
      const surface = surfaceOf(operations, operation, variantOf(call, dialect));
      takeAnswer(surface, exchange, answer, states, budget);
    },
    finish: (): Surface => ({ operations, sent, ...told, isCut: budget.isSpent }),
  };
}

/** Rules and the gateway refuse in the bank's place. */
const OF_BANK: ReadonlySet<string> = new Set(['emulator', 'upstream', 'replay']);

function surfaceOf(known: Map<string, OperationSurface>, operation: OperationId, variant: string) {
  const key = `${operation} ${variant}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const pages = { paged: 0, shortest: Number.POSITIVE_INFINITY, longest: 0, longestWhole: 0 };
  const made: OperationSurface = { operation, variant, statuses: new Map(), errors: new Map(), pages };
  known.set(key, made);
  return made;
}

/** Each part is one of few: what a client asks for may be anything. */
function variantOf(call: Call, dialect: Dialect): string {
  const { paymentService, paymentProduct } = call.params;
  const booking = queryValue(call, 'bookingStatus') ?? '';
  const explicit = call.header['tpp-explicit-authorisation-preferred'];
  return [
    paymentService === undefined ? '' : (dialect.productOf(paymentService, paymentProduct)?.service ?? ''),
    dialect.productOf(paymentService, paymentProduct)?.code ?? '',
    queryValue(call, 'withBalance') === 'true' ? 'withBalance=true' : '',
    /^(?:booked|pending|both|information|all)$/.test(booking) ? `bookingStatus=${booking}` : '',
    explicit === 'true' ? 'explicit authorisation' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function takeAnswer(
  surface: OperationSurface,
  exchange: Exchange,
  answer: Answer,
  states: States,
  budget: Budget,
): void {
  const { status, content, body } = answer;
  const known = surface.statuses.get(status);
  const of = known ?? { answers: 0, header: createShape(), body: createShape() };
  surface.statuses.set(status, of);
  of.answers++;
  const isError = status >= 400;
  const code = isError ? messageCode(exchange) : undefined;
  const state = numberOf(
    states,
    isError ? (code ?? '') : stateIn(content.kind === 'json' ? content.value : null),
  );
  const taking: Taking = { budget, state, isError, longest: 0, hasNext: false };
  takeHeaders(of.header, answer, taking);
  if (content.kind === 'not-observed' || body?.truncated === true) return;
  if (content.kind === 'json') takeValue(of.body, '', content.value, taking);
  else takeOther(of.body, NAMES_OF_BODIES[content.kind] ?? content.kind, taking);
  if (code !== undefined && surface.errors.size < MOST_ERRORS) {
    const statuses = surface.errors.get(code) ?? new Map<string, number>();
    surface.errors.set(code, statuses);
    count(statuses, String(status));
  }
  if (!isError) takePage(surface.pages, taking);
}

const NAMES_OF_BODIES: Readonly<Record<string, string>> = { none: 'no body', opaque: 'no JSON' };

function takePage(pages: Pages, { hasNext, longest }: Taking): void {
  if (!hasNext) pages.longestWhole = Math.max(pages.longestWhole, longest);
  else {
    pages.paged++;
    pages.shortest = Math.min(pages.shortest, longest);
    pages.longest = Math.max(pages.longest, longest);
  }
}

/** The status that an answer tells: by it, some members are there or not. */
function stateIn(value: unknown): string {
  for (const name of Object.keys(STATUSES)) {
    const state = memberOf(value, name);
    if (typeof state === 'string') return `${name} ${state.slice(0, 60)}`;
  }
  return '';
}

function numberOf(states: States, state: string): number {
  const known = states.get(state);
  if (known !== undefined) return known;
  if (states.size < MOST_STATES) states.set(state, states.size);
  return states.get(state) ?? MOST_STATES;
}

const LISTS: ReadonlySet<string> = new Set(['cache-control', 'allow']);

function takeHeaders(shape: Shape, { header }: Answer, taking: Taking): void {
  const fields: Record<string, unknown> = {};
  for (const name of HEADERS_THAT_MATTER) {
    const value = header[name];
    if (value === undefined || name === 'retry-after') continue;
    if (LISTS.has(name)) fields[name] = value.toLowerCase().split(/\s*[,;]\s*/);
    else fields[name] = name === 'content-type' ? mediaType(value) : value;
  }
  takeValue(shape, '', fields, { ...taking, isError: false });
}

/** Its places as the answers to reads have them, without the values. */
function takeSent(sent: Set<string>, operation: OperationId, { content }: Call): void {
  const { creates, group } = operationRow(operation);
  if ((creates !== 'consent' && creates !== 'payment') || content.kind !== 'json') return;
  const visit = (value: unknown, place: string, depth: number): void => {
    if (depth > 8 || sent.size >= MOST_SENT) return;
    if (Array.isArray(value)) for (const entry of value) visit(entry, `${place}[]`, depth + 1);
    else if (isObject(value))
      for (const name of Object.keys(value)) {
        const inner = place === '' ? name : `${place}.${name}`;
        if (/^\w{1,60}$/.test(name)) sent.add(`${group} ${inner}`);
        visit(value[name], inner, depth + 1);
      }
  };
  sent.add(group);
  visit(content.value, '', 0);
}
