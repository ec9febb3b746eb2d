/** What the bank exchanges currencies at: rates that never change, so that a test can reckon with them. */
import { decimalsOf } from './money.js';

/** Of each currency for one euro (reading `payment-currency`). */
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

/**
 * An amount in minor units of one currency in those of another, rounded; undefined where the bank has no rate, or
 * cannot reckon with what it comes to.
 */
export function exchanged(amount: number, from: string, to: string): number | undefined {
  if (from === to) return amount;
  if (!isExchanged(from) || !isExchanged(to)) return undefined;
  const rate = (FOR_ONE_EURO[to] ?? 1) / (FOR_ONE_EURO[from] ?? 1);
  const other = Math.round(amount * rate * 10 ** (decimalsOf(to) - decimalsOf(from)));
  return Number.isSafeInteger(other) ? other : undefined;
}
