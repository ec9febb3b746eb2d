/** The connections for reading of one gateway: by who waits for them, and for how long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readAddress } from './address.js';
import type { Connection, ConnectOptions } from './client.js';
import { createPool, type Era, type Pool, within } from './pool.js';

export interface Pools {
  readonly main: Pool;
  /** For what calls wait for. */
  readonly near: Pool;
  /** For reading sessions. */
  readonly pool: Pool;
}

export interface PoolsOptions {
  /** To the store, in all; at least two. */
  readonly connections: number;
  /** The address of a replica, to which there are as many. */
  readonly readFrom?: string | undefined;
}

const FOR_CALLS = 2;
/** In ms: what goes along whole sessions may take that long. */
const LEISURE_MS = 300_000;

export function createPools(
  { connections, readFrom }: PoolsOptions,
  options: ConnectOptions,
  era: Era,
): Pools {
  const { limits } = options;
  const atLeisure = { ...options, limits: { ...limits, statement: Math.max(limits.statement, LEISURE_MS) } };
  const forCalls = Math.min(FOR_CALLS, Math.max(1, connections - 1));
  const near = createPool(options, forCalls, era);
  const main = createPool(atLeisure, Math.max(1, connections - forCalls), era);
  if (readFrom === undefined) return { main, near, pool: main };
  const replica = createPool({ ...atLeisure, address: readAddress(readFrom), readonly: true }, connections);
  return { main, near, pool: createReplica(replica, main, near) };
}

export const closePools = ({ main, near, pool }: Pools): Promise<unknown> =>
  Promise.all([main, near, pool].map((one) => one.close()));

/** In ms: a replica that follows is some behind; for one that is further behind nobody waits. */
const PATIENCE_MS = 300;
const PAUSE_MS = 20;

/** A replica is read only if it has all that the store had when it was asked. `near`: asked how far the store has come; `main`: read in place of a replica that is behind, or is none. */
function createReplica(replica: Pool, main: Pool, near: Pick<Pool, 'query'>): Pool {
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
