/** Traffic in numbers: counts, sizes, latency and faults, in bounded memory. */
import { arrivedAt, bankStatusOf, isFailedConnection } from '../../exchange/index.js';
import type { Report } from '../model.js';
import { type Collector, createTallies, order, type Seen } from './collector.js';
import { createDurations } from './durations.js';

type Traffic = Report['traffic'];

/** Upper ends of the bars of the histogram, in ms. */
const BARS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;
const MOST_STATUSES = 40;

export function collectTraffic(): Collector<Traffic> {
  let exchanges = 0;
  let bytesIn = 0;
  let bytesOut = 0;
  const operations = new Map<string, ReturnType<typeof createOperation>>();
  const latency = createLatency();
  const faults = new Map<string, { count: number; message: string }>();
  const spans = createSpans();
  return {
    take(seen) {
      const { call, answer, fault } = seen.record.exchange;
      exchanges++;
      bytesIn += call.request.body?.size ?? 0;
      bytesOut += answer?.body?.size ?? 0;
      if (!isFailedConnection(seen.record.exchange)) {
        const key = call.operation ?? '';
        const operation = operations.get(key) ?? createOperation(call.operation);
        operations.set(key, operation);
        operation.take(seen);
        latency.take(seen);
      }
      spans.add(arrivedAt(call), isError(seen));
      if (fault === null || fault.kind === 'injected') return;
      const known = faults.get(fault.kind);
      if (known === undefined) faults.set(fault.kind, { count: 1, message: fault.message.slice(0, 500) });
      else known.count++;
    },
    finish: () => ({
      exchanges,
      bytesIn,
      bytesOut,
      operations: [...operations].sort(([a], [b]) => order(a, b)).map(([, operation]) => operation.finish()),
      latency: latency.finish(),
      faults: [...faults]
        .map(([kind, { count, message }]) => ({ kind, count, message }))
        .sort((a, b) => b.count - a.count || order(a.kind, b.kind)),
      overTime: spans.finish(),
    }),
  };
}

/** Whether a fault kept the bank from being asked: this says nothing of the bank. */
const isKept = ({ record: { exchange } }: Seen): boolean => exchange.injected?.did === null;

function isError(seen: Seen): boolean {
  const status = bankStatusOf(seen.record.exchange);
  return !isKept(seen) && (status === null || status >= 400);
}

/** The bank's share where somebody answered for it; the gateway's is the rest. A callback is answered by the TPP. */
function sharesOf(seen: Seen): { gateway: number; bank: number | null } {
  const { exchange } = seen.record;
  const { total, answerer } = exchange.elapsed;
  const { answer, call } = exchange;
  const asked = answer !== null && answer.source !== 'rule' && call.direction === 'to-bank' && !isKept(seen);
  return { gateway: Math.max(0, total - answerer), bank: asked ? answerer : null };
}

function createShares() {
  const [gateway, bank] = [createDurations(), createDurations()];
  return {
    add: (shares: ReturnType<typeof sharesOf>): void => {
      gateway.add(shares.gateway);
      if (shares.bank !== null) bank.add(shares.bank);
    },
    percentiles: () => ({ gateway: gateway.percentiles(), bank: bank.percentiles() }),
  };
}

function createOperation(operation: string | null) {
  let calls = 0;
  let errors = 0;
  let injected = 0;
  const statuses = createTallies(MOST_STATUSES);
  const shares = createShares();
  return {
    take(seen: Seen): void {
      calls++;
      if (isError(seen)) errors++;
      if (seen.record.exchange.injected?.did !== undefined) injected++;
      if (!isKept(seen)) statuses.add(String(bankStatusOf(seen.record.exchange) ?? 'none'));
      shares.add(sharesOf(seen));
    },
    finish: (): Traffic['operations'][number] => ({
      operation,
      calls,
      statuses: statuses.list(),
      errors,
      injected,
      ...shares.percentiles(),
    }),
  };
}

function createLatency() {
  const total = createDurations();
  const shares = createShares();
  const bars = [...BARS, null].map((to, i) => ({ from: BARS[i - 1] ?? 0, to, gateway: 0, bank: 0 }));
  const count = (ms: number | null, whose: 'gateway' | 'bank'): void => {
    const bar = ms === null ? undefined : bars.find(({ to }) => to === null || ms < to);
    if (bar !== undefined) bar[whose]++;
  };
  return {
    take(seen: Seen): void {
      const { gateway, bank } = sharesOf(seen);
      total.add(seen.record.exchange.elapsed.total);
      shares.add({ gateway, bank });
      count(gateway, 'gateway');
      count(bank, 'bank');
    },
    finish: (): Traffic['latency'] => ({
      total: total.percentiles(),
      ...shares.percentiles(),
      histogram: bars,
    }),
  };
}

const MOST_SPANS = 120;

/** Calls over time in at most 120 spans: they grow twice as long whenever they do not reach. */
function createSpans() {
  let start: number | null = null;
  let length = 1_000;
  let spans: { calls: number; errors: number }[] = [];
  const double = () => {
    length *= 2;
    const pairs = [];
    for (let i = 0; i < spans.length; i += 2) {
      const [one, two] = [spans[i], spans[i + 1]];
      pairs.push({
        calls: (one?.calls ?? 0) + (two?.calls ?? 0),
        errors: (one?.errors ?? 0) + (two?.errors ?? 0),
      });
    }
    spans = pairs;
  };
  return {
    add(at: number, error: boolean): void {
      start ??= Math.floor(at / 1000) * 1000;
      // Exchanges are recorded as they end: one may have begun before the first.
      while ((at - start) / length >= MOST_SPANS) double();
      const index = Math.max(0, Math.floor((at - start) / length));
      while (spans.length <= index) spans.push({ calls: 0, errors: 0 });
      const span = spans[index];
      if (span === undefined) return;
      span.calls++;
      if (error) span.errors++;
    },
    finish: (): Traffic['overTime'] => ({
      spanSeconds: start === null ? 0 : length / 1000,
      spans: spans.map((span, i) => ({ at: new Date((start ?? 0) + i * length).toISOString(), ...span })),
    }),
  };
}
