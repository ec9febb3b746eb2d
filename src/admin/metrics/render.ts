/** What a gateway counted, as metrics of prom-client. */
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry, Counter, Gauge, type Metric, Registry } from 'prom-client';
import { BOUNDS, type Durations, type Tally } from './counts.js';
export interface Readings {
  readonly waiting: () => number;
  readonly isRecording: () => boolean;
  /** Room on the disk of the store, in bytes; NaN where it is not known. */
  readonly diskFree: () => number;
}

export interface Counted extends Readings {
  readonly exchanges: Tally;
  readonly findings: Tally;
  readonly faults: Tally;
  readonly anew: Tally;
  readonly total: Durations;
  readonly bank: Durations;
  readonly lag: ReturnType<typeof monitorEventLoopDelay>;
  readonly tick: number;
}

export function createRendering(counted: Counted) {
  const { exchanges, findings, faults, anew, total, bank, waiting, isRecording, diskFree } = counted;
  const registry = new Registry();
  registerCounter(
    registry,
    'sandgate_exchanges_total',
    'Exchanges by operation, status and who answered.',
    ['operation', 'status', 'source'],
    exchanges,
  );
  registerCounter(
    registry,
    'sandgate_findings_total',
    'Violations by rule, severity and who is at fault.',
    ['rule', 'severity', 'judges'],
    findings,
  );
  registerCounter(
    registry,
    'sandgate_faults_total',
    'Transport failures by kind and side.',
    ['kind', 'side'],
    faults,
  );
  registerDurations(
    registry,
    'sandgate_exchange_duration_seconds',
    'Time from the head of a call to its answer.',
    total,
  );
  registerDurations(
    registry,
    'sandgate_bank_duration_seconds',
    'Time that the source (emulator, bank or recording) took of it.',
    bank,
  );
  registerCounter(
    registry,
    'sandgate_judged_anew_total',
    'Calls that were judged once more, because another gateway on the store was faster.',
    ['operation'],
    anew,
  );
  registerGauge(registry, 'sandgate_recorder_waiting', 'Exchanges that wait to be committed.', waiting);
  registerGauge(
    registry,
    'sandgate_store_up',
    '1 where exchanges can be recorded, 0 where not.',
    () => Number(isRecording()),
    'min',
  );
  registerGauge(
    registry,
    'sandgate_store_disk_free_bytes',
    'Free space on the disk of the store; NaN where it is not known.',
    diskFree,
    'min',
  );
  registerLag(registry, counted);
  registerProcess(registry);
  return {
    text: () => registry.metrics(),
    own: (): Promise<readonly object[]> => registry.getMetricsAsJSON(),
    /** Puts together what `own` gave in several processes. */
    together: (all: readonly (readonly object[])[]) => AggregatorRegistry.aggregate([...all]).metrics(),
  };
}

function registerCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  tally: Tally,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [values, count] of tally.entries())
        counter.inc(Object.fromEntries(labelNames.map((label, i) => [label, values[i] ?? ''])), count);
    },
  });
}

function registerGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  aggregator: 'sum' | 'min' = 'sum',
): void {
  const gauge = new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    collect: () => {
      gauge.set(read());
    },
  });
}

/** prom-client cannot be handed counts that were made elsewhere; what it renders, it takes from `get`. */
function registerDurations(registry: Registry, name: string, help: string, durations: Durations): void {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: durations.entries().flatMap(({ name: operation, counts, total, seconds }) => [
      ...[...BOUNDS, '+Inf'].map((le, i) => ({
        metricName: `${name}_bucket`,
        labels: { le, operation },
        value: counts[i] ?? total,
      })),
      { metricName: `${name}_sum`, labels: { operation }, value: seconds },
      { metricName: `${name}_count`, labels: { operation }, value: total },
    ]),
  });
  registry.registerMetric({ name, get } as unknown as Metric);
}

/** Since it was asked the last time. Node tells the time between two ticks of a timer: what it is late is the rest. */
function registerLag(registry: Registry, { lag, tick }: Pick<Counted, 'lag' | 'tick'>): void {
  const late = (ns: number) => (lag.count === 0 ? 0 : Math.max(0, ns / 1e9 - tick / 1e3));
  const gauge = new Gauge({
    name: 'sandgate_event_loop_lag_seconds',
    help: 'Delay of the event loop since the last scrape.',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers: [registry],
    collect: () => {
      for (const quantile of [50, 90, 99])
        gauge.set({ quantile: String(quantile / 100) }, late(lag.percentile(quantile)));
      gauge.set({ quantile: '1' }, late(lag.max));
      lag.reset();
    },
  });
}

function registerProcess(registry: Registry): void {
  registerGauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  );
  registerGauge(
    registry,
    'nodejs_heap_size_used_bytes',
    'Heap in use.',
    () => process.memoryUsage().heapUsed,
  );
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system.',
    registers: [registry],
    collect: () => {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
}
