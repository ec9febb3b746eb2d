/** Asks a person to authorise in a browser, and for the address that it came back to. */
import { createInterface } from 'node:readline';
import type { AskPerson } from '../app/rerun/index.js';
import { SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';

export interface Person {
  readonly ask: AskPerson;
  readonly close: () => void;
}

/** `onAsk` is told before each question: a line of progress would stand in its way. */
export function createPerson({ stdin, stderr, signal }: CliContext, onAsk: () => void): Person {
  // Not as a terminal: that would swallow Ctrl-C.
  const lines = createInterface({ input: stdin, terminal: false });
  const read = lines[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new SandgateError('run.interrupted', { what: 'the PSU had not authorised yet' }));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  aborted.catch(() => undefined);
  return {
    ask: async ({ number, address, problem }) => {
      onAsk();
      stderr.write(
        problem === undefined
          ? `Call ${number} is for the PSU. Open this address in a browser and authorise:\n\n  ${address}\n\nThen paste the address that the browser was sent back to (an empty line skips it):\n`
          : `This address does not fit: ${problem}. Please try again (an empty line skips it):\n`,
      );
      const { value = '', done } = await Promise.race([read.next(), aborted]);
      const text = done === true ? '' : value.trim();
      return text === '' ? null : text;
    },
    close: () => lines.close(),
  };
}
