/** The migrations of a store. A released migration never changes; new ones are added after it, for other views an empty one. */
import { SandgateError } from '../../spec/index.js';
import { DROP_SQLITE_VIEWS, SQLITE_VIEWS } from '../views.js';
import { adoptSessions } from './adopt.js';
import type { Database } from './driver.js';

/** `SGTE`: tells a store from any other SQLite file. */
const APPLICATION_ID = 0x53475445;

/** Step n leads from version n to n + 1. */
export const MIGRATIONS: readonly (string | ((db: Database) => void))[] = [
  `
  -- name is null while a session is being removed. Rows of exchanges from 'first' to 'last' are kept; 'base' is the
  -- hash before the first of them, 'head' that of the last.
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    first INTEGER NOT NULL DEFAULT 1,
    last INTEGER NOT NULL DEFAULT 0,
    base TEXT NOT NULL DEFAULT '',
    head TEXT NOT NULL DEFAULT ''
  );
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL
  );
  CREATE INDEX notes_of_session ON notes (session);

  -- Texts that several exchanges of a session share; a BLOB is one compressed with brotli.
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    content NOT NULL
  );
  CREATE INDEX parts_of_session ON parts (session);
  CREATE TABLE certificates (
    session INTEGER NOT NULL,
    reference TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (session, reference)
  ) WITHOUT ROWID;

  -- In shape, verdicts, findings and the bodies an INTEGER is the id of a part, a TEXT stands for itself, a BLOB is
  -- compressed, NULL is nothing.
  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    own NOT NULL,
    shape NOT NULL,
    verdicts,
    findings,
    request_body,
    answer_body
  );
  CREATE UNIQUE INDEX exchanges_in_order ON exchanges (session, seq);

  -- 'turn' grows with each change: facts are read back in the order of their newest one.
  CREATE TABLE ledger (
    family TEXT NOT NULL,
    key TEXT NOT NULL,
    turn INTEGER NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (family, key)
  ) WITHOUT ROWID;
  `,
  `
  -- An exchange that is sent on has two rows: one of its beginning, under the negative of its id, and one of its end.
  -- 'begun' counts those of beginnings among 'first' to 'last'.
  ALTER TABLE sessions ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- One row: the id by which the chains of its sessions know this store.
  CREATE TABLE identity (store TEXT NOT NULL);
  INSERT INTO identity (store) VALUES (lower(hex(randomblob(16))));

  -- Notes are entries of the chain, as exchanges are: 'seq' counts both. Rows that somebody puts at a place which is
  -- to be given next must not make recording fail, so places are not unique.
  ALTER TABLE notes ADD COLUMN seq INTEGER;
  ALTER TABLE notes ADD COLUMN hash TEXT;
  DROP INDEX notes_of_session;
  CREATE INDEX notes_in_order ON notes (session, seq);
  CREATE INDEX notes_by_kind ON notes (session, kind, seq);
  DROP INDEX exchanges_in_order;
  CREATE INDEX exchanges_in_order ON exchanges (session, seq);

  -- 'last' and 'head' are place and hash of the last entry; 'exchanges' and 'begun' count what is kept.
  ALTER TABLE sessions ADD COLUMN exchanges INTEGER NOT NULL DEFAULT 0;
  UPDATE sessions SET exchanges = last - first + 1 - begun;
  `,
  adoptSessions,
  `
  ALTER TABLE sessions DROP COLUMN first;
  ALTER TABLE sessions DROP COLUMN base;
  `,
  `
  -- Beginnings have a table of their own, under the ids of their exchanges: in front of all others, under the negative
  -- of their ids, each commit wrote twice as many pages, and left them half empty.
  CREATE TABLE beginnings (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    own NOT NULL,
    shape NOT NULL,
    verdicts,
    findings,
    request_body
  );
  INSERT INTO beginnings SELECT -id, session, seq, hash, own, shape, verdicts, findings, request_body
    FROM exchanges WHERE id < 0 ORDER BY id DESC;
  DELETE FROM exchanges WHERE id < 0;
  CREATE INDEX beginnings_in_order ON beginnings (session, seq);
  `,
  `
  -- Facts of the living bank stand beside those of the ledger, in the worlds of their sessions; that of calls that name
  -- no session has an empty name. The newest layer of a world is what it is now, one with a name is a snapshot. A layer
  -- has the facts of its parent, but for its own rows; there, a fact that is NULL is none. 'turn' is that of a fact's
  -- newest change. 'world' is NULL while a world is being removed.
  CREATE TABLE layers (
    id INTEGER PRIMARY KEY,
    world TEXT,
    parent INTEGER,
    snapshot TEXT,
    at INTEGER,
    clock TEXT
  );
  CREATE INDEX layers_of_world ON layers (world, id);
  CREATE INDEX layers_of_parent ON layers (parent);
  CREATE TABLE facts (
    turn INTEGER PRIMARY KEY,
    layer INTEGER NOT NULL,
    family TEXT NOT NULL,
    key TEXT NOT NULL,
    fact TEXT
  );
  INSERT INTO layers (id, world) SELECT 1, '' WHERE EXISTS (SELECT 1 FROM ledger);
  INSERT INTO facts (layer, family, key, fact) SELECT 1, family, key, fact FROM ledger ORDER BY turn;
  DROP TABLE ledger;
  CREATE UNIQUE INDEX facts_by_key ON facts (layer, family, key);
  CREATE INDEX facts_of_authorisations ON facts (key) WHERE family IN ('authorisations', 'bankAuthorisations');
  `,
  `
  -- Where worlds stand, as gateways that share the store know it (world-state.ts). 'turn' is the newest one of the facts with
  -- which a partition moved on; removals up to the turn 'forgotten' are told no more.
  CREATE TABLE worlds (
    world TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    header TEXT NOT NULL,
    forgotten INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE partitions (
    world TEXT NOT NULL,
    partition TEXT NOT NULL,
    version INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    PRIMARY KEY (world, partition)
  ) WITHOUT ROWID;
  CREATE INDEX partitions_by_turn ON partitions (world, turn);
  `,
  `
  -- A row is a chain: a session has one of this store, to which its gateways add, and those that were copied with it out
  -- of other stores. 'store' is what these call themselves; 'turn' orders their entries over all of them, 'first_turn' is
  -- that of the first one, 'turn' of a chain that of the last one. What this store records itself has none, and comes
  -- after them.
  CREATE TABLE chains (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    last INTEGER NOT NULL DEFAULT 0,
    head TEXT NOT NULL DEFAULT '',
    begun INTEGER NOT NULL DEFAULT 0,
    exchanges INTEGER NOT NULL DEFAULT 0,
    store TEXT,
    first_turn INTEGER,
    turn INTEGER
  );
  INSERT INTO chains (id, name, started_at, last_at, last, head, begun, exchanges)
    SELECT id, name, started_at, last_at, last, head, begun, exchanges FROM sessions;
  UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'sessions') WHERE name = 'chains';
  DROP TABLE sessions;
  ALTER TABLE chains RENAME TO sessions;
  CREATE INDEX sessions_by_name ON sessions (name);
  CREATE UNIQUE INDEX own_sessions ON sessions (name) WHERE store IS NULL;
  ALTER TABLE exchanges ADD COLUMN turn INTEGER;
  ALTER TABLE beginnings ADD COLUMN turn INTEGER;
  ALTER TABLE notes ADD COLUMN turn INTEGER;
  CREATE INDEX exchanges_by_turn ON exchanges (session, turn) WHERE turn IS NOT NULL;
  -- 1 while another store is copied into this one: it is not whole.
  ALTER TABLE identity ADD COLUMN copying INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Authorization requests whose end is awaited: a redirect of the bank's pages does not tell the world.
  CREATE INDEX facts_awaited ON facts (turn) WHERE family = 'authorizes' AND instr(fact, '"awaited":') > 0;
  `,
  `
  -- The tables of sessions have the names that they have in PostgreSQL: the same queries read both.
  ALTER TABLE sessions RENAME TO chains;
  ALTER TABLE chains RENAME COLUMN name TO session;
  ALTER TABLE parts RENAME COLUMN id TO part;
  ${['parts', 'certificates', 'exchanges', 'beginnings', 'notes']
    .map((table) => `ALTER TABLE ${table} RENAME COLUMN session TO chain;`)
    .join('\n  ')}
  `,
  `
  -- Counts erasures: gateways forget what they hold, and 'heard' says up to which one they have.
  ALTER TABLE identity ADD COLUMN erasures INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE identity ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
  -- Keys of contents, each enciphered by the key of the store. Who destroys one erases all that it enciphered.
  CREATE TABLE keys (
    chain INTEGER NOT NULL,
    key TEXT NOT NULL,
    wrapped TEXT NOT NULL,
    PRIMARY KEY (chain, key)
  ) WITHOUT ROWID;
  `,
  '-- The views of views.ts, which are made after the last step.',
];

