/** How texts are stored in columns: as they are, compressed, or shared between records. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { createRecentCache, type RecentCache } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { type SharedText, share } from './shared-text.js';

/** A number is the id of a part, a string itself, bytes are compressed. */
export type Column = number | string | Uint8Array | null;

/** Compressing pays from here (performance.md): smaller texts would cost more time than the bytes are worth. */
const LONG = 8_192;
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** No text that was written is longer; a damaged store must not fill the memory. */
const LONGEST = 256 * 1_048_576;

export function writeText(text: string): string | Uint8Array {
  return text.length < LONG ? text : brotliCompressSync(text, FAST);
}

export function readText(column: string | Uint8Array): string {
  if (typeof column === 'string') return column;
  return brotliDecompressSync(column, { maxOutputLength: LONGEST }).toString();
}

export interface ColumnWriter {
  /** What to put into the column. A text that is seen again becomes a part of the session. */
  readonly column: (session: number, shared: SharedText | null) => Column;
  /** After a rollback: what was remembered as written is not. */
  readonly forget: () => void;
}

const SESSIONS = 16;
const REMEMBERED = 1_024;
const SEEN_ONCE = 0;

/** `insert` gives the id of the new part. */
export function createColumnWriter(
  insert: (session: number, content: string | Uint8Array) => number,
): ColumnWriter {
  const sessions = createRecentCache<number, RecentCache<string, number>>(SESSIONS);
  const knownOf = (session: number): RecentCache<string, number> => {
    const known = sessions.get(session);
    if (known !== undefined) return known;
    const made = createRecentCache<string, number>(REMEMBERED);
    sessions.set(session, made);
    return made;
  };
  return {
    column: (session, shared) => {
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

/** `isBrief`: a long text is left out, and is empty. */
export type ColumnReader = (column: Column, isBrief?: boolean) => SharedText | null;

/** In the place of a long text. */
export const LEFT_OUT: SharedText = share('');

/** In characters. */
const CACHED = 4_194_304;

/** `select` gives the content of a part; undefined where there is none. */
export function createColumnReader(select: (part: number) => string | Uint8Array | undefined): ColumnReader {
  const parts = createRecentCache<number, SharedText>(CACHED, ({ text }) => text.length);
  return (column, isBrief = false) => {
    if (column === null) return null;
    if (typeof column !== 'number')
      return isBrief && typeof column !== 'string' ? LEFT_OUT : share(readText(column));
    const known = parts.get(column);
    if (known !== undefined) return known;
    const content = select(column);
    if (content === undefined) {
      throw new SandgateError('record.text-gone', { column });
    }
    if (isBrief && typeof content !== 'string') return LEFT_OUT;
    const shared = share(readText(content));
    parts.set(column, shared);
    return shared;
  };
}
