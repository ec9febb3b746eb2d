/** Shows the progress of a long command on a terminal; prints nothing into a pipe. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';
import { isTerminal } from './output.js';

export type Progress = ReturnType<typeof createProgress>;

/** Steps between two looks at clock and signals. */
const STRIDE = 256;
const EVERY_MS = 200;
/** A short command says nothing. */
const SILENT_MS = 500;

export function createProgress(what: string, expected: number, { stderr, clock, signal }: CliContext) {
  const shown = isTerminal(stderr);
  const start = clock();
  let told = start + SILENT_MS - EVERY_MS;
  let written = 0;
  let looked = 0;
  const tell = (done: number): void => {
    const share = expected === 0 ? 100 : Math.min(100, Math.floor((done / expected) * 100));
    const line = `${what}: ${done.toLocaleString('en')} of ${expected.toLocaleString('en')} (${share}%)`;
    stderr.write(`\r${line.padEnd(written)}`);
    written = line.length;
  };
  return {
    /** After each step; what is to be awaited now and then lets a signal arrive, which ends the command. */
    step: (done: number): Promise<void> | undefined => {
      if (done - looked < STRIDE) return undefined;
      looked = done;
      if (shown && clock() - told >= EVERY_MS) {
        told = clock();
        tell(done);
      }
      return nextTurn().then(() => {
        if (signal.aborted)
          throw new SandgateError('run.interrupted', { what: `${what.toLowerCase()} did not end` });
      });
    },
    end: (): void => {
      if (written > 0) stderr.write(`\r${' '.repeat(written)}\r`);
      written = 0;
    },
  };
}
