/** Keeps the older times and durations where the difference means nothing. */
import type { CassetteExchange } from '../cassette/cassette-schema.js';
import { rounded } from '../cassette/cassette-write.js';

/** A machine may be slower by so much, in ms; a client that waits longer means it. */
const SLOWER_MS = 1_000;

type Times = Pick<CassetteExchange, 'at' | 'moved' | 'took' | 'bankTook'>;

/** `pairs`: the older exchange of each, by position. */
export function steadyTimes(
  is: readonly CassetteExchange[],
  was: readonly CassetteExchange[],
  pairs: ReadonlyMap<number, number>,
): Times[] {
  const times: Times[] = [];
  const next = nextOlder(was, pairs, is.length);
  for (const [i, { at, moved, took, bankTook }] of is.entries()) {
    const j = pairs.get(i);
    const older = j === undefined ? undefined : was[j];
    const gap = at - (is[i - 1]?.at ?? 0);
    // Only behind the same call is the gap of the older one that of this one.
    const follows = j !== undefined && (i === 0 ? j === 0 : pairs.get(i - 1) === j - 1);
    const start = times[i - 1]?.at ?? 0;
    // Behind another call the time may be the same; a call that is new comes before the next one that is not.
    const since = (next[i]?.at ?? Number.NaN) - (follows ? (was[j - 1]?.at ?? 0) : start);
    const isSame = older !== undefined && (follows || since >= 0);
    const olderGap = isSame ? since : since >= 0 ? Math.min(gap, since) : gap;
    times.push({
      // Sums of tenths are not exact.
      at: rounded(start + alike(gap, olderGap)),
      ...(moved === undefined ? {} : { moved: alike(moved, older?.moved) }),
      took: alike(took, older?.took),
      bankTook: alike(bankTook, older?.bankTook),
    });
  }
  return times;
}

function alike(is: number, was: number | undefined): number {
  return was !== undefined && Math.abs(is - was) < SLOWER_MS ? was : is;
}

/** By position: the older exchange of the next call that has one. */
function nextOlder(
  was: readonly CassetteExchange[],
  pairs: ReadonlyMap<number, number>,
  count: number,
): (CassetteExchange | undefined)[] {
  const next: (CassetteExchange | undefined)[] = [];
  for (let i = count - 1; i >= 0; i--) next[i] = was[pairs.get(i) ?? -1] ?? next[i + 1];
  return next;
}
