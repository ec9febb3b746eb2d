/** Learns noise: places that differ where the same bank is asked the same twice. */
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

export interface Twin {
  readonly number: number;
  readonly operation: OperationId | null;
  readonly first: Answer;
  readonly second: Answer;
  /** The request ids that it was sent with; undefined where it has none. */
  readonly ids: readonly [string, string] | undefined;
}

const BECAUSE = 'differed between two runs';
/** What a place of noise may do. Another type, or another outcome of an authorisation, is never noise. */
const LEARNED: Partial<Readonly<Record<Difference['what'], NoisePlace['differs']>>> = {
  value: 'value',
  gone: 'presence',
  added: 'presence',
};

export function learnNoise(segment: string, twins: readonly Twin[]): LearnedNoise {
  const recognise = createRecogniser(segment);
  const bindings = createBindings(recognise);
  const places: NoisePlace[] = [];
  const doubts: string[] = [];
  for (const { number, operation, first, second, ids } of twins) {
    if (ids !== undefined) bindings.learn(...ids);
    if (first.status !== second.status) {
      doubts.push(`call ${number}: status ${first.status}, then ${second.status}`);
      continue;
    }
    learnAnswer({ bindings, recognise }, first, second);
    for (const { class: kind, what, place, was, now } of compareAnswers(first, second, {
      translate: bindings.translate,
    })) {
      if (kind === 'noise') continue;
      const differs = place.startsWith('header location') ? undefined : LEARNED[what];
      if (differs === undefined)
        doubts.push(`call ${number}: ${place} ${was || 'absent'}, then ${now || 'absent'}`);
      else places.push({ operation: operation ?? 'none', place, differs, because: BECAUSE });
    }
  }
  return { places: mergeNoise([], places), doubts };
}
