/** Where notifications wait until they are sent: so many at once, of which no TPP takes what others need. */

/** Of one payment: more than it has statuses. */
const MOST_IN_PLACE = 10;

export interface Places {
  /**
   * Does it now, or after those of the same `key` that were taken before; these share one place. False where there is no
   * place, or none for this owner: each may hold as many as it leaves free.
   */
  readonly take: (owner: string, key: string | symbol, send: () => Promise<void>) => boolean;
  /** Resolves when nothing is left. */
  readonly emptied: () => Promise<void>;
}

interface Place {
  readonly owner: string;
  readonly waiting: (() => Promise<void>)[];
  readonly done: Promise<void>;
}

/** `most` places. What fails is told, and the next follows. */
export function createPlaces(most: number, onError: (error: unknown) => void): Places {
  const places = new Map<string | symbol, Place>();

  async function empty(key: string | symbol, waiting: Place['waiting']): Promise<void> {
    for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) await send().catch(onError);
    places.delete(key);
  }

  return {
    take: (owner, key, send) => {
      const before = places.get(key);
      if (before !== undefined) return before.waiting.length < MOST_IN_PLACE && before.waiting.push(send) > 0;
      const held = [...places.values()].filter((place) => place.owner === owner).length;
      if (held >= most - places.size) return false;
      const waiting = [send];
      places.set(key, { owner, waiting, done: empty(key, waiting) });
      return true;
    },
    emptied: async () => {
      while (places.size > 0) await Promise.all([...places.values()].map(({ done }) => done));
    },
  };
}
