/**
 * Moves what was committed from the log into the store's file, in a thread of its own with its own connection: done
 * by the thread that answers calls, it would cost a third of them (performance.md).
 */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DRIVER } from './driver.js';

/** Places in the memory that both threads share. */
const COMMITS = 0;
const STOP = 1;
const STOPPED = 2;
const HELD = 3;
/** Longer than the thread ever holds; the writer goes on after it, should the thread have died meanwhile. */
const HELD_MS = 250;
/** Bytes of a log that is worth a thread at once: a quarter of what SQLite by itself lets it grow to. */
const WORTH_IT = 1_048_576;
/** A smaller one is once it is so old: until it is emptied, an end of power may cost what it holds. Who closes the store before, empties it. */
const OLD_MS = 2_000;
/** A thread that does not end by then is ended by force. */
const STOP_MS = 2_000;

/**
 * A text, because a file could not be started alike from the sources and from the built package. While commits keep
 * coming, a passive checkpoint never reaches the end of the log, and the log would grow for ever: past LARGE pages
 * the writer is kept off for the moment that the rest takes, never longer, and never for the sake of a reader.
 */
const THREAD = `
const { workerData: { driver, path, shared } } = require('node:worker_threads');
const PAUSE_MS = 200;
const LARGE = 16384;
const TRIES = 4;
const signal = new Int32Array(shared);
let db;
const checkpoint = (mode) => {
  try {
    return db.pragma('wal_checkpoint(' + mode + ')')[0];
  } catch {
    return { busy: 1, log: 0 };
  }
};
let done = 0;
try {
  db = new (require(driver))(path, { timeout: 0, fileMustExist: true });
  db.pragma('synchronous = NORMAL');
  while (Atomics.load(signal, ${STOP}) === 0) {
    Atomics.wait(signal, ${COMMITS}, done);
    Atomics.wait(signal, ${STOP}, 0, PAUSE_MS);
    done = Atomics.load(signal, ${COMMITS});
    if (checkpoint('PASSIVE').log < LARGE) continue;
    checkpoint('PASSIVE');
    Atomics.store(signal, ${HELD}, 1);
    for (let i = 0; i < TRIES && checkpoint('FULL').busy === 1; i++) Atomics.wait(signal, ${STOP}, 0, 1);
    Atomics.store(signal, ${HELD}, 0);
    Atomics.notify(signal, ${HELD});
  }
} finally {
  db?.close();
  Atomics.store(signal, ${HELD}, 0);
  Atomics.notify(signal, ${HELD});
  Atomics.store(signal, ${STOPPED}, 1);
  Atomics.notify(signal, ${STOPPED});
}
`;

/** Infinite where it is unknown, as when the path is a link. */
function logBytes(path: string): number {
  try {
    return statSync(`${path}-wal`).size;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * The thread begins when it is first woken: a gateway is ready without it, and who only reads, or writes little and ends, needs
 * none.
 * @param onFailure the thread could not begin, or has ended by itself; the caller must see to checkpoints
 */
export function openCheckpointer(path: string, onFailure: () => void) {
  const shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
  const signal = new Int32Array(shared);
  /** null: it could not begin. */
  let worker: Worker | null | undefined;
  let growingOld: NodeJS.Timeout | undefined;
  const start = (): Worker => {
    const started = new Worker(THREAD, {
      eval: true,
      execArgv: [],
      workerData: { driver: DRIVER, path, shared },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    // The process may end without it: what is in the log is safe there.
    started.unref();
    return started.on('error', onFailure);
  };
  const tell = (place: number): void => {
    Atomics.add(signal, place, 1);
    Atomics.notify(signal, place);
  };
  const wake = (): void => {
    if (worker === undefined) {
      try {
        worker = start();
      } catch {
        // The commit stands even if no thread can be had (a limit of processes).
        worker = null;
        onFailure();
      }
    }
    tell(COMMITS);
  };
  return {
    /** Called before a transaction: waits while the thread needs the file for itself, some ms at most. */
    yieldTo: () => {
      if (Atomics.load(signal, HELD) === 1) Atomics.wait(signal, HELD, 1, HELD_MS);
    },
    /** There is something new in the log, which may stay there for a moment while it is small. */
    committed: () => {
      if (worker !== undefined || logBytes(path) >= WORTH_IT) wake();
      else growingOld ??= setTimeout(wake, OLD_MS).unref();
    },
    /** There is something new in the log that should not stay there, however little it is. */
    wake,
    /** Waits until the thread has let go of the file. */
    stop: () => {
      clearTimeout(growingOld);
      if (worker == null) return;
      tell(STOP);
      tell(COMMITS);
      Atomics.wait(signal, STOPPED, 0, STOP_MS);
      void worker.terminate();
    },
  };
}

export type Checkpointer = ReturnType<typeof openCheckpointer>;
