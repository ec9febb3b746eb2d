/** The lock on a cassette: one gateway records it at a time, across processes and machines that share its folder. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { SandgateError, unwritable } from '../spec/index.js';
import { makeDirectory } from '../store/index.js';

export type CassetteLock = ReturnType<typeof lockCassette>;

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** One that is taken away may be there again before this one is. */
const MOST_ATTEMPTS = 5;

/**
 * Writes `FILE.lock` beside the cassette. One of a process of this machine that is gone is taken over.
 * `unique`: a text that no other lock has; `now` in epoch ms.
 * @throws SandgateError where another has it, with who that is; where the folder cannot be written
 */
export function lockCassette(file: string, unique: string, now: number) {
  const path = `${resolve(file)}.lock`;
  const owner: Owner = { pid: process.pid, host: hostname(), since: new Date(now).toISOString() };
  const text = `${JSON.stringify({ ...owner, id: unique })}\n`;
  try {
    makeDirectory(dirname(path), 0o777);
    for (let attempt = 0; !create(path, text); attempt++) {
      const found = read(path);
      if (found === null) continue;
      const other = ownerOf(found);
      if (attempt >= MOST_ATTEMPTS || other === null || !isGone(other))
        throw beingRecorded(file, path, other);
      takeAway(path, found, `${path}.${unique}`);
    }
  } catch (cause) {
    throw cause instanceof SandgateError ? cause : unwritable(`The cassette ${file}`, cause);
  }
  /** False where somebody has removed it since: another may have recorded the cassette. */
  const isHeld = (): boolean => read(path) === text;
  const release = (): void => {
    process.removeListener('exit', release);
    if (isHeld()) rmSync(path, { force: true });
  };
  process.once('exit', release);
  return { isHeld, release };
}

/** False where there is one already. */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
}

/** null: nobody knows; it may be about to be written. */
function ownerOf(text: string): Owner | null {
  try {
    const { pid, host, since } = JSON.parse(text) as Partial<Owner>;
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'string'
      ? { pid, host, since }
      : null;
  } catch {
    return null;
  }
}

/** A process of another machine cannot be looked for: it counts as alive. */
function isGone({ pid, host }: Owner): boolean {
  if (host !== hostname() || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Two may see the same lock of a dead process: whoever finds that it moved another one puts it back. */
function takeAway(path: string, seen: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw cause;
  }
  if (read(aside) === seen) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function beingRecorded(file: string, path: string, owner: Owner | null): SandgateError {
  const who =
    owner === null
      ? 'another gateway'
      : owner.pid === process.pid && owner.host === hostname()
        ? `another gateway of this process, since ${owner.since}`
        : `another gateway, of process ${owner.pid} on ${owner.host}, since ${owner.since}`;
  return new SandgateError('testing.locked', { file, who, lock: path });
}
