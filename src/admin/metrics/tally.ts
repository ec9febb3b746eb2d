/** Counts by label values. Counting is cheap; labels are only put together when somebody reads the metrics. */

export interface Tally {
  readonly add: (...values: readonly string[]) => void;
  readonly entries: () => readonly (readonly [values: readonly string[], count: number])[];
}

/** Beyond so many combinations all else is counted as `other`: no caller decides how much memory is used. */
const MOST = 2_000;
const OTHER = 'other';

/** One step down for each value. */
interface Count {
  readonly next: Map<string, Count>;
  readonly values: readonly string[];
  count: number;
}

export function createTally(): Tally {
  const root: Count = { next: new Map(), values: [], count: 0 };
  const counts: Count[] = [];

  const known = (values: readonly string[]): Count | undefined => {
    let at: Count | undefined = root;
    for (let i = 0; i < values.length && at !== undefined; i++) at = at.next.get(values[i] as string);
    return at;
  };
  const make = (values: readonly string[]): Count => {
    let at = root;
    for (const value of values) {
      const next: Count = at.next.get(value) ?? { next: new Map(), values, count: 0 };
      at.next.set(value, next);
      at = next;
    }
    counts.push(at);
    return at;
  };
  return {
    add: (...values) => {
      let found = known(values);
      if (found === undefined) {
        const told = counts.length < MOST ? values : values.map(() => OTHER);
        found = known(told) ?? make(told);
      }
      found.count++;
    },
    entries: () => counts.map(({ values, count }) => [values, count] as const),
  };
}
