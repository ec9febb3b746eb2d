/** Drops whole days of a schema. */
import { DAY_MS } from '../../spec/index.js';
import { type Steps, wait } from '../steps.js';
import type { Connection } from './client.js';
import { PARTITIONED } from './partitions.js';
import type { Pool } from './pool.js';

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
