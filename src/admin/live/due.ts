/** What changes by the time alone, the earliest first. */
export interface Due<T extends { readonly id: string }> {
  /** Instead of what was planned under its id; infinite: not at all. */
  readonly plan: (one: T, at: number) => void;
  /** Infinite where nothing is planned. */
  readonly next: () => number;
  readonly take: (now: number) => readonly T[];
  readonly size: () => number;
  readonly clear: () => void;
}

interface Planned<T> {
  readonly one: T;
  readonly at: number;
}

export function createDue<T extends { readonly id: string }>(): Due<T> {
  const byId = new Map<string, Planned<T>>();
  /** The latest first, so that the next one is taken from the end. */
  const inOrder: Planned<T>[] = [];
  /** Behind all that are later. */
  const placeOf = (at: number): number => {
    let [from, to] = [0, inOrder.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((inOrder[middle]?.at ?? 0) > at) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const drop = (planned: Planned<T>): void => {
    byId.delete(planned.one.id);
    inOrder.splice(inOrder.indexOf(planned, placeOf(planned.at)), 1);
  };
  const next = (): number => inOrder.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return {
    next,
    plan: (one, at) => {
      const before = byId.get(one.id);
      if (before !== undefined) drop(before);
      if (at === Number.POSITIVE_INFINITY) return;
      const planned = { one, at };
      byId.set(one.id, planned);
      inOrder.splice(placeOf(at), 0, planned);
    },
    take: (now) => {
      const taken: T[] = [];
      while (next() <= now) {
        const planned = inOrder.at(-1) as Planned<T>;
        drop(planned);
        taken.push(planned.one);
      }
      return taken;
    },
    size: () => inOrder.length,
    clear: () => {
      byId.clear();
      inOrder.length = 0;
    },
  };
}
