/** Replaces personal values in JSON text by pseudonyms, in place; a truncated text is read as far as it goes. */
import { closingQuote, isName } from '../json-text.js';
import { type PersonalKind, personalKindOf } from './pseudonymised-fields.js';

/** The value that stands instead; the same one where nothing is personal. */
export type Replace = (value: string, kind: PersonalKind | undefined) => string;

interface Scan {
  readonly text: string;
  readonly replace: Replace;
  out: string;
  /** Up to here the text is in `out`. */
  copied: number;
  kind: PersonalKind | undefined;
}

/** Order, blanks, numbers and doubled members stay as they were. Entries of a list are what the list is. */
export function pseudonymiseJson(text: string, replace: Replace): string {
  const scan: Scan = { text, replace, out: '', copied: 0, kind: undefined };
  const lists: (PersonalKind | undefined | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"') {
      at = readString(scan, at);
      continue;
    }
    if (char === '[') lists.push(scan.kind);
    else if (char === '{') {
      lists.push(null);
      scan.kind = undefined;
    } else if (char === ']' || char === '}') {
      lists.pop();
      scan.kind = undefined;
    } else if (char === ',') scan.kind = lists.at(-1) ?? undefined;
    else if (char >= '0' && char <= '9') {
      at = readNumber(scan, at);
      continue;
    }
    at += 1;
  }
  return scan.copied === 0 ? text : scan.out + text.slice(scan.copied);
}

/** A member's name or a value; gives the place behind it. */
function readString(scan: Scan, start: number): number {
  const { text } = scan;
  const end = closingQuote(text, start);
  const whole = end < text.length;
  const next = whole ? end + 1 : end;
  const value = unescaped(text.slice(start + 1, end));
  if (whole && isName(text, next)) {
    scan.kind = personalKindOf(value);
    const other = scan.replace(value, undefined);
    if (other !== value) write(scan, start, next, JSON.stringify(other));
    return next;
  }
  const made = scan.replace(value, scan.kind);
  if (made !== value) {
    const literal = JSON.stringify(made);
    write(scan, start, next, whole ? literal : literal.slice(0, -1));
  }
  return next;
}

/** A card number may stand as a number. */
function readNumber(scan: Scan, start: number): number {
  const { text, kind } = scan;
  let end = start + 1;
  while (end < text.length && /[\d.eE+-]/.test(text[end] as string)) end += 1;
  const digits = text.slice(start, end);
  if (kind !== undefined && /^\d+$/.test(digits)) write(scan, start, end, scan.replace(digits, 'number'));
  return end;
}

function write(scan: Scan, start: number, end: number, by: string): void {
  scan.out += scan.text.slice(scan.copied, start) + by;
  scan.copied = end;
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
