/** Stores and records for tests: real files in a directory of their own. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FactChange, readStored } from '../../src/bank/index.js';
import { createIdSource, redactExchange } from '../../src/exchange/index.js';
import {
  createSqliteStore,
  type LocalStore,
  type RecordedExchange,
  SLOTS,
  type SqliteStoreOptions,
  type Store,
} from '../../src/store/index.js';
import { type AnswerParts, aCertificate, anExchange, type CallParts, fingerprint, NOW } from '../builders.js';

/** Bytes that tests may have in it at once, and some more. */
const ROOM = 2_147_483_648;
const MEMORY = '/dev/shm';

/** Memory where there is room: no test outlives the machine, and to wait for a disk took most of the time of a store. */
const FOLDER = !process.env.TMPDIR && hasRoom(MEMORY) ? MEMORY : tmpdir();

/** False too where it is not there, or not to be written to. */
function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM;
  } catch {
    return false;
  }
}

/** A path that does not exist yet; its directory goes when the test is over. */
export function aPath(name = 'sandgate.db'): string {
  const directory = mkdtempSync(join(FOLDER, 'sandgate-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  return join(directory, name);
}

export function aStore(options: Partial<SqliteStoreOptions> = {}): LocalStore {
  const store = createSqliteStore({ path: options.path ?? aPath(), ...options });
  onTestFinished(store.close);
  return store;
}

const certificate = aCertificate();

/** Makes records one after another, a millisecond apart. */
export function recordSource(session = 'test', start = NOW, slot = 0) {
  let now = start;
  const nextId = createIdSource({ clock: () => now, slot: { number: slot, of: SLOTS } });
  return (parts: { call?: CallParts; answer?: AnswerParts | null } = {}): RecordedExchange => {
    now += 1;
    const made = anExchange({ ...parts, call: { certificate, id: nextId(), at: now, ...parts.call } });
    const exchange = redactExchange({ ...made, call: made.call.with({ session }) }, fingerprint);
    return { exchange, verdicts: { 'requests/known-path': 'complied' }, findings: [] };
  };
}

export function append(store: LocalStore, ...records: readonly RecordedExchange[]): void {
  store.append({ records, changes: [] });
}

export const idsIn = (store: LocalStore, session = 'test'): string[] =>
  [...store.read(session)].map(({ exchange }) => exchange.call.id);

/** The facts of a world without snapshots, those that changed longest ago first. */
export async function factsIn(store: Pick<Store, 'worlds'>, world = ''): Promise<FactChange[]> {
  return (await store.worlds.layers(world)).flatMap(({ facts }) => [...facts].map(readStored));
}
