/** Predicates for the formats of single values: dates, amounts, account numbers, codes. Pure and total. */
import {
  COUNTRIES,
  CURRENCIES,
  IBAN_LENGTHS,
  LANGUAGES,
  NCA_CODES,
  type NcaCodeKind,
  PURPOSE_CODES,
} from './codes.js';
import { DAY_MS } from './limits.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME_WITH_OFFSET =
  /^[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:[.,]\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const HEX_GROUP = /^[0-9a-f]{1,4}$/i;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/;
const AMOUNT = /^-?\d{1,14}(?:\.\d{1,3})?$/;
const BIC = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/;
const SEPA_TEXT = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** Midnight UTC of a calendar date in ms, or undefined where the text is none. */
function dateMs(text: string): number | undefined {
  if (!DATE.test(text)) return undefined;
  const ms = Date.parse(text);
  // Date.parse takes 30 February for 1 or 2 March, so the text must come back unchanged.
  return Number.isNaN(ms) || dateAt(ms) !== text ? undefined : ms;
}

/** The number of the day of a time (epoch ms), UTC, since 1970. The bank's days are those of `bankDayAt`. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** YYYY-MM-DD of a day's number. */
export const dateOf = (day: number): string => dateAt(day * DAY_MS);

/** YYYY-MM-DD of a time (epoch ms), UTC. */
export const dateAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A real calendar date, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  return dateMs(text) !== undefined;
}

/** The dates that a date of another form may mean, the earliest first: 01/10/2026 is in October, or in January. */
export function datesMeantBy(text: string): readonly string[] {
  const [, first, sign, second, year] = /^(\d\d?)([./-])(\d\d?)\2(\d{4})$/.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined) return [];
  const [one = '', other = ''] = [first, second].map((part) => part.padStart(2, '0'));
  // A date with dots begins with the day.
  const meant =
    sign === '.' ? [`${year}-${other}-${one}`] : [`${year}-${other}-${one}`, `${year}-${one}-${other}`];
  return [...new Set(meant.filter(isDate))].sort();
}

/** Days from the first date to the second, negative when it lies before; NaN where one is no date. */
export function daysBetween(dateA: string, dateB: string): number {
  const a = dateMs(dateA);
  const b = dateMs(dateB);
  return a === undefined || b === undefined ? Number.NaN : (b - a) / DAY_MS;
}

/** A date and time with offset, as ISO 8601 has it: `+02:00` as RFC 3339 asks, `+0200` and `+02` too. */
export function isDateTimeWithOffset(text: string): boolean {
  return isDate(text.slice(0, 10)) && TIME_WITH_OFFSET.test(text.slice(10));
}

/** A UUID of any version, in any letter case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** An IPv4 or IPv6 address, without zone. */
export function isIpAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}

function isIpv6(text: string): boolean {
  // Most calls have none: what has no colon is told at once.
  if (text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1);
  const embedded = last !== undefined && IPV4.test(last);
  if (embedded) groups.at(-1)?.pop();
  const all = groups.flat();
  if (!all.every((group) => HEX_GROUP.test(group))) return false;
  const count = all.length + (embedded ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

export interface IbanForm {
  /** null: it does not begin with the code of a country that has IBANs. */
  readonly country: string | null;
  /** Characters that one of that country has. */
  readonly length: number;
  /** Whether the check digits are those of the rest. */
  readonly fits: boolean;
}

/** The parts of an IBAN, right or wrong. `text` has no spaces, and capitals only. */
export function ibanForm(text: string): IbanForm {
  const code = text.slice(0, 2);
  const length = Object.hasOwn(IBAN_LENGTHS, code) ? IBAN_LENGTHS[code] : undefined;
  const readable = IBAN.test(text);
  return {
    country: length === undefined ? null : code,
    length: length ?? 0,
    fits: readable && hasCheckDigits(text),
  };
}

/** An IBAN of a country in the ISO 13616 registry, with its length and correct check digits; no spaces. */
export function isIban(text: string): boolean {
  return IBAN.test(text) && IBAN_LENGTHS[text.slice(0, 2)] === text.length && hasCheckDigits(text);
}

function hasCheckDigits(text: string): boolean {
  const checkDigits = Number(text.slice(2, 4));
  // 00, 01 and 99 are never computed, though they can satisfy the sum.
  return checkDigits >= 2 && checkDigits <= 98 && mod97(text.slice(4) + text.slice(0, 4)) === 1;
}

/** An IBAN as it is written down, with blanks and in small letters too, in the form of machines. */
export const plainIban = (text: string): string => text.replaceAll(' ', '').toUpperCase();

/** The IBAN of a national account number: the check digits that make it valid. */
export function ibanOf(country: string, bban: string): string {
  const digits = 98 - mod97(`${bban}${country}00`);
  return `${country}${String(digits).padStart(2, '0')}${bban}`;
}

/** ISO 7064 MOD 97-10, letters counting from A = 10. */
function mod97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** An amount as the standard writes it: up to 14 digits, a dot, up to 3 decimals, perhaps a minus. */
export function isAmount(text: string): boolean {
  return AMOUNT.test(text);
}

/** An amount greater than zero, without sign. */
export function isPositiveAmount(text: string): boolean {
  return AMOUNT.test(text) && Number(text) > 0;
}

/** A currency of ISO 4217 in which money is held today. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text);
}

/** A country of ISO 3166-1 alpha-2, or XK, which IBANs use. */
export function isCountry(text: string): boolean {
  return COUNTRIES.has(text);
}

/** A language of ISO 639-1, in any letter case. */
export function isLanguage(text: string): boolean {
  return LANGUAGES.has(text.toLowerCase());
}

export function isBic(text: string): boolean {
  return BIC.test(text);
}

/** Why a payment is made, by the external code list of ISO 20022. */
export function isPurposeCode(text: string): boolean {
  return PURPOSE_CODES.has(text);
}

/** Text in the character set that every SEPA participant handles. */
export function isSepaText(text: string): boolean {
  return SEPA_TEXT.test(text);
}

/** How the code of a national competent authority is known, or undefined. */
export function ncaCodeKind(country: string, authority: string): NcaCodeKind | undefined {
  const code = `${country}-${authority}`;
  return Object.hasOwn(NCA_CODES, code) ? NCA_CODES[code] : undefined;
}

/** Whether an authority is one of the published codes, or a variant that real certificates carry. */
export function isNcaCode(country: string, authority: string): boolean {
  const kind = ncaCodeKind(country, authority);
  return kind === 'published' || kind === 'variant';
}

/** Placeholders that programs send instead of a value: their word for nothing, or an unfilled template. */
const NOTHING = /^(?:undefined|null|none|nil|nan)$/i;
const TEMPLATE = /^(?:\[object \w{1,20}\]|<[^<>]{1,40}>|\$?\{{1,2}[a-z_]\w{0,39}\}{1,2})$/i;

export const isNothing = (text: string): boolean => NOTHING.test(text);

/** Not of a token: one between brackets may be real. */
export const isPlaceholder = (text: string): boolean => isNothing(text) || TEMPLATE.test(text);
