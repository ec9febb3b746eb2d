/** A store in an SQLite file, or in memory. */
import { SandgateError } from '../../spec/index.js';
import type { Batch, SessionNote, Store } from '../store.js';
import { type Checkpointer, startCheckpointer } from './checkpointer.js';
import { type Database, MEMORY, openDatabase } from './driver.js';
import { storeFault } from './faults.js';
import { openKey } from './key-file.js';
import { readLedger } from './ledger-rows.js';
import { prepareSchema } from './migrations.js';
import { createReader } from './reader.js';
import { removeSession } from './remove.js';
import { verifyChain } from './verify.js';
import { createWriter } from './writer.js';

export interface SqliteStoreOptions {
  /** A file, which is made where it is missing, or `:memory:`. */
  readonly path: string;
  /** What a returned `append` survives: the end of the process, or the end of power too. */
  readonly durability?: 'process' | 'power';
  /** For looking only, also while another process writes. */
  readonly readonly?: boolean;
}

export function createSqliteStore({
  path,
  durability = 'process',
  readonly = false,
}: SqliteStoreOptions): Store {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeFault(error, path);
    }
  };
  const db = openDatabase({ path, readonly });
  const { fingerprintKey, reading } = guarded(() => {
    prepare(db, path, readonly, durability);
    const reading = readonly || path === MEMORY ? db : openDatabase({ path, readonly: true });
    return { fingerprintKey: openKey(path, readonly), reading };
  });
  const reader = guarded(() => createReader(reading));
  const writer = readonly ? null : guarded(() => createWriter(db));
  const checkpointer = readonly || path === MEMORY ? null : startCheckpoints(path, db);
  const writing = () => {
    if (writer !== null) return writer;
    throw new SandgateError('internal', `The store ${path} was opened for reading only.`);
  };

  return {
    fingerprintKey,
    newest: () => guarded(reader.newest),
    append: (batch: Batch) => {
      checkpointer?.yieldTo();
      guarded(() => writing().append(batch));
      checkpointer?.wake();
    },
    note: (session: string, note: SessionNote) => {
      guarded(() => writing().note(session, note));
      checkpointer?.wake();
    },
    sessions: () => guarded(reader.sessions),
    read: (session, options) => guardedSteps(() => reader.read(session, options), path),
    find: (exchangeId) => guarded(() => reader.find(exchangeId)),
    ledger: () => guardedSteps(() => readLedger(reading), path),
    verifyChain: (session) => guardedSteps(() => verifyChain(reader, session), path),
    *remove(session, options) {
      const { forget } = writing();
      yield* guardedSteps(() => removeSession(db, session, options, forget), path);
      checkpointer?.wake();
    },
    close: () => {
      if (!db.open) return;
      checkpointer?.stop();
      if (reading !== db) reading.close();
      db.close();
    },
  };
}

/** An iterator whose faults name the store. */
function* guardedSteps<T>(open: () => IterableIterator<T>, path: string): IterableIterator<T> {
  try {
    yield* open();
  } catch (error) {
    throw storeFault(error, path);
  }
}

function prepare(db: Database, path: string, readonly: boolean, durability: 'process' | 'power'): void {
  try {
    if (!readonly) {
      // Refused before anything is written into a file that is none of ours.
      prepareSchema(db, path, readonly);
      db.pragma('journal_mode = WAL');
      db.pragma(`synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
      db.pragma('wal_autocheckpoint = 0');
      db.pragma(`journal_size_limit = ${LARGEST_LOG}`);
    } else prepareSchema(db, path, readonly);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The log is cut to this size when it begins anew, in bytes. */
const LARGEST_LOG = 134_217_728;

/** Should the thread fail, the writer takes over. */
function startCheckpoints(path: string, db: Database): Checkpointer {
  return startCheckpointer(path, () => {
    if (db.open) db.pragma('wal_autocheckpoint = 1000');
  });
}
