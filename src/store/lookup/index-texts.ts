/** The texts of an index: kept as the trigrams that occur in them, and what comes again from exchange to exchange once. */
import { hash } from 'node:crypto';
import { createRecentCache } from '../../exchange/index.js';
import { FIELDS } from '../filter/fields.js';
import type { RecordedExchange } from '../recorded.js';
import type { Database } from '../sqlite/driver.js';
import { fold } from './fold.js';
import { TEXTS } from './index-file.js';

/** The most characters of an exchange; one with more is read when it is searched. */
const MOST_TEXT = 65_536;
/** In characters: shorter ones with digits are ids, times and tokens, which soon come no more. */
const LONG = 64;
/** Shared texts that are known again. */
const REMEMBERED = 4_096;
/** Written at once by a merge. */
const MERGED_PAGES = 256;

/** The text of an exchange for free-text search. */
export interface ExchangeText {
  readonly own: string;
  /** Text that other exchanges of the session may share. */
  readonly shared: string;
}

/** null: it is too long. */
export function textOf(record: RecordedExchange): ExchangeText | null {
  const texts = [...new Set(FIELDS.text.read(record).map((text) => fold(String(text ?? ''))))];
  const own = texts.filter((text) => !comesAgain(text)).join('\n');
  const shared = texts.filter(comesAgain).join('\n');
  return own.length + shared.length > MOST_TEXT ? null : { own, shared };
}

const comesAgain = (text: string): boolean => text.length >= LONG || !/\d/.test(text);

export function createIndexTexts(db: Database) {
  const insert = db.prepare('INSERT INTO texts (rowid, content) VALUES (?, ?)');
  const insertShared = db.prepare('INSERT INTO shared_texts (rowid, content) VALUES (?, ?)');
  const create = db.prepare('INSERT INTO shared (session, last) VALUES (?, 0)');
  const use = db.prepare('UPDATE shared SET last = ? WHERE id = ?');
  const unused = db.prepare('SELECT id FROM shared WHERE session = ? AND last <= ?').pluck();
  const remove = db.prepare('DELETE FROM texts WHERE rowid = ?');
  const removeShared = ['DELETE FROM shared WHERE id = ?', 'DELETE FROM shared_texts WHERE rowid = ?'].map(
    (sql) => db.prepare(sql),
  );
  const merges = TEXTS.map((table) =>
    db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', -${MERGED_PAGES})`),
  );
  const written = db.prepare('SELECT total_changes()').pluck();
  /** Ids by session and digest. */
  const known = createRecentCache<string, number>(REMEMBERED);

  function hasWritten(merge: (typeof merges)[number]): boolean {
    const before = Number(written.get());
    merge.run();
    // One change is what SQLite tells of a merge that had nothing to do.
    return Number(written.get()) - before > 1;
  }

  return {
    /** The id of a shared text; null where it is empty. */
    share: (session: number, text: string) => {
      if (text === '') return null;
      const key = `${session} ${hash('sha256', text, 'base64url')}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const id = Number(create.run(session).lastInsertRowid);
      insertShared.run(id, text);
      known.set(key, id);
      return id;
    },
    add: (place: number, own: string, shared: number | null) => {
      insert.run(place, own);
      if (shared !== null) use.run(place, shared);
    },
    /** Places of one session, the oldest first; with them goes what only they shared. */
    remove: (session: number, places: readonly number[]) => {
      for (const place of places) remove.run(place);
      for (const id of unused.all(session, places.at(-1)))
        for (const statement of removeShared) statement.run(id);
      // Some of their ids are of nothing now.
      known.clear();
    },
    /** Writes a piece anew without what was removed, which is in the file until then; false where nothing is left to do. */
    merge: () => merges.filter(hasWritten).length > 0,
  };
}
