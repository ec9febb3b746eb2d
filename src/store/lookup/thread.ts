/** The thread of a look-up index: with connections of its own it keeps the index up to its store, and searches. */
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from '../sqlite/driver.js';
import { openDatabase } from '../sqlite/driver.js';
import { storeFault } from '../sqlite/faults.js';
import { createSqliteStore } from '../sqlite/store.js';
import { isUnsound, openIndex, removeIndex } from './index-file.js';
import { createIndexReader } from './index-reader.js';
import { createIndexWriter, type IndexWriter, STEP } from './index-writer.js';
import { type Asked, createAnswerer, type FromThread, indexPath } from './lookup.js';
import type { Index } from './search.js';

/** How often a store without news is asked whether it has changed, in ms. */
const IDLE_MS = 200;
/** After a step, which takes some ten ms; longer while calls are recorded, since who answers them needs the processors. */
const REST_MS = 10;
const REST_WHILE_BUSY_MS = 250;
/** After many calls at once more are awaited for so long, in ms. */
const LULL_MS = 10_000;
/** While more is recorded than it could follow at that pace, it does not try. */
const REST_WHILE_BEHIND_MS = 2_000;
/** Calls a second that leave the processors to it. */
const FEW = 100;
/** After a failure, in ms. */
const RETRY_MS = 10_000;

const { path, keyFile } = workerData as { readonly path: string; readonly keyFile?: string };
const port = parentPort as MessagePort;
const file = indexPath(path);
const store = createSqliteStore({ path, keyFile, readonly: true });
/** Its records go into the index, which holds nothing that is enciphered. */
const blind = createSqliteStore({ path, readonly: true, isBlind: true });
const watch = openDatabase({ path, readonly: true });
const version = watch.prepare('PRAGMA data_version').pluck();
const recorded = watch.prepare('SELECT total(exchanges) FROM chains').pluck();
/** With each erasure the index is made anew: it holds what was erased. */
const identity = watch.prepare("SELECT store || ' ' || erasures FROM identity").pluck();

const stop = new AbortController();
let index: Opened | null = null;
let hasFailed = false;

const tell = (message: FromThread): void => port.postMessage(message);

interface Opened {
  readonly db: Database;
  readonly of: string;
  readonly reader: Index;
  readonly writer: IndexWriter;
}

function open(): Opened {
  const of = String(identity.get());
  const db = openIndex(file, of);
  if (hasFailed) tell({ problem: null });
  hasFailed = false;
  return { db, of, reader: createIndexReader(db, watch), writer: createIndexWriter(db, blind) };
}

/** Searching goes on without it; later it is opened again, or made anew. */
function fail(error: unknown): void {
  index?.db.close();
  index = null;
  if (isUnsound(error)) removeIndex(file);
  if (!hasFailed) tell({ problem: storeFault(error, file).message });
  hasFailed = true;
}

const look = createAnswerer(store, () => index?.reader ?? null);

async function answer({ id, ...question }: Asked): Promise<void> {
  try {
    tell({ id, found: await look(question) });
  } catch (error) {
    if (isUnsound(error)) fail(error);
    // Who asked looks for itself, and meets what there is to meet.
    tell({ id, found: null });
  }
}

port.on('message', (asked: Asked | 'stop') => {
  if (asked === 'stop') stop.abort();
  else void answer(asked);
});

// On Linux the priority of the thread alone.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

let seen: unknown;
let counted = Number(recorded.get());
let rest = IDLE_MS;
/** Rested since many came at once, in ms. */
let lull = LULL_MS;

/** By how much was recorded since the last step. */
function restAfterStep(): number {
  const count = Number(recorded.get());
  const grown = count - counted;
  counted = count;
  if (grown > STEP) lull = 0;
  if (grown * 1_000 <= FEW * rest && lull >= LULL_MS) return REST_MS;
  return grown > (STEP * rest) / REST_WHILE_BUSY_MS ? REST_WHILE_BEHIND_MS : REST_WHILE_BUSY_MS;
}

while (!stop.signal.aborted) {
  try {
    index ??= open();
    const now = version.get();
    if (now !== seen && index.of !== identity.get()) {
      index.db.close();
      index = open();
    }
    if (now === seen) rest = IDLE_MS;
    else if (index.writer.step()) rest = restAfterStep();
    else {
      seen = now;
      rest = IDLE_MS;
    }
  } catch (error) {
    fail(error);
    rest = RETRY_MS;
  }
  await pause(rest, undefined, { signal: stop.signal }).catch(() => undefined);
  lull += rest;
}
index?.db.close();
watch.close();
store.close();
blind.close();
port.close();
