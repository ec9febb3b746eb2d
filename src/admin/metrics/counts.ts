/** Counters on the way of a call: numbers by label values, and durations by operation. */

/** Beyond so many combinations all else is counted as `other`: no caller decides how much memory is used. */
const MOST = 2_000;
const OTHER = 'other';

interface Row {
  readonly values: readonly string[];
  count: number;
}

export type Tally = ReturnType<typeof createTally>;

export function createTally() {
  const rows = new Map<string, Row>();
  const grow = (key: string, values: readonly string[]): Row => {
    const row = { values, count: 0 };
    rows.set(key, row);
    return row;
  };
  const find = (values: readonly string[]): Row => {
    const key = values.join('\n');
    const known = rows.get(key);
    if (known !== undefined) return known;
    if (rows.size < MOST) return grow(key, values);
    return rows.get(OTHER) ?? grow(OTHER, Array(values.length).fill(OTHER));
  };
  return {
    /** With as many values each time. */
    add: (...values: readonly string[]): void => {
      find(values).count++;
    },
    addMany: (count: number, ...values: readonly string[]): void => {
      find(values).count += count;
    },
    entries: () => Array.from(rows.values(), ({ values, count }) => [values, count] as const),
  };
}

/** Upper bounds in seconds; the last class has none. */
export const BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export type Durations = ReturnType<typeof createDurations>;

/** A histogram for each of a few names: the operations of the interface. */
export function createDurations() {
  const rows = new Map<string, { readonly counts: Uint32Array; total: number; seconds: number }>();
  return {
    add: (name: string, ms: number): void => {
      let row = rows.get(name);
      if (row === undefined) {
        row = { counts: new Uint32Array(BOUNDS.length), total: 0, seconds: 0 };
        rows.set(name, row);
      }
      const seconds = ms / 1000;
      row.total++;
      row.seconds += seconds;
      const place = BOUNDS.findIndex((bound) => seconds <= bound);
      if (place >= 0) row.counts[place] = (row.counts[place] ?? 0) + 1;
    },
    /** `counts` are cumulative, one for each bound; `total` counts those beyond the last one too. */
    entries: () =>
      [...rows].map(([name, { counts, total, seconds }]) => {
        let sum = 0;
        return { name, counts: [...counts].map((count) => (sum += count)), total, seconds };
      }),
  };
}
