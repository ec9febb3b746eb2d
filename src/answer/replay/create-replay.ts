/** The replay source: answers from a recording and calls nobody. */
import { dayOf } from '../../spec/index.js';
import type { Answerer } from '../answerer.js';
import { createAnswerCall } from './answer-call.js';
import { createDelay } from './latency.js';
import type { ReplayParts } from './replay-parts.js';
import { buildReport, createMisses, type ReplayReport } from './report.js';

export interface Replay extends Answerer {
  readonly name: 'replay';
  readonly report: () => ReplayReport;
  readonly close: () => Promise<void>;
}

export function createReplay(parts: ReplayParts): Replay {
  const { options } = parts;
  const exchanges = Array.from(parts.records, ({ exchange }) => exchange);
  const misses = createMisses();
  const answerCall = createAnswerCall(parts, exchanges, (miss) => {
    misses.add(miss);
    parts.onMiss?.(miss);
  });
  const delay = createDelay(parts.timer);
  const { startDay } = answerCall.recording;
  const keepsDates = options.dates === 'keep' || exchanges.length === 0;
  const daysAt = (now: number): number => (keepsDates ? 0 : dayOf(now) - startDay);

  return {
    name: 'replay',
    answer: (call, context) => {
      const { answered, took } = answerCall.answer(call, daysAt(context.now), context.findings ?? []);
      if (options.latency === 0) return answered;
      return delay.later(answered, took * options.latency, context.signal);
    },
    report: () =>
      buildReport(answerCall.recording, misses, {
        name: parts.name,
        daysShifted: daysAt(parts.clock()),
        undecided: answerCall.undecided(),
      }),
    close: async () => delay.close(),
  };
}
