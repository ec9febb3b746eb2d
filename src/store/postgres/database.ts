/** PostgreSQL, for the queries that are written once for all databases. */
import type { ColumnType } from '../copy/tables.js';
import type { Database, Dialect } from '../rows/database.js';
import { createQueries } from '../rows/queries.js';
import { outcome } from '../steps.js';
import type { Vault } from '../vault.js';
import { arrayOf, type Value } from './arrays.js';
import type { Connection } from './client.js';
import { bytesOf, columnOf } from './column-bytes.js';
import { writerLock } from './locks.js';
import { createPages } from './pages.js';
import type { Pool } from './pool.js';

export const DIALECT: Dialect = {
  order: 'turn',
  noteKey: 'seq',
  rowKey: 'turn',
  storeName: "coalesce(store, (SELECT store FROM sandgate) || '-' || writer)",
  newest: `LEFT JOIN LATERAL (
    SELECT hash, exchanges.turn FROM exchanges WHERE chain = chains.id
      AND exchanges.turn BETWEEN chains.first_turn AND chains.turn ORDER BY exchanges.turn DESC LIMIT 1
  ) AS newest ON true`,
  // Entries before the first turn are skipped by readers of the session and of the chain.
  strays: ['(seq BETWEEN 1 AND $2::int8 AND turn >= greatest($3::int8, 0)) IS NOT TRUE'],
  mayHaveId: 'turn >= $2::int8',
  mayEnd: 'ended.turn > entry.turn',
  isLeft: `pg_try_advisory_xact_lock(${writerLock('current_schema()', 'writer')})`,
  lessBytes: ', bytes = bytes - bytes * ($2::int8 + $3::int8) / greatest(exchanges + begun, 1)',
  lockSession: [
    'SELECT FROM worlds WHERE world = $1 FOR UPDATE',
    'SELECT FROM chains WHERE session = $1 ORDER BY id FOR UPDATE',
  ],
  forgetWorld: [
    `WITH gone AS (DELETE FROM layers WHERE world = $1 RETURNING id), parts AS (DELETE FROM partitions WHERE world = $1)
     INSERT INTO left_layers (world, layer) SELECT $1, id FROM gone UNION SELECT world, layer FROM worlds WHERE world = $1
       ON CONFLICT DO NOTHING`,
    `UPDATE worlds SET epoch = epoch + 1, steps = steps + 1, header = '{}', parent = NULL, layer = last + 1, last = last + 1
       WHERE world = $1`,
  ],
  columnOf: (value) => columnOf(value as Buffer | null),
  valueOf: bytesOf,
  isPart: (column) => `octet_length(${column}) = 9 AND get_byte(${column}, 0) = 2`,
  part: "'\\x02'::bytea || float8send(part::float8)",
  factKey: {
    ...{ partition: ['text', ''], world: ['text', ''], layer: ['int8', -1] },
    ...{ family: ['text', ''], key: ['text', ''] },
  },
  facts: 'facts',
  renewWorld: 'UPDATE worlds SET epoch = epoch + 1, steps = steps + 1 WHERE world = $1',
};

/** Queries to a schema through a pool. */
export const queriesOf = (pool: Pool, vault: Vault | null = null) =>
  createQueries(createDatabase(pool), (_, entriesOf) => createPages(pool.query, entriesOf), vault);

const createDatabase = (pool: Pool): Database => ({
  query: withLists(pool.query),
  dialect: DIALECT,
  atOneMoment: (work) => pool.atOneMoment(async ({ query }) => outcome(work(withLists(query)))),
  inTransaction: (work) => pool.inTransaction(async ({ query }) => outcome(work(withLists(query)))),
});

/** Lists go over as arrays of the type that the statement says. */
export const withLists =
  (query: Connection['query']) =>
  (text: string, values: readonly unknown[] = []): ReturnType<Connection['query']> =>
    query(
      text,
      values.map((value, i) =>
        Array.isArray(value) ? arrayOf(typeIn(text, i + 1), value as readonly Value[]) : value,
      ),
    );

const typeIn = (text: string, parameter: number): ColumnType =>
  text.includes(`$${parameter}::int8[]`) ? 'int8' : 'text';
