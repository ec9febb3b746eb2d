/** The tables of a schema, and its migrations. A released migration never changes; new ones are added after it. */
import { createHash, randomBytes } from 'node:crypto';
import { SandgateError } from '../../spec/index.js';
import { keyFrom } from '../key-file.js';
import { POSTGRES_VIEWS } from '../views.js';
import type { PostgresAddress } from './address.js';
import type { Connection } from './client.js';
import { writerLock } from './locks.js';
import { within } from './pool.js';

/** Columns of an exchange or its beginning. columns.ts defines the forms of bodies and shared texts. */
const ENTRY = `
  chain int8 NOT NULL,
  turn int8 NOT NULL,
  seq int8 NOT NULL,
  id int8 NOT NULL,
  hash text NOT NULL,
  own bytea NOT NULL,
  shape bytea NOT NULL,
  verdicts bytea,
  findings bytea,
  request_body bytea,
  answer_body bytea,
  PRIMARY KEY (chain, turn)`;

/** The version that `SCHEMA` makes. */
const FIRST = 6;
/** A primary key begins with what its table would be distributed by, and no sequence, trigger or foreign key spans rows of two such keys. */
const SCHEMA = `
  -- One row. 'copying' while another store is copied into this one: it is not whole.
  CREATE TABLE sandgate (version int4 NOT NULL, store text NOT NULL, key_hash text, copying bool NOT NULL DEFAULT false);

  -- Each gateway is a writer, with chains of its own. 'batch' is the last one that was kept; one with another 'fence'
  -- than its row has was given before the connection was lost, and is not kept any more. A writer has its number for as long
  -- as the row is its 'owner's: on a server that was set back it may be given again.
  CREATE TABLE writers (
    id int8 PRIMARY KEY,
    fence int8 NOT NULL DEFAULT 0,
    batch int8 NOT NULL DEFAULT 0,
    owner text
  ) WITH (fillfactor = 20);

  -- A session is one chain, or one for each writer that recorded in it. 'session' is NULL while it is being removed.
  -- 'turn' orders what is recorded over all chains: time, and in a chain as 'seq' does. 'bytes' is what it
  -- occupies, about: what is deleted in a table is not given back at once. 'store' is what a chain that was copied out of
  -- another store calls that, to which nothing is added any more but notes on removals; NULL: it is of a writer of this one.
  CREATE TABLE chains (
    id int8 PRIMARY KEY,
    session text,
    writer int8 NOT NULL,
    started_at int8 NOT NULL,
    last_at int8 NOT NULL,
    last int8 NOT NULL,
    head text NOT NULL,
    exchanges int8 NOT NULL,
    begun int8 NOT NULL,
    first_turn int8 NOT NULL,
    turn int8 NOT NULL,
    bytes int8 NOT NULL,
    store text
  ) WITH (fillfactor = 50);
  CREATE INDEX chains_of_session ON chains (session);
  CREATE INDEX chains_of_writer ON chains (writer);
  CREATE TABLE notes (
    chain int8 NOT NULL,
    turn int8 NOT NULL,
    seq int8 NOT NULL,
    hash text NOT NULL,
    at int8 NOT NULL,
    kind text NOT NULL,
    settings text NOT NULL,
    PRIMARY KEY (chain, turn)
  );
  CREATE INDEX notes_by_kind ON notes (chain, kind, turn);

  -- What several exchanges of a chain share.
  CREATE TABLE parts (chain int8 NOT NULL, part int8 NOT NULL, content bytea NOT NULL, PRIMARY KEY (chain, part));
  CREATE TABLE certificates (
    chain int8 NOT NULL,
    reference text NOT NULL,
    facts text NOT NULL,
    PRIMARY KEY (chain, reference)
  );

  -- Partitions are made ahead, one a day; there is none for what fits nowhere.
  CREATE TABLE exchanges (${ENTRY}) PARTITION BY RANGE (turn);
  CREATE INDEX exchanges_by_id ON exchanges (id);
  CREATE TABLE beginnings (${ENTRY}) PARTITION BY RANGE (turn);
  CREATE INDEX beginnings_by_id ON beginnings (id);
  -- Keys of contents, each enciphered by the key of the store. Who destroys one erases all that it enciphered.
  CREATE TABLE keys (chain int8 NOT NULL, key text NOT NULL, wrapped text NOT NULL, PRIMARY KEY (chain, key));

  -- Where worlds stand (world-state.ts). 'layer' holds what a world is now, on top of its 'parent'; 'last' is the greatest
  -- layer that it had.
  CREATE TABLE worlds (
    world text PRIMARY KEY,
    epoch int8 NOT NULL DEFAULT 0,
    steps int8 NOT NULL DEFAULT 0,
    header text NOT NULL DEFAULT '{}',
    layer int8 NOT NULL DEFAULT 1,
    parent int8,
    last int8 NOT NULL DEFAULT 1
  ) WITH (fillfactor = 50);
  -- Others than the newest ones: snapshots, and what others rest on.
  CREATE TABLE layers (
    world text NOT NULL,
    id int8 NOT NULL,
    parent int8,
    snapshot text,
    at int8,
    clock text,
    PRIMARY KEY (world, id)
  );
  -- What nobody needs any more; their facts are still to go.
  CREATE TABLE left_layers (world text NOT NULL, layer int8 NOT NULL, PRIMARY KEY (world, layer));
  -- Versions tell what moved. Removals up to the version 'told' are told no more.
  CREATE TABLE partitions (
    world text NOT NULL,
    partition text NOT NULL,
    version int8 NOT NULL DEFAULT 0,
    told int8 NOT NULL DEFAULT 0,
    PRIMARY KEY (partition, world)
  ) WITH (fillfactor = 50);
  CREATE INDEX partitions_of_world ON partitions (world);
  -- A 'fact' that is NULL is none: its parent has it, or others are to learn of its removal. It has the version to which it
  -- moved its partition on. No index has a column that changes often, so that rows change in place (HOT): 'stretch' does so
  -- with each 128th version, and what changed is found without reading the whole partition. 'awaited': an authorization
  -- request whose end is awaited, since a redirect of the bank's pages tells neither world nor partition.
  CREATE TABLE facts (
    partition text NOT NULL,
    world text NOT NULL,
    layer int8 NOT NULL,
    family text NOT NULL,
    key text NOT NULL,
    turn int8 NOT NULL,
    fact text,
    version int8 NOT NULL DEFAULT 0,
    stretch int8 GENERATED ALWAYS AS (version / 128) STORED,
    awaited bool GENERATED ALWAYS AS (family = 'authorizes' AND fact LIKE '%"awaited":%') STORED,
    PRIMARY KEY (partition, world, layer, family, key)
  ) WITH (fillfactor = 80);
  CREATE INDEX facts_of_authorisations ON facts (key) WHERE family IN ('authorisations', 'bankAuthorisations');
  CREATE INDEX facts_of_layer ON facts (world, layer, partition, stretch);
  CREATE INDEX facts_awaited ON facts (world) WHERE awaited;
  `;

