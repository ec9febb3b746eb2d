/** Connections for reading: some at most, opened when they are needed, and given back when a piece of work is done. */
import { type Connection, type ConnectOptions, connect } from './client.js';

export interface Pool {
  readonly use: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  /** All that is read in it is as of one moment. */
  readonly atOneMoment: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly inTransaction: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly query: Connection['query'];
  /** What is under way goes on to its end, which nobody waits for. */
  readonly close: () => Promise<void>;
}

export function createPool(options: ConnectOptions, most: number): Pool {
  const idle: Connection[] = [];
  const waiting: (() => void)[] = [];
  let open = 0;
  let isClosed = false;

  async function take(): Promise<Connection> {
    while (open >= most && idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      if (!one.isLost()) return one;
      open -= 1;
    }
    open += 1;
    try {
      return await connect(options);
    } catch (error) {
      open -= 1;
      waiting.shift()?.();
      throw error;
    }
  }

  function give(connection: Connection): void {
    if (isClosed) void connection.end();
    if (isClosed || connection.isLost()) open -= 1;
    else idle.push(connection);
    waiting.shift()?.();
  }

  async function use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await take();
    try {
      return await work(connection);
    } finally {
      give(connection);
    }
  }

  return {
    use,
    atOneMoment: (work) => use(within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)),
    inTransaction: (work) => use(within('BEGIN', work)),
    query: (statement, values) => use(({ query }) => query(statement, values)),
    close: async () => {
      isClosed = true;
      await Promise.all(idle.splice(0).map((one) => one.end()));
    },
  };
}

/** A transaction around some work: all of it is kept, or nothing. */
export const within =
  <T>(begin: string, work: (connection: Connection) => Promise<T>) =>
  async (connection: Connection): Promise<T> => {
    await connection.query(begin, []);
    try {
      const done = await work(connection);
      await connection.query('COMMIT', []);
      return done;
    } catch (error) {
      if (!connection.isLost()) await connection.query('ROLLBACK', []);
      throw error;
    }
  };
