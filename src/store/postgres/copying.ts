/** The rows of a store in a schema, as a copy takes and puts them: taken in one transaction, through cursors. */
import { DAY_MS, SandgateError } from '../../spec/index.js';
import type { Column } from '../columns.js';
import {
  type ColumnType,
  type CopiedRow,
  type CopiedTable,
  type CopyPlace,
  type CopySource,
  type CopyTarget,
  queriesFor,
  TABLES,
  type Table,
} from '../copy/tables.js';
import { keepKey, keyFrom } from '../key-file.js';
import { TURNS_PER_MS } from '../turns.js';
import { readAddress } from './address.js';
import { arraysOf, type Value } from './arrays.js';
import { type Connection, type ConnectOptions, connect } from './client.js';
import { bytesIn, bytesOf, columnOf } from './column-bytes.js';
import { DIALECT, queriesOf } from './database.js';
import { hashOfKey, prepareSchema, readIdentity } from './migrations.js';
import { makeDays } from './partitions.js';
import { createPool, within } from './pool.js';
import { ROW_BYTES } from './row-writer.js';
import { MOST_OF_WRITER } from './seat.js';

/** In ms. */
export const COPY_LIMITS = { connect: 10_000, statement: 600_000 } as const;

/** Rows of a fetch; of large ones fewer. */
const ROWS = 1_000;
const LEAST_ROWS = 8;
const PAGE_BYTES = 4_194_304;

/** A removal says nothing where nothing is below it. */
const FACTS = `FROM facts JOIN
    (SELECT world, id, parent FROM layers UNION ALL SELECT world, layer, parent FROM worlds) AS known
    ON known.world = facts.world AND known.id = facts.layer WHERE fact IS NOT NULL OR known.parent IS NOT NULL`;

const QUERIES: Readonly<Record<CopiedTable, string>> = {
  ...queriesFor(DIALECT),
  worlds: 'SELECT world, epoch, steps, header FROM worlds',
  layers: `SELECT world, id, parent, snapshot, at, clock FROM layers
    UNION ALL SELECT world, layer, parent, NULL, NULL, NULL FROM worlds ORDER BY world, id`,
  facts: `SELECT partition, facts.world, layer, family, key, fact ${FACTS} ORDER BY turn`,
};
/** @throws SandgateError */
export async function openPostgresSource({ address, passwordFile, keyFile }: CopyPlace): Promise<CopySource> {
  const options = { address: readAddress(address), passwordFile, limits: COPY_LIMITS, readonly: true };
  const { shown } = options.address;
  return opened(options, async (connection) => {
    await prepareSchema(connection, options.address, true);
    const { store, keyHash, isCopying } = await readIdentity(connection);
    if (isCopying) throw new SandgateError('store.unfinished', { store: shown });
    const key = keyHash === null ? null : keyFrom(keyFile, true);
    if (keyHash !== null && (key === null || hashOfKey(store, key) !== keyHash))
      throw new SandgateError('store.copy-key', { store: shown, file: keyFile });
    const { query, end } = connection;
    // Between two pages it waits for the copy, however long that takes.
    await query('SET idle_in_transaction_session_timeout = 0', []);
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', []);
    return {
      store,
      name: shown,
      key,
      rows: (table, chain) => pages(connection, QUERIES[table], chain === undefined ? [] : [chain]),
      countFacts: async () => Number((await query(`SELECT count(*) ${FACTS}`, []))[0]?.[0]),
      close: end,
    };
  });
}

