/** Writes long output piece by piece, at the pace of its reader. */
import { once } from 'node:events';
import type { CliContext } from './context.js';

/** Waits for a slow reader, so that a large session never lies in memory. False: nobody reads on. */
export async function send({ stdout, signal }: CliContext, text: string): Promise<boolean> {
  if (signal.aborted || stdout.destroyed) return false;
  if (stdout.write(text)) return true;
  const done = new AbortController();
  try {
    await Promise.race([
      once(stdout, 'drain', { signal: done.signal }),
      once(stdout, 'close', { signal: done.signal }),
    ]);
  } finally {
    done.abort();
  }
  return !stdout.destroyed;
}
