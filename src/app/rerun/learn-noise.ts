/** Learns noise: places that differ between two runs of the same calls against the same bank. */
import { type Answer, compareAnswers, type Difference } from '../../exchange/index.js';
import { createRecogniser, type OperationId } from '../../spec/index.js';
import { createBindings } from './bindings.js';
import { learnAnswer } from './learn.js';
import { mergeNoise, type NoisePlace } from './noise.js';

export interface LearnedNoise {
  readonly places: readonly NoisePlace[];
  /** What differed so that it is no noise: `call 3: status 200, then 429`. */
  readonly doubts: readonly string[];
}

export interface TwoRuns {
  readonly segment: string;
  /** What the client made anew in each of them, by what was recorded. */
  readonly renewed: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>];
  /** Of each call: its operation, and what the first and the second run were answered. */
  readonly calls: readonly {
    readonly operation: OperationId | null;
    readonly first: Answer | null;
    readonly second: Answer | null;
  }[];
}

const BECAUSE = 'differed between two runs';
/** What a place of noise may do. Another type, or another outcome of an authorisation, is never noise. */
const LEARNED: Partial<Readonly<Record<Difference['what'], NoisePlace['differs']>>> = {
  value: 'value',
  gone: 'presence',
  added: 'presence',
};

/** Places that differ between two runs of the same calls, ids and tokens carried along. */
export function learnNoise({ segment, renewed, calls }: TwoRuns): LearnedNoise {
  const recognise = createRecogniser(segment);
  const bindings = createBindings(recognise);
  const [before, after] = renewed;
  for (const [recorded, value] of before) bindings.learn(value, after.get(recorded) ?? value);
  const places: NoisePlace[] = [];
  const doubts: string[] = [];
  for (const [index, { operation, first, second }] of calls.entries()) {
    if (first === null || second === null) continue;
    if (first.status !== second.status) {
      doubts.push(`call ${index + 1}: status ${first.status}, then ${second.status}`);
      continue;
    }
    learnAnswer({ bindings, recognise }, first, second);
    for (const { class: kind, what, place, was, now } of compareAnswers(first, second, {
      translate: bindings.translate,
    })) {
      if (kind === 'noise') continue;
      const differs = place.startsWith('header location') ? undefined : LEARNED[what];
      if (differs === undefined)
        doubts.push(`call ${index + 1}: ${place} ${was || 'absent'}, then ${now || 'absent'}`);
      else places.push({ operation: operation ?? 'none', place, differs, because: BECAUSE });
    }
  }
  return { places: mergeNoise([], places), doubts };
}
