/** A bounded cache that drops what was not used lately. */

export interface RecentCache<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => void;
  readonly clear: () => void;
}

/**
 * Two generations: when the younger one weighs `limit`, the older one is forgotten whole. Cheaper than an order of
 * use, and each of them never weighs more than the limit and one entry. `weightOf` is in the unit of the limit; without
 * it entries are counted.
 */
export function createRecentCache<K, V>(
  limit: number,
  weightOf: (value: V, key: K) => number = () => 1,
): RecentCache<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let weighs = 0;

  const set = (key: K, value: V): void => {
    if (weighs >= limit) {
      old = young;
      young = new Map();
      weighs = 0;
    }
    const before = young.get(key);
    if (before !== undefined) weighs -= weightOf(before, key);
    young.set(key, value);
    weighs += weightOf(value, key);
  };
  return {
    get: (key) => {
      const found = young.get(key);
      if (found !== undefined) return found;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    clear: () => {
      young = new Map();
      old = new Map();
      weighs = 0;
    },
  };
}
