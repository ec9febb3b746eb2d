/** A bounded cache that drops what was not used lately. */

export interface RecentCache<K, V> {
  readonly get: (key: K) => V | undefined;
  /** `weight` in the unit of the limit. */
  readonly set: (key: K, value: V, weight?: number) => void;
  readonly clear: () => void;
}

/**
 * Two generations: when the younger one weighs `limit`, the older one is forgotten whole. Cheaper than an order of
 * use, and never more than twice the limit.
 */
export function createRecentCache<K, V>(limit: number): RecentCache<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let weighs = 0;

  const set = (key: K, value: V, weight = 1): void => {
    if (weighs >= limit) {
      old = young;
      young = new Map();
      weighs = 0;
    }
    young.set(key, value);
    weighs += weight;
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
