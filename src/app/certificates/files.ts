/** Writes certificates and keys to files: atomically, keys readable by their owner only, one process at a time. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { takeLock } from '../../files/index.js';
import { SandgateError, unreadable, unwritable } from '../../spec/index.js';
import { makeDirectory } from '../../store/index.js';

export interface PemPair {
  readonly pem: string;
  readonly keyPem: string;
}

const OWNER_ONLY = 0o600;
const FOR_ALL = 0o644;
const LOCK = '.making';
const RETRY_MS = 50;
const PATIENCE_MS = 30_000;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const besides = (path: string): string => `${path}.${randomBytes(6).toString('hex')}.tmp`;

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unreadable(path, error);
  }
}

/** Writes a file whole or not at all; `secret` for its owner only, from the first byte on. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  kind: 'secret' | 'public',
): Promise<void> {
  const temporary = besides(path);
  try {
    const mode = kind === 'secret' ? OWNER_ONLY : FOR_ALL;
    await writeFile(temporary, content, { flag: 'wx', mode, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}

/** Makes a folder for keys where there is none; one that is there keeps its mode. */
export function makeFolder(dir: string): void {
  try {
    makeDirectory(dir);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new SandgateError('certs.folder', { dir, why }, { cause });
  }
}

/** null where there is no certificate; `keyPem` is empty where only the key is missing. */
export async function readPair(dir: string, name: string): Promise<PemPair | null> {
  const [pem, keyPem] = await Promise.all([
    readIfThere(join(dir, `${name}.pem`)),
    readIfThere(join(dir, `${name}.key`)),
  ]);
  return pem === null ? null : { pem, keyPem: keyPem ?? '' };
}

export async function writePair(dir: string, name: string, pair: PemPair): Promise<void> {
  await writeWhole(join(dir, `${name}.key`), pair.keyPem, 'secret');
  await writeWhole(join(dir, `${name}.pem`), pair.pem, 'public');
}

/** Runs `work` while no other process runs its own in the same folder. */
export async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dir, LOCK);
  const since = performance.now();
  for (;;) {
    const taken = lockAt(lock);
    if ('release' in taken) return work().finally(taken.release);
    if (performance.now() - since > PATIENCE_MS) throw new SandgateError('certs.locked', { lock });
    await pause(RETRY_MS);
  }
}

function lockAt(path: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(path, randomBytes(6).toString('hex'), Date.now());
  } catch (cause) {
    throw unwritable(path, cause);
  }
}
