/** Scans any text for what must not be in git: live tokens, keys, IBANs, e-mail addresses. */

import { readBytes } from '../codings/bytes-as-text.js';
import { findWords } from '../codings/codings.js';
import type { Spot } from '../redaction/spot.js';
import { DETECTORS, type ScanOptions } from './detectors.js';
import { type Reading, readingsOf } from './readings.js';

export type { ScanOptions } from './detectors.js';

export interface ScanFinding {
  /** In the words of the reader: `bearer token`, `IBAN`, or the name of the field. */
  readonly kind: string;
  /** From 1; columns count UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  /** Enough to recognise it, never the whole. */
  readonly shown: string;
}

/** So deep may one coding stand in another. */
const DEEPEST = 4;
/** Nobody waits for an answer meanwhile. */
const UNPACKING = { longest: 1024 * 1024, times: 1_000 };
/** Of a file, in bytes. */
const MOST_UNPACKED = 512 * 1024 * 1024;

/** The text of a file: UTF-8 or UTF-16, packed or not. */
export function textOfBytes(bytes: Buffer): string {
  return readBytes(bytes, MOST_UNPACKED)?.text ?? bytes.toString('utf8');
}

/** In the order of the text; of several at one place the first kind of the list. */
export function scanText(text: string, options: ScanOptions): ScanFinding[] {
  const found = findDeep(text, options, 0);
  const lineOf = createLines(text);
  return withoutOverlaps(found).map(({ kind, start, value }) => ({
    kind,
    ...lineOf(start),
    shown: masked(kind, value),
  }));
}

function findDeep(text: string, options: ScanOptions, depth: number): Spot[] {
  const readings = readingsOf(text);
  const found = readings.flatMap((reading) => findIn(reading, options));
  if (depth === DEEPEST) return found;
  for (const { text: read, place } of readings)
    for (const { start, end, text: inner } of findWords(read, UNPACKING)) {
      const around = { start: place(start), end: place(end - 1) + 1 };
      found.push(...findDeep(inner, options, depth + 1).map((one) => ({ ...one, ...around })));
    }
  return found;
}

function findIn({ text, place }: Reading, options: ScanOptions): Spot[] {
  return DETECTORS.flatMap((detect) => detect(text, options)).map((one) => ({
    ...one,
    start: place(one.start),
    end: place(one.end - 1) + 1,
  }));
}

function withoutOverlaps(found: readonly Spot[]): Spot[] {
  const kept: Spot[] = [];
  // The sort is stable: at one place the order of the detectors stays.
  for (const one of [...found].sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
  }
  return kept;
}

const SHOWN = 4;
const LONG_ENOUGH = 16;

/** A quarter of it at most: of what is short nothing at all. */
function masked(kind: string, value: string): string {
  if (kind.startsWith('private key')) return '';
  const start = value.length >= LONG_ENOUGH ? value.slice(0, SHOWN).replace(/[^\x21-\x7e]/g, '?') : '';
  return `${start}… (${value.length} characters)`;
}

function createLines(text: string): (at: number) => Pick<ScanFinding, 'line' | 'column'> {
  let [line, begin] = [1, 0];
  // Asked in rising order.
  return (at) => {
    for (let end = text.indexOf('\n', begin); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
      line++;
      begin = end + 1;
    }
    return { line, column: at - begin + 1 };
  };
}
