/** Collects the misses of all gateways in this process, for the output of a failed test. */
import type { ReplayCoverage } from './session-types.js';

/** The unanswered calls of one replay; those of a closed gateway stay. */
interface Watched {
  readonly id: number;
  missed: () => ReplayCoverage['missed'];
}

/** A run of many tests opens many gateways: so many of the newest are remembered. */
const MOST_WATCHED = 200;

const watched: Watched[] = [];
let opened = 0;

/** @returns to be called when the gateway closes */
export function watchMisses(missed: Watched['missed']): () => void {
  const one: Watched = { id: ++opened, missed };
  watched.push(one);
  if (watched.length > MOST_WATCHED) watched.shift();
  return () => {
    const last = one.missed();
    one.missed = () => last;
  };
}

export function countMisses(): ReadonlyMap<number, number> {
  return new Map(watched.map(({ id, missed }) => [id, missed().length]));
}

export function missesSince(before: ReadonlyMap<number, number>): ReplayCoverage['missed'] {
  return watched.flatMap(({ id, missed }) => missed().slice(before.get(id) ?? 0));
}
