/** Noise: places of answers that differ from run to run, declared in a file that people review, or learned by asking twice. */
import * as z from 'zod';
import { type Answer, type CompareOptions, compareAnswers, type Difference } from '../../exchange/index.js';
import type { BankProfile, Dialect, OperationId } from '../../spec/index.js';
import { createBindings } from './bindings.js';
import { learnAnswer } from './learn.js';
import { placeFile } from './place-file.js';

const noisePlace = z.strictObject({
  /** An operation, or a pattern of them: `accounts.*`, `*`. `none`: calls of no known one. */
  operation: z.string().min(1),
  /** As rerun names places; `*` is any text. */
  place: z.string().min(1),
  /** `value`: it may have any value of its type; `presence`: it may be missing too; `type`: it may also be of another type. */
  differs: z.enum(['value', 'presence', 'type']),
  because: z.string().optional(),
});

export type NoisePlace = Readonly<z.infer<typeof noisePlace>>;
export type NoiseOf = (operation: OperationId | null) => Pick<CompareOptions, 'noise' | 'presence' | 'types'>;

const noiseFile = placeFile('sandgate-noise', noisePlace, 'rerun.noise-file');

export const readNoise = noiseFile.read;

/** Sorted, nothing in it that changes without a reason. */
export const writeNoise = (places: readonly NoisePlace[]): string => noiseFile.write(sorted(places));

const keyOf = ({ operation, place }: NoisePlace): string => `${operation} ${place}`;

function sorted(places: readonly NoisePlace[]): NoisePlace[] {
  return [...places].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** What was there before stays as it was written; of two on one place the wider one counts. */
export function mergeNoise(known: readonly NoisePlace[], learned: readonly NoisePlace[]): NoisePlace[] {
  const merged = new Map(known.map((place) => [keyOf(place), place]));
  for (const place of learned) {
    const before = merged.get(keyOf(place));
    if (before === undefined) merged.set(keyOf(place), place);
    else if (place.differs === 'presence') merged.set(keyOf(place), { ...before, differs: 'presence' });
  }
  return sorted([...merged.values()]);
}

/** Places where the bank is known to break its own standard, in one run or the other. */
export const deviationNoise = ({ deviations = [] }: Partial<BankProfile>): NoisePlace[] =>
  deviations.flatMap(({ operations = ['*'], place, says }) => {
    const where = /^answer ((?:body|header) .+)$/.exec(place ?? '')?.[1];
    if (where === undefined) return [];
    const named = where.startsWith('header ') ? where.toLowerCase() : where;
    return operations.map((operation) => ({
      operation,
      place: named,
      differs: 'type' as const,
      because: says,
    }));
  });

export function noiseOf(places: readonly NoisePlace[]): NoiseOf {
  const known = new Map<OperationId | null, ReturnType<NoiseOf>>();
  return (operation) => {
    const remembered = known.get(operation);
    if (remembered !== undefined) return remembered;
    const fitting = places.filter((one) => fits(one.operation, operation ?? 'none'));
    const of = (differs: NoisePlace['differs']) =>
      fitting.filter((one) => one.differs === differs).map(({ place }) => place);
    const noise = { noise: of('value'), presence: of('presence'), types: of('type') };
    known.set(operation, noise);
    return noise;
  };
}

function fits(pattern: string, operation: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === operation;
  return operation.startsWith(pattern.slice(0, star)) && operation.endsWith(pattern.slice(star + 1));
}

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

export function learnNoise({ recognise }: Pick<Dialect, 'recognise'>, twins: readonly Twin[]): LearnedNoise {
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
