/** Counts of a gateway as metrics of prom-client. */
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry, type Metric, Registry } from 'prom-client';
import { BOUNDS, type Durations, type Tally } from './counts.js';

export interface Readings {
  readonly waiting: () => number;
  readonly isRecording: () => boolean;
  /** Room on the disk of the store, in bytes; NaN where it is not known. */
  readonly diskFree: () => number;
  /** Counts of messages to others, by kind and whether they arrived. */
  readonly told: Pick<Tally, 'entries'>;
}

/** A certificate that the settings name: so few labels. */
export interface CertificateEnd {
  readonly use: string;
  readonly subject: string;
  readonly days: number;
}

export interface Counted extends Readings {
  readonly certificates: () => readonly CertificateEnd[];
  readonly exchanges: Tally;
  readonly findings: Tally;
  readonly faults: Tally;
  readonly anew: Tally;
  readonly ocsp: Tally;
  readonly total: Durations;
  readonly bank: Durations;
  readonly lag: ReturnType<typeof monitorEventLoopDelay>;
  readonly tick: number;
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}
type Row = readonly [
  name: string,
  help: string,
  type: 'counter' | 'gauge' | 'histogram',
  values: () => readonly Value[],
  /** Says how values of several processes become one. */
  aggregator?: 'min' | 'max',
];

export function createRendering(counted: Counted) {
  const registry = new Registry();
  // prom-client cannot be handed counts that were made elsewhere; what it renders, it takes from `get`.
  for (const [name, help, type, values, aggregator = 'sum'] of rowsOf(counted)) {
    const get = async () => ({ name, help, type, aggregator, values: values() });
    registry.registerMetric({ name, get } as unknown as Metric);
  }
  return {
    text: () => registry.metrics(),
    own: (): Promise<readonly object[]> => registry.getMetricsAsJSON(),
    /** Puts together what `own` gave in several processes. */
    together: (all: readonly (readonly object[])[]) => AggregatorRegistry.aggregate([...all]).metrics(),
  };
}

function rowsOf(counted: Counted): readonly Row[] {
  const { waiting, isRecording, diskFree } = counted;
  const exchanges = 'sandgate_exchange_duration_seconds';
  const bank = 'sandgate_bank_duration_seconds';
  return [
    [
      'sandgate_exchanges_total',
      'Exchanges by operation, status and who answered.',
      'counter',
      () => tallied(counted.exchanges, 'operation', 'status', 'source'),
    ],
    [
      'sandgate_findings_total',
      'Violations by rule, severity and who is at fault.',
      'counter',
      () => tallied(counted.findings, 'rule', 'severity', 'judges'),
    ],
    [
      'sandgate_faults_total',
      'Transport failures by kind and side.',
      'counter',
      () => tallied(counted.faults, 'kind', 'side'),
    ],
    [
      exchanges,
      'Time from the head of a call to its answer.',
      'histogram',
      () => lasted(exchanges, counted.total),
    ],
    [
      bank,
      'The part of it that the source (emulator, bank or recording) took.',
      'histogram',
      () => lasted(bank, counted.bank),
    ],
    [
      'sandgate_judged_anew_total',
      'Calls judged again because another gateway on the store was faster.',
      'counter',
      () => tallied(counted.anew, 'operation'),
    ],
    ...withOthers(counted),
    ['sandgate_recorder_waiting', 'Exchanges that wait to be committed.', 'gauge', () => one(waiting())],
    [
      'sandgate_store_up',
      '1 if exchanges can be recorded, 0 if not.',
      'gauge',
      () => one(Number(isRecording())),
      'min',
    ],
    [
      'sandgate_store_disk_free_bytes',
      'Free space on the disk of the store; NaN if unknown.',
      'gauge',
      () => one(diskFree()),
      'min',
    ],
    [
      'sandgate_certificate_days_left',
      'Days until a certificate of the gateway, of a CA or for the bank ends.',
      'gauge',
      () => counted.certificates().map(({ days: value, ...labels }) => ({ value, labels })),
      'min',
    ],
    [
      'sandgate_event_loop_lag_seconds',
      'Delay of the event loop since the last scrape.',
      'gauge',
      () => lagged(counted),
      'max',
    ],
    ...OF_PROCESS,
  ];
}

const withOthers = (counted: Counted): readonly Row[] => [
  [
    'sandgate_ocsp_answers_total',
    'Questions to OCSP responders (--revocation), by what came of them.',
    'counter',
    () => tallied(counted.ocsp, 'verdict'),
  ],
  [
    'sandgate_told_total',
    'Calls in traces (--otlp) and events (--webhook), sent or dropped.',
    'counter',
    () => tallied(counted.told, 'what', 'outcome'),
  ],
];

const OF_PROCESS: readonly Row[] = [
  ['process_resident_memory_bytes', 'Memory of the process.', 'gauge', () => one(process.memoryUsage.rss())],
  ['nodejs_heap_size_used_bytes', 'Heap in use.', 'gauge', () => one(process.memoryUsage().heapUsed)],
  ['process_cpu_seconds_total', 'CPU time, user and system.', 'counter', () => one(processorTime())],
];

const one = (value: number): Value[] => [{ value, labels: {} }];

const tallied = (tally: Pick<Tally, 'entries'>, ...names: readonly string[]): Value[] =>
  tally.entries().map(([values, value]) => ({
    value,
    labels: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
  }));

const lasted = (metric: string, durations: Durations): Value[] =>
  durations.entries().flatMap(({ name: operation, counts, total, seconds }) => [
    ...[...BOUNDS, '+Inf'].map((le, i) => ({
      metricName: `${metric}_bucket`,
      labels: { le, operation },
      value: counts[i] ?? total,
    })),
    { metricName: `${metric}_sum`, labels: { operation }, value: seconds },
    { metricName: `${metric}_count`, labels: { operation }, value: total },
  ]);

/** Since it was asked the last time. Node tells the time between two ticks of a timer: what it is late is the rest. */
function lagged({ lag, tick }: Counted): Value[] {
  const late = (ns: number) => (lag.count === 0 ? 0 : Math.max(0, ns / 1e9 - tick / 1e3));
  const values = [
    ...[0.5, 0.9, 0.99].map((quantile) => ({ quantile, value: late(lag.percentile(quantile * 100)) })),
    { quantile: 1, value: late(lag.max) },
  ].map(({ quantile, value }) => ({ value, labels: { quantile: String(quantile) } }));
  lag.reset();
  return values;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
