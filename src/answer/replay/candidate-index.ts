/**
 * A candidate index: recorded calls that differ only in values that may be bound and in dates, so that a call with new
 * values finds those it can stand for.
 */
import type { Field } from './call-fields.js';
import type { Queue } from './entries.js';

export interface CandidateIndex {
  /** In the order of recording. */
  readonly queues: Queue[];
  /** By the places that a call has new values in: those that agree in all other bound places, under their values. */
  readonly byPlaces: Map<string, ReadonlyMap<string, Candidates>>;
}

/** In the order of recording; those before `from` can be no call with new values any more. */
export interface Candidates {
  readonly queues: Queue[];
  from: number;
}

export function openCandidateIndex(first: Queue): CandidateIndex {
  return { queues: [first], byPlaces: new Map() };
}

/** `isNew`: by position of the fields, which are the same places for every call of a index. */
export function candidatesOf(
  { queues, byPlaces }: CandidateIndex,
  fields: readonly Field[],
  isNew: readonly boolean[],
): Candidates | undefined {
  const places = isNew.map(Number).join('');
  let index = byPlaces.get(places);
  if (index === undefined) {
    index = indexOf(queues, isNew);
    byPlaces.set(places, index);
  }
  return index.get(keyOf(fields, isNew));
}

function indexOf(queues: readonly Queue[], isNew: readonly boolean[]): Map<string, Candidates> {
  const index = new Map<string, Candidates>();
  for (const queue of queues) {
    const key = keyOf(queue.fields, isNew);
    const known = index.get(key);
    if (known === undefined) index.set(key, { queues: [queue], from: 0 });
    else known.queues.push(queue);
  }
  return index;
}

function keyOf(fields: readonly Field[], isNew: readonly boolean[]): string {
  let key = '';
  for (const [i, { as, value }] of fields.entries()) if (as === 'bind' && !isNew[i]) key += `${value}\n`;
  return key;
}
