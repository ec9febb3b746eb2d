/** Finds where in a JSON text a member stands, by the path that a place names. */
import { closingQuote, isName, skipSpace } from './json-text.js';

export interface Located {
  /** The value, with its quotes: from its first character to behind its last. */
  readonly from: number;
  readonly to: number;
  /** False: the member is not there, and this is the nearest one that should hold it. */
  readonly isThere: boolean;
}

/**
 * `access.accounts[0].iban`; `[]` is any entry, which is the first. Names may have dots in them. The text must parse; of
 * members that occur twice the last counts, as for most readers.
 */
export function locateMember(text: string, path: string): Located {
  let at = skipSpace(text, 0);
  let rest = path;
  for (;;) {
    const to = valueEnd(text, at);
    if (rest === '') return { from: at, to, isThere: true };
    const next = text[at] === '{' ? memberIn(text, at, rest) : entryIn(text, at, rest);
    if (next === null) return { from: at, to, isThere: false };
    [at, rest] = next;
  }
}

/** The start of the value of the member that `rest` begins with, and the remainder of `rest`. */
function memberIn(text: string, opening: number, rest: string): [number, string] | null {
  const wanted = rest.startsWith('.') ? rest.slice(1) : rest;
  let found: [number, string] | null = null;
  for (let at = skipSpace(text, opening + 1); text[at] === '"'; ) {
    const end = closingQuote(text, at) + 1;
    const name = JSON.parse(text.slice(at, end)) as string;
    const value = skipSpace(text, skipSpace(text, end) + 1);
    const left = wanted.slice(name.length);
    if (wanted.startsWith(name) && /^(?:$|[.[])/.test(left)) found = [value, left];
    at = skipSpace(text, valueEnd(text, value));
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function entryIn(text: string, opening: number, rest: string): [number, string] | null {
  const [sign, number] = /^\[(\d*)\]/.exec(rest) ?? [];
  if (sign === undefined || text[opening] !== '[') return null;
  let at = skipSpace(text, opening + 1);
  for (let left = Number(number); text[at] !== ']'; left--) {
    if (left === 0) return [at, rest.slice(sign.length)];
    at = skipSpace(text, valueEnd(text, at));
    if (text[at] !== ',') return null;
    at = skipSpace(text, at + 1);
  }
  return null;
}

function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return closingQuote(text, from) + 1;
  if (first !== '{' && first !== '[') {
    let at = from;
    while (at < text.length && !',]} \t\n\r'.includes(text[at] as string)) at++;
    return at;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"') at = closingQuote(text, at);
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The name of the first member that an object holds twice; undefined where none does. The text must parse. */
export function repeatedMember(text: string): string | undefined {
  /** Names of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const literal = text.slice(at, closingQuote(text, at) + 1);
      at += literal.length - 1;
      const names = open.at(-1);
      if (names == null || !isName(text, at + 1)) continue;
      const name = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}
