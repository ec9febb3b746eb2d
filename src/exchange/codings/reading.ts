/** Texts as they read once something is decoded, with the place of each character in the text as it is written. */
import { firstPlace } from '../../spec/index.js';

export interface Reading {
  readonly text: string;
  readonly place: (at: number) => number;
}

export const plainReading = (text: string): Reading => ({ text, place: (at) => at });

export const OCTET = /%[0-9a-f]{2}/gi;
export const readOctet = (octet: string): string => String.fromCharCode(Number.parseInt(octet.slice(1), 16));

/** null where nothing is wrapped. Each wrapping reads as one character. */
export function unwrapOnce(
  reading: Reading,
  wrapping: RegExp,
  unwrap: (found: string) => string,
): Reading | null {
  const parts: string[] = [];
  /** Places of the characters behind each wrapping, in the text made and in the text read. */
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

function lastUpTo(numbers: readonly number[], wanted: number): number {
  return Math.max(0, firstPlace(numbers.length, (place) => (numbers[place] as number) > wanted) - 1);
}
