/** A limited number of places for sending notifications, of which every TPP gets its share. */

/** `most` places, and as many again for owners that hold none. What fails is told. */
export function createPlaces(most: number, onError: (error: unknown) => void) {
  const places = new Set<Promise<void>>();
  const held = new Map<string | null, number>();

  async function hold(owner: string | null, send: () => Promise<void>): Promise<void> {
    held.set(owner, (held.get(owner) ?? 0) + 1);
    await send().catch(onError);
    const left = (held.get(owner) ?? 0) - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
  }

  return {
    /**
     * Begins it now. False where there is no place, or none for this owner: each may hold as many as it leaves free, and one
     * in any case. All whom nobody knows (null) are one owner.
     */
    take: (owner: string | null, send: () => Promise<void>): boolean => {
      const own = held.get(owner) ?? 0;
      const isTaken = own === 0 ? places.size < 2 * most : own < most - places.size;
      if (!isTaken) return false;
      const place = hold(owner, send).finally(() => places.delete(place));
      places.add(place);
      return true;
    },
    emptied: async (): Promise<void> => {
      while (places.size > 0) await Promise.all(places);
    },
  };
}
