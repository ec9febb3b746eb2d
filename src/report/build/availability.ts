/** How the bank could be reached, and how fast it answered, by service and day: as seen from here. */
import {
  arrivedAt,
  bankStatusOf,
  type Exchange,
  isFailedConnection,
  isForBank,
  namedResource,
} from '../../exchange/index.js';
import { BANK_ZONE, dateOf, openCalendar, operationRow } from '../../spec/index.js';
import type { Availability, Caps, PublishedRow } from '../model.js';
import type { Collector, Seen } from './collector.js';
import { type Counted, windowOf } from './daily-limit.js';
import { createDurations } from './durations.js';
import { createRuns, type Sample } from './runs.js';

type Service = PublishedRow['service'];
type Outside = Availability['outside'];
type Figures = Availability['services'][number]['total'];

const SERVICES: readonly Service[] = ['AIS', 'PIS', 'CBPII'];

export function collectAvailability(judging: Counted, caps: Caps): Collector<Availability> {
  const zone = zoneOf(judging);
  const calendar = openCalendar(zone);
  const outside: Outside = {
    ...{ emulator: 0, replay: 0, refused: 0, injected: 0, unknown: 0 },
    ...{ noService: 0, pages: 0, callbacks: 0, connections: 0 },
  };
  const services = new Map<Service, ReturnType<typeof createService>>();
  return {
    take(seen) {
      const { exchange } = seen.record;
      const service = serviceOf(exchange);
      const end = service === null ? elsewhere(exchange) : endOf(exchange);
      if (end !== 'technical' && end !== 'answered') outside[end]++;
      else if (service !== null) {
        const row = services.get(service) ?? createService(calendar, caps.rows);
        services.set(service, row);
        row.take(seen, end === 'answered');
      }
    },
    finish: () => ({
      zone,
      note: noteOf(services.size > 0),
      outside,
      services: SERVICES.flatMap((service) => {
        const row = services.get(service);
        return row === undefined ? [] : [{ service, ...row.finish() }];
      }),
      published: null,
    }),
  };
}

/** The time zone of the days. */
export function zoneOf(judging: Counted): string {
  const { setting } = windowOf(judging);
  return setting.kind === 'rolling' ? BANK_ZONE : setting.timeZone;
}

/** Calls for tokens belong to the service of their consent or payment. */
function serviceOf(exchange: Exchange): Service | null {
  const { operation, listener } = exchange.call;
  if (operation === null || listener !== 'api' || isFailedConnection(exchange)) return null;
  switch (operationRow(operation).group) {
    case 'consents':
    case 'accounts':
      return 'AIS';
    case 'payments':
      return 'PIS';
    case 'funds-confirmations':
      return 'CBPII';
    case 'oauth': {
      const kind = namedResource(exchange)?.kind;
      return kind === undefined ? null : kind === 'consent' ? 'AIS' : 'PIS';
    }
    default:
      return null;
  }
}

/** Names why a call is of no service. */
function elsewhere(exchange: Exchange): keyof Outside {
  if (isFailedConnection(exchange)) return 'connections';
  const { direction, listener } = exchange.call;
  return direction === 'to-tpp' ? 'callbacks' : listener === 'psu' ? 'pages' : 'noService';
}

/** These keep a bank from answering; of an overload it is the gateway that lets no more calls through. */
const FAILURES: ReadonlySet<string> = new Set([
  'timeout',
  'refused',
  'dns',
  'tls',
  'reset',
  'malformed',
  'too-large',
]);
const PATIENCE_MS = 30_000;

function endOf({ answer, fault, injected, elapsed }: Exchange): 'technical' | 'answered' | keyof Outside {
  if (injected?.did === null) return 'injected';
  const source = answer?.source ?? null;
  if (source === 'emulator' || source === 'replay') return source;
  if (source === 'rule') return 'refused';
  if (injected?.did !== undefined) return injected.did >= 500 ? 'technical' : 'answered';
  const isSlow = elapsed.answerer > PATIENCE_MS;
  if (source === 'upstream')
    return isSlow || fault !== null || isError(answer?.status) ? 'technical' : 'answered';
  if (
    (source === null || isForBank(answer)) &&
    fault !== null &&
    (FAILURES.has(fault.kind) || (isSlow && fault.kind === 'client-gone'))
  )
    return 'technical';
  return source === null ? 'unknown' : 'refused';
}

const isError = (status = 0): boolean => status >= 500;

type Calendar = ReturnType<typeof openCalendar>;

