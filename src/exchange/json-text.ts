/** Parses a JSON file, and says where it cannot be parsed. */
import { SandgateError } from '../spec/index.js';

/** More than this is not held in memory; a session of that size belongs in a store. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/**
 * The value of a JSON text. `name` is what the user called it; a fault is one SandgateError, which names its place in
 * `whole` where the text is but a part of that.
 */
export function parseJsonText(text: string, name: string, whole = () => text): unknown {
  if (text.length > MOST_CHARACTERS)
    throw new SandgateError('file.too-large', { file: name, most: '256 MiB' });
  try {
    return JSON.parse(withoutMark(text));
  } catch (cause) {
    throw brokenJson(whole(), name, cause);
  }
}

/** The error of a text that is no JSON: it names line and column. */
export function brokenJson(whole: string, name: string, cause: unknown): SandgateError {
  const text = withoutMark(whole);
  if (text.trim() === '') return new SandgateError('file.empty', { file: name }, { cause });
  return new SandgateError('file.no-json', { file: name, ...locateJsonFault(text) }, { cause });
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma' | 'end';

/** The place where a text stops being JSON, line and column from 1; the end of a text that is JSON. */
export function locateJsonFault(text: string): { readonly line: number; readonly column: number } {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const char = text[at] as string;
    const end = tokenEnd(text, at);
    const next: Expected | undefined = end < 0 ? undefined : step(expected, char, open);
    if (next === undefined) break;
    expected = next;
    at = skipSpace(text, end);
  }
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1 };
}

/** The tokens that may follow one that begins with `char`; undefined if it may not stand here. */
function step(expected: Expected, char: string, open: ('{' | '[')[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');
  switch (char) {
    case '{':
    case '[':
      if (expected !== 'value' && expected !== 'value-or-end') return undefined;
      open.push(char);
      return char === '{' ? 'key-or-end' : 'value-or-end';
    case '}':
      if (open.at(-1) !== '{' || (expected !== 'key-or-end' && expected !== 'comma')) return undefined;
      open.pop();
      return afterValue();
    case ']':
      if (open.at(-1) !== '[' || (expected !== 'value-or-end' && expected !== 'comma')) return undefined;
      open.pop();
      return afterValue();
    case ',':
      if (expected !== 'comma') return undefined;
      return open.at(-1) === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (char === '"' && (expected === 'key' || expected === 'key-or-end')) return 'colon';
      return expected === 'value' || expected === 'value-or-end' ? afterValue() : undefined;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** The end of the token that begins at `at`; -1 if none begins there. */
function tokenEnd(text: string, at: number): number {
  const char = text[at] as string;
  if ('{}[]:,'.includes(char)) return at + 1;
  if (char === '"') return stringEnd(text, at);
  for (const pattern of [WORD, NUMBER]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return -1;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function stringEnd(text: string, at: number): number {
  let i = at + 1;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i + 1;
    if (code < 0x20) return -1;
    if (code === 0x5c) {
      ESCAPE.lastIndex = i;
      if (!ESCAPE.test(text)) return -1;
      i = ESCAPE.lastIndex;
    } else i++;
  }
  return -1;
}

/** The place of what follows blanks. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++;
  return at;
}

/** The closing quote of the string that begins at `opening`; the end of the text if there is none. */
export function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

/** Whether the string that ends before `end` is the name of a member. */
export const isName = (text: string, end: number): boolean => text[skipSpace(text, end)] === ':';

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

/** Replacements for each name, text and number of a JSON text. */
export interface JsonChange<L> {
  /** The level inside an object or a list that is the value of a member. */
  readonly enter: (level: L, member: string) => L;
  readonly name: (name: string) => string;
  readonly text: (text: string, member: string, level: L) => string;
  readonly number: (literal: string, member: string, level: L) => string;
}

/**
 * Changes a JSON text in place: order, white space, numbers and repeated members stay as they were. The entries of a list
 * belong to its member. A truncated text is read as far as it goes; the same text comes back where nothing changes.
 */
export function changeJson<L>(text: string, outer: L, change: JsonChange<L>): string {
  const open = [{ level: outer, member: '', isList: false }];
  let [member, out, copied, at] = ['', '', 0, 0];
  const write = (start: number, by: string): void => {
    out += text.slice(copied, start) + by;
    copied = at;
  };
  while (at < text.length) {
    const start = at;
    const { level, isList } = open.at(-1) ?? { level: outer, isList: false };
    const char = text[at] as string;
    at++;
    if (char === '"') {
      const end = closingQuote(text, start);
      const value = unescaped(text.slice(start + 1, end));
      at = Math.min(end + 1, text.length);
      const isMember = isName(text, at);
      if (isMember) member = value;
      const other = isMember ? change.name(value) : change.text(value, member, level);
      if (other !== value) write(start, JSON.stringify(other).slice(0, end < text.length ? undefined : -1));
    } else if (char === '{' || char === '[') {
      open.push({ level: change.enter(level, member), member, isList: char === '[' });
      if (char === '{') member = '';
    } else if (char === '}' || char === ']') member = open.pop()?.member ?? '';
    else if (char === ',' && !isList) member = '';
    else if (char === '-' || (char >= '0' && char <= '9')) {
      while (at < text.length && /[\d.eE+-]/.test(text[at] as string)) at++;
      const literal = text.slice(start, at);
      const other = change.number(literal, member, level);
      if (other !== literal) write(start, other);
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function unescaped(inner: string): string {
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    // Cut in the middle of an escape, or none at all.
    return inner;
  }
}
