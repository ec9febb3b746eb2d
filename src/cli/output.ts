/** How commands print: lines, JSON for scripts, words quoted for a shell. */
import type { Writable } from 'node:stream';

/** What was recorded came from outside: signs that steer a terminal are shown, not sent. */
export function printable(text: string): string {
  return text.replace(STEERING, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** As `printable`. */
export function printLine(stream: Writable, text = ''): void {
  stream.write(`${printable(text)}\n`);
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

/** `1 call`, `2 calls`. */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
