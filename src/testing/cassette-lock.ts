/** The lock on a cassette: one gateway records it at a time. */
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type Lock, type LockOwner, takeLock } from '../files/index.js';
import { SandgateError, unwritable } from '../spec/index.js';
import { makeDirectory } from '../store/index.js';

/** Writes `FILE.lock` beside the cassette. @throws SandgateError where another has it, or the folder cannot be written */
export function lockCassette(file: string, unique: string, now: number): Lock {
  const path = `${resolve(file)}.lock`;
  try {
    makeDirectory(dirname(path), 0o777);
    const taken = takeLock(path, unique, now);
    if ('owner' in taken) throw beingRecorded(file, path, taken.owner);
    return taken;
  } catch (cause) {
    throw cause instanceof SandgateError ? cause : unwritable(`The cassette ${file}`, cause);
  }
}

function beingRecorded(file: string, path: string, owner: LockOwner | null): SandgateError {
  const who =
    owner === null
      ? 'another gateway'
      : owner.pid === process.pid && owner.host === hostname()
        ? `another gateway of this process, since ${owner.since}`
        : `another gateway, of process ${owner.pid} on ${owner.host}, since ${owner.since}`;
  return new SandgateError('testing.locked', { file, who, lock: path });
}
