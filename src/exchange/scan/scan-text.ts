/** Scans any text for what must not be in git: live tokens, keys, IBANs, e-mail addresses. */

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

/** Bodies in base64; what is shorter holds no call. */
const BASE64 = /(?<![\w+/-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
const READABLE = /^[\t\n\r -~\u00a0-\uffff]+$/;

/** In the order of the text; of several at one place the first kind of the list. */
export function scanText(text: string, options: ScanOptions): ScanFinding[] {
  const readings = readingsOf(text);
  const found = readings.flatMap((reading) => findIn(reading, options));
  for (const { text: read, place } of readings)
    for (const { index, 0: run } of read.matchAll(BASE64)) {
      const decoded = Buffer.from(run, 'base64').toString('utf8');
      if (!READABLE.test(decoded)) continue;
      const [start, end] = [place(index), place(index + run.length - 1) + 1];
      for (const inner of readingsOf(decoded))
        found.push(...findIn(inner, options).map((one) => ({ ...one, start, end })));
    }
  const lineOf = createLines(text);
  return withoutOverlaps(found).map(({ kind, start, value }) => ({
    kind,
    ...lineOf(start),
    shown: masked(kind, value),
  }));
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
