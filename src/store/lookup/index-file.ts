/** The file of a look-up index: made beside its store, readable by its owner only, and made anew where it is not sound. */
import { rmSync } from 'node:fs';
import { FIELDS } from '../filter/fields.js';
import type { FilterField } from '../filter/tree.js';
import { type Database, openDatabase } from '../sqlite/driver.js';

/** Moves on with whatever is kept in another way: an index of another version is made anew. */
const VERSION = 9;
/** `SGTI` */
const APPLICATION_ID = 0x53475449;

/** Fields with a column; text has a table of its own. */
export const COLUMN_FIELDS = (Object.keys(FIELDS) as FilterField[]).filter((field) => field !== 'text');

export const columnOf = (field: FilterField): string => `"${field}"`;

const isNumber = (field: FilterField): boolean => field === 'status' || field === 'ms';

/** Kept in their one form, which can be compared. */
export const isTime = (field: FilterField): boolean => field === 'at' || field === 'recorded';

/** In place of `whole`: nothing is known of it, because it is enciphered. */
export const SEALED = 2;

export const TEXTS = ['texts', 'shared_texts'] as const;

/**
 * A session is complete up to `newest`, an exchange; `end` is where its chains ended then. Places grow in the order of
 * recording. `whole`: all of its text is there as the trigrams that occur in it: in `texts` under its place, and in
 * `shared_texts` under `shared`, which it may have together with others of its session; the newest of them is `last`.
 */
const SCHEMA = `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    end TEXT NOT NULL,
    newest TEXT
  );
  CREATE TABLE exchanges (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    exchange TEXT NOT NULL,
    whole INTEGER NOT NULL,
    shared INTEGER,
    ${COLUMN_FIELDS.map((field) => `${columnOf(field)} ${isNumber(field) ? 'NUMERIC' : 'TEXT'}`).join(', ')}
  );
  CREATE INDEX exchanges_in_order ON exchanges (session, place);
  CREATE UNIQUE INDEX exchanges_by_id ON exchanges (exchange);
  CREATE TABLE shared (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, last INTEGER NOT NULL);
  CREATE INDEX shared_in_order ON shared (session, last);
  ${TEXTS.map(
    (table) => `CREATE VIRTUAL TABLE ${table} USING
      fts5(content, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');`,
  ).join('\n')}
`;

/** `store` is the id of the store that it is of. Throws what SQLite throws where no file can be made. */
export function openIndex(path: string, store: string): Database {
  try {
    const db = openSound(path, store);
    if (db !== null) return db;
  } catch (error) {
    if (!isUnsound(error)) throw error;
  }
  removeIndex(path);
  const db = openDatabase({ path, readonly: false });
  setUp(db);
  db.transaction(() => {
    db.exec(SCHEMA);
    db.exec('CREATE TABLE identity (store TEXT NOT NULL, has_removed INTEGER NOT NULL DEFAULT 0)');
    db.prepare('INSERT INTO identity (store) VALUES (?)').run(store);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  })();
  return db;
}

/** Faults that only a new file can mend. */
export function isUnsound(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'store.damaged' || /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code));
}

export function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

/** null where it is none of ours, of another version or of another store. */
function openSound(path: string, store: string): Database | null {
  const db = openDatabase({ path, readonly: false });
  try {
    const isOurs =
      db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
      db.pragma('user_version', { simple: true }) === VERSION &&
      db.prepare('SELECT store FROM identity').pluck().get() === store;
    if (isOurs) {
      setUp(db);
      return db;
    }
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
}

function setUp(db: Database): void {
  // A second gateway on the same store has no index, rather than half of one.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('busy_timeout = 0');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('secure_delete = ON');
  db.pragma('cache_size = -4096');
}
