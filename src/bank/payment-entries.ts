/** What a payment looks like on the accounts that it touches. */
import { memberOf } from '../exchange/index.js';
import { bankDayAt } from '../spec/index.js';
import type { BankPayment } from './facts.js';
import { codeOf } from './orders.js';
import { type Booking, sidesOf } from './payment-index.js';
import type { Population, Posting } from './population/index.js';

type Undated = Omit<Posting, 'bookingDay' | 'valueDay'>;

/** On the accounts of this bank that it has moved money of; none before its execution. */
export function bookingsOf(population: Population, payment: BankPayment, now: number): Posting[] {
  return sidesOf(payment).map(({ account, ...side }) =>
    bookingEntry(population, account, { payment, ...side }, now),
  );
}

/** As it stands on this account since its execution; where the clock was set back, as booked today. */
export function bookingEntry(
  population: Population,
  account: string,
  { payment, at, amount, isReturn }: Omit<Booking, 'sum'>,
  now: number,
): Posting {
  const bookingDay = bankDayAt(Math.min(at, now));
  const entry =
    isReturn === true
      ? returnEntry(payment, account, amount)
      : amount < 0
        ? debitEntry(payment, account, amount)
        : creditEntry(payment, account, amount, population);
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

/** The creditor's bank has sent it back. */
function returnEntry(payment: BankPayment, account: string, amount: number): Undated {
  const debit = debitEntry(payment, account, amount);
  const remittance = `Terugbetaling / Return AC04 ${debit.remittance}`.trim().slice(0, 140);
  return { ...debit, id: `${payment.id}-return`, remittance, bankTransactionCode: 'PMNT-ICDT-RRTN' };
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
  const { creditor, body } = payment;
  const kind = creditor !== null ? 'BOOK' : codeOf(payment) === 'SCT' ? 'ESCT' : 'XBCT';
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