async function opened<T>(options: ConnectOptions, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(options);
  try {
    return await work(connection);
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function* pages(
  { query }: Connection,
  sql: string,
  values: readonly unknown[],
): AsyncIterableIterator<CopiedRow[]> {
  await query(`DECLARE page CURSOR FOR ${sql}`, values);
  for (let size = ROWS; ; ) {
    const rows = await query(`FETCH ${size} FROM page`, []);
    if (rows.length > 0)
      yield rows.map((row) => row.map((value) => (value instanceof Buffer ? columnOf(value) : value)));
    if (rows.length < size) break;
    const bytes = rows.reduce((sum, row) => sum + bytesIn(row), 1);
    size = Math.max(LEAST_ROWS, Math.min(ROWS, Math.floor((PAGE_BYTES * rows.length) / bytes)));
  }
  await query('CLOSE page', []);
}

/** All that a schema holds, but for what it is. */
const EMPTIED = [...Object.keys(TABLES), 'left_layers', 'writers'];
/** The writer of chains that were copied: no gateway has this number. */
const NO_WRITER = 0;

/** @throws SandgateError */
export async function openPostgresTarget({ address, passwordFile, keyFile }: CopyPlace): Promise<CopyTarget> {
  const options = { address: readAddress(address), passwordFile, limits: COPY_LIMITS, readonly: false };
  return opened(options, async (connection) => {
    await prepareSchema(connection, options.address, false);
    const { store } = await readIdentity(connection);
    return targetIn(connection, store, options, keyFile);
  });
}

function targetIn(
  connection: Connection,
  store: string,
  options: ConnectOptions,
  keyFile: string,
): CopyTarget {
  const { schema, shown } = options.address;
  const { query } = connection;
  const pool = createPool(options, 1);
  const days = new Set<number>();
  const bytes = new Map<unknown, number>();

  async function put(table: Table, given: readonly CopiedRow[]): Promise<void> {
    const types = Object.values<ColumnType>(TABLES[table]);
    const names = Object.keys(TABLES[table]);
    const rows = given.map((row) =>
      row.map((value, i) => (types[i] === 'bytea' ? bytesOf(value as Column) : (value as Value))),
    );
    if (table === 'chains') {
      names.push('writer', 'bytes');
      types.push('int8', 'int8');
      for (const row of rows) row.push(NO_WRITER, bytes.get(row[0]) ?? 0);
    } else if ('chain' in TABLES[table]) for (const row of rows) count(row);
    if (table === 'exchanges' || table === 'beginnings') await makeDaysOf(rows);
    const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
    const text = `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays})`;
    await query({ name: `sandgate_copy_${table}`, text }, arraysOf(types, rows));
  }

  /** The space that a chain occupies. */
  function count([chain, ...values]: readonly Value[]): void {
    let sum = ROW_BYTES;
    for (const value of values)
      if (typeof value === 'string' || value instanceof Uint8Array) sum += value.length;
    bytes.set(chain, (bytes.get(chain) ?? 0) + sum);
  }

  async function makeDaysOf(entries: readonly (readonly Value[])[]): Promise<void> {
    for (const [, turn] of entries) {
      const day = Math.floor((turn as number) / TURNS_PER_MS / DAY_MS);
      if (days.has(day)) continue;
      await makeDays(connection, schema, day, 1);
      days.add(day);
    }
  }

  /** Nobody else copies into it, for as long as this connection lives. */
  async function lock(): Promise<void> {
    const [row] = await query("SELECT pg_try_advisory_lock(hashtextextended('sandgate copy ' || $1, 0))", [
      schema,
    ]);
    if (row?.[0] !== true) throw new SandgateError('store.copy-busy', { store: shown });
  }

  async function isUsed(): Promise<boolean> {
    const found = EMPTIED.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
    return (await query(`SELECT ${found}`, []))[0]?.[0] === true;
  }

  return {
    store,
    name: shown,
    begin: async (key) => {
      await lock();
      return within('BEGIN', async () => {
        // A gateway that is beginning is a writer before this, or finds out.
        await query('LOCK TABLE writers IN SHARE MODE');
        const { isCopying: hadRest } = await readIdentity(connection);
        if (!hadRest && (await isUsed())) throw new SandgateError('store.copy-used', { store: shown });
        if (key !== null && !keepKey(keyFile, key))
          throw new SandgateError('store.copy-other-key', { file: keyFile });
        await query('UPDATE sandgate SET copying = true, key_hash = $1', [
          key === null ? null : hashOfKey(store, key),
        ]);
        if (hadRest) await query(`TRUNCATE ${EMPTIED.join(', ')}`);
        return { hadRest };
      })(connection);
    },
    put,
    chainRows: queriesOf(pool).chainRows,
    finish: () =>
      within('BEGIN', async () => {
        // The present state of a world has its own row.
        await query(
          `UPDATE worlds SET layer = id, parent = newest.parent, last = id FROM
             (SELECT DISTINCT ON (world) world, id, parent FROM layers ORDER BY world, id DESC) AS newest
             WHERE worlds.world = newest.world`,
        );
        await query('DELETE FROM layers USING worlds WHERE layers.world = worlds.world AND id = layer');
        // New chains and parts get numbers that no copied one has.
        await query(
          `INSERT INTO writers (id) SELECT greatest((SELECT max(id) FROM chains), (SELECT max(part) FROM parts), 0) / ${MOST_OF_WRITER}`,
        );
        await query('UPDATE sandgate SET copying = false');
        await query('ANALYZE');
      })(connection),
    close: async () => {
      await Promise.all([pool.close(), connection.end()]);
    },
  };
}
