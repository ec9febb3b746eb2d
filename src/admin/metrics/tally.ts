/** Counts by label values, cheap on the way of a call: the labels are only told apart again when somebody asks. */

export interface Tally {
  readonly add: (...values: readonly string[]) => void;
  readonly entries: () => readonly (readonly [values: readonly string[], count: number])[];
}

/** Beyond so many combinations all else is counted as `other`: no caller decides how much memory is used. */
const MOST = 2_000;
const OTHER = 'other';

export function createTally(): Tally {
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>();
  return {
    add: (...values) => {
      const key = values.join(' ');
      const known = counts.get(key);
      if (known !== undefined) known.count++;
      else if (counts.size < MOST) counts.set(key, { values, count: 1 });
      else {
        const rest = values.map(() => OTHER);
        const other = counts.get(rest.join(' '));
        if (other === undefined) counts.set(rest.join(' '), { values: rest, count: 1 });
        else other.count++;
      }
    },
    entries: () => [...counts.values()].map(({ values, count }) => [values, count] as const),
  };
}
