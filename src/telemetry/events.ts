/** Sees the events that a webhook is told of in what is recorded. */
import type { CalendarRow } from '../certificate/index.js';
import {
  type Exchange,
  type Fault,
  isFailedConnection,
  type NoteSettings,
  type SessionNote,
} from '../exchange/index.js';
import { DAY_MS } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { createDrift } from './drift.js';
import type { EventType, Tell } from './event-types.js';

/** Calls one after the other that got no usable answer from the bank: fewer may be an accident. */
const DOWN_AFTER = 5;
/** The bank had no part in these. */
const NOT_OF_BANK: ReadonlySet<Fault['kind']> = new Set(['client-gone', 'internal', 'injected', 'overload']);

type Told = NoteSettings<'told'>;

/** More are told each time that they happen. */
const MOST_TOLD = 10_000;

/** Tells of each once: `note` keeps it for the next start, which has all that was kept `remembered`. */
export function createOnce(tell: Tell, note: (told: Told) => void) {
  const known = new Set<string>();
  const keyOf = ({ event, about }: Told): string => `${event} ${about}`;
  return {
    remember: (told: Told): void => {
      if (known.size < MOST_TOLD) known.add(keyOf(told));
    },
    tell: ((type, about, data) => {
      const { exchange } = data;
      const told = { event: type, about, ...(typeof exchange === 'string' ? { exchange } : {}) };
      if (known.has(keyOf(told))) return;
      if (known.size < MOST_TOLD) known.add(keyOf(told));
      note(told);
      tell(type, about, data);
    }) satisfies Tell,
  };
}

/** Nothing of a person is told: no path, no place, no value; the id of the exchange leads to all of it. */
export function createEvents(tell: Tell, on: ReadonlySet<EventType>, once: Tell = tell) {
  const drift = on.has('bank.drift')
    ? createDrift((data) =>
        once('bank.drift', `${data.operation} ${data.status} ${data.what} ${data.place}`, { ...data }),
      )
    : null;
  let failures = 0;
  let isStoreDown = false;

  function lookAtBank({ call, answer, fault, injected }: Exchange): void {
    if (call.direction === 'to-tpp' || injected !== undefined) return;
    if (answer?.source === 'upstream' && fault === null) {
      if (failures >= DOWN_AFTER) tell('bank.up', '', { exchange: call.id, failed: failures });
      failures = 0;
    } else if (fault !== null && answer?.source !== 'rule' && !NOT_OF_BANK.has(fault.kind)) {
      failures += 1;
      if (failures === DOWN_AFTER)
        tell('bank.down', '', { exchange: call.id, fault: fault.kind, failed: failures });
    }
  }

  function lookAtLimits({ call, answer, fault }: Exchange): void {
    const { id: exchange, operation } = call;
    if (answer?.status === 429)
      tell('limit.reached', `429 ${operation}`, { limit: 'daily', operation, exchange });
    else if (fault?.kind === 'overload') {
      const limit = call.request.method === '' ? 'connections' : 'calls to the bank';
      tell('limit.reached', limit, { limit, operation, exchange });
    }
  }

  return {
    take: (records: readonly RecordedExchange[], hasBank: boolean): void => {
      for (const { exchange, findings } of records) {
        const { id, operation } = exchange.call;
        for (const { rule, severity, judges, waived } of findings)
          if (waived === undefined)
            tell(`finding.${severity}`, rule, { rule, severity, judges, operation, exchange: id });
        lookAtLimits(exchange);
        if (!hasBank || isFailedConnection(exchange)) continue;
        lookAtBank(exchange);
        drift?.take(exchange);
      }
      drift?.turn();
    },
    /** Learns from one of an earlier run, at the same bank. */
    learn: (exchange: Exchange): void => drift?.learn(exchange),
    /** `why`: what keeps the store from recording; null where it records. */
    store: (why: string | null): void => {
      if ((why !== null) === isStoreDown) return;
      isStoreDown = why !== null;
      if (why !== null) tell('store.failing', '', { cause: why });
      else tell('store.recovered', '', {});
    },
  };
}

/** Differences between bank and emulator: another type, or a member more at the bank. Nothing but the shape is told. */
export function driftsOfShadow(note: SessionNote) {
  if (note.kind !== 'shadow') return [];
  const { exchange, operation, differences } = note.settings;
  return differences
    .filter(({ class: kind, what }) => kind === 'breaking' && (what === 'type' || what === 'gone'))
    .map(({ what, place }) => ({
      about: `${operation} emulator ${what} ${place}`,
      data: { ...{ operation, what: what === 'gone' ? 'added' : what, place, exchange }, beside: 'emulator' },
    }));
}

/** Days before the end of a certificate on which it is told. */
const NEAR_DAYS = [1, 7, 30] as const;

/** Tells of each certificate for each of these. A TPP's only while it holds and something stops at its end; `isBound`: its tokens do. */
export function createCalendar(once: Tell, isBound = false) {
  return (rows: readonly CalendarRow[], now: number): void => {
    for (const { use, what, organisation, fingerprint, notAfter, problems, next, gapDays, stops } of rows) {
      const days = (Date.parse(notAfter) - now) / DAY_MS;
      const near = NEAR_DAYS.find((least) => days <= least);
      const isFollowed = next !== null && gapDays === 0 && !isBound;
      if (near === undefined || problems.length > 0 || (use === 'tpp' && (days < 0 || isFollowed))) continue;
      const told = { what, organisation, fingerprint, notAfter, days: Math.floor(days), stops };
      once('certificate.ending', `${fingerprint} ${near}`, told);
    }
  };
}
