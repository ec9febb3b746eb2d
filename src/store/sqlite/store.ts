/** A store in an SQLite file, or in memory. */
import { randomBytes } from 'node:crypto';
import { SandgateError } from '../../spec/index.js';
import { keyFileOf, keyFrom } from '../key-file.js';
import type { Batch, LocalStore } from '../port.js';
import { createRecords, type Records } from '../records.js';
import { createQueries } from '../rows/queries.js';
import { type Mark, removeOldestOf } from '../rows/removal.js';
import { atOnce, later, outcomeAtOnce } from '../steps.js';
import { createVault } from '../vault.js';
import { verifyChain, verifyLink } from '../verify.js';
import { SLOTS, type WorldState } from '../world-state.js';
import { createWriter } from '../writer.js';
import { type Checkpointer, openCheckpointer } from './checkpointer.js';
import { createDatabase } from './database.js';
import { type Database, LOCK_WAIT_MS, MEMORY, openDatabase } from './driver.js';
import { createErasures } from './erasures.js';
import { readBody, readLayers, readWorldsOf } from './fact-rows.js';
import { storeFault } from './faults.js';
import { prepareSchema, refuseCopying } from './migrations.js';
import { createPages } from './pages.js';
import { readArrived, readSteps } from './records.js';
import { overwriting, removeSessionOf } from './remove.js';
import { createRowWriter } from './row-writer.js';
import { createFileCheck } from './same-file.js';
import { lockServing, type ServingLock } from './serving.js';
import { tidyFacts } from './tidy-facts.js';
import { forgetHeaders, readAwaited, readCaught, readEpoch, readOwner, readState } from './world-rows.js';

export interface SqliteStoreOptions {
  /** A file, which is made where it is missing, or `:memory:`. */
  readonly path: string;
  /** The failures that a returned `append` survives: of the process, or of power too. */
  readonly durability?: 'process' | 'power';
  /** For looking only, also while another process writes. */
  readonly readonly?: boolean;
  /**
   * How long a writer may stand still for another process that writes, in ms; 5,000 by default. Whoever answers calls
   * meanwhile stands still too.
   */
  readonly lockWait?: number;
  /** Contents are enciphered. */
  readonly encrypt?: boolean;
  /** Another file for the key of a new store than that beside it. */
  readonly keyFile?: string | undefined;
  /** Enciphered contents stay so. */
  readonly isBlind?: boolean;
}

export function createSqliteStore({
  path,
  durability = 'process',
  readonly = false,
  lockWait = LOCK_WAIT_MS,
  encrypt = false,
  keyFile,
  isBlind = false,
}: SqliteStoreOptions): LocalStore {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeFault(error, path);
    }
  };
  const guardedAll = <T extends object>(members: T): T =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        (...given: unknown[]) => guarded(() => member(...given)),
      ]),
    ) as T;
  /** The remainder of the ids that this process gives; null while it does not serve. */
  let slot: number | null = null;
  const { db, reading, fingerprintKey, vault, records, chainRows, writer, forget } = guarded(() =>
    openParts(
      { path, durability, readonly, lockWait, encrypt, keyFile, isBlind },
      (id) => id % SLOTS === slot,
    ),
  );
  const checkFiles = createFileCheck(path);
  const dataVersion = db.prepare('PRAGMA data_version').pluck();
  let lock: ServingLock | undefined;
  const checkpointer = readonly || path === MEMORY ? null : openCheckpoints(path, db);
  const writing = () => {
    if (writer !== null) return writer;
    throw new SandgateError('store.read-only', { path });
  };
  const queries = createQueries(createDatabase(db), createPages, vault);
  const erasures = createErasures({ db, path, queries, writing, forget });

  return {
    fingerprintKey,
    append: (batch: Batch) => {
      checkpointer?.yieldTo();
      void guarded(() => writing().append(batch));
      // After the commit: what was written to a file that had gone before is not kept.
      checkFiles(batch.begun?.length ? 'beginning' : 'commit');
      // Notes are some hundred bytes, which may stay in the log until there is more.
      if (batch.notes === undefined || batch.records.length > 0) checkpointer?.committed();
    },
    sessions: () => guarded(records.sessions),
    read: (session, options) => guardedSteps(() => atOnce(records.read(session, options)), path),
    find: (exchangeId, options) => guarded(() => records.find(exchangeId, options)),
    calls: guardedAll(records.calls),
    chains: {
      ...guardedAll({
        ...records.chains,
        verifyLink: (exchangeId: string) => outcomeAtOnce(verifyLink(chainRows, exchangeId)),
        takeUnsigned: (least: number) => writing().takeUnsigned(least),
      }),
      verify: (session, options) =>
        guardedSteps(() => atOnce(verifyChain(chainRows, session, options)), path),
      verifyInTurns: (session) =>
        later(guardedSteps(() => verifyChain(chainRows, session, { inTurns: true }), path)),
    },
    worlds: {
      ...guardedAll({
        awaited: () => readAwaited(reading),
        body: (world: string, _: string, payment: string) => readBody(reading, world, payment),
        knowing: (authorisation: string) => readWorldsOf(reading, authorisation),
        ownerOf: (authorisation: string) => readOwner(db, authorisation),
        state: (world: string) => readState(db, world),
        epoch: (world: string) => readEpoch(db, world),
        stamp: () => dataVersion.get(),
        catchUp: (world: string, known: WorldState) => readCaught(db, world, known),
      }),
      layers: (world) =>
        guarded(() => readLayers(reading, world)).map(({ facts, ...layer }) => ({
          ...layer,
          facts: guardedSteps(() => facts, path),
        })),
      tidy: () => {
        writing();
        return guardedSteps(() => overwriting(db, () => tidyFacts(db)), path);
      },
    },
    place: {
      file: path === MEMORY ? null : path,
      check: (written) => {
        checkFiles('leisure');
        if (slot !== null) guarded(erasures.look);
        if (written) void guarded(() => writing().probe());
      },
      size: () => guarded(() => usedBytes(reading)),
    },
    erasures: {
      ...guardedAll({ facts: erasures.facts, isHeard: erasures.isHeard, clean: erasures.clean }),
      contents: (session, plan, at) => guardedSteps(() => erasures.contents(session, plan, at), path),
    },
    serve: (given, onErased) =>
      guarded(() => {
        if (writer === null) throw new SandgateError('store.read-only', { path });
        slot = given ?? 0;
        erasures.listen(onErased);
        if (given !== undefined) return { isShared: true, slot, isFirst: () => given === 0 };
        lock ??= lockServing(path);
        // Since it was opened, a copy may have begun, and been cut off.
        refuseCopying(db, path);
        forgetHeaders(db);
        return { isShared: false, slot, isFirst: () => true };
      }),
    *remove(session, options) {
      const writer = writing();
      const steps = () => {
        if (options === undefined) return removeSessionOf(db, session, writer.forget);
        const mark: Mark = (work) => writer.mark(session, options.at, work);
        const isCopied = db.prepare('SELECT store IS NOT NULL FROM chains WHERE id = ?').pluck();
        return overwriting(db, () =>
          atOnce(
            removeOldestOf(queries, session, options, (chain) => (isCopied.get(chain) === 1 ? null : mark)),
          ),
        );
      };
      yield* guardedSteps(steps, path);
      checkpointer?.wake();
    },
    close: () => {
      if (!db.open) return;
      lock?.release();
      checkpointer?.stop();
      if (reading !== db) reading.close();
      if (checkpointer !== null) emptyLog(db);
      db.close();
    },
  };
}

