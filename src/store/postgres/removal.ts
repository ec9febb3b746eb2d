/** Removes sessions, and the oldest exchanges of chains that go on, in small steps that are each a commit. */
import { DAY_MS } from '../../spec/index.js';
import { noteLink } from '../chain.js';
import { PASSING_NOTES } from '../chain-notes.js';
import type { ChainRows } from '../chain-rows.js';
import type { EntryRow, RemovalRows } from '../driver.js';
import type { Mark } from '../remove-oldest.js';
import type { Steps } from '../steps.js';
import type { Connection } from './client.js';
import { forgetWorld } from './layers.js';
import { writerLock } from './locks.js';
import { PARTITIONED } from './partitions.js';
import type { Pool } from './pool.js';

type Query = Connection['query'];

/** Rows of one step. */
const STEP = 100;
const PAGE = 2_000;
const PASSING = PASSING_NOTES.map((kind) => `'${kind}'`).join(', ');

const ENTRIES = `SELECT id, seq, is_begun, turn FROM (
    SELECT id, seq, turn, 0::int4 AS is_begun FROM exchanges WHERE chain = $1::int8 AND turn > $2::int8
    UNION ALL SELECT id, seq, turn, 1 FROM beginnings WHERE chain = $1::int8 AND turn > $2::int8
  ) AS entries ORDER BY turn LIMIT ${PAGE}`;

/** The newest before the turn `$2`, notes around them too. */
const REMOVE_STEP = `
  WITH picked AS MATERIALIZED (
    SELECT turn, is_begun FROM (
      (SELECT turn, 0 AS is_begun FROM exchanges WHERE chain = $1::int8 AND turn < $2::int8 ORDER BY turn DESC LIMIT ${STEP})
      UNION ALL (SELECT turn, 1 FROM beginnings WHERE chain = $1::int8 AND turn < $2::int8 ORDER BY turn DESC LIMIT ${STEP})
    ) AS both_kinds ORDER BY turn DESC LIMIT ${STEP}
  ), least AS MATERIALIZED (
    SELECT coalesce(min(turn), 0) AS turn, count(*) FILTER (WHERE is_begun = 0) AS exchanges,
      count(*) FILTER (WHERE is_begun = 1) AS begun FROM picked
  ), ended AS (
    DELETE FROM exchanges USING least WHERE chain = $1::int8 AND exchanges.turn >= least.turn AND exchanges.turn < $2::int8
  ), begun AS (
    DELETE FROM beginnings USING least WHERE chain = $1::int8 AND beginnings.turn >= least.turn AND beginnings.turn < $2::int8
  ), noted AS (
    DELETE FROM notes USING least WHERE chain = $1::int8 AND notes.turn >= least.turn AND notes.turn < $2::int8
      AND kind IN (${PASSING})
  ), counted AS (
    UPDATE chains SET exchanges = chains.exchanges - least.exchanges, begun = chains.begun - least.begun,
      bytes = bytes - bytes * (least.exchanges + least.begun) / greatest(chains.exchanges + chains.begun, 1)
      FROM least WHERE id = $1::int8
  )
  SELECT exchanges, begun FROM least`;

/** The first entry behind a place. */
const BEHIND = `SELECT min(turn) FROM (
    (SELECT turn FROM exchanges WHERE chain = $1::int8 AND seq > $2::int8 ORDER BY turn LIMIT 1)
    UNION ALL (SELECT turn FROM beginnings WHERE chain = $1::int8 AND seq > $2::int8 ORDER BY turn LIMIT 1)
    UNION ALL (SELECT turn FROM notes WHERE chain = $1::int8 AND seq > $2::int8 ORDER BY turn LIMIT 1)
  ) AS behind`;

