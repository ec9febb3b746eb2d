/** The bank's side of a cell: what it did in truth, what its books hold, and what it does by itself. */
import type { BankView, ShownPayment } from '../admin/index.js';
import type { Population } from '../bank/index.js';
import { memberOf } from '../exchange/index.js';
import { bankDayAt, dayOf } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import type { Booked, BookedAccount } from './belief.js';
import type { BankAction } from './cells/index.js';

export type Psu = ReturnType<BankView['psus']>[number];

const ALL = { from: 0, limit: 1_000 };
const AUTHORISED = new Set(['finalised', 'exempted']);

export const amountOf = (payment: ShownPayment): string =>
  String(memberOf(payment.instructedAmount, 'amount') ?? '');

/** Whether its PSU said yes; of any other payment nothing comes. */
export const isAuthorised = ({ authorisations }: ShownPayment): boolean =>
  authorisations.some(({ scaStatus }) => AUTHORISED.has(scaStatus));

export const paymentsIn = (bank: BankView): readonly ShownPayment[] => bank.payments(ALL);

export const hasConsent = (bank: BankView, { id }: Psu): boolean =>
  bank.consents({ from: 0, limit: 1, psu: id, status: 'valid' }).length > 0;

/** @throws SandgateError where the bank cannot do that any more */
export async function act(bank: BankView, action: BankAction): Promise<void> {
  const [consent] = bank.consents({ ...ALL, status: 'valid' });
  const payment = paymentsIn(bank).find(isAuthorised);
  switch (action) {
    case 'revokes the consent':
    case 'expires the consent':
      if (consent !== undefined)
        await bank.endConsent(consent.consentId, action === 'revokes the consent' ? 'revoke' : 'expire');
      return;
    case 'settles the payment':
    case 'rejects the payment':
      if (payment !== undefined)
        await bank.decidePayment(payment.paymentId, action === 'settles the payment' ? 'settle' : 'reject');
  }
}

export interface Side {
  readonly bank: BankView;
  readonly population: Population;
  readonly psus: readonly Psu[];
  /** Epoch ms by the gateway's clock. */
  readonly now: number;
  readonly recorded: readonly RecordedExchange[];
  readonly excused: ReadonlySet<string>;
}

/** The books, as far as the application may know them. */
export function bookedOf({ bank, population, psus, now, recorded, excused }: Side): Booked {
  const payments = paymentsIn(bank);
  const linked = psus.filter((psu) => hasConsent(bank, psu));
  const asked = datesAsked(recorded);
  const today = bankDayAt(now);
  const sumOf = (some: readonly { readonly amount: number }[]) =>
    some.reduce((sum, { amount }) => sum + amount, 0);
  const accounts = linked.flatMap(({ accounts: own }) =>
    own.flatMap(({ resourceId, iban, currency }): BookedAccount[] => {
      const days = asked.get(resourceId);
      if (days === undefined || currency !== 'EUR') return [];
      const moved = payments.flatMap(({ bookings }) =>
        bookings.filter(({ account }) => account === resourceId),
      );
      const periods = [...days].sort().map((from) => {
        const day = dayOf(Date.parse(from));
        const count = population.countPostings(resourceId, day, today);
        const postings = population.postingsPage(resourceId, day, today, 0, count);
        const since = moved.filter(({ bookingDate }) => bookingDate >= from);
        return { transactions: count + since.length, sum: text(sumOf(postings) + sumOf(since)) };
      });
      return [{ iban, balance: text(population.balance(resourceId, today) + sumOf(moved)), periods }];
    }),
  );
  return {
    accounts,
    payments: payments.map((payment) => ({
      endToEndIdentification:
        typeof payment.endToEndIdentification === 'string' ? payment.endToEndIdentification : null,
      amount: amountOf(payment),
      status: payment.transactionStatus,
      isOpen: !isAuthorised(payment),
      isExcused: excused.has(payment.paymentId),
    })),
    validConsents: bank.consents({ ...ALL, status: 'valid' }).length,
  };
}

const text = (cents: number): string => (cents / 100).toFixed(2);

/** By account, the days from which its postings were read, as far as that is known. */
function datesAsked(recorded: readonly RecordedExchange[]): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { exchange } of recorded) {
    const { call, answer } = exchange;
    if (call.operation !== 'accounts.transactions' || answer?.status !== 200) continue;
    const from = call.request.query.find(([name]) => name === 'dateFrom')?.[1];
    const { accountId = '' } = call.params;
    if (from !== undefined) asked.set(accountId, (asked.get(accountId) ?? new Set()).add(from));
  }
  return asked;
}
