/** A replay of exchanges made by builders, and what a client sees of it. */

import { createReplay } from '../../../src/answer/replay/create-replay.js';
import type { Miss } from '../../../src/answer/replay/miss.js';
import type { ReplayOptions } from '../../../src/answer/replay/options.js';
import type { ReplayParts } from '../../../src/answer/replay/replay-parts.js';
import { createWorld } from '../../../src/bank/index.js';
import { type Answer, closeCall, type Exchange, type Injection } from '../../../src/exchange/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { type AnswerParts, aCall, anAnswer, type CallParts, NOW } from '../../builders.js';

export interface Recorded {
  readonly call: CallParts;
  /** null: never answered. */
  readonly answer?: AnswerParts | null;
  /** How long the answer took, in ms. */
  readonly took?: number;
  readonly injected?: Injection;
}

/** Exchanges a second apart, with the ids E1, E2 and so on. */
export function aRecording(recorded: readonly Recorded[]): Exchange[] {
  return recorded.map(({ call, answer, took = 2, injected }, i) =>
    closeCall(
      aCall({ id: `E${i + 1}`, at: NOW + i * 1_000, ...call }),
      answer === null ? null : anAnswer(answer),
      { total: took, answerer: took },
      null,
      0,
      injected,
    ),
  );
}

export interface Seen {
  readonly status: number;
  readonly answer: Answer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by path; a wrong path fails the assertion.
  readonly json: any;
  /** Why nothing was found; null where something was. */
  readonly miss: Miss | null;
  readonly injected: Injection | undefined;
}

export interface AReplay {
  /** null: the call was handed on. */
  readonly ask: (call: CallParts) => Promise<Seen | null>;
  /** The statuses of several calls, one after the other; `miss` and its kind where there was none. */
  readonly askAll: (calls: readonly CallParts[]) => Promise<(number | string)[]>;
  readonly report: ReturnType<typeof createReplay>['report'];
  readonly close: () => Promise<void>;
}

export interface Settings extends Partial<ReplayOptions> {
  /** How many days after the recording the run is. */
  readonly days?: number;
  readonly parts?: Partial<ReplayParts>;
}

const DAY_MS = 86_400_000;
export const URLS = { api: 'https://api.run.example:9443', psu: 'https://psu.run.example:9444' };

export function aReplay(recorded: readonly Recorded[], settings: Settings = {}): AReplay {
  const { days = 0, parts, ...options } = settings;
  const now = NOW + days * DAY_MS;
  let missed: Miss | null = null;
  const replay = createReplay({
    records: aRecording(recorded).map((exchange) => ({ exchange })),
    name: 'recording',
    options: { match: 'psd2', dates: 'shift', latency: 0, afterLast: 'error', ...options },
    urls: () => URLS,
    clock: () => now,
    timer: { after: () => () => {} },
    dialect: dialectOf(),
    howToRecord: () => '',
    onMiss: (miss) => {
      missed = miss;
    },
    ...parts,
  });
  const ask: AReplay['ask'] = async (call) => {
    missed = null;
    const context = {
      ...createWorld(),
      refusal: null,
      now: call.at ?? now,
      signal: new AbortController().signal,
    };
    const answered = await replay.answer(aCall({ id: 'R1', at: now, ...call }), context);
    if (answered === null) return null;
    const { answer, injected } = answered as { readonly answer: Answer; readonly injected?: Injection };
    const text = answer.body?.text ?? '';
    const json = answer.content.kind === 'json' ? answer.content.value : undefined;
    return { status: answer.status, answer, text, json, miss: missed, injected };
  };
  return {
    ask,
    askAll: async (calls) => {
      const seen: (number | string)[] = [];
      for (const call of calls) {
        const one = await ask(call);
        seen.push(one === null ? 'handed on' : one.miss === null ? one.status : one.miss.kind);
      }
      return seen;
    },
    report: replay.report,
    close: replay.close,
  };
}

/** Answers whose body tells them apart. */
export const numbered = (n: number | string): AnswerParts => ({ body: { n } });
