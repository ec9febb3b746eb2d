/** Durations by operation, as a Prometheus histogram. */

/** Upper bounds in seconds; the last class has none. */
export const BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export interface Durations {
  readonly add: (name: string, ms: number) => void;
  /** `counts` are cumulative, one for each bound; `total` counts those beyond the last one too. */
  readonly entries: () => readonly {
    readonly name: string;
    readonly counts: readonly number[];
    readonly total: number;
    readonly seconds: number;
  }[];
}

interface Row {
  readonly counts: Uint32Array;
  total: number;
  seconds: number;
}

/** `names` are few: the operations of the interface. */
export function createDurations(): Durations {
  const rows = new Map<string, Row>();
  return {
    add: (name, ms) => {
      let row = rows.get(name);
      if (row === undefined) {
        row = { counts: new Uint32Array(BOUNDS.length), total: 0, seconds: 0 };
        rows.set(name, row);
      }
      const seconds = ms / 1000;
      row.total++;
      row.seconds += seconds;
      for (let i = 0; i < BOUNDS.length; i++) {
        if (seconds <= (BOUNDS[i] ?? 0)) {
          row.counts[i] = (row.counts[i] ?? 0) + 1;
          return;
        }
      }
    },
    entries: () =>
      [...rows].map(([name, { counts, total, seconds }]) => {
        let sum = 0;
        return { name, counts: [...counts].map((count) => (sum += count)), total, seconds };
      }),
  };
}
