/** A bounded cache of what was computed from recurring texts. */
import { crc32 } from 'node:zlib';
import { createRecentCache } from './recent-cache.js';

/** What `make` makes of the text; an equal text that came before may have told it already. */
export type TextMemory<V> = (text: string) => V;

/** In characters. */
const REMEMBERED = 1_048_576;
const LONGEST_REMEMBERED = 16_384;
const PLACES = 4_096;

/**
 * Only a text that comes a second time is kept: what is kept for nothing costs the collector of garbage more than it
 * could ever save. Of the first time there stays a number.
 * `onKept` is told what is kept.
 */
export function createTextMemory<V>(make: (text: string) => V, onKept?: (made: V) => void): TextMemory<V> {
  const recent = createRecentCache<string, V>(REMEMBERED, (_, text) => text.length);
  const seen = new Int32Array(PLACES);
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return make(text);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    // That two texts share one by chance does no harm.
    const number = crc32(text) | 0;
    const place = number & (PLACES - 1);
    if (seen[place] !== number) seen[place] = number;
    else {
      recent.set(text, made);
      onKept?.(made);
    }
    return made;
  };
}
