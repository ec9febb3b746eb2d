/** Failed calls in a row, and times without a call, in the order in which calls began. */
import type { Availability } from '../model.js';

export interface Sample {
  /** Epoch ms: when the call began, and when its answer was there, or nobody waited for it any longer. */
  readonly at: number;
  readonly end: number;
  readonly isGood: boolean;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly lastGood: number | null;
  readonly firstGood: number | null;
}

export interface Watching {
  readonly gap: (from: number, to: number) => void;
  /** Once for each period of unavailability. */
  readonly unavailable: (run: Run) => void;
}

/** RTS Art. 33(1): five consecutive requests that are not replied to. */
const PRESUMED = 5;
/** One failed call alone is no period. */
const FEWEST = 2;
/** Calls come as they end. So many are held back to put them into the order in which they began. */
const HELD_BACK = 8_192;

type Periods = Pick<Availability['services'][number], 'periods' | 'omittedPeriods'>;

export function createRuns(most: number, watching: Watching) {
  let pending: Sample[] = [];
  let previous: number | null = null;
  let lastGood: number | null = null;
  let run: { readonly from: number; to: number; calls: number; readonly lastGood: number | null } | null =
    null;
  const periods: Periods['periods'] = [];
  let omittedPeriods = 0;

  function follow({ at, end, isGood }: Sample): void {
    if (previous !== null) watching.gap(Math.min(previous, at), at);
    previous = Math.max(previous ?? at, at);
    if (!isGood) {
      run ??= { from: at, to: at, calls: 0, lastGood: lastGood === null ? null : Math.min(lastGood, at) };
      run.to = Math.max(run.to, at);
      run.calls++;
      return;
    }
    close(end);
    lastGood = Math.max(lastGood ?? end, end);
  }

  function close(firstGood: number | null): void {
    if (run === null) return;
    const { calls, ...ended } = { ...run, firstGood };
    run = null;
    if (calls < FEWEST) return;
    const presumed = calls >= PRESUMED;
    if (presumed) watching.unavailable(ended);
    if (periods.length >= most) {
      omittedPeriods++;
      return;
    }
    const { from, to } = ended;
    periods.push({
      from: isoOf(from),
      to: isoOf(to),
      lastGood: ended.lastGood === null ? null : isoOf(ended.lastGood),
      firstGood: firstGood === null ? null : isoOf(firstGood),
      calls,
      presumed,
      atLeastMs: to - from,
      atMostMs: ended.lastGood === null || firstGood === null ? null : firstGood - ended.lastGood,
    });
  }

  function release(count: number): void {
    for (const sample of pending.slice(0, count)) follow(sample);
    pending = pending.slice(count);
  }

  return {
    take(sample: Sample): void {
      const before = pending.findLastIndex(({ at }) => at <= sample.at);
      pending.splice(before + 1, 0, sample);
      if (pending.length >= HELD_BACK) release(HELD_BACK / 2);
    },
    finish(): Periods {
      release(pending.length);
      close(null);
      return { periods, omittedPeriods };
    },
  };
}

const isoOf = (at: number): string => new Date(at).toISOString();
