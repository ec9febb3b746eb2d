/** Hands checkpoints on to a place outside the store: whoever holds the store cannot take them back from there. */
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';

export interface Publisher {
  /** Returns at once; what fails is told, and does not keep the next one back. */
  readonly publish: (statement: string) => void;
  /** Resolves when all that was given has left, or the first of it has failed. */
  readonly close: () => Promise<void>;
}

/** So many wait at most; beyond it the oldest go, which is told. */
const MOST_WAITING = 1_000;
/** A command that has not ended by then is ended. */
const COMMAND_MS = 10_000;

/**
 * @param to a file that each checkpoint is added to as a line; after a leading `|` a command for the shell, which gets
 *   one on standard input each time
 */
export function createPublisher(to: string, onProblem: (error: unknown) => void): Publisher {
  const send = to.startsWith('|')
    ? commandOf(to.slice(1))
    : (line: string) => appendFile(to, line, { mode: 0o600 });
  const waiting: string[] = [];
  let running: Promise<void> | null = null;
  let isClosing = false;
  const run = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      try {
        await send(line);
      } catch (error) {
        onProblem(error);
        // Nobody waits for a place that hangs to fail once for each.
        if (isClosing) waiting.length = 0;
      }
    }
    running = null;
  };
  return {
    publish: (statement) => {
      waiting.push(statement);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        onProblem(new Error('too many checkpoints wait'));
      }
      running ??= run();
    },
    close: async () => {
      isClosing = true;
      await running;
    },
  };
}

function commandOf(command: string): (line: string) => Promise<void> {
  return (line) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'], timeout: COMMAND_MS });
      child.on('error', reject);
      child.on('close', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`the command ended with ${signal ?? `status ${code}`}`));
      });
      // It may end without reading.
      child.stdin.on('error', () => {});
      child.stdin.end(line);
    });
}
