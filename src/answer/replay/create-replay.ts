/** The replay source: answers from a recording and calls nobody. */
import type { Exchange } from '../../exchange/index.js';
import { dayOf } from '../../spec/index.js';
import type { Answered, Answerer } from '../answerer.js';
import { createAnswerCall } from './answer-call.js';
import { createDelay } from './latency.js';
import type { Miss } from './miss.js';
import type { Recording } from './open-recording.js';
import type { ReplayParts } from './replay-parts.js';

export interface ReportedExchange {
  readonly exchange: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly times: number;
}

export interface ReplayReport {
  readonly recording: string;
  readonly exchanges: number;
  /** The number of exchanges that answer no call: notifications, failed handshakes, unanswered calls. */
  readonly withoutCall: number;
  /** How many days later this run is; 0 where dates are kept. */
  readonly daysShifted: number;
  readonly used: readonly ReportedExchange[];
  readonly unused: readonly ReportedExchange[];
  /** Recorded clients that nothing told apart in this run, a sentence for each group. */
  readonly undecided: readonly string[];
  readonly misses: number;
  readonly missed: readonly Miss[];
}

const MOST_MISSES = 500;

export interface Replay extends Answerer {
  readonly name: 'replay';
  readonly report: () => ReplayReport;
  readonly close: () => Promise<void>;
}

export function createReplay(parts: ReplayParts): Replay {
  const { options, name } = parts;
  const exchanges = Array.from(parts.records, ({ exchange }) => exchange);
  const missed: Miss[] = [];
  let misses = 0;
  const { recording, answer, undecided } = createAnswerCall(parts, exchanges, (miss) => {
    misses++;
    missed.push(miss);
    if (missed.length > MOST_MISSES) missed.shift();
    parts.onMiss?.(miss);
  });
  const delay = createDelay(parts.timer);
  const keepsDates = options.dates === 'keep' || exchanges.length === 0;
  const daysAt = (now: number): number => (keepsDates ? 0 : dayOf(now) - recording.startDay);

  return {
    name: 'replay',
    answer: (call, context) => {
      const { answered, took } = answer(call, daysAt(context.now), context.findings ?? []);
      if (options.latency === 0) return atPace(answered, 1);
      return delay.later(atPace(answered, options.latency), took * options.latency, context.signal);
    },
    report: () => {
      const all = reportExchanges(recording);
      return {
        recording: name,
        exchanges: all.length,
        withoutCall: exchanges.length - all.length,
        daysShifted: daysAt(parts.clock()),
        used: all.filter(({ times }) => times > 0),
        unused: all.filter(({ times }) => times === 0),
        undecided: undecided(),
        ...{ misses, missed: [...missed] },
      };
    },
    close: async () => delay.close(),
  };
}

/** A fault holds an answer back however fast the bank is played; only a factor makes that shorter or longer too. */
function atPace(answered: Answered | null, factor: number): Answered | null {
  if (answered?.injected?.ms === undefined) return answered;
  const ms = Math.min(answered.injected.ms * factor, LONGEST_HELD_MS);
  return { ...answered, injected: { ...answered.injected, ms } };
}

/** No fault holds anything back for longer; a file may say anything. */
const LONGEST_HELD_MS = 1_200_000;

function reportExchanges({ exchanges, entryAt }: Recording): ReportedExchange[] {
  return exchanges.flatMap(({ call, answer }: Exchange, index) => {
    const entry = entryAt.get(index);
    if (entry === undefined) return [];
    const { id: exchange, operation, request } = call;
    const { method, path } = request;
    return [{ exchange, operation, method, path, status: answer?.status ?? 0, times: entry.uses }];
  });
}
