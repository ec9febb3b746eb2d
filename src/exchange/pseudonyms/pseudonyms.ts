/**
 * Makes pseudonyms: account numbers of the same form, placeholders for names and texts; keyed, so equal values get
 * equal pseudonyms.
 */
import { createHmac } from 'node:crypto';
import { ibanOf, isIban } from '../../spec/index.js';
import { changeCoded, mayHoldCoded } from '../codings/codings.js';
import { BASE_32 } from '../ids.js';
import { replaceIbans } from './ibans-in-text.js';

export interface Pseudonyms {
  /** Another IBAN of the same country for an IBAN, valid as it is; what is none becomes another one that is none. */
  readonly iban: (text: string) => string;
  /** Other digits and letters in the same places: card numbers, national account numbers, telephone numbers. */
  readonly number: (text: string) => string;
  /** `Name 7K2M0QXA` */
  readonly name: (text: string) => string;
  /** `Text 7K2M0QXA` */
  readonly text: (text: string) => string;
  /** Another place on earth, in the same form: `GEO:52.5;13.1` */
  readonly place: (text: string) => string;
  readonly ibansIn: (text: string) => string;
}

/** Every pseudonym of an account begins so: no bank has this code, and a second run knows it. */
const MARK_LENGTH = 3;
const PLACE = /^(\D*?)-?\d+(?:\.\d+)?\s*[;,]\s*-?\d+(?:\.\d+)?$/;
/** In the Gulf of Guinea, where nobody lives. */
const NOWHERE = /^\D*0\.\d{4};0\.\d{4}$/;
const PLACEHOLDER = /^(?:Name|Text) [0-9A-HJKMNP-TV-Z]{8}\.*$/;
/** Longer values keep their length: a text that is too long for a rule stays too long. */
const LONG = 35;
/** No X: a row of them is how banks mask numbers, and what is masked stays so. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWYZ';
const DEEPEST = 4;
const SHORTEST_CODED = 20;
const REMEMBERED = 2_000;
const LONGEST_REMEMBERED = 200;

/** `key` is that of a store: pseudonyms of two stores cannot be compared. */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const ownKey = createHmac('sha256', key).update('pseudonyms').digest();
  const bytesOf = (kind: string, text: string, block: number): Buffer =>
    createHmac('sha256', ownKey).update(`${kind} ${block} ${text}`).digest();
  const remembered =
    (kind: string, make: (text: string) => string) =>
    (text: string): string => {
      const name = `${kind} ${text}`;
      const found = known.get(name);
      if (found !== undefined) return found;
      const made = make(text);
      if (text.length <= LONGEST_REMEMBERED) {
        if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string);
        known.set(name, made);
      }
      return made;
    };
  const known = new Map<string, string>();

  const number = (text: string): string =>
    isMarked(text) ? text : reshape(text, (block) => bytesOf('number', text, block));
  const validIban = (iban: string): string => {
    const bban = iban.slice(4);
    if (isMarked(bban)) return iban;
    return ibanOf(
      iban.slice(0, 2),
      reshape(bban, (block) => bytesOf('iban', iban, block)),
    );
  };
  const iban = (text: string): string => {
    const bare = text.replaceAll(' ', '').toUpperCase();
    if (isIban(bare)) return likewise(text, validIban(bare));
    if (!/^[A-Z]{2}\d{2}[A-Z0-9]/.test(bare)) return number(text);
    const bban = bare.slice(4);
    if (isMarked(bban)) return text;
    const made = reshape(bban, (block) => bytesOf('iban', bare, block));
    return likewise(text, wrongly(bare.slice(0, 4), made));
  };
  const placeholder = (kind: 'Name' | 'Text') => (text: string) => {
    if (text === '' || PLACEHOLDER.test(text)) return text;
    const made = `${kind} ${letters(bytesOf(kind, text, 0))}`;
    return text.length > LONG ? made.padEnd(text.length, '.') : made;
  };
  const place = (text: string): string => {
    if (NOWHERE.test(text)) return text;
    const [whole, before = ''] = PLACE.exec(text) ?? [];
    if (whole === undefined) return placeholder('Text')(text);
    const [one = 0, two = 0, three = 0, four = 0] = bytesOf('place', text, 0);
    const digits = (high: number, low: number) => String(((high << 8) | low) % 10_000).padStart(4, '0');
    return `${before}0.${digits(one, two)};0.${digits(three, four)}`;
  };
  const anIban = remembered('iban', iban);
  const ibansIn = (text: string, depth: number): string => {
    const replaced = replaceIbans(text, anIban);
    if (depth === DEEPEST || replaced.length < SHORTEST_CODED || !mayHoldCoded(replaced)) return replaced;
    return changeCoded(replaced, (inner) => ibansIn(inner, depth + 1));
  };
  return {
    iban: anIban,
    number: remembered('number', number),
    name: remembered('name', placeholder('Name')),
    text: remembered('text', placeholder('Text')),
    place: remembered('place', place),
    ibansIn: (text) => ibansIn(text, 0),
  };
}

