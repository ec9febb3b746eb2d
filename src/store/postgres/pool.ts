/** Connections for reading: some at most, opened when they are needed, and given back when a piece of work is done. */

import { setTimeout as sleep } from 'node:timers/promises';
import { readAddress } from './address.js';
import { type Connection, type ConnectOptions, connect } from './client.js';

export interface Pool {
  /** `era`: the one in which the connection was opened. */
  readonly use: <T>(work: (connection: Connection, era: number) => Promise<T>) => Promise<T>;
  /** All that is read in it is as of one moment. */
  readonly atOneMoment: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly inTransaction: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly query: Connection['query'];
  /** Closes without waiting; running work ends by itself. */
  readonly close: () => Promise<void>;
}

/**
 * Another one for each connection by which a gateway records: behind it there may be another server than before, or an
 * earlier state of it. What was read before says nothing of that, and versions may be given again.
 */
export interface Era {
  now: number;
}

interface Opened {
  readonly connection: Connection;
  readonly era: number;
}

/** Connections of an earlier era are used no more. */
export function createPool(options: ConnectOptions, most: number, now: Era = { now: 0 }): Pool {
  const idle: Opened[] = [];
  const waiting: (() => void)[] = [];
  let open = 0;
  let isClosed = false;

  const isOver = ({ connection, era }: Opened): boolean => connection.isLost() || era !== now.now;

  async function take(): Promise<Opened> {
    while (open >= most && idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      if (!isOver(one)) return one;
      void one.connection.end();
      open -= 1;
    }
    open += 1;
    const era = now.now;
    try {
      return { connection: await connect(options), era };
    } catch (error) {
      open -= 1;
      waiting.shift()?.();
      throw error;
    }
  }

  function give(opened: Opened): void {
    if (isClosed || isOver(opened)) {
      open -= 1;
      void opened.connection.end();
    } else idle.push(opened);
    waiting.shift()?.();
  }

  async function use<T>(work: (connection: Connection, era: number) => Promise<T>): Promise<T> {
    const opened = await take();
    try {
      return await work(opened.connection, opened.era);
    } finally {
      give(opened);
    }
  }

  return {
    use,
    atOneMoment: (work) => use(within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)),
    inTransaction: (work) => use(within(BRIEF, work)),
    query: (statement, values) => use(({ query }) => query(statement, values)),
    close: async () => {
      isClosed = true;
      await Promise.all(idle.splice(0).map(({ connection }) => connection.end()));
    },
  };
}

/** Begins a transaction for whose locks others wait: a process that freezes in the middle of it loses them after 2 s. */
export const BRIEF = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 2000';

/** A transaction around some work: all of it is kept, or nothing. */
export const within =
  <T>(begin: string, work: (connection: Connection) => Promise<T>) =>
  async (connection: Connection): Promise<T> => {
    await connection.query(begin);
    try {
      const done = await work(connection);
      await connection.query('COMMIT', []);
      return done;
    } catch (error) {
      if (!connection.isLost()) await connection.query('ROLLBACK', []);
      throw error;
    }
  };

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
