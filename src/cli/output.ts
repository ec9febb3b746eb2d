/** How commands print: lines, JSON for scripts, words quoted for a shell. */
import type { Writable } from 'node:stream';

export function printLine(stream: Writable, text = ''): void {
  stream.write(`${text}\n`);
}

export function printJson(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether a person looks at the stream. */
export function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
