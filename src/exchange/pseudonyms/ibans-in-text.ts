/** Finds IBANs in texts, with or without blanks, dashes and dots, percent-encoded or not, wherever one begins and ends as a word. */
import { IBAN_LENGTHS, isIban } from '../../spec/index.js';
import { OCTET, plainReading, type Reading, readOctet, unwrapOnce } from '../codings/reading.js';

const MOST_ENCODED = 3;
/**
 * What may stand between digits: blanks (forms write a plus sign), dashes, dots, signs of no width, and the octets of these
 * in UTF-8.
 */
const SEPARATOR =
  '[ +.\\-\\u0080-\\u00a0\\u00ad\\u00b7\\u00c2\\u00e2\\u00ef\\u00bb\\u00bf\\u2000-\\u2015\\u2027-\\u202f\\u2060-\\u2064\\u3000\\ufeff]';
const IS_SEPARATOR = new RegExp(SEPARATOR);
const MOST_SEPARATORS = 4;
/** Country and check digits, where no word goes on. */
const START = new RegExp(
  `(?<![A-Za-z0-9])[A-Za-z][\\u0080-\\ufeff]{0,4}[A-Za-z](?:\\d|${SEPARATOR}{1,4}\\d)(?:\\d|${SEPARATOR}{1,4}\\d)`,
  'g',
);
const isDigitOrLetter = (char: string) => /^[0-9A-Za-z]$/.test(char);

/** `pseudonym` is given digits and letters only; everything between them stays as it was. */
export function replaceIbans(text: string, pseudonym: (iban: string) => string): string {
  let replaced = text;
  for (let times = 0; times <= MOST_ENCODED; times++) {
    let reading = plainReading(replaced);
    for (let i = 0; i < times; i++) reading = unwrapOnce(reading, OCTET, readOctet) ?? reading;
    replaced = replaceIn(replaced, reading, pseudonym);
    if (!reading.text.includes('%')) break;
  }
  return replaced;
}

function replaceIn(text: string, reading: Reading, pseudonym: (iban: string) => string): string {
  let out = '';
  let copied = 0;
  for (const { start, end } of findIbans(reading.text)) {
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    const letters = places.filter((at) => isDigitOrLetter(reading.text.charAt(at)));
    const made = pseudonym(letters.map((at) => reading.text.charAt(at)).join(''));
    for (const [i, at] of letters.entries()) {
      out += text.slice(copied, reading.place(at)) + made.charAt(i);
      copied = reading.place(at + 1);
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

export interface FoundIban {
  readonly start: number;
  readonly end: number;
  readonly iban: string;
}

export function findIbans(text: string): FoundIban[] {
  const found: FoundIban[] = [];
  let passed = 0;
  for (const { index } of text.matchAll(START)) {
    if (index < passed) continue;
    const end = endOfIban(text, index);
    if (end < 0) continue;
    const iban = text
      .slice(index, end)
      .replace(/[^0-9A-Za-z]/g, '')
      .toUpperCase();
    found.push({ start: index, end, iban });
    passed = end;
  }
  return found;
}

function endOfIban(text: string, at: number): number {
  let length = 4;
  let bare = '';
  let separators = 0;
  let end = at;
  while (bare.length < length && end < text.length) {
    const char = text.charAt(end);
    if (isDigitOrLetter(char)) {
      bare += char;
      separators = 0;
      if (bare.length === 2) length = IBAN_LENGTHS[bare.toUpperCase()] ?? 0;
    } else if (++separators > MOST_SEPARATORS || !IS_SEPARATOR.test(char)) return -1;
    end += 1;
  }
  return isIban(bare.toUpperCase()) && !isDigitOrLetter(text.charAt(end)) ? end : -1;
}
