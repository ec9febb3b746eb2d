/** Scans any text for what must not be in git: live tokens, keys, IBANs, e-mail addresses. */
import { readBytes } from '../codings/bytes-as-text.js';
import { ENTITY, findWords, readEntity } from '../codings/codings.js';
import { OCTET, plainReading, type Reading, readOctet, unwrapOnce } from '../codings/reading.js';
import type { Spot } from '../redaction/key-material.js';
import { DETECTORS, type ScanOptions } from './detectors.js';

export type { ScanOptions } from './detectors.js';

export interface ScanFinding {
  readonly kind: string;
  /** From 1; columns count UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  /** Enough to recognise it, never the whole. */
  readonly shown: string;
}

const DEEPEST = 4;
const UNPACKING = { longest: 1024 * 1024, times: 1_000 };
const MOST_UNPACKED = 512 * 1024 * 1024;

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

/** So deep may JSON stand in JSON, and percent-encoding in percent-encoding. */
const DEEPEST_READING = 2;
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/gi;
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\r', t: '\t' };

function readingsOf(text: string): Reading[] {
  const unescaped = unwrapAll(plainReading(text), JSON_ESCAPE, (found) =>
    found[1] === 'u'
      ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
      : (PLAIN_ESCAPES[found[1] ?? ''] ?? found.slice(1)),
  );
  return unescaped
    .flatMap((reading) => unwrapAll(reading, ENTITY, readEntity))
    .flatMap((reading) => unwrapAll(reading, OCTET, readOctet));
}

function unwrapAll(first: Reading, wrapping: RegExp, unwrap: (found: string) => string): Reading[] {
  const readings = [first];
  for (let depth = 0; depth < DEEPEST_READING; depth++) {
    const next = unwrapOnce(readings[depth] as Reading, wrapping, unwrap);
    if (next === null) break;
    readings.push(next);
  }
  return readings;
}
