/** How commands print: aligned tables, JSON for scripts, words quoted for a shell. */
import type { Writable } from 'node:stream';

export function printLine(stream: Writable, text = ''): void {
  stream.write(`${text}\n`);
}

export function printJson(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Rows in columns of equal width; `head` in capitals. */
export function printTable(
  stream: Writable,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const all = [head.map((cell) => cell.toUpperCase()), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    printLine(stream, cells.join('  ').trimEnd());
  }
}

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether a person looks at the stream. */
export function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
