/** Counters on the way of a call: numbers by label values, and durations by operation. */

/** Beyond so many combinations all else is counted as `other`: no caller decides how much memory is used. */
const MOST = 2_000;
const OTHER = 'other';

interface Row {
  readonly values: readonly string[];
  count: number;
}

/** Rows by the first of their values, then by the next. */
type Branch = Map<string, Branch | Row>;

export type Tally = ReturnType<typeof createTally>;

export function createTally() {
  const rows: Row[] = [];
  const root: Branch = new Map();
  /** A value at a time: texts that are there already need not be joined and hashed for each call. */
  const rowOf = (values: readonly string[]): Row | undefined => {
    let at: Branch | Row | undefined = root;
    for (const value of values) at = at instanceof Map ? at.get(value) : undefined;
    return at instanceof Map ? undefined : at;
  };
  const grow = (values: readonly string[]): Row => {
    const row = { values, count: 0 };
    rows.push(row);
    let at = root;
    for (const value of values.slice(0, -1)) {
      const next = at.get(value) ?? new Map();
      at.set(value, next);
      at = next as Branch;
    }
    at.set(values.at(-1) ?? '', row);
    return row;
  };
  const find = (values: readonly string[]): Row => {
    const other = () => values.map(() => OTHER);
    return rowOf(values) ?? (rows.length < MOST ? grow(values) : (rowOf(other()) ?? grow(other())));
  };
  return {
    /** With as many values each time. */
    add: (...values: readonly string[]): void => {
      find(values).count++;
    },
    addMany: (count: number, ...values: readonly string[]): void => {
      find(values).count += count;
    },
    entries: () => rows.map(({ values, count }) => [values, count] as const),
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
