/** What the bank exchanges currencies at: rates that never change, so that a test can reckon with them. */
import type { BankPayment } from './facts.js';
import { decimalsOf } from './money.js';

/** Units of each currency for one euro (reading `payment-currency`). */
const FOR_ONE_EURO: Readonly<Record<string, number>> = {
  EUR: 1,
  AUD: 1.65,
  BGN: 1.95583,
  BRL: 5.9,
  CAD: 1.5,
  CHF: 0.95,
  CNY: 7.8,
  CZK: 25,
  DKK: 7.46,
  GBP: 0.85,
  HKD: 8.5,
  HUF: 390,
  INR: 91,
  ISK: 150,
  JPY: 160,
  KWD: 0.33,
  MXN: 20,
  NOK: 11.5,
  NZD: 1.8,
  PLN: 4.3,
  RON: 4.97,
  SEK: 11.3,
  SGD: 1.45,
  TND: 3.35,
  TRY: 35,
  USD: 1.08,
  ZAR: 20,
};

export const isExchanged = (currency: string): boolean => Object.hasOwn(FOR_ONE_EURO, currency);

/** Rates have five decimals: as whole numbers they are exact. */
const RATE_SCALE = 100_000;

type Rounding = 'up' | 'down' | 'nearest';

/**
 * An amount above zero in minor units of one currency in those of another; undefined where the bank has no rate, or
 * cannot reckon with what it comes to. Exact until it is rounded.
 */
export function exchanged(amount: number, from: string, to: string, rounding: Rounding): number | undefined {
  if (from === to) return amount;
  if (!isExchanged(from) || !isExchanged(to)) return undefined;
  const above = BigInt(amount) * unitsOf(to);
  const below = unitsOf(from);
  const other = Number(
    rounding === 'down'
      ? above / below
      : rounding === 'up'
        ? (above + below - 1n) / below
        : (2n * above + below) / (2n * below),
  );
  return Number.isSafeInteger(other) ? other : undefined;
}

/** Minor units of a currency for one euro, scaled. */
const unitsOf = (currency: string): bigint =>
  BigInt(Math.round((FOR_ONE_EURO[currency] ?? 1) * RATE_SCALE)) * 10n ** BigInt(decimalsOf(currency));

/** What a payment takes and gives, in minor units of the currency of each account. */
export interface Sides {
  readonly debited: number;
  /** 0 where the creditor's account is at another bank. */
  readonly credited: number;
}

/**
 * The debit is rounded up, and the credit is never worth more than the debit: no sequence of payments makes money. A
 * creditor whose account has the payment's currency receives the instructed amount. `to`: null where the creditor's
 * account is at another bank. Undefined where the bank cannot exchange it.
 */
export function sidesOf(
  { amount, currency }: Pick<BankPayment, 'amount' | 'currency'>,
  from: string,
  to: string | null,
): Sides | undefined {
  const debited = exchanged(amount, currency, from, 'up');
  if (debited === undefined) return undefined;
  const credited = to === null ? 0 : to === currency ? amount : exchanged(debited, from, to, 'down');
  return credited === undefined ? undefined : { debited, credited };
}
