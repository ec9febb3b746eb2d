/** What a payment looks like on the accounts that it touches. */
import { memberOf } from '../exchange/index.js';
import { bankDayAt, PAYMENT_PRODUCTS } from '../spec/index.js';
import type { BankPayment } from './facts.js';
import type { Booking } from './payment-index.js';
import type { Population, Posting } from './population/index.js';

type Undated = Omit<Posting, 'bookingDay' | 'valueDay'>;

/** On the accounts of this bank that it has moved money of; none before its execution. */
export function bookingsOf(population: Population, payment: BankPayment, now: number): Posting[] {
  const { execution, debtor, creditor } = payment;
  if (execution?.outcome !== 'booked') return [];
  const { at, debited, credited } = execution;
  const moved = [
    [debtor, -debited],
    [creditor, credited],
  ] as const;
  return moved.flatMap(([account, amount]) =>
    account === null ? [] : [bookingEntry(population, account, { payment, at, amount }, now)],
  );
}

/** As it stands on this account since its execution; where the clock was set back, as booked today. */
export function bookingEntry(
  population: Population,
  account: string,
  { payment, at, amount }: Omit<Booking, 'sum'>,
  now: number,
): Posting {
  const bookingDay = bankDayAt(Math.min(at, now));
  const entry =
    amount < 0 ? debitEntry(payment, account, amount) : creditEntry(payment, account, amount, population);
  return { ...entry, bookingDay, valueDay: bookingDay };
}

/** As it stands on the debtor's account, `amount` below zero. */
export function debitEntry(payment: BankPayment, account: string, amount: number): Undated {
  const { body } = payment;
  const name = textOf(body, 'creditorName') ?? '';
  const [iban, bban] = ['iban', 'bban'].map((form) => textOf(memberOf(body, 'creditorAccount'), form));
  return {
    ...commonOf(payment, account, amount, 'ICDT'),
    id: `${payment.id}-debit`,
    counterparty: { name, ...(iban === undefined ? {} : { iban }), ...(bban === undefined ? {} : { bban }) },
  };
}

function creditEntry(payment: BankPayment, account: string, amount: number, population: Population): Undated {
  const debtor = payment.debtor === null ? undefined : population.account(payment.debtor);
  const counterparty = debtor === undefined ? null : { name: debtor.ownerName, iban: debtor.iban };
  return {
    ...commonOf(payment, account, amount, 'RCDT'),
    id: `${payment.id}-credit`,
    counterparty,
  };
}

/** Codes of ISO 20022: a credit transfer issued or received; within the bank, SEPA or cross-border. */
function commonOf(payment: BankPayment, account: string, amount: number, way: 'ICDT' | 'RCDT') {
  const { product, creditor, body } = payment;
  const kind = creditor !== null ? 'BOOK' : PAYMENT_PRODUCTS[product] === 'SCT' ? 'ESCT' : 'XBCT';
  const endToEndId = textOf(body, 'endToEndIdentification');
  return {
    account,
    amount,
    remittance: textOf(body, 'remittanceInformationUnstructured') ?? '',
    bankTransactionCode: `PMNT-${way}-${kind}`,
    ...(endToEndId === undefined ? {} : { endToEndId }),
  };
}

function textOf(value: unknown, member: string): string | undefined {
  const text = memberOf(value, member);
  return typeof text === 'string' ? text : undefined;
}
