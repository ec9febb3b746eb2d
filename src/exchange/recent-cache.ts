/** Caches that are bounded, and drop what was not used lately. */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type RecentCache<K extends {}, V extends {}> = LRUCache<K, V>;

/**
 * Counts entries, or weighs them where `weightOf` says how much each counts; one that outweighs all others is kept alone.
 * With `max` in the place of `maxSize` the room for all of them would be made at once: a third of the start of a gateway.
 */
export const createRecentCache = <K extends {}, V extends {}>(
  limit: number,
  weightOf: (value: V, key: K) => number = () => 0,
): RecentCache<K, V> =>
  new LRUCache({
    maxSize: limit,
    sizeCalculation: (value, key) => Math.min(weightOf(value, key) + 1, limit),
  });

/** Remembers results of `make`: an equal text gets the same result without another run. */
export type TextMemory<V> = (text: string) => V;

interface Known<V> {
  readonly text: string;
  readonly made: V;
}

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
