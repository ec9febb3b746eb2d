/** Erases contents and facts of a file, and has the gateway on it forget them. */
import { rmSync } from 'node:fs';
import { SandgateError } from '../../spec/index.js';
import type { ErasePlan, LocalStore } from '../port.js';
import { eraseContents, eraseFacts } from '../rows/erasure.js';
import type { Queries } from '../rows/queries.js';
import { atOnce, outcomeAtOnce } from '../steps.js';
import type { createWriter } from '../writer.js';
import { type Database, MEMORY } from './driver.js';
import { overwriting } from './remove.js';
import { lockServing } from './serving.js';

interface Parts {
  readonly db: Database;
  readonly path: string;
  /** Over the connection that writes. */
  readonly queries: Queries;
  readonly writing: () => ReturnType<typeof createWriter>;
  /** The readers' remembered texts. */
  readonly forget: () => void;
}

/** While a gateway serves, a larger file is not written anew: calls would wait for it, in bytes. */
const MOST_WHILE_SERVED = 67_108_864;

function* contentsOf({ queries, writing, forget }: Parts, session: string, plan: ErasePlan, at: number) {
  const { note, forget: forgetKeys } = writing();
  yield* atOnce(
    eraseContents(queries, session, plan, (erased) =>
      note(session, { at, kind: 'erased', settings: { ...erased } }),
    ),
  );
  forgetKeys();
  forget();
}

export function createErasures(parts: Parts) {
  const { db, path, queries, writing, forget } = parts;
  const version = db.prepare('PRAGMA data_version').pluck();
  const erasures = db.prepare('SELECT erasures FROM identity').pluck();
  const step = db.prepare('UPDATE identity SET erasures = erasures + 1');
  const hear = db.prepare('UPDATE identity SET heard = ?');
  let [seen, heard]: unknown[] = [version.get(), erasures.get()];
  let onErased: (() => Promise<void>) | undefined;

  function isServed(): boolean {
    try {
      lockServing(path).release();
      return false;
    } catch (error) {
      if (error instanceof SandgateError && error.code === 'store.served') return true;
      throw error;
    }
  }

  return {
    contents: (session, plan, at) => overwriting(db, () => contentsOf(parts, session, plan, at)),
    facts: (isOf, isDry = false) => {
      if (!isDry) writing().forget();
      forget();
      db.pragma('secure_delete = ON');
      try {
        return db
          .transaction(() => {
            const count = outcomeAtOnce(eraseFacts(queries.db.query, queries.db, isOf, isDry));
            if (!isDry) step.run();
            return count;
          })
          .immediate();
      } finally {
        db.pragma('secure_delete = OFF');
      }
    },
    isHeard: () =>
      path === MEMORY ||
      !isServed() ||
      db.prepare('SELECT heard >= erasures FROM identity').pluck().get() === 1,
    clean: () => {
      if (path === MEMORY) return null;
      const served = isServed();
      const isLarge = Number(db.pragma('page_count', { simple: true })) * 4_096 > MOST_WHILE_SERVED;
      if (!served) for (const end of ['', '-wal', '-shm']) rmSync(`${path}.index${end}`, { force: true });
      if (!served || !isLarge) db.exec('VACUUM');
      if (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 1) return 'busy';
      return served && isLarge ? 'served' : null;
    },
    /** `listener` resolves when the gateway has forgotten what others erased. */
    listen: (listener: (() => Promise<void>) | undefined): void => {
      onErased = listener;
      hear.run(erasures.get());
    },
    /** Looks whether another process erased something. */
    look: (): void => {
      const now = version.get();
      if (now === seen) return;
      seen = now;
      const count = erasures.get();
      if (count === heard) return;
      heard = count;
      forget();
      // A store that fails just then is asked again by whoever waits for it.
      void onErased?.()
        .then(() => hear.run(count))
        .catch(() => {});
    },
  } satisfies LocalStore['erasures'] & { readonly listen: unknown; readonly look: unknown };
}
