/** Where notifications wait until they are sent: so many at once, of which no TPP takes what others need. */

/** Of one payment: more than it has statuses. */
const MOST_IN_PLACE = 10;

export interface Places {
  /**
   * Does it now, or after those of the same `key` that were taken before; these share one place. False where there is no
   * place, or none for this owner: each may hold as many as it leaves free, and one in any case. All whom nobody knows
   * (null) are one owner.
   */
  readonly take: (owner: string | null, key: string | symbol, send: () => Promise<void>) => boolean;
  /** Resolves when nothing is left. */
  readonly emptied: () => Promise<void>;
}

interface Place {
  readonly waiting: (() => Promise<void>)[];
  readonly done: Promise<void>;
}

/** `most` places, and as many again for owners that hold none. What fails is told, and the next follows. */
export function createPlaces(most: number, onError: (error: unknown) => void): Places {
  const places = new Map<string | symbol, Place>();
  const held = new Map<string | null, number>();

  async function empty(owner: string | null, key: string | symbol, waiting: Place['waiting']): Promise<void> {
    for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) await send().catch(onError);
    places.delete(key);
    const left = (held.get(owner) ?? 0) - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
  }

  return {
    take: (owner, key, send) => {
      const before = places.get(key);
      if (before !== undefined) return before.waiting.length < MOST_IN_PLACE && before.waiting.push(send) > 0;
      const own = held.get(owner) ?? 0;
      const isTaken = own === 0 ? places.size < 2 * most : own < most - places.size;
      if (!isTaken) return false;
      const waiting = [send];
      held.set(owner, own + 1);
      places.set(key, { waiting, done: empty(owner, key, waiting) });
      return true;
    },
    emptied: async () => {
      while (places.size > 0) await Promise.all([...places.values()].map(({ done }) => done));
    },
  };
}