/** Step n leads from version `FIRST` + n to the next one. */
const MIGRATIONS: readonly string[] = [];
export const VERSION = FIRST + MIGRATIONS.length;

/** Brings a schema that may be written up to date, and refuses one that is not ours, or of a newer version. */
export async function prepareSchema(
  connection: Connection,
  { schema, shown }: PostgresAddress,
  readonly: boolean,
  migrations = MIGRATIONS,
): Promise<void> {
  const known = FIRST + migrations.length;
  const found = await readVersion(connection, schema, shown, known);
  if (found === known) return;
  if (readonly && found === 0) throw new SandgateError('store.missing', { path: shown });
  if (readonly) throw new SandgateError('store.not-begun', { path: shown, state: 'is of an older version' });
  await within('BEGIN', async ({ query }) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended('sandgate ' || $1, 0))", [schema]);
    // Again, because another gateway may have been faster.
    const version = await readVersion(connection, schema, shown, known);
    if (version === known) return;
    if (version === 0) await create(connection, schema);
    else await endOlder(connection, schema);
    const steps = version === 0 ? [SCHEMA, ...migrations] : migrations.slice(version - FIRST);
    for (const step of [...steps, ...POSTGRES_VIEWS]) await query(step);
    if (version === 0)
      await query('INSERT INTO sandgate (version, store) VALUES (0, $1)', [randomBytes(16).toString('hex')]);
    await query('UPDATE sandgate SET version = $1', [known]);
  })(connection);
}

