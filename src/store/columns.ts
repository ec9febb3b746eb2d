/** How texts are stored in columns: as they are, compressed, enciphered, or shared between records. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { createRecentCache, type RecentCache } from '../exchange/index.js';
import { type SharedText, share, shareBytes } from './shared-text.js';

/** A number is the id of a part, a string itself, bytes are compressed or enciphered. */
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

/** Enciphered bytes begin with it, and no stream of brotli does (RFC 7932, 9.1). */
export const SEALED = 0x11;

export const readShared = (column: string | Uint8Array): SharedText =>
  typeof column !== 'string' && column[0] === SEALED ? shareBytes(column) : share(readText(column));

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
      const { text, digest, bytes, isCommon = false } = shared;
      if (digest === '') return text;
      const known = knownOf(session);
      const part = known.get(digest);
      if (part !== undefined && part !== SEEN_ONCE) return part;
      const content = bytes ?? writeText(text);
      if (part === undefined && !isCommon) {
        known.set(digest, SEEN_ONCE);
        return content;
      }
      const made = insert(session, content);
      known.set(digest, made);
      return made;
    },
    forget: () => sessions.clear(),
  };
}
