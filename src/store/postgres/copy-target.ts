/** A new store in a schema, into which another one is copied. */
import { DAY_MS, SandgateError } from '../../spec/index.js';
import type { CopiedEntry, CopyTarget } from '../copy/parts.js';
import { keepKey } from '../key-file.js';
import { later } from '../steps.js';
import { TURNS_PER_MS } from '../turns.js';
import { verifyChain } from '../verify.js';
import { readAddress } from './address.js';
import { arraysOf, type ColumnType, type Value } from './arrays.js';
import { createChainRows } from './chain-rows.js';
import { type Connection, connect } from './client.js';
import { bytesOf } from './column-bytes.js';
import { COPY_LIMITS, type CopyPlace } from './copy-source.js';
import { SHAPES } from './flush.js';
import { hashOfKey, prepareSchema, readIdentity, refuseOlder } from './migrations.js';
import { makeDays } from './partitions.js';
import { createPool, within } from './pool.js';
import { ROW_BYTES } from './row-writer.js';
import { createEntryRows } from './rows.js';
import { MOST_OF_WRITER } from './seat.js';

const { chains, parts, certificates, exchanges, beginnings, notes } = SHAPES;
const TABLES = {
  chains: { ...chains, store: 'text' },
  parts,
  certificates,
  exchanges,
  beginnings,
  notes,
  worlds: {
    world: 'text',
    epoch: 'int8',
    steps: 'int8',
    header: 'text',
    layer: 'int8',
    parent: 'int8',
    last: 'int8',
  },
  layers: { world: 'text', id: 'int8', parent: 'int8', snapshot: 'text', at: 'int8', clock: 'text' },
  partitions: { world: 'text', partition: 'text', version: 'int8' },
  facts: {
    partition: 'text',
    world: 'text',
    layer: 'int8',
    family: 'text',
    key: 'text',
    turn: 'int8',
    fact: 'text',
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>;
type Table = keyof typeof TABLES;

/** All that a schema holds, but for what it is. */
const EMPTIED = [...Object.keys(TABLES), 'left_layers', 'writers'];
/** Of chains that were copied: no gateway is this one. */
const NO_WRITER = 0;

/** @throws SandgateError */
export async function createPostgresTarget({
  address: given,
  passwordFile,
  keyFile,
}: CopyPlace): Promise<CopyTarget> {
  const address = readAddress(given);
  const options = { address, passwordFile, limits: COPY_LIMITS, readonly: false };
  const connection = await connect(options);
  try {
    await refuseOlder(connection, address);
    await prepareSchema(connection, address, false);
    const { store } = await readIdentity(connection);
    return openTarget(connection, store, { ...options, keyFile });
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

type Options = Parameters<typeof connect>[0] & { readonly keyFile: string };

function openTarget(connection: Connection, store: string, { keyFile, ...options }: Options): CopyTarget {
  const { schema, shown } = options.address;
  const { query } = connection;
  const pool = createPool(options, 1);
  const chainRows = createChainRows(pool, createEntryRows(pool.query), async () => store);
  const days = new Set<number>();
  const bytes = new Map<number, number>();
  let turn = 0;

  /** All rows, or none. */
  async function put(table: Table, rows: readonly (readonly Value[])[]): Promise<void> {
    if (rows.length === 0) return;
    const names = Object.keys(TABLES[table]);
    const types = Object.values<ColumnType>(TABLES[table]);
    const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
    await query(
      {
        name: `sandgate_copy_${table}`,
        text: `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays})`,
      },
      arraysOf(types, rows),
    );
  }

  /** Of a chain: what it occupies is counted. */
  async function putGrowing(table: Table, chain: number, rows: readonly (readonly Value[])[]): Promise<void> {
    await put(table, rows);
    let sum = rows.length * ROW_BYTES;
    for (const row of rows)
      for (const value of row)
        if (typeof value === 'string' || value instanceof Uint8Array) sum += value.length;
    bytes.set(chain, (bytes.get(chain) ?? 0) + sum);
  }

  async function makeDaysOf(entries: readonly CopiedEntry[]): Promise<void> {
    for (const { kind, turn: at } of entries) {
      const day = Math.floor(at / TURNS_PER_MS / DAY_MS);
      if (kind === 'note' || days.has(day)) continue;
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
        // A gateway that is beginning is a writer before this, or learns of it.
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
    putParts: (chain, parts) =>
      putGrowing(
        'parts',
        chain,
        parts.map(([part, content]) => [chain, part, bytesOf(content)]),
      ),
    putCertificates: (chain, rows) =>
      putGrowing(
        'certificates',
        chain,
        rows.map((row) => [chain, ...row]),
      ),
    putEntries: async (chain, entries) => {
      await makeDaysOf(entries);
      const rows = { exchange: [] as Value[][], begun: [] as Value[][], note: [] as Value[][] };
      for (const { turn: at, seq, link, ...entry } of entries) {
        const place: Value[] = [chain, at, seq];
        if (entry.kind === 'note') rows.note.push([...place, link, ...entry.note]);
        else {
          const columns = entry.kind === 'begun' ? entry.columns.slice(0, 4) : entry.columns;
          rows[entry.kind].push([...place, entry.id, link, bytesOf(entry.own), ...columns.map(bytesOf)]);
        }
      }
      await putGrowing('exchanges', chain, rows.exchange);
      await putGrowing('beginnings', chain, rows.begun);
      await putGrowing('notes', chain, rows.note);
    },
    putChain: ({ id, session, store: of, startedAt, lastAt, last, head, exchanges, begun }, turns) =>
      put('chains', [
        [
          id,
          session,
          NO_WRITER,
          startedAt,
          lastAt,
          last,
          head,
          exchanges,
          begun,
          ...turns,
          bytes.get(id) ?? 0,
          of,
        ],
      ]),
    putWorlds: async (worlds) => {
      await put(
        'worlds',
        worlds.map(({ world, epoch, steps, header, layers }) => {
          const { id = 1, parent = null } = layers.at(-1) ?? {};
          return [world, epoch, steps, header, id, parent, id];
        }),
      );
      await put(
        'layers',
        worlds.flatMap(({ world, layers }) =>
          layers
            .slice(0, -1)
            .map(({ id, parent, snapshot, at, clock }) => [world, id, parent, snapshot, at, clock]),
        ),
      );
    },
    putPartitions: (rows) => put('partitions', rows),
    putFacts: (facts) =>
      put(
        'facts',
        facts.map(({ world, layer, family, key, fact, home }) => [
          home,
          world,
          layer,
          family,
          key,
          ++turn,
          fact,
        ]),
      ),
    verify: (session, onLink) => later(verifyChain(chainRows, session, { onLink })),
    finish: () =>
      within('BEGIN', async () => {
        // New chains and parts get numbers that no copied one has.
        await query(
          `INSERT INTO writers (id) SELECT greatest((SELECT max(id) FROM chains), (SELECT max(part) FROM parts), 0) / ${MOST_OF_WRITER}`,
          [],
        );
        await query('UPDATE sandgate SET copying = false', []);
        await query('ANALYZE', []);
      })(connection),
    close: async () => {
      await Promise.all([pool.close(), connection.end()]);
    },
  };
}