export function createRemovalRows({ query }: Pick<Connection, 'query'>, chain: ChainRows): RemovalRows {
  return {
    created: chain.created,
    removed: chain.removed,
    linkAt: chain.linkAt,
    *entries(row, after, last): Steps<EntryRow> {
      for (let turn = -1; ; ) {
        const page = (yield query(ENTRIES, [row, turn])) as [number, number, 0 | 1, number][];
        for (const [id, seq, isBegun] of page) {
          if (seq > last) return;
          if (seq > after) yield [id, seq, isBegun];
        }
        const end = page.at(-1);
        if (end === undefined || page.length < PAGE) return;
        turn = end[3];
      }
    },
    countNotes: async (row, after, through) => {
      const [found] = await query(
        'SELECT count(*) FROM notes WHERE chain = $1::int8 AND seq > $2::int8 AND seq <= $3::int8',
        [row, after, through],
      );
      return Number(found?.[0]);
    },
    stayingNotes: async (row, through) => {
      const found = await query(
        `SELECT seq FROM notes WHERE chain = $1::int8 AND seq <= $2::int8 AND kind NOT IN (${PASSING}) ORDER BY turn`,
        [row, through],
      );
      return found.map(([seq]) => seq as number);
    },
    *removeThrough(row, through): Steps<number> {
      const [behind] = (yield query(BEHIND, [row, through])) as [[number | null]];
      const turn = behind[0] ?? Number.MAX_SAFE_INTEGER;
      for (;;) {
        const [gone] = (yield query(REMOVE_STEP, [row, turn])) as [[number, number]];
        if (gone[0] + gone[1] === 0) return;
        yield gone[0];
      }
    },
  };
}

/**
 * Notes at the end of a chain whose writer has ended; nothing where it lives: it looks after its chains itself.
 */
export const markOf =
  (pool: Pool, session: string, chain: number, schema: string): Mark =>
  (work) =>
    pool.inTransaction(async ({ query }) => {
      const [row] = await query(
        `SELECT last, head, last_at, turn, pg_try_advisory_xact_lock(${writerLock('$3', 'writer')}) FROM chains
           WHERE id = $1::int8 AND session = $2 FOR UPDATE`,
        [chain, session, schema],
      );
      const [last, head, lastAt, turn, isDead] = (row ?? []) as [number, string, number, number, boolean];
      const note = isDead === true ? await work({ row: chain, last, lastAt }) : null;
      if (note === null) return;
      const settings = JSON.stringify(note.settings);
      const link = noteLink(head, last + 1, { session, at: note.at, kind: note.kind, settings });
      await query(
        'INSERT INTO notes (chain, turn, seq, hash, at, kind, settings) VALUES ($1::int8, $2::int8, $3::int8, $4, $5::int8, $6, $7)',
        [chain, turn + 1, last + 1, link, note.at, note.kind, settings],
      );
      await query('UPDATE chains SET last = last + 1, turn = turn + 1, head = $2 WHERE id = $1::int8', [
        chain,
        link,
      ]);
    });

const TABLES_OF_CHAIN = ['exchanges', 'beginnings', 'parts', 'notes', 'certificates'] as const;

/**
 * With the world of its name. Yields how many exchanges each step removed. `onGone` is called as soon as its name is free
 * for a new one; what is left by an interruption goes with the next removal.
 */
export async function* removeSession(
  pool: Pool,
  session: string,
  now: number,
  onGone: () => void,
): AsyncIterableIterator<number> {
  const isMarked = await pool.inTransaction(async (connection) => {
    const { query } = connection;
    // In the order of a batch, so that none of both waits for the other one.
    await query('SELECT FROM worlds WHERE world = $1 FOR UPDATE', [session]);
    await query('SELECT FROM chains WHERE session = $1 ORDER BY id FOR UPDATE', [session]);
    const marked = await query('UPDATE chains SET session = NULL WHERE session = $1 RETURNING id', [session]);
    if (marked.length > 0) await forgetWorld(connection, session);
    return marked.length > 0;
  });
  if (!isMarked) return;
  onGone();
  yield* dropDays(pool, now);
  const left = await pool.query('SELECT id FROM chains WHERE session IS NULL ORDER BY id', []);
  for (const [chain] of left) yield* removeChain(pool.query, chain as number);
}

