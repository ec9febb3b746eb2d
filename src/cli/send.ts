/** Writes long output piece by piece, at the pace of its reader. */
import { once } from 'node:events';
import { SandgateError } from '../spec/index.js';
import type { Chunks } from '../store/index.js';
import type { CliContext } from './context.js';

/** Waits for a slow reader, so that a large session never lies in memory. False: nobody reads on, or a signal came. */
export async function send({ stdout, signal }: CliContext, text: string | Uint8Array): Promise<boolean> {
  if (signal.aborted || stdout.destroyed) return false;
  if (stdout.write(text)) return true;
  const done = new AbortController();
  try {
    await Promise.race([
      once(stdout, 'drain', { signal: done.signal }),
      once(stdout, 'close', { signal: done.signal }),
      once(signal, 'abort', { signal: done.signal }),
    ]);
  } finally {
    done.abort();
  }
  return !stdout.destroyed && !signal.aborted;
}

/** What is nothing in part: throws a SandgateError where a signal came before its end. */
export async function sendAll(context: CliContext, texts: Chunks): Promise<void> {
  for await (const text of texts) {
    if (await send(context, text)) continue;
    if (context.signal.aborted)
      throw new SandgateError('run.interrupted', { what: 'not all of it was written' });
    return;
  }
}