/** Brings a writable store up to date, and refuses a file that is none, or one of a newer version. */
export function prepareSchema(db: Database, path: string, readonly: boolean): void {
  const version = readVersion(db, path);
  if (version === MIGRATIONS.length) return;
  if (readonly) {
    const state = version === 0 ? 'is empty' : 'is of an older version';
    throw new SandgateError('store.not-begun', { path, state });
  }
  db.transaction(() => {
    // Again, because another process may have been faster.
    db.exec(DROP_SQLITE_VIEWS);
    for (const step of MIGRATIONS.slice(readVersion(db, path))) runStep(db, step);
    db.exec(SQLITE_VIEWS);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

export function runStep(db: Database, step: (typeof MIGRATIONS)[number]): void {
  if (typeof step === 'string') db.exec(step);
  else step(db);
}

function readVersion(db: Database, path: string): number {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (application !== APPLICATION_ID) {
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
    if (application === 0 && version === 0 && tables === 0) return 0;
    throw new SandgateError('store.foreign', { path });
  }
  if (version > MIGRATIONS.length) {
    throw new SandgateError('store.newer', { path, version, known: MIGRATIONS.length });
  }
  return version;
}

/** Throws where it is a store of an older version, which whoever uses it would not know again. */
export function refuseOlder(db: Database, path: string): void {
  const version = readVersion(db, path);
  if (version > 0 && version < MIGRATIONS.length) throw new SandgateError('store.copy-used', { store: path });
}

/** Throws where the store is not whole. */
export function refuseCopying(db: Database, path: string): void {
  if (isCopying(db)) throw new SandgateError('store.unfinished', { store: path });
}

/** Whether another store is being copied into this one, or was and the copy was cut off. */
export const isCopying = (db: Database): boolean =>
  db.prepare('SELECT copying FROM identity').pluck().get() === 1;
