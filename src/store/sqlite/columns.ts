/** How texts lie in the columns of a store: as themselves, compressed, or once for many records. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { createRecentCache } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { type SharedText, share } from '../record-texts.js';
import type { Database } from './driver.js';

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

const REMEMBERED = 8_192;
const SEEN_ONCE = 0;

export function createColumnWriter(db: Database): ColumnWriter {
  const insert = db.prepare('INSERT INTO parts (session, content) VALUES (?, ?)');
  const known = createRecentCache<string, number>(REMEMBERED);
  return {
    column: (session, shared) => {
      if (shared === null) return null;
      if (shared.digest === '') return shared.text;
      const key = `${session} ${shared.digest}`;
      const part = known.get(key);
      if (part === undefined) known.set(key, SEEN_ONCE);
      if (part === undefined) return writeText(shared.text);
      if (part !== SEEN_ONCE) return part;
      const made = Number(insert.run(session, writeText(shared.text)).lastInsertRowid);
      known.set(key, made);
      return made;
    },
    forget: known.clear,
  };
}

export type ColumnReader = (column: Column) => SharedText | null;

/** In characters. */
const CACHED = 4_194_304;

export function createColumnReader(db: Database): ColumnReader {
  const select = db.prepare('SELECT content FROM parts WHERE id = ?').pluck();
  const parts = createRecentCache<number, SharedText>(CACHED);
  return (column) => {
    if (column === null) return null;
    if (typeof column !== 'number') return share(readText(column));
    const known = parts.get(column);
    if (known !== undefined) return known;
    const content = select.get(column) as string | Uint8Array | undefined;
    if (content === undefined) {
      throw new SandgateError(
        'input',
        `The store is damaged: a part (${column}) that a recording needs is missing.`,
      );
    }
    const shared = share(readText(content));
    parts.set(column, shared, shared.text.length);
    return shared;
  };
}
