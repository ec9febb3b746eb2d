/** How commands print: lines, JSON for scripts, words quoted for a shell. */
import type { Writable } from 'node:stream';

export const STANDARD_OUTPUT = '-';

/** Opened by these names, a log that it is appended to would begin anew, and a socket could not be. */
const ITS_NAMES = [STANDARD_OUTPUT, '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];

/** The file that `--out` names; undefined: standard output. */
export const fileToWrite = (out: string | undefined): string | undefined =>
  out !== undefined && ITS_NAMES.includes(out) ? undefined : out;

/** Recorded text comes from outside: characters that steer a terminal are shown, not sent. */
export function printable(text: string): string {
  return text.replace(STEERING, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** `printable`, with each run of blanks and line ends as one blank. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' '));

export function printLine(stream: Writable, text = ''): void {
  stream.write(`${printable(text)}\n`);
}

/** Prints like JSON.stringify with an indent of two, but in pieces: the text of a long list may need more memory than the list. */
export function printJson(stream: Writable, value: unknown): void {
  let text = '';
  for (const piece of jsonPieces(value, '\n', LISTS_DEEP)) {
    text += piece;
    if (text.length < PIECE) continue;
    stream.write(text);
    text = '';
  }
  stream.write(`${text}\n`);
}

const PIECE = 65_536;
/** The depth of items in long lists: `findings`, one of them, its `occurrences`. */
const LISTS_DEEP = 4;

/** `line`: a line end with the indent that the value stands at. */
function* jsonPieces(value: unknown, line: string, deep: number): Generator<string> {
  if (deep === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', line);
    return;
  }
  const isList = Array.isArray(value);
  const inner = `${line}  `;
  let before = isList ? '[' : '{';
  let isEmpty = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield `${before}${inner}${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* jsonPieces(member, inner, deep - 1);
    before = ',';
    isEmpty = false;
  }
  yield isEmpty ? (isList ? '[]' : '{}') : `${line}${isList ? ']' : '}'}`;
}

/** In characters; undefined where nothing is to be cut: in a pipe, and on a terminal that gives 0 because it does not know. */
export const widthOf = ({ columns }: { columns?: number }): number | undefined => columns || undefined;

export function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