/**
 * Gateways of older versions keep nothing from here on: what they gave before is kept, their fences are moved on, and
 * who comes back waits until the version is told, and is refused by it. Those that are in the middle of a batch are cut
 * off, because they hold tables that the migration changes.
 */
async function endOlder({ query }: Connection, schema: string): Promise<void> {
  await query('LOCK TABLE sandgate IN ACCESS EXCLUSIVE MODE', []);
  await query('UPDATE writers SET fence = fence + 1', []);
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid), writers
       WHERE locktype = 'advisory' AND usename = current_user AND datname = current_database()
         AND pid <> pg_backend_pid()
         AND (classid::int8 << 32) | objid::int8 = ${writerLock('$1', 'writers.id')}`,
    [schema],
  );
}

/** @throws SandgateError where a newer version has brought it up to date */
export const refuseNewer = (connection: Connection, { schema, shown }: PostgresAddress): Promise<unknown> =>
  readVersion(connection, schema, shown);

/** Not where it is there: whoever may use a schema need not be allowed to make one. */
async function create(connection: Connection, schema: string): Promise<void> {
  const [found] = await connection.query('SELECT 1::int4 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found === undefined) await connection.query(`CREATE SCHEMA "${schema}"`);
}

async function readVersion(
  connection: Connection,
  schema: string,
  shown: string,
  known = VERSION,
): Promise<number> {
  const [row] = await connection.query(
    `SELECT to_regclass(format('%I.sandgate', $1::text)) IS NOT NULL,
       (SELECT count(*) FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace WHERE nspname = $1)`,
    [schema],
  );
  const [isOurs, relations] = row as [boolean, number];
  if (!isOurs && relations > 0) throw new SandgateError('store.foreign-schema', { schema, store: shown });
  if (!isOurs) return 0;
  const [found] = await connection.query('SELECT version FROM sandgate', []);
  const version = Number(found?.[0] ?? 0);
  if (version > known) throw new SandgateError('store.newer', { path: shown, version, known });
  if (version < FIRST) throw new SandgateError('store.unreleased', { path: shown });
  return version;
}

/** The store's id; what is kept of the key of its fingerprints says nothing of it, and is null before there is one. */
export async function readIdentity(
  { query }: Connection,
  lock: '' | 'FOR UPDATE' = '',
): Promise<{ store: string; keyHash: string | null; isCopying: boolean }> {
  const [row] = await query(`SELECT store, key_hash, copying FROM sandgate ${lock}`, []);
  const [store, keyHash, isCopying] = row as [string, string | null, boolean];
  return { store, keyHash, isCopying };
}

export const hashOfKey = (store: string, key: Uint8Array): string =>
  createHash('sha256').update(`sandgate key of ${store}\n`).update(key).digest('base64url');

/**
 * The key of the store's fingerprints; null where that in the file is another one. Made where neither has one: whoever
 * comes first, and the others wait for that.
 */
export const keyOf = (connection: Connection, keyFile: string | undefined): Promise<Uint8Array | null> =>
  within('BEGIN', async (locked) => {
    const { store, keyHash } = await readIdentity(locked, 'FOR UPDATE');
    const key = keyFrom(keyFile, keyHash !== null);
    if (key === null || (keyHash !== null && keyHash !== hashOfKey(store, key))) return null;
    if (keyHash === null) await locked.query('UPDATE sandgate SET key_hash = $1', [hashOfKey(store, key)]);
    return key;
  })(connection);
