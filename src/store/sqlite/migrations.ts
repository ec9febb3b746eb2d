/** The tables of a store, and its migrations. A released one never changes; new ones are added after it, for other views an empty one. */
import { SandgateError } from '../../spec/index.js';
import { DROP_SQLITE_VIEWS, SQLITE_VIEWS } from '../views.js';
import type { Database } from './driver.js';

/** `SGTE`: tells a store from any other SQLite file. */
const APPLICATION_ID = 0x53475445;

/** The version that `SCHEMA` makes. */
const FIRST = 13;
const SCHEMA = `
  -- One row: the id by which the chains of its sessions know this store; 'copying' is 1 while another store is copied into
  -- it: it is not whole. 'erasures' counts those: gateways forget what they hold, and 'heard' says up to which one they have.
  CREATE TABLE identity (
    store TEXT NOT NULL,
    copying INTEGER NOT NULL DEFAULT 0,
    erasures INTEGER NOT NULL DEFAULT 0,
    heard INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO identity (store) VALUES (lower(hex(randomblob(16))));

  -- A row is a chain: a session has one of this store, to which its gateways add, and those that were copied with it out
  -- of other stores. 'session' is NULL while it is being removed. 'last' and 'head' are place and hash of the last entry;
  -- 'exchanges' and 'begun' count what is kept. 'store' is what copied ones call themselves; 'turn' orders their entries over
  -- all of them, 'first_turn' is that of the first one, 'turn' of a chain that of the last one. What this store records
  -- itself has none, and comes after them.
  CREATE TABLE chains (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT,
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
  CREATE INDEX sessions_by_name ON chains (session);
  CREATE UNIQUE INDEX own_sessions ON chains (session) WHERE store IS NULL;

  -- Notes are entries of the chain, as exchanges are: 'seq' counts both. Rows that somebody puts at a place which is
  -- to be given next must not make recording fail, so places are not unique.
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    chain INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,
    seq INTEGER,
    hash TEXT,
    turn INTEGER
  );
  CREATE INDEX notes_in_order ON notes (chain, seq);
  CREATE INDEX notes_by_kind ON notes (chain, kind, seq);

  -- Texts that several exchanges of a chain share; a BLOB is one compressed with brotli.
  CREATE TABLE parts (
    part INTEGER PRIMARY KEY AUTOINCREMENT,
    chain INTEGER NOT NULL,
    content NOT NULL
  );
  CREATE INDEX parts_of_session ON parts (chain);
  CREATE TABLE certificates (
    chain INTEGER NOT NULL,
    reference TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (chain, reference)
  ) WITHOUT ROWID;

  -- In shape, verdicts, findings and the bodies an INTEGER is the id of a part, a TEXT stands for itself, a BLOB is
  -- compressed, NULL is nothing.
  CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    chain INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    own NOT NULL,
    shape NOT NULL,
    verdicts,
    findings,
    request_body,
    answer_body,
    turn INTEGER
  );
  CREATE INDEX exchanges_in_order ON exchanges (chain, seq);
  CREATE INDEX exchanges_by_turn ON exchanges (chain, turn) WHERE turn IS NOT NULL;

  -- An exchange that is sent on has a row of its beginning too, under the same id. In front of all exchanges, in their
  -- table, each commit wrote twice as many pages, and left them half empty.
  CREATE TABLE beginnings (
    id INTEGER PRIMARY KEY,
    chain INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    own NOT NULL,
    shape NOT NULL,
    verdicts,
    findings,
    request_body,
    turn INTEGER
  );
  CREATE INDEX beginnings_in_order ON beginnings (chain, seq);

  -- Keys of contents, each enciphered by the key of the store. Who destroys one erases all that it enciphered.
  CREATE TABLE keys (
    chain INTEGER NOT NULL,
    key TEXT NOT NULL,
    wrapped TEXT NOT NULL,
    PRIMARY KEY (chain, key)
  ) WITHOUT ROWID;

  -- Facts of ledger and living bank, in the worlds of their sessions; that of calls that name no session has an empty name.
  -- The newest layer of a world is what it is now, one with a name is a snapshot. A layer has the facts of its parent, but
  -- for its own rows; there, a fact that is NULL is none. 'turn' is that of a fact's newest change. 'world' is NULL while a
  -- world is being removed.
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
  CREATE UNIQUE INDEX facts_by_key ON facts (layer, family, key);
  CREATE INDEX facts_of_authorisations ON facts (key) WHERE family IN ('authorisations', 'bankAuthorisations');
  -- Authorization requests whose end is awaited: a redirect of the bank's pages does not tell the world.
  CREATE INDEX facts_awaited ON facts (turn) WHERE family = 'authorizes' AND instr(fact, '"awaited":') > 0;

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
  `;

/** Step n leads from version `FIRST` + n to the next one. */
const MIGRATIONS: readonly string[] = [];
export const VERSION = FIRST + MIGRATIONS.length;

/** Brings a writable store up to date, and refuses a file that is none, or one of a newer version. */
export function prepareSchema(db: Database, path: string, readonly: boolean, migrations = MIGRATIONS): void {
  const known = FIRST + migrations.length;
  const version = readVersion(db, path, known);
  if (version === known) return;
  if (readonly) {
    const state = version === 0 ? 'is empty' : 'is of an older version';
    throw new SandgateError('store.not-begun', { path, state });
  }
  db.transaction(() => {
    // Again, because another process may have been faster.
    db.exec(DROP_SQLITE_VIEWS);
    const found = readVersion(db, path, known);
    for (const step of found === 0 ? [SCHEMA, ...migrations] : migrations.slice(found - FIRST)) db.exec(step);
    db.exec(SQLITE_VIEWS);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${known}`);
  }).immediate();
}

function readVersion(db: Database, path: string, known: number): number {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (application !== APPLICATION_ID) {
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
    if (application === 0 && version === 0 && tables === 0) return 0;
    throw new SandgateError('store.foreign', { path });
  }
  if (version > known) throw new SandgateError('store.newer', { path, version, known });
  if (version < FIRST) throw new SandgateError('store.unreleased', { path });
  return version;
}

/** Throws where the store is not whole. */
export function refuseCopying(db: Database, path: string): void {
  if (isCopying(db)) throw new SandgateError('store.unfinished', { store: path });
}

/** Whether another store is being copied into this one, or was and the copy was cut off. */
export const isCopying = (db: Database): boolean =>
  db.prepare('SELECT copying FROM identity').pluck().get() === 1;
