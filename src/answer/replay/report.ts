/** The report of a replay: which exchanges were used, which were not, and which calls had no answer. */
import type { Exchange } from '../../exchange/index.js';
import type { Miss } from './miss.js';
import type { Recording } from './open-recording.js';

export interface ReportedExchange {
  readonly exchange: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** How often it answered. */
  readonly times: number;
}

export interface ReplayReport {
  /** What the user called the recording. */
  readonly recording: string;
  /** Exchanges that a call can use. */
  readonly exchanges: number;
  /** Those that none can: notifications to the TPP, failed handshakes, calls that were never answered. */
  readonly withoutCall: number;
  /** How many days later this run is; 0 where dates are kept. */
  readonly daysShifted: number;
  readonly used: readonly ReportedExchange[];
  readonly unused: readonly ReportedExchange[];
  /** Recorded clients that nothing told apart in this run, a sentence for each group. */
  readonly undecided: readonly string[];
  /** All of them, also those that `missed` no longer holds. */
  readonly misses: number;
  /** The newest ones. */
  readonly missed: readonly Miss[];
}

const MOST_MISSES = 500;

export function createMisses() {
  const newest: Miss[] = [];
  let count = 0;
  return {
    add: (miss: Miss): void => {
      count++;
      newest.push(miss);
      if (newest.length > MOST_MISSES) newest.shift();
    },
    newest: (): readonly Miss[] => [...newest],
    count: () => count,
  };
}

export function buildReport(
  recording: Recording,
  misses: ReturnType<typeof createMisses>,
  facts: { readonly name: string; readonly daysShifted: number; readonly undecided: readonly string[] },
): ReplayReport {
  const used: ReportedExchange[] = [];
  const unused: ReportedExchange[] = [];
  for (const [index, exchange] of recording.exchanges.entries()) {
    const entry = recording.entryAt.get(index);
    if (entry !== undefined) (entry.uses > 0 ? used : unused).push(reported(exchange, entry.uses));
  }
  return {
    recording: facts.name,
    exchanges: used.length + unused.length,
    withoutCall: recording.exchanges.length - used.length - unused.length,
    daysShifted: facts.daysShifted,
    used,
    unused,
    undecided: facts.undecided,
    misses: misses.count(),
    missed: misses.newest(),
  };
}

function reported({ call, answer }: Exchange, times: number): ReportedExchange {
  const { id, operation, request } = call;
  return {
    exchange: id,
    operation,
    method: request.method,
    path: request.path,
    status: answer?.status ?? 0,
    times,
  };
}
