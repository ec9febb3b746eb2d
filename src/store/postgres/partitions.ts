/** Partitions of the recorded by time, one a day; made ahead, so that no commit waits for one. */
import { DAY_MS, dateOf } from '../../spec/index.js';
import { type Steps, wait } from '../steps.js';
import { turnAt } from '../turns.js';
import type { Connection } from './client.js';
import { BRIEF, type Pool, within } from './pool.js';

export const PARTITIONED = ['exchanges', 'beginnings'] as const;
/** Made when the last one but so many has begun. */
const AHEAD = 2;

export function createPartitions(schema: string) {
  /** Days since 1970. */
  let madeUntil = Number.NEGATIVE_INFINITY;
  return {
    /** Does nothing where they are there. */
    makeAhead: async (connection: Connection, now: number) => {
      const today = Math.floor(now / DAY_MS);
      if (madeUntil > today) return;
      await makeDays(connection, schema, today, AHEAD + 1);
      madeUntil = today + AHEAD;
    },
    /** They may be gone. */
    forget: () => {
      madeUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Attached when it is made: what writes to the others meanwhile goes on. */
export const makeDays = (
  connection: Connection,
  schema: string,
  from: number,
  count: number,
): Promise<void> =>
  within(BRIEF, async ({ query }) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended('sandgate days ' || $1, 0))", [schema]);
    for (const table of PARTITIONED)
      for (let day = from; day < from + count; day++) {
        const name = nameOf(table, day);
        const [row] = await query('SELECT to_regclass($1) IS NULL', [name]);
        if (row?.[0] !== true) continue;
        await query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING STORAGE INCLUDING COMPRESSION)`);
        await query(
          `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${turnAt(day * DAY_MS)}) TO (${turnAt((day + 1) * DAY_MS)})`,
        );
      }
  })(connection);

const nameOf = (table: string, day: number): string => `${table}_${dateOf(day).replaceAll('-', '_')}`;

export type Partitions = ReturnType<typeof createPartitions>;

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
export function* dropDays(pool: Pool, now: number): Steps<number> {
  for (const table of PARTITIONED)
    for (const [name, isAttached, isLeaving] of yield* wait(
      pool.query(DAYS, [`^${table}_[0-9]{4}_[0-9]{2}_[0-9]{2}$`]),
    )) {
      // Today, and those made ahead, stay.
      if (!(dayOf(String(name)) + DAY_MS <= now)) continue;
      const gone = yield* wait(
        pool.use((connection) =>
          dropDay(connection, table, String(name), isAttached === true, isLeaving === true),
        ),
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
