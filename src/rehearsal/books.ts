/** The bank's side of a cell: what it did in truth, what its books hold, and what it does by itself. */
import type { BankView, ShownPayment } from '../admin/index.js';
import { memberOf } from '../exchange/index.js';
import { DAY_MS, dateAt } from '../spec/index.js';
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

type Act = (bank: BankView, psu: Psu, now: number) => Promise<unknown>;

const onConsent =
  (end: 'revoke' | 'expire'): Act =>
  async (bank, { id }) => {
    const [consent] = bank.consents({ from: 0, limit: 1, psu: id, status: 'valid' });
    if (consent !== undefined) await bank.endConsent(consent.consentId, end);
  };
const onPayment =
  (decision: 'settle' | 'reject'): Act =>
  async (bank) => {
    const payment = paymentsIn(bank).find(isAuthorised);
    if (payment !== undefined) await bank.decidePayment(payment.paymentId, decision);
  };
const booking =
  (wanted: (now: number) => object): Act =>
  (bank, { accounts }, now) =>
    bank.changeAccount(accounts[0]?.resourceId ?? '', 'book', {
      amount: '-12.34',
      text: 'Bakkerij Lies',
      ...wanted(now),
    });
const onAccount =
  (action: 'close' | 'block' | 'change-iban', place: number): Act =>
  (bank, { accounts }) =>
    bank.changeAccount(accounts[place]?.resourceId ?? '', action, {});

/** Rejects with a SandgateError where the bank cannot do that any more. */
export const ACTS: Readonly<Record<BankAction, Act>> = {
  'revokes the consent': onConsent('revoke'),
  'expires the consent': onConsent('expire'),
  'settles the payment': onPayment('settle'),
  'rejects the payment': onPayment('reject'),
  'books a posting': booking(() => ({})),
  'books into the past': booking((now) => ({ date: dateAt(now - 5 * DAY_MS) })),
  'books another currency': booking(() => ({ currency: 'USD' })),
  'holds a card payment': booking((now) => ({ pending: true, date: dateAt(now + 2 * DAY_MS) })),
  'closes an account': onAccount('close', 1),
  'blocks an account': onAccount('block', 0),
  'changes an IBAN': onAccount('change-iban', 0),
};

export interface Side {
  readonly bank: BankView;
  readonly recorded: readonly RecordedExchange[];
  readonly excused: ReadonlySet<string>;
}

/** The books, as far as the application may know them. */
export function bookedOf({ bank, recorded, excused }: Side): Booked {
  const tpp = recorded.map(({ exchange }) => exchange.call.tpp).find((one) => one !== null) ?? '';
  const { accounts, payments, consents } = bank.books({ tpp });
  const asked = datesAsked(recorded);
  const days = new Set([...asked.values()].flatMap((some) => [...some]));
  const since = new Map([...days].map((dateFrom) => [dateFrom, bank.books({ tpp, dateFrom }).accounts]));
  const authorised = new Set(
    paymentsIn(bank)
      .filter(isAuthorised)
      .map(({ paymentId }) => paymentId),
  );
  return {
    accounts: accounts.flatMap(({ resourceId, iban, currency, status, balance }): BookedAccount[] => {
      const own = [...(asked.get(resourceId) ?? [])].sort();
      if (own.length === 0 || currency !== 'EUR' || status === 'deleted') return [];
      const periods = own.flatMap(
        (day) => since.get(day)?.find((one) => one.resourceId === resourceId) ?? [],
      );
      return [{ iban, balance, periods }];
    }),
    payments: payments.map(({ paymentId, endToEndIdentification = null, amount, status }) => ({
      ...{ endToEndIdentification, amount, status },
      isOpen: !authorised.has(paymentId),
      isExcused: excused.has(paymentId),
    })),
    validConsents: consents.filter(({ status }) => status === 'valid').length,
  };
}

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