/** Nothing of a file is waited for. */
type LocalRecords = Pick<Records, 'read'> &
  Pick<LocalStore, 'sessions' | 'find' | 'calls'> & {
    readonly chains: Pick<LocalStore['chains'], keyof Records['chains']>;
  };

/** An iterator whose faults name the store. */
function* guardedSteps<T>(open: () => IterableIterator<T>, path: string): Generator<T, void> {
  try {
    yield* open();
  } catch (error) {
    throw storeFault(error, path);
  }
}

type Opening = Required<Omit<SqliteStoreOptions, 'keyFile'>> & Pick<SqliteStoreOptions, 'keyFile'>;

/** One connection writes, another one reads; both are closed again where anything is wrong. */
function openParts(
  { path, durability, readonly, lockWait, encrypt, keyFile, isBlind }: Opening,
  isOwn: (id: number) => boolean,
) {
  const opened: Database[] = [];
  const open = (toRead: boolean): Database => {
    const db = openDatabase({ path, readonly: toRead });
    opened.push(db);
    return db;
  };
  try {
    const db = open(readonly);
    // Refused before anything is written into a file that is none of ours.
    prepareSchema(db, path, readonly);
    refuseCopying(db, path);
    if (!readonly) setUp(db, durability);
    const reading = readonly || path === MEMORY ? db : open(true);
    const fingerprintKey = openKey(path, keyFile, readonly);
    const vault = isBlind ? null : createVault(() => fingerprintKey);
    const rows = readonly ? null : createRowWriter(db, () => vault?.forget());
    const writer = rows && createWriter(rows, encrypt ? vault : null);
    const queries = createQueries(createDatabase(reading), createPages, vault);
    const { chains, entries, pages, chainRows } = queries;
    const records = createRecords({
      ...{ chains, entries, pages: pages.pages },
      steps: (found) => readSteps(reading, found),
      arrived: (position, recordOf) =>
        readArrived(
          reading,
          pages,
          (session, entry) => (isOwn(entry.id) ? undefined : recordOf(session, entry)),
          position,
        ),
    }) as LocalRecords;
    const { forget } = queries;
    const parts = {
      db,
      reading,
      writer,
      records,
      chainRows,
      forget,
      fingerprintKey,
      vault,
    };
    // From here on: at the start there is nobody yet who stands still with it.
    for (const one of opened) one.pragma(`busy_timeout = ${lockWait}`);
    return parts;
  } catch (error) {
    for (const db of opened) db.close();
    throw error;
  }
}

/** Beside the file; a store that is only read gets one of its own where there is none, which matches nothing. */
function openKey(path: string, keyFile: string | undefined, readonly: boolean): Uint8Array {
  const file = path === MEMORY ? undefined : keyFileOf(path, keyFile);
  try {
    return keyFrom(file, readonly) ?? randomBytes(32);
  } catch (error) {
    throw storeFault(error, file ?? path);
  }
}

function setUp(db: Database, durability: 'process' | 'power'): void {
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
  db.pragma('wal_autocheckpoint = 0');
  db.pragma(`journal_size_limit = ${LARGEST_LOG}`);
}

/** The log is cut to this size when it begins again, in bytes. */
const LARGEST_LOG = 134_217_728;

/** SQLite itself leaves it as it is where others, who may only read, close the file later. What cannot be moved stays in the log. */
function emptyLog(db: Database): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch {}
}

function usedBytes(db: Database): number {
  const read = (name: string) => db.pragma(name, { simple: true }) as number;
  return (read('page_count') - read('freelist_count')) * read('page_size');
}

/** Should the thread fail, the writer takes over. */
function openCheckpoints(path: string, db: Database): Checkpointer {
  return openCheckpointer(path, () => {
    if (db.open) db.pragma('wal_autocheckpoint = 1000');
  });
}
