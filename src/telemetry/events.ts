/** Sees the events that a webhook is told of in what is recorded. */
import { type Exchange, type Fault, isFailedConnection } from '../exchange/index.js';
import type { RecordedExchange } from '../store/index.js';
import { createDrift } from './drift.js';
import type { EventType, Tell } from './event-types.js';

/** Calls one after the other that got no usable answer from the bank: fewer may be an accident. */
const DOWN_AFTER = 5;
/** The bank had no part in these. */
const NOT_OF_BANK: ReadonlySet<Fault['kind']> = new Set(['client-gone', 'internal', 'injected', 'overload']);

/** Nothing of a person is told: no path, no place, no value; the id of the exchange leads to all of it. */
export function createEvents(tell: Tell, on: ReadonlySet<EventType>) {
  const drift = on.has('bank.drift')
    ? createDrift((data) => tell('bank.drift', `${data.operation} ${data.place}`, { ...data }))
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
    /** `why`: what keeps the store from recording; null where it records. */
    store: (why: string | null): void => {
      if ((why !== null) === isStoreDown) return;
      isStoreDown = why !== null;
      if (why !== null) tell('store.failing', '', { cause: why });
      else tell('store.recovered', '', {});
    },
  };
}

const DAY_MS = 86_400_000;
/** Days before the end of a certificate on which it is told. */
const NEAR_DAYS = [1, 7, 30] as const;

export interface EndingCertificate {
  readonly what: string;
  readonly fingerprint: string;
  readonly notAfter: string;
}

/** Tells of each certificate once for each of these. */
export function createCalendar(tell: Tell) {
  const told = new Set<string>();
  return (certificates: readonly EndingCertificate[], now: number): void => {
    for (const { what, fingerprint, notAfter } of certificates) {
      const days = (Date.parse(notAfter) - now) / DAY_MS;
      const near = NEAR_DAYS.find((least) => days <= least);
      const about = `${fingerprint} ${near}`;
      if (near === undefined || told.has(about)) continue;
      told.add(about);
      tell('certificate.ending', about, { what, fingerprint, notAfter, days: Math.floor(days) });
    }
  };
}
