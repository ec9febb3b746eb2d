/** Unwraps text (JSON strings, entities of HTML, percent-encoding), with the way back to the original positions. */
import { ENTITY, readEntity } from '../codings/codings.js';

export interface Reading {
  readonly text: string;
  /** Where a character stands in the file. */
  readonly place: (at: number) => number;
}

/** So deep may JSON stand in JSON, and percent-encoding in percent-encoding. */
const DEEPEST = 2;
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/gi;
const OCTET = /%[0-9a-f]{2}/gi;
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\r', t: '\t' };

/** The text itself first; others only where they read otherwise. */
export function readingsOf(text: string): Reading[] {
  const unescaped = unwrapAll({ text, place: (at) => at }, JSON_ESCAPE, (found) =>
    found[1] === 'u'
      ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
      : (PLAIN_ESCAPES[found[1] ?? ''] ?? found.slice(1)),
  );
  return unescaped
    .flatMap((reading) => unwrapAll(reading, ENTITY, readEntity))
    .flatMap((reading) =>
      unwrapAll(reading, OCTET, (found) => String.fromCharCode(Number.parseInt(found.slice(1), 16))),
    );
}

function unwrapAll(first: Reading, wrapping: RegExp, unwrap: (found: string) => string): Reading[] {
  const readings = [first];
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = unwrapOnce(readings[depth] as Reading, wrapping, unwrap);
    if (next === null) break;
    readings.push(next);
  }
  return readings;
}

/** null where nothing is wrapped. Each wrapping reads as one character. */
function unwrapOnce(reading: Reading, wrapping: RegExp, unwrap: (found: string) => string): Reading | null {
  const parts: string[] = [];
  /** Where in the text made the character behind each wrapping stands, and where in the one read. */
  const made: number[] = [0];
  const read: number[] = [0];
  let copied = 0;
  let length = 0;
  for (const found of reading.text.matchAll(wrapping)) {
    parts.push(reading.text.slice(copied, found.index), unwrap(found[0]));
    length += found.index - copied + 1;
    copied = found.index + found[0].length;
    made.push(length - 1, length);
    read.push(found.index, copied);
  }
  if (copied === 0) return null;
  parts.push(reading.text.slice(copied));
  return {
    text: parts.join(''),
    place: (at) => {
      const i = lastUpTo(made, at);
      return reading.place((read[i] as number) + at - (made[i] as number));
    },
  };
}

/** The last position in a rising list whose number is not larger. */
function lastUpTo(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
