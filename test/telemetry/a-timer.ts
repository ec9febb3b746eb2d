/** A timer for tests, which no time passes by. */
/** Nothing passes by itself: `pass` runs all that is due. */
export function aTimer() {
  let now = 0;
  const due = new Map<() => void, number>();
  return {
    after: (ms: number, run: () => void) => {
      due.set(run, now + ms);
      return () => void due.delete(run);
    },
    pass: (ms: number): void => {
      now += ms;
      for (const [run, at] of [...due]) {
        if (at > now || !due.delete(run)) continue;
        run();
      }
    },
    waits: () => due.size,
    /** In how many ms the first is due. */
    next: () => Math.min(...due.values()) - now,
  };
}
