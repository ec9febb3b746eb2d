/** Delivers checkpoints outside the store, one after the other, where those who hold the store cannot take them back. */
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';

/** A command that has not ended by then is ended. */
const COMMAND_MS = 10_000;

/**
 * @param to a file that each checkpoint is added to as a line; after a leading `|` a command for the shell, which gets
 *   one on standard input each time
 */
export function publisherTo(to: string): (statement: string) => Promise<void> {
  if (!to.startsWith('|')) return (statement) => appendFile(to, statement, { mode: 0o600 });
  return (statement) => runWith(to.slice(1), statement);
}

function runWith(command: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'], timeout: COMMAND_MS });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`the command ended with ${signal ?? `status ${code}`}`));
    });
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

export type Queue<T> = ReturnType<typeof createQueue<T>>;

/** So many wait at most; beyond it the oldest go, which is told. */
const MOST_WAITING = 1_000;

export function createQueue<T>(work: (item: T) => Promise<void>, onProblem: (error: unknown) => void) {
  const waiting: T[] = [];
  let running: Promise<void> | null = null;
  let isClosing = false;
  const run = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        onProblem(error);
        // Nobody waits for a place that hangs to fail once for each.
        if (isClosing) waiting.length = 0;
      }
    }
    running = null;
  };
  return {
    /** Returns at once; a failure is reported, and does not keep the next item back. */
    add: (item: T): void => {
      waiting.push(item);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        onProblem(new Error(`more than ${MOST_WAITING} checkpoints wait`));
      }
      running ??= run();
    },
    /** Resolves when all items are done, or the first of them has failed. */
    close: async (): Promise<void> => {
      isClosing = true;
      await running;
    },
  };
}
