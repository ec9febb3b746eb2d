/** A machine of which a test moves the time on: its clock, and the timers that fall due meanwhile. */
export interface Machine {
  readonly now: () => number;
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
  /** Lets so many ms pass; timers run in order, each at its time. */
  readonly pass: (ms: number) => void;
  /** Of those that wait, in ms from now. */
  readonly waits: () => number[];
  /** How many timers have run. */
  readonly woken: () => number;
}

export function aMachine(start: number): Machine {
  let now = start;
  let woken = 0;
  const waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  return {
    now: () => now,
    timer: {
      after: (ms, run) => {
        if (ms > 2 ** 31 - 1) throw new RangeError(`no timer waits ${ms} ms`);
        const one = { due: now + ms, run };
        waiting.add(one);
        return () => void waiting.delete(one);
      },
    },
    pass: (ms) => {
      const end = now + ms;
      for (;;) {
        const [next] = [...waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        waiting.delete(next);
        now = next.due;
        woken += 1;
        next.run();
      }
      now = end;
    },
    waits: () => [...waiting].map(({ due }) => due - now),
    woken: () => woken,
  };
}
