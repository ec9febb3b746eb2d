/** Removes layers of facts that no world and no snapshot needs, and removals that all know, in steps that are each a commit. */

import { turnAt } from '../turns.js';
import type { Connection } from './client.js';
import { writerLock } from './locks.js';
import type { Pool } from './pool.js';

/** Rows of one step. */
const STEP = 500;

/** One that is no snapshot, and that nothing or one other alone depends on, which is what its world is now where there is none. */
const BETWEEN = `
  SELECT one.world, one.id, min(next.id) FROM layers AS one
    LEFT JOIN (
      SELECT world, id, parent FROM layers UNION ALL SELECT world, layer, parent FROM worlds
    ) AS next ON next.world = one.world AND next.parent = one.id
    WHERE one.snapshot IS NULL GROUP BY one.world, one.id HAVING count(next.id) < 2 ORDER BY one.world, one.id DESC LIMIT 1`;

/** Yields how many facts went, or moved, with each step. */
export async function* tidyLayers(pool: Pool, now: number): AsyncIterableIterator<number> {
  yield* forgetRemovals(pool, turnAt(now - KEPT_MS));
  for (;;) {
    const [found] = await pool.query(BETWEEN, []);
    if (found === undefined) break;
    const [world, layer, next] = found as unknown as [string, number, number | null];
    yield await inWorld(pool, world, (connection) => join(connection, world, layer, next));
  }
  for (;;) {
    const [found] = await pool.query('SELECT world, layer FROM left_layers LIMIT 1', []);
    if (found === undefined) return;
    yield* removeLeft(pool, String(found[0]), Number(found[1]));
  }
}

/**
 * Writers that have ended and left no chain, but for the newest: one that was cut off finds its row again, and no number
 * is given twice.
 */
export const forgetWriters = ({ query }: Pool, schema: string): Promise<unknown> =>
  query(
    `DELETE FROM writers WHERE id <= (SELECT max(id) FROM writers) - ${NEWEST_WRITERS}
       AND NOT EXISTS (SELECT FROM chains WHERE writer = writers.id)
       AND pg_try_advisory_xact_lock(${writerLock('$1', 'id')})`,
    [schema],
  );

const NEWEST_WRITERS = 1_000;

/** Removals are kept this long for gateways that know the facts; who comes later loads the world anew. */
const KEPT_MS = 3_600_000;

/** Partitions are locked before their facts, as by whoever writes. */
async function* forgetRemovals({ query }: Pool, before: number): AsyncIterableIterator<number> {
  for (let gone = STEP; gone === STEP; ) {
    const [row] = await query(
      `WITH found AS MATERIALIZED (
         SELECT facts.ctid AS at, facts.world, partition FROM facts
           JOIN worlds ON worlds.world = facts.world AND worlds.layer = facts.layer
           WHERE fact IS NULL AND parent IS NULL AND turn < $1::int8 LIMIT ${STEP}
       ), locked AS MATERIALIZED (
         SELECT world, partition FROM partitions WHERE (world, partition) IN (SELECT world, partition FROM found)
           ORDER BY world COLLATE "C", partition COLLATE "C" FOR NO KEY UPDATE
       ), gone AS (
         DELETE FROM facts WHERE ctid = ANY (ARRAY(SELECT at FROM found WHERE (SELECT count(*) FROM locked) >= 0))
           AND fact IS NULL RETURNING world, partition, version
       ), forgotten AS (
         UPDATE partitions SET told = greatest(told, newest) FROM
           (SELECT world, partition, max(version) AS newest FROM gone GROUP BY world, partition) AS forgot
           WHERE partitions.world = forgot.world AND partitions.partition = forgot.partition
       ) SELECT count(*) FROM gone`,
      [before],
    );
    gone = Number(row?.[0]);
    yield gone;
  }
}

/** While nobody writes to it. */
const inWorld = <T>(pool: Pool, world: string, work: (connection: Connection) => Promise<T>): Promise<T> =>
  pool.inTransaction(async (connection) => {
    await connection.query('SELECT FROM worlds WHERE world = $1 FOR UPDATE', [world]);
    return work(connection);
  });

/** Its facts go to the other one, but for those that it has as well; where there is no other one, with it. */
async function join(
  { query }: Connection,
  world: string,
  layer: number,
  next: number | null,
): Promise<number> {
  const leave = async (): Promise<void> => {
    await query('DELETE FROM layers WHERE world = $1 AND id = $2::int8', [world, layer]);
    await query('INSERT INTO left_layers VALUES ($1, $2::int8) ON CONFLICT DO NOTHING', [world, layer]);
  };
  if (next === null) {
    await leave();
    return 0;
  }
  const [row] = await query(
    `WITH picked AS (
       SELECT partition, family, key FROM facts AS one WHERE world = $1 AND layer = $2::int8 AND NOT EXISTS (
         SELECT FROM facts WHERE partition = one.partition AND world = $1 AND layer = $3::int8
           AND family = one.family AND key = one.key) LIMIT ${STEP}
     ), moved AS (
       UPDATE facts SET layer = $3::int8 FROM picked WHERE facts.partition = picked.partition AND world = $1
         AND layer = $2::int8 AND facts.family = picked.family AND facts.key = picked.key RETURNING 1
     ) SELECT count(*) FROM moved`,
    [world, layer, next],
  );
  const moved = Number(row?.[0]);
  if (moved > 0) return moved;
  const parent = '(SELECT parent FROM layers WHERE world = $1 AND id = $2::int8)';
  await query(`UPDATE worlds SET parent = ${parent} WHERE world = $1 AND layer = $3::int8`, [
    world,
    layer,
    next,
  ]);
  await query(`UPDATE layers SET parent = ${parent} WHERE world = $1 AND id = $3::int8`, [
    world,
    layer,
    next,
  ]);
  await leave();
  return 0;
}

async function* removeLeft({ query }: Pool, world: string, layer: number): AsyncIterableIterator<number> {
  for (let gone = STEP; gone === STEP; ) {
    const [row] = await query(
      `WITH gone AS (DELETE FROM facts WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM facts WHERE world = $1 AND layer = $2::int8 LIMIT ${STEP})) RETURNING 1) SELECT count(*) FROM gone`,
      [world, layer],
    );
    gone = Number(row?.[0]);
    yield gone;
  }
  await query('DELETE FROM left_layers WHERE world = $1 AND layer = $2::int8', [world, layer]);
}
