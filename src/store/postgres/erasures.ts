/** Erases contents and facts of a schema, and has the gateways on it forget them. */
import type { Store } from '../port.js';
import { eraseContents, eraseFacts } from '../rows/erasure.js';
import type { Queries } from '../rows/queries.js';
import { later, outcome } from '../steps.js';
import type { createWriter } from '../writer.js';
import { withLists } from './database.js';
import { writerLock } from './locks.js';
import type { Pool } from './pool.js';

interface Parts {
  readonly main: Pool;
  readonly schema: string;
  readonly queries: Queries;
  readonly writer: ReturnType<typeof createWriter>;
  /** The readers' remembered texts. */
  readonly forget: () => void;
  readonly inTurn: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** The number of this process. */
  readonly self: () => number;
}

/**
 * With a new connection a gateway loads everything again, and remembers no text: nobody comes back before the transaction
 * ends, because the lock of `sandgate` is in the way.
 */
const CUT_OFF = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid), writers
  WHERE locktype = 'advisory' AND usename = current_user AND datname = current_database()
    AND pid <> pg_backend_pid() AND writers.id <> $2::int8
    AND (classid::int8 << 32) | objid::int8 = ${writerLock('$1', 'writers.id')}`;

const TABLES = ['exchanges', 'beginnings', 'notes', 'parts', 'keys', 'facts', 'partitions', 'worlds'];

export function createErasures({
  main,
  schema,
  queries,
  writer,
  forget,
  inTurn,
  self,
}: Parts): Store['erasures'] {
  const erase = (isOf: Parameters<Store['erasures']['facts']>[0], isDry: boolean) =>
    main.inTransaction(async (connection) => {
      if (!isDry) {
        await connection.query('LOCK TABLE sandgate IN ACCESS EXCLUSIVE MODE', []);
        await connection.query('UPDATE writers SET fence = fence + 1 WHERE id <> $1', [self()]);
        await connection.query(CUT_OFF, [schema, self()]);
      }
      return outcome(eraseFacts(withLists(connection.query), queries.db, isOf, isDry));
    });
  return {
    contents: async function* (session, plan, at) {
      await inTurn(() => {});
      const steps = eraseContents(queries, session, plan, (erased) =>
        inTurn(() => writer.note(session, { at, kind: 'erased', settings: { ...erased } })),
      );
      yield* later(steps);
      writer.forget();
      forget();
    },
    facts: async (isOf, isDry = false) => {
      if (isDry) return erase(isOf, isDry);
      return inTurn(async () => {
        writer.forget();
        forget();
        return erase(isOf, isDry);
      });
    },
    isHeard: () => true,
    clean: async (): Promise<'server'> => {
      for (const table of TABLES) await main.query(`VACUUM "${table}"`, []);
      return 'server';
    },
  };
}