function createService(calendar: Calendar, most: number) {
  const total = createFigures();
  const days = new Map<number, ReturnType<typeof createFigures>>();
  const omitted = new Set<number>();

  function figuresOf(day: number): ReturnType<typeof createFigures> | undefined {
    const known = days.get(day);
    if (known !== undefined) return known;
    if (days.size >= most) {
      if (omitted.size < most) omitted.add(day);
      return undefined;
    }
    const opened = createFigures();
    days.set(day, opened);
    return opened;
  }

  /** Also of days without a call, so that a reader sees that nobody asked; of more than there is room for, the first. */
  function eachDay(from: number, to: number, work: (day: number) => void): void {
    const first = calendar.dayAt(from);
    const last = Math.min(calendar.dayAt(to), first + 2 * most);
    for (let day = first; day <= last; day++) work(day);
  }

  /** The part of a span that lies in a day. */
  const within = (day: number, from: number, to: number): number =>
    Math.min(to, calendar.beginOf(day + 1)) - Math.max(from, calendar.beginOf(day));

  const runs = createRuns(most, {
    gap(from, to) {
      total.gap(to - from);
      eachDay(from, to, (day) => figuresOf(day)?.gap(within(day, from, to)));
    },
    unavailable({ from, to, lastGood, firstGood }) {
      const isBounded = lastGood !== null && firstGood !== null;
      const [first, last] = [lastGood ?? from, firstGood ?? to];
      total.unavailable(to - from, isBounded ? last - first : null);
      for (const [day, figures] of days) {
        const atMost = within(day, first, last);
        if (atMost < 0) continue;
        figures.unavailable(Math.max(0, within(day, from, to)), isBounded ? atMost : null);
      }
    },
  });

  return {
    take(seen: Seen, isAnswered: boolean): void {
      const at = arrivedAt(seen.record.exchange.call);
      for (const figures of [total, figuresOf(calendar.dayAt(at))]) figures?.take(seen, isAnswered);
      runs.take(sampleOf(seen.record.exchange, at, isAnswered));
    },
    finish: () => ({
      ...runs.finish(),
      total: total.finish(),
      days: [...days]
        .sort(([a], [b]) => a - b)
        .map(([day, figures]) => ({ day: dateOf(day), ...figures.finish() })),
      omittedDays: omitted.size,
    }),
  };
}

const sampleOf = ({ elapsed }: Exchange, at: number, isGood: boolean): Sample => ({
  at,
  end: at + elapsed.total,
  isGood,
});

function createFigures() {
  const counts = { calls: 0, technical: 0, business: 0, mistakes: 0 };
  const unavailable: Figures['unavailable'] = { periods: 0, atLeastMs: 0, atMostMs: 0 };
  let longestGapMs: number | null = null;
  const [firstByte, lastByte] = [createDurations(), createDurations()];
  return {
    take({ record: { exchange }, marks }: Seen, isAnswered: boolean): void {
      counts.calls++;
      const status = bankStatusOf(exchange);
      if (!isAnswered) counts.technical++;
      else if (status !== null && status >= 400) {
        const isMistaken = marks.some(({ judges, severity }) => judges === 'tpp' && severity === 'must');
        counts[isMistaken ? 'mistakes' : 'business']++;
      }
      if (!isAnswered) return;
      const { total, answerer, firstByte: first } = exchange.elapsed;
      // Other programs note the first byte of an answer alone, as HAR does.
      const isForeign = exchange.call.connection.tls === 'not-observed';
      lastByte.add(isForeign ? total : answerer);
      if (first !== undefined) firstByte.add(first);
      else if (isForeign && answerer < total) firstByte.add(answerer);
    },
    gap(ms: number): void {
      longestGapMs = Math.max(longestGapMs ?? 0, ms);
    },
    unavailable(atLeast: number, atMost: number | null): void {
      unavailable.periods++;
      unavailable.atLeastMs += atLeast;
      unavailable.atMostMs =
        atMost === null || unavailable.atMostMs === null ? null : unavailable.atMostMs + atMost;
    },
    finish: (): Figures => ({
      ...counts,
      unavailable,
      longestGapMs,
      firstByte: firstByte.speed(),
      lastByte: lastByte.speed(),
    }),
  };
}

/** For the reader, who must not take anybody else’s answers for the bank’s. */
const noteOf = (isOfBank: boolean): string =>
  isOfBank
    ? 'As seen from here, of calls that a bank was asked for.'
    : 'No bank was called: this says nothing of one.';