async function* removeChain(query: Query, chain: number): AsyncIterableIterator<number> {
  for (const table of TABLES_OF_CHAIN)
    for (let gone = STEP; gone === STEP; ) {
      const key = KEYS[table];
      const [row] = await query(
        `WITH gone AS (DELETE FROM ${table} WHERE chain = $1::int8 AND ${key} IN
           (SELECT ${key} FROM ${table} WHERE chain = $1::int8 LIMIT ${STEP}) RETURNING 1) SELECT count(*) FROM gone`,
        [chain],
      );
      gone = Number(row?.[0]);
      if (gone > 0) yield table === 'exchanges' ? gone : 0;
    }
  await query('DELETE FROM chains WHERE id = $1::int8 AND session IS NULL', [chain]);
}

const KEYS = {
  exchanges: 'turn',
  beginnings: 'turn',
  notes: 'turn',
  parts: 'part',
  certificates: 'reference',
} as const satisfies Record<(typeof TABLES_OF_CHAIN)[number], string>;

/** Also those that somebody began to drop, and did not drop. */
const DAYS = `SELECT day.relname, inhrelid IS NOT NULL, coalesce(inhdetachpending, false) FROM pg_class AS day
    LEFT JOIN pg_inherits ON inhrelid = day.oid
    WHERE day.relnamespace = current_schema()::regnamespace AND day.relkind = 'r' AND day.relname ~ $1 ORDER BY day.relname`;

/** The chains in a partition, found one by one by its key; whether others than nameless ones are among them. */
const inUse = (partition: string): string => `
  WITH RECURSIVE one AS (
    (SELECT chain FROM "${partition}" ORDER BY chain LIMIT 1)
    UNION ALL
    SELECT (SELECT chain FROM "${partition}" WHERE chain > one.chain ORDER BY chain LIMIT 1) FROM one WHERE one.chain IS NOT NULL
  )
  SELECT EXISTS (SELECT FROM one JOIN chains ON chains.id = one.chain WHERE session IS NOT NULL), count(chain) FROM one`;

/**
 * Whole days in which nothing is that anybody still needs: nothing of them is read, and nothing is left to clean up. One
 * gateway at a time.
 */
async function* dropDays(pool: Pool, now: number): AsyncIterableIterator<number> {
  for (const table of PARTITIONED)
    for (const [name, isAttached, isLeaving] of await pool.query(DAYS, [
      `^${table}_[0-9]{4}_[0-9]{2}_[0-9]{2}$`,
    ])) {
      // Today, and those made ahead, stay.
      if (!(dayOf(String(name)) + DAY_MS <= now)) continue;
      const gone = await pool.use((connection) =>
        dropDay(connection, table, String(name), isAttached === true, isLeaving === true),
      );
      if (gone > 0) yield table === 'exchanges' ? gone : 0;
    }
}

/** Gives how many rows went with it. What goes on elsewhere on its table does not wait. */
async function dropDay(
  { query }: Connection,
  table: string,
  name: string,
  isAttached: boolean,
  isLeaving: boolean,
): Promise<number> {
  const [locked] = await query(
    "SELECT pg_try_advisory_lock(hashtextextended('sandgate drop ' || current_schema(), 0))",
    [],
  );
  if (locked?.[0] !== true) return 0;
  try {
    const [row] = isLeaving || !isAttached ? [[false, 1]] : await query(inUse(name), []);
    const [isUsed, chains] = row as [boolean, number];
    if (isUsed || chains === 0) return 0;
    const [count] = await query(`SELECT count(*) FROM "${name}"`, []);
    if (isAttached)
      await query(
        `ALTER TABLE ${table} DETACH PARTITION "${name}" ${isLeaving ? 'FINALIZE' : 'CONCURRENTLY'}`,
      );
    await query(`DROP TABLE "${name}"`);
    return Number(count?.[0]);
  } finally {
    await query("SELECT pg_advisory_unlock(hashtextextended('sandgate drop ' || current_schema(), 0))", []);
  }
}

/** When it began, epoch ms. */
const dayOf = (name: string): number => Date.parse(name.slice(-10).replaceAll('_', '-'));
