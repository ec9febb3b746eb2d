/** Delivers checkpoints outside the store, where those who hold the store cannot take them back. */
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
