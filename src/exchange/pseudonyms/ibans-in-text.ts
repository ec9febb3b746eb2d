/** Finds IBANs in texts, with or without blanks, percent-encoded or not, wherever one begins and ends as a word. */
import { IBAN_LENGTHS, isIban } from '../../spec/index.js';

/** A text as it reads, and where each of its characters stands in the text as it is written. */
interface Reading {
  readonly text: string;
  /** One more than there are characters: where the last one ends. */
  readonly starts: (at: number) => number;
}

/** So often may a text be percent-encoded that is still looked through. */
const MOST_ENCODED = 3;
const ENCODED = /%([0-9a-f]{2})/gi;
/** Country and check digits, where no word goes on. */
const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
/** Forms write a blank as a plus sign. */
const isBlank = (char: string) => char === ' ' || char === '+' || char === '\u00a0';
const isDigitOrLetter = (char: string) => /^[0-9A-Za-z]$/.test(char);

/** `pseudonym` is given digits and letters only; everything between them stays as it was. */
export function replaceIbans(text: string, pseudonym: (iban: string) => string): string {
  let replaced = text;
  for (let times = 0; times <= MOST_ENCODED; times++) {
    let reading: Reading = plain(replaced);
    for (let i = 0; i < times; i++) reading = decoded(reading);
    replaced = replaceIn(replaced, reading, pseudonym);
    if (!reading.text.includes('%')) break;
  }
  return replaced;
}

const plain = (text: string): Reading => ({ text, starts: (at) => at });

function replaceIn(text: string, reading: Reading, pseudonym: (iban: string) => string): string {
  let out = '';
  let copied = 0;
  for (const { start, end } of findIbans(reading.text)) {
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    const letters = places.filter((at) => isDigitOrLetter(reading.text.charAt(at)));
    const made = pseudonym(letters.map((at) => reading.text.charAt(at)).join(''));
    for (const [i, at] of letters.entries()) {
      out += text.slice(copied, reading.starts(at)) + made.charAt(i);
      copied = reading.starts(at + 1);
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

export interface FoundIban {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** In capitals, without blanks. */
  readonly iban: string;
}

/** In a text as it stands: nothing is decoded. */
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

/** Once. Octets count as one character each; of letters beyond ASCII none is part of an IBAN. */
function decoded(reading: Reading): Reading {
  const written = reading.text;
  const starts: number[] = [];
  let text = '';
  let end = 0;
  const plainUpTo = (to: number) => {
    for (let at = end; at < to; at++) starts.push(reading.starts(at));
    text += written.slice(end, to);
  };
  for (const octet of written.matchAll(ENCODED)) {
    plainUpTo(octet.index);
    starts.push(reading.starts(octet.index));
    text += String.fromCharCode(Number.parseInt(octet[1] ?? '', 16));
    end = octet.index + octet[0].length;
  }
  plainUpTo(written.length);
  const whole = reading.starts(written.length);
  return { text, starts: (at) => starts[at] ?? whole };
}

/** Where the IBAN ends that begins at `at`, single blanks within allowed; -1 where none does. */
function endOfIban(text: string, at: number): number {
  const length = IBAN_LENGTHS[text.slice(at, at + 2).toUpperCase()];
  if (length === undefined) return -1;
  let bare = '';
  let end = at;
  while (bare.length < length && end < text.length) {
    const char = text.charAt(end);
    if (isDigitOrLetter(char)) bare += char;
    else if (!isBlank(char) || isBlank(text.charAt(end - 1))) return -1;
    end += 1;
  }
  return isIban(bare.toUpperCase()) && !isDigitOrLetter(text.charAt(end)) ? end : -1;
}