/** Whether a value of this kind may be a pseudonym, of whichever key. */
export function isPseudonym(kind: 'iban' | 'number' | 'name' | 'text' | 'place', text: string): boolean {
  if (kind === 'place') return NOWHERE.test(text);
  if (kind === 'name' || kind === 'text') return PLACEHOLDER.test(text);
  if (!/[0-9A-Za-z]{4}/.test(text)) return false;
  const bare = text.replaceAll(' ', '').toUpperCase();
  return isMarked(kind === 'iban' && /^[A-Z]{2}\d{2}[A-Z0-9]/.test(bare) ? bare.slice(4) : bare);
}

/** Whether a text holds what may be a pseudonym: quick, and true too often rather than too seldom. */
export function mayHoldPseudonyms(text: string): boolean {
  return /(?:Name|Text)(?: |\+|%20)[0-9A-HJKMNP-TV-Z]{8}|999|XXX|0\.\d{4};/i.test(text);
}

function letters(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 8), (byte) => BASE_32[byte & 31]).join('');
}

const isDigit = (char: string) => char >= '0' && char <= '9';
const isLetter = (char: string) => (char >= 'A' && char <= 'Z') || (char >= 'a' && char <= 'z');

/** Whether its first digits and letters are those of a pseudonym; true of a text without any. */
function isMarked(text: string): boolean {
  let seen = 0;
  for (const char of text) {
    if (!isDigit(char) && !isLetter(char)) continue;
    if (char !== '9' && char !== 'X' && char !== 'x') return false;
    seen += 1;
    if (seen === MARK_LENGTH) return true;
  }
  return true;
}

/** The mark, then other digits for digits and other letters for letters; everything else stays. */
function reshape(text: string, block: (index: number) => Uint8Array): string {
  let out = '';
  let count = 0;
  let bytes: Uint8Array = new Uint8Array();
  for (const char of text) {
    const digit = isDigit(char);
    if (!digit && !isLetter(char)) {
      out += char;
      continue;
    }
    if (count % 32 === 0) bytes = block(count / 32);
    const byte = bytes[count % 32] as number;
    const isMark = count < MARK_LENGTH;
    if (digit) out += isMark ? '9' : String(byte % 10);
    else {
      const upper = isMark || char === 'X' || char === 'x' ? 'X' : LETTERS.charAt(byte % LETTERS.length);
      out += char >= 'a' ? upper.toLowerCase() : upper;
    }
    count += 1;
  }
  return out;
}

/** An invalid IBAN must not become a valid one by chance. */
function wrongly(start: string, bban: string): string {
  const kept = start + bban;
  if (!isIban(kept)) return kept;
  const digits = (Number(start.slice(2)) % 97) + 1;
  return start.slice(0, 2) + String(digits).padStart(2, '0') + bban;
}

function likewise(text: string, iban: string): string {
  const cased = text === text.toLowerCase() ? iban.toLowerCase() : iban;
  if (!text.includes(' ')) return cased;
  let at = 0;
  return text.replace(/[^ ]/g, () => cased[at++] ?? '');
}
