/** Accounts, balances and entries of the living bank in the field names of the standard. */
import {
  type Account,
  amountText,
  type BankConsent,
  type Books,
  balancesAt,
  type Conversion,
  covers,
  isByMonths,
  type PendingEntry,
  type Posting,
  type StandingPayment,
  shownId,
  showsOwner,
} from '../../bank/index.js';
import { memberOf } from '../../exchange/index.js';
import { dateOf } from '../../spec/index.js';
import { href, type Links } from '../emulator/links.js';

/** Records show no more than the consent grants. */
export interface RecordView {
  readonly books: Books;
  readonly links: Links;
  readonly consent: BankConsent;
  readonly withBalance: boolean;
  readonly now: number;
}

export function accountRecord(account: Account, view: RecordView): Record<string, unknown> {
  const { books, consent, withBalance, now } = view;
  const { iban, bic, currency, name, product, cashAccountType, status, usage, ownerName } = account;
  const shows = withBalance && covers(consent, account, 'balances');
  return {
    resourceId: shownId(consent, account.resourceId),
    iban,
    bic,
    currency,
    name,
    product,
    cashAccountType,
    status,
    usage,
    ...(showsOwner(consent, account) ? { ownerName } : {}),
    ...(shows ? { balances: balanceRecords(books, account, now) } : {}),
    ...linksOf(account, view),
  };
}

/** Links are left out if the consent covers only the list. */
function linksOf(account: Account, { links, consent }: RecordView) {
  if (!covers(consent, account, 'details')) return {};
  const accountId = shownId(consent, account.resourceId);
  const further = (['balances', 'transactions'] as const).filter((right) => covers(consent, account, right));
  return {
    _links: {
      ...links.named('account', 'accounts.read', { accountId }),
      ...Object.fromEntries(
        further.map((right) => [right, href(links.to(`accounts.${right}`, { accountId }))]),
      ),
    },
  };
}

export function balanceRecords(books: Books, account: Account, now: number): unknown[] {
  const { currency } = account;
  return balancesAt(books, account, now).map(({ type, amount, day }) => ({
    balanceType: type,
    balanceAmount: { currency, amount: amountText(amount, currency) },
    referenceDate: dateOf(day),
  }));
}

export function bookedRecord(posting: Posting, currency: string): Record<string, unknown> {
  return entryRecord(posting, currency, { bookingDate: dateOf(posting.bookingDay) });
}

/** Money that goes names its creditor, money that comes its debtor; where it is the bank itself, nobody. */
export function entryRecord(
  entry: PendingEntry,
  currency: string,
  dates: { readonly bookingDate?: string } = {},
): Record<string, unknown> {
  const { id, valueDay, amount, counterparty, remittance, bankTransactionCode, endToEndId } = entry;
  const side = amount < 0 ? 'creditor' : 'debtor';
  const { name, iban, bban } = counterparty ?? {};
  const number = iban === undefined ? (bban === undefined ? undefined : { bban }) : { iban };
  return {
    ...(entry.referenceOnly === true ? { entryReference: id } : { transactionId: id }),
    ...(endToEndId === undefined ? {} : { endToEndId }),
    ...dates,
    valueDate: dateOf(valueDay),
    transactionAmount: { currency, amount: amountText(amount, currency) },
    ...(entry.exchange === undefined ? {} : exchangeRecord(entry.exchange, currency, dateOf(valueDay))),
    ...(name === undefined ? {} : { [`${side}Name`]: name }),
    ...(number === undefined ? {} : { [`${side}Account`]: number }),
    ...(remittance === '' ? {} : { remittanceInformationUnstructured: remittance }),
    ...(entry.structured === undefined ? {} : { remittanceInformationStructured: entry.structured }),
    bankTransactionCode,
  };
}

const PAYMENT_MEMBERS = [
  'creditorName',
  'creditorAccount',
  'creditorAgent',
  'endToEndIdentification',
  'remittanceInformationUnstructured',
];

/** A standing order among the transactions (reading `standing-orders-listed`). */
export function standingOrderRecord({ body, amount, currency, standing }: StandingPayment) {
  const { start, end, rule, frequency, dayOfMonth, months } = standing;
  const shown = PAYMENT_MEMBERS.flatMap((name) => {
    const value = memberOf(body, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(shown),
    transactionAmount: { currency, amount: amountText(-amount, currency) },
    bankTransactionCode: 'PMNT-ICDT-STDO',
    additionalInformationStructured: {
      standingOrderDetails: {
        startDate: dateOf(start),
        ...(end === null ? {} : { endDate: dateOf(end) }),
        executionRule: rule,
        frequency,
        ...(isByMonths(frequency) ? { dayOfExecution: String(dayOfMonth) } : {}),
        ...(months === undefined ? {} : { monthsOfExecution: months.map(String) }),
      },
    },
  };
}

function exchangeRecord({ currency, amount, rate }: Conversion, own: string, quotationDate: string) {
  const pair = { sourceCurrency: currency, unitCurrency: currency, targetCurrency: own };
  return {
    currencyExchange: [{ ...pair, exchangeRate: rate, quotationDate }],
    additionalInformation: `${currency} ${amount}`,
  };
}
