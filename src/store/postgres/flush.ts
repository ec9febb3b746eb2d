/** The columns of a batch, and the one statement that keeps all of it or nothing. */

import { type ColumnType, TABLES } from '../copy/tables.js';
import { TURNS_PER_MS } from '../turns.js';
import { type Columns, createColumns } from './arrays.js';
import type { Statement } from './client.js';

const { parts, certificates, keys, exchanges, beginnings, notes } = TABLES;
/** The arrays of a batch: their names stand in the statement in this order, from `FIRST` on. */
const SHAPES = {
  /** Expected versions of partitions, sorted: all lock them in the same order, and only those that they change. */
  dependsOn: { world: 'text', partition: 'text', version: 'int8', moves: 'int8' },
  /** With the epoch that must still be so; NULL is any. */
  worlds: { world: 'text', epoch: 'int8' },
  /** Chains that must still be there, sorted: all lock them in the same order, and keep them from being removed. */
  known: { id: 'int8' },
  /** The new ends of chains that it goes on with. */
  ends: {
    id: 'int8',
    last_at: 'int8',
    last: 'int8',
    head: 'text',
    exchanges: 'int8',
    begun: 'int8',
    turn: 'int8',
    bytes: 'int8',
  },
  /** Chains that it begins. */
  chains: {
    id: 'int8',
    session: 'text',
    writer: 'int8',
    started_at: 'int8',
    last_at: 'int8',
    last: 'int8',
    head: 'text',
    exchanges: 'int8',
    begun: 'int8',
    first_turn: 'int8',
    turn: 'int8',
    bytes: 'int8',
  },
  notes,
  parts,
  certificates,
  keys,
  exchanges,
  beginnings,
  facts: { partition: 'text', world: 'text', family: 'text', key: 'text', turn: 'int8', fact: 'text' },
  moves: { world: 'text', partition: 'text' },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>;

type Table = keyof typeof SHAPES;
const ALL = Object.keys(SHAPES) as Table[];
/** Tables that many batches do not need are left out, so the statement has several forms. */
const OPTIONAL: readonly (readonly Table[])[] = [
  ['chains', 'notes', 'parts', 'certificates', 'keys'],
  ['beginnings'],
  ['facts', 'moves'],
];
/** The first four parameters are writer, fence, batch, and the newest turn that the writer gave. */
const FIRST = 5;

/** `unnest` of a table's arrays, from the parameter on that is its first. */
function rowsFrom(table: Table, first: number): string {
  const arrays = Object.values(SHAPES[table]).map((type, i) => `$${first + i}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS given (${Object.keys(SHAPES[table]).join(', ')})`;
}

const TURNS: ReadonlySet<string> = new Set(['turn', 'first_turn']);

const PUT_FACTS = `ON CONFLICT (partition, world, layer, family, key)
    DO UPDATE SET turn = excluded.turn, version = excluded.version, fact = excluded.fact`;

/**
 * Keeps a batch where all is as its writer knows it; gives its turn, by the clock of the server, or what moved, or chains
 * that are gone. In one statement, which is a transaction of its own: one way to the server and back.
 */
function keepText(tables: readonly Table[]): string {
  const places = new Map<Table, number>();
  let place = FIRST;
  for (const table of tables) {
    places.set(table, place);
    place += Object.keys(SHAPES[table]).length;
  }
  const rowsOf = (table: Table): string => rowsFrom(table, places.get(table) ?? 0);
  const ifGiven = (table: Table, text: () => string): string => (places.has(table) ? text() : '');
  /** Inserts the rows of a table, where the batch is kept; turns are counted from that of the batch. */
  const insert = (table: Table, onConflict = ''): string =>
    ifGiven(table, () => {
      const columns = Object.keys(SHAPES[table]);
      const values = columns.map((name) => (TURNS.has(name) ? `kept.turn + given.${name}` : `given.${name}`));
      return `, ${table}_in AS (INSERT INTO ${table} (${columns.join(', ')})
        SELECT ${values.join(', ')} FROM kept CROSS JOIN ${rowsOf(table)} ${onConflict})`;
    });
  return `
  WITH now AS MATERIALIZED (
    SELECT greatest((extract(epoch FROM clock_timestamp()) * ${1000 * TURNS_PER_MS})::int8, $4::int8) AS turn
  ),
  world AS MATERIALIZED (
    SELECT now.world, now.layer, given.epoch <> now.epoch AS moved FROM ${rowsOf('worlds')}
      CROSS JOIN LATERAL (SELECT * FROM worlds WHERE worlds.world = given.world FOR SHARE) AS now
  ),
  moved AS MATERIALIZED (
    SELECT given.world, given.partition FROM (SELECT count(*) AS worlds FROM world) AS locked CROSS JOIN ${rowsOf('dependsOn')}
      LEFT JOIN LATERAL (
        SELECT version FROM partitions WHERE partitions.partition = given.partition AND partitions.world = given.world
          AND given.moves = 1 AND locked.worlds >= 0 FOR NO KEY UPDATE
      ) AS own ON true
      LEFT JOIN LATERAL (
        SELECT version FROM partitions WHERE partitions.partition = given.partition AND partitions.world = given.world
          AND given.moves = 0 AND locked.worlds >= 0 FOR SHARE
      ) AS seen ON true
      WHERE coalesce(own.version, seen.version) IS DISTINCT FROM given.version
  ),
  gone AS MATERIALIZED (
    SELECT given.id FROM ${rowsOf('known')}
      LEFT JOIN LATERAL (
        SELECT chains.id FROM chains WHERE chains.id = given.id AND session IS NOT NULL FOR UPDATE
      ) AS now ON true
      WHERE now.id IS NULL
  ),
  kept AS (
    UPDATE writers SET batch = $3 WHERE id = $1 AND fence = $2 AND NOT EXISTS (SELECT FROM world WHERE moved)
      AND NOT EXISTS (SELECT FROM moved) AND NOT EXISTS (SELECT FROM gone) RETURNING (SELECT turn FROM now) AS turn
  )
  , ends_in AS (
    UPDATE chains SET last_at = given.last_at, last = given.last, head = given.head, turn = kept.turn + given.turn,
      exchanges = chains.exchanges + given.exchanges, begun = chains.begun + given.begun, bytes = chains.bytes + given.bytes
      FROM kept, ${rowsOf('ends')} WHERE chains.id = given.id
  )
  ${insert('chains')}
  ${insert('notes')}
  ${insert('parts', 'ON CONFLICT DO NOTHING')}
  ${insert('certificates', 'ON CONFLICT DO NOTHING')}
  ${insert('keys', 'ON CONFLICT DO NOTHING')}
  ${insert('exchanges')}
  ${insert('beginnings')}
  ${ifGiven(
    'moves',
    () => `, moves_in AS (
      UPDATE partitions SET version = version + 1 FROM kept, ${rowsOf('moves')}
        WHERE partitions.partition = given.partition AND partitions.world = given.world
        RETURNING partitions.world, partitions.partition, version
    )`,
  )}
  ${ifGiven(
    'facts',
    () => `, facts_in AS (
      INSERT INTO facts (partition, world, layer, family, key, turn, version, fact)
      SELECT given.partition, given.world, layer, family, key, kept.turn + given.turn, coalesce(moved_on.version, 0), fact
      FROM kept CROSS JOIN ${rowsOf('facts')}
        JOIN world ON world.world = given.world
        LEFT JOIN moves_in AS moved_on ON moved_on.world = given.world AND moved_on.partition = given.partition ${PUT_FACTS}
    )`,
  )}
  SELECT (SELECT turn FROM kept),
    (SELECT json_agg(json_build_array(world, partition))::text FROM
      (SELECT world, NULL AS partition FROM world WHERE moved UNION ALL SELECT world, partition FROM moved) AS all_moved),
    (SELECT json_agg(id)::text FROM gone)`;
}

/** By which of the optional tables they have. */
const keeps = new Map<string, { readonly statement: Statement; readonly tables: readonly Table[] }>();

/** The statement that keeps a batch, and what it takes behind the four that say who gives it. */
export function keepOf(tables: Tables): { readonly statement: Statement; readonly arrays: Buffer[] } {
  const has = OPTIONAL.map((group) => group.some((table) => tables[table].count() > 0));
  const name = `sandgate_keep_${has.map(Number).join('')}`;
  let keep = keeps.get(name);
  if (keep === undefined) {
    const left = new Set(OPTIONAL.flatMap((group, i) => (has[i] === true ? [] : group)));
    const given = ALL.filter((table) => !left.has(table));
    keep = { statement: { name, text: keepText(given) }, tables: given };
    keeps.set(name, keep);
  }
  return { statement: keep.statement, arrays: keep.tables.flatMap((table) => tables[table].arrays()) };
}

/**
 * Of facts behind a step, into what the step began; `$1` is the turn of the batch. Whoever knew the world before it loads
 * it anew, by whatever version.
 */
export const PUT_MORE_FACTS: Statement = {
  name: 'sandgate_facts',
  text: `INSERT INTO facts (partition, world, layer, family, key, turn, version, fact)
    SELECT given.partition, given.world, layer, family, key, $1::int8 + given.turn, 0, fact FROM ${rowsFrom('facts', 2)}
      JOIN worlds ON worlds.world = given.world ${PUT_FACTS}`,
};

export type Tables = Readonly<Record<Table, Columns>>;

export function createTables(): Tables {
  const tables = ALL.map((table) => [table, createColumns(Object.values(SHAPES[table]))]);
  return Object.fromEntries(tables) as Record<Table, Columns>;
}
