/** Locks: a file that one process has at a time, across processes and machines that share its folder. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

export type Lock = Exclude<ReturnType<typeof takeLock>, { readonly owner: unknown }>;

/** One that is taken away may be there again before this one is. */
const MOST_ATTEMPTS = 5;

/**
 * Takes over the lock of a process of this machine that has ended. Else gives the `owner`, as far as the file tells.
 * `unique`: a text that no other lock has; `now` in epoch ms. @throws the error of the system
 */
export function takeLock(path: string, unique: string, now: number) {
  const own: LockOwner = { pid: process.pid, host: hostname(), since: new Date(now).toISOString() };
  const text = `${JSON.stringify({ ...own, id: unique })}\n`;
  for (let attempt = 0; !create(path, text); attempt++) {
    const there = read(path);
    if (there === null) continue;
    const owner = ownerOf(there);
    if (attempt >= MOST_ATTEMPTS || owner === null || !isGone(owner)) return { owner };
    takeAway(path, there, `${path}.${unique}`);
  }
  /** False where somebody has removed it since. */
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
function ownerOf(text: string): LockOwner | null {
  try {
    const { pid, host, since } = JSON.parse(text) as Partial<LockOwner>;
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'string'
      ? { pid, host, since }
      : null;
  } catch {
    return null;
  }
}

/** A process of another machine cannot be looked for: it counts as alive. */
function isGone({ pid, host }: LockOwner): boolean {
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
