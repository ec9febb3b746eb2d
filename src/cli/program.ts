/** Hands the process to `run`, and its signals. */
import { constants } from 'node:os';
import { spareMemory, storeCompiledCode } from '../app/engine/index.js';
import { STOPPED } from './context.js';
import { run } from './run.js';

// Before the commands are loaded: places in them are told by source, not by the files that the build made of these.
if (process.argv.includes('--debug')) process.setSourceMapsEnabled(true);

/** Commands that read whole recordings. */
const READING: ReadonlySet<string> = new Set(['report', 'bundle', 'verify', 'erase', 'compare', 'check']);
if (READING.has(process.argv.slice(2).find((one) => !one.startsWith('-')) ?? '')) spareMemory();

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The first asks to finish, the second does not wait.
    if (stop.signal.aborted) endBy(signal);
    stop.abort(signal);
  });
}
/** As the system would: process.exit waits for a thread that reads what never comes, or writes what nobody reads. */
function endBy(signal: 'SIGINT' | 'SIGTERM'): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container survives that.
  return process.exit(STOPPED + constants.signals[signal]);
}

process.on('uncaughtException', fail);
function fail(error: Error): never {
  process.stderr.write(`An unexpected error: ${error.message}\n`);
  if (process.argv.includes('--debug')) process.stderr.write(`${error.stack}\n`);
  return process.exit(3);
}
process.stdout.on('error', failUnread);
/** A reader that went away, as in `sandgate sessions show S | head`, is no fault. */
function failUnread(error: NodeJS.ErrnoException): never {
  return error.code === 'EPIPE' ? process.exit(0) : fail(error);
}

const status = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  clock: Date.now,
  signal: stop.signal,
});
function leave(): never {
  if (status !== STOPPED) return process.exit(status);
  storeCompiledCode();
  return endBy(stop.signal.reason);
}
// What was written before may fail only now.
process.stdout.write('', (error) => (error instanceof Error ? failUnread(error) : leave()));
/** Whoever was asked to stop waits no longer for a reader that stands still. What is cut off is no success. */
const leaveSoon = () =>
  setTimeout(async () => {
    if (status > 1 || process.stdout.writableLength === 0) leave();
    const { SandgateError } = await import('../spec/index.js');
    const { message } = new SandgateError('run.interrupted', { what: 'not all of it was written' });
    process.stderr.write(`${message}\n`);
    endBy(stop.signal.reason);
  }, 1_000);
if (stop.signal.aborted) leaveSoon();
else stop.signal.addEventListener('abort', leaveSoon);
