/** Opens what a report is made of or checked against: files, or the store that serve would use. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  EVIDENCE_PUBLIC,
  type LoadedConfig,
  type OpenedSource,
  openFileSource,
  openSessionSource,
  pickSource,
  trustedKey,
  withWitness,
} from '../app/index.js';
import type { TrustedKey } from '../evidence/index.js';
import { SandgateError, unreadable } from '../spec/index.js';
import { createSqliteStore, type Store } from '../store/index.js';

const MOST_BYTES = 512 * 1024 * 1024;

export function readText(file: string): string {
  return readBytes(file).toString('utf8');
}

export function readBytes(file: string): Buffer {
  try {
    if (statSync(file).size > MOST_BYTES)
      throw new SandgateError('input', `${file} is larger than 512 MiB; make a report of its parts.`);
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw unreadable(file, cause);
  }
}

export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}

/** For reading only; null where there is none at that place. */
export function openStoreIfAny(path: string): Store | null {
  return path !== ':memory:' && existsSync(path) ? createSqliteStore({ path, readonly: true }) : null;
}

/** The key that the reader names, else the public one that the gateway left beside its own; null where there is none. */
export function evidenceKeyOf({ config }: LoadedConfig, named: string | undefined): TrustedKey | null {
  const file = named ?? config.evidenceKey ?? join(config.certs, EVIDENCE_PUBLIC);
  return named !== undefined || isFile(file) ? trustedKey(readText(file), file) : null;
}

export interface RecordingParts {
  readonly loaded: LoadedConfig;
  readonly today: string;
  readonly host?: string;
  /** The key that checkpoints must be signed with; that of the gateway by default. */
  readonly evidenceKey?: string;
}

/** Opens a session or a file, does the work with it, and closes the store. */
export async function withRecording<T>(
  name: string,
  parts: RecordingParts,
  work: (opened: OpenedSource) => Promise<T>,
): Promise<T> {
  const path = parts.loaded.config.store;
  const store = openStoreIfAny(path);
  try {
    const sessions = store?.sessions() ?? [];
    const session = sessions.find((one) => one.name === name);
    const known = { isFile: isFile(name), isSession: session !== undefined, store: path };
    const names = sessions.map((one) => one.name);
    if (pickSource(name, known, names) === 'file')
      return await work(openFileSource(readText(name), { ...parts, name }));
    if (store === null || session === undefined) throw new SandgateError('internal', `No session ${name}.`);
    if (parts.host !== undefined)
      throw new SandgateError('usage', '--host is for files; of a session every exchange is judged.');
    const key = evidenceKeyOf(parts.loaded, parts.evidenceKey);
    return await work(await withWitness(openSessionSource(store, session, parts), store, name, key));
  } finally {
    store?.close();
  }
}
