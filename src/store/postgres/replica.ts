/** Reading from a replica, which is read only where it has all that the store had when it was asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './client.js';
import { type Pool, within } from './pool.js';

/** In ms: a replica that follows is some behind; for one that is further behind nobody waits. */
const PATIENCE_MS = 300;
const PAUSE_MS = 20;

/** `near`: asked how far the store has come; `main`: read in place of a replica that is behind, or is none. */
export function createReplica(replica: Pool, main: Pool, near: Pick<Pool, 'query'>): Pool {
  /** Waited for once, and again when it has caught up. */
  let isBehind = false;

  async function hasAll({ query }: Connection, written: unknown): Promise<boolean> {
    for (let left = isBehind ? 0 : PATIENCE_MS; ; left -= PAUSE_MS) {
      const [row] = await query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn', [written]);
      isBehind = row?.[0] !== true && left <= 0;
      if (row?.[0] === true) return true;
      if (row?.[0] === null || left <= 0) return false;
      await sleep(PAUSE_MS);
    }
  }

  const use: Pool['use'] = async (work) => {
    const [row] = await near.query('SELECT pg_current_wal_flush_lsn()::text', []);
    const found = await replica.use(async (connection, era) =>
      (await hasAll(connection, row?.[0])) ? { done: await work(connection, era) } : null,
    );
    return found === null ? main.use(work) : found.done;
  };

  return {
    use,
    atOneMoment: (work) => use(within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)),
    inTransaction: main.inTransaction,
    query: (statement, values) => use(({ query }) => query(statement, values)),
    close: replica.close,
  };
}
