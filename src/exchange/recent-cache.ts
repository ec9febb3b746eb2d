/** A bounded cache that drops what was not used lately. */
import { crc32 } from 'node:zlib';

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

/** What `make` makes of the text; an equal text that came before may have told it already. */
export type TextMemory<V> = (text: string) => V;

interface Known<V> {
  readonly text: string;
  readonly made: V;
}

/** In characters. */
const REMEMBERED = 1_048_576;
const LONGEST_REMEMBERED = 16_384;
const PLACES = 4_096;
const LATELY = 64;

/**
 * Only a text that comes a second time is kept: what is kept for nothing costs the collector of garbage more than it
 * could ever save. Of the first time there stays a number. As a key the text itself would be hashed, which takes longer
 * than comparing it with the last one of its length, or than its checksum.
 * `onKept` is told what is kept.
 */
export function createTextMemory<V>(make: (text: string) => V, onKept?: (made: V) => void): TextMemory<V> {
  const recent = createRecentCache<number, Known<V>>(REMEMBERED, ({ text }) => text.length);
  const lately = new Array<Known<V> | undefined>(LATELY).fill(undefined);
  const seen = new Int32Array(PLACES);
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return make(text);
    const last = lately[text.length % LATELY];
    if (last?.text === text) return last.made;
    // That two texts share one by chance does no harm.
    const number = crc32(text) | 0;
    const known = recent.get(number);
    if (known?.text === text) {
      lately[text.length % LATELY] = known;
      return known.made;
    }
    const made = make(text);
    const place = number & (PLACES - 1);
    if (seen[place] !== number) seen[place] = number;
    else {
      recent.set(number, { text, made });
      onKept?.(made);
    }
    return made;
  };
}
