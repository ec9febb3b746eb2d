/** How texts are stored in columns: as they are, compressed, or shared between records. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { createRecentCache, type RecentCache } from '../exchange/index.js';
import type { SharedText } from './shared-text.js';

/** A number is the id of a part, a string itself, bytes are compressed. */
export type Column = number | string | Uint8Array | null;

/** Compressing pays from here (performance.md): smaller texts would cost more time than the bytes are worth. */
const LONG = 8_192;
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** No text that was written is longer; a damaged store must not fill the memory. */
const LONGEST = 256 * 1_048_576;

export const isLong = (text: string): boolean => text.length >= LONG;

export function writeText(text: string): string | Uint8Array {
  return isLong(text) ? brotliCompressSync(text, FAST) : text;
}

export function readText(column: string | Uint8Array): string {
  if (typeof column === 'string') return column;
  return brotliDecompressSync(column, { maxOutputLength: LONGEST }).toString();
}

const SESSIONS = 16;
const REMEMBERED = 1_024;
const SEEN_ONCE = 0;

/** `insert` gives the id of the new part. */
export function createColumnWriter(insert: (session: number, content: string | Uint8Array) => number) {
  const sessions = createRecentCache<number, RecentCache<string, number>>(SESSIONS);
  const knownOf = (session: number): RecentCache<string, number> => {
    const known = sessions.get(session);
    if (known !== undefined) return known;
    const made = createRecentCache<string, number>(REMEMBERED);
    sessions.set(session, made);
    return made;
  };
  return {
    /** The value for the column. A text that comes again becomes a part of the session. */
    column: (session: number, shared: SharedText | null) => {
      if (shared === null) return null;
      const { text, digest } = shared;
      if (digest === '') return text;
      const known = knownOf(session);
      const part = known.get(digest);
      if (part === undefined) known.set(digest, SEEN_ONCE);
      if (part === undefined) return writeText(text);
      if (part !== SEEN_ONCE) return part;
      const made = insert(session, writeText(text));
      known.set(digest, made);
      return made;
    },
    forget: () => sessions.clear(),
  };
}
