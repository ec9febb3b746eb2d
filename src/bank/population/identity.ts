/** Ids, logins and account numbers hold the number of their PSU: they are found without a table of a million rows. */
import { ibanOf } from '../../spec/index.js';

/** An account: the PSU who opened it, counted from 1, and which of theirs it is, counted from 1. */
export interface Place {
  readonly number: number;
  readonly slot: number;
}

/** As many PSUs as there are account numbers for. */
export const MOST_PSUS = 1_000_000;
/** Slots of a PSU, of which the first three are used: those that data/sandbox has numbers of lie beyond. */
const SLOTS = 10;

export const BANK_BIC = 'SDGTBEBB';
/** In Belgian account numbers, where no real bank has them: that of this bank, and that of all others. */
const BANK_CODE = '983';
export const OTHER_BANK_CODE = '986';
const NUMBERS = 10_000_000;
/** Account numbers are spread by `place × FACTOR + SHIFT`, so that neighbours look unlike. */
const FACTOR = 6_364_133;
const SHIFT = 4_422_690;
const BACK = inverseOf(FACTOR, NUMBERS);

export const psuIdOf = (number: number): string => `psu-${number}`;
export const resourceIdOf = ({ number, slot }: Place): string => `acc-${number}-${slot}`;

export function psuNumberIn(id: string): number | undefined {
  const digits = /^psu-([1-9]\d{0,6})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The number at the end of a login; whether the login is that PSU's is for the caller to see. */
export function psuNumberAtEnd(login: string): number | undefined {
  const digits = /^[a-z]{1,40}\.([1-9]\d{0,6})$/.exec(login)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function placeIn(resourceId: string): Place | undefined {
  const [, number, slot] = /^acc-([1-9]\d{0,6})-([1-9])$/.exec(resourceId) ?? [];
  return number === undefined ? undefined : { number: Number(number), slot: Number(slot) };
}

export function ibanAt({ number, slot }: Place): string {
  const place = (number - 1) * SLOTS + slot;
  return belgianIban(BANK_CODE, (place * FACTOR + SHIFT) % NUMBERS);
}

export function placeOfIban(iban: string): Place | undefined {
  const digits = new RegExp(`^BE\\d{2}${BANK_CODE}(\\d{7})\\d{2}$`).exec(iban)?.[1];
  if (digits === undefined) return undefined;
  const shifted = (Number(digits) - SHIFT + NUMBERS) % NUMBERS;
  const whole = (shifted * BACK) % NUMBERS;
  const place = { number: Math.floor(whole / SLOTS) + 1, slot: whole % SLOTS };
  return ibanAt(place) === iban ? place : undefined;
}

/** Whether it is the account number of a PSU, or of somebody that PSUs have to do with. */
export function isMadeUpIban(iban: string): boolean {
  const code = bankCodeIn(iban);
  return code === BANK_CODE || code === OTHER_BANK_CODE;
}

/** Whether it could be an account of this bank alone: one that the bank does not know is nobody's. */
export function isOfOwnBank(iban: string): boolean {
  return bankCodeIn(iban) === BANK_CODE;
}

const bankCodeIn = (iban: string): string | undefined => /^BE\d{2}(\d{3})\d{9}$/.exec(iban)?.[1];

/** One of this bank's, whoever has it. */
export const ownBankIban = (number: number): string => belgianIban(BANK_CODE, number % NUMBERS);

/** Bank code, account number, and the remainder of both by 97 as the national check digits. */
export function belgianIban(bankCode: string, number: number): string {
  const digits = `${bankCode}${String(number).padStart(7, '0')}`;
  const check = Number(digits) % 97 || 97;
  return ibanOf('BE', `${digits}${String(check).padStart(2, '0')}`);
}

/** What undoes a multiplication by `factor`, by Euclid. */
function inverseOf(factor: number, modulus: number): number {
  let [r, next, t, nextT] = [modulus, factor, 0, 1];
  while (next !== 0) {
    const times = Math.floor(r / next);
    [r, next] = [next, r - times * next];
    [t, nextT] = [nextT, t - times * nextT];
  }
  return ((t % modulus) + modulus) % modulus;
}
