/** Describes the subject of an SCA: the consent with its accounts, the payment as posted, or its cancellation. */
import {
  type Access,
  type Account,
  accountsIn,
  amountText,
  type BankConsent,
  type BankPayment,
  codeOf,
  type PaymentPart,
  type Population,
  type StandingOrder,
} from '../../../bank/index.js';
import { memberOf } from '../../../exchange/index.js';
import { dateOf } from '../../../spec/index.js';
import { spaced } from '../../page.js';

/** A line of what is asked for; of several texts each stands on its own line. */
export interface AskedRow {
  readonly term: string;
  readonly texts: readonly string[];
  /** The amount of money, shown large. */
  readonly isAmount?: true;
}

export interface Asked {
  readonly title: string;
  readonly rows: readonly AskedRow[];
}

const GLOBAL_ACCESS = {
  allPsd2: 'Details, balances and transactions of all your accounts',
  availableAccounts: 'The list of your accounts',
  availableAccountsWithBalance: 'The list of your accounts with their balances',
} as const satisfies Partial<Record<Access['kind'], string>>;

const LISTS = { accounts: 'details', balances: 'balances', transactions: 'transactions' } as const;
type List = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as List[];

export function askedByConsent(consent: BankConsent, population: Population): Asked {
  return {
    title: 'Give access to your account information',
    rows: [
      row('Access', ...accessWords(consent, population)),
      row('Until', consent.validUntil),
      consent.recurring
        ? row('Without you', `at most ${times(consent.frequencyPerDay)} a day`)
        : row('How often', 'once only'),
    ],
  };
}

function accessWords({ access, asked }: BankConsent, population: Population): string[] {
  if (access.kind !== 'dedicated' && access.kind !== 'offered') return [GLOBAL_ACCESS[access.kind]];
  const named = accountsIn(access);
  if (named.length > 0) return named.map((id) => grantOf(access, id, population));
  const lists = LIST_NAMES.filter((list) => Array.isArray(memberOf(asked, list)));
  return [`${capital(listed(lists.map((list) => LISTS[list])))} of the accounts that you choose`];
}

/** `Current account, BE68 …: details and balances` */
function grantOf(access: Access, id: string, population: Population): string {
  const account = population.account(id);
  const lists = LIST_NAMES.filter((list) => access[list].includes(id)).map((list) => LISTS[list]);
  return `${account === undefined ? id : accountName(account)}: ${listed(lists)}`;
}

export function askedByPayment(payment: BankPayment, population: Population): Asked {
  return { title: 'Authorise a payment', rows: paymentRows(payment, population) };
}

export function askedByCancellation(payment: BankPayment, population: Population): Asked {
  return { title: 'Cancel a payment', rows: paymentRows(payment, population) };
}

function paymentRows(payment: BankPayment, population: Population): AskedRow[] {
  const { body, debtor, parts, standing } = payment;
  const said = (...path: string[]) => textAt(body, path);
  const [amount, currency] =
    parts === undefined
      ? [said('instructedAmount', 'amount') ?? '', said('instructedAmount', 'currency') ?? '']
      : [amountText(payment.amount, payment.currency), payment.currency];
  const from = debtor === null ? undefined : population.account(debtor);
  const to = accountNumber(memberOf(body, 'creditorAccount'));
  const reference = said('remittanceInformationStructured', 'reference');
  return [
    { term: 'Amount', texts: [`${amount} ${currency}`], isAmount: true },
    parts === undefined
      ? row('To', ...present(said('creditorName'), to, said('creditorAgent')))
      : row('To', ...payees(parts)),
    row(
      'From',
      from === undefined
        ? (accountNumber(memberOf(body, 'debtorAccount')) ?? 'The account that you choose')
        : accountName(from),
    ),
    standing === undefined
      ? row('On', said('requestedExecutionDate') ?? 'as soon as possible')
      : row('Again and again', ...datesOf(standing)),
    ...optional('Message', said('remittanceInformationUnstructured') ?? reference),
    ...optional('Reference', said('endToEndIdentification')),
    row('Kind', PRODUCT_WORDS[codeOf(payment)]),
  ];
}

/** So many payees are named. */
const MOST_PAYEES = 10;

function payees(parts: readonly PaymentPart[]): string[] {
  const named = parts
    .slice(0, MOST_PAYEES)
    .map(({ body }) =>
      present(
        textAt(body, ['creditorName']),
        ['amount', 'currency'].map((part) => textAt(body, ['instructedAmount', part])).join(' '),
      ).join(', '),
    );
  const more = parts.length - named.length;
  return more === 0 ? named : [...named, `and ${more} more`];
}

const datesOf = ({ frequency, start, end }: StandingOrder): string[] => [
  frequency,
  `from ${dateOf(start)}${end === null ? '' : ` until ${dateOf(end)}`}`,
];

const PRODUCT_WORDS = { SCT: 'SEPA credit transfer', CBP: 'Cross-border payment' } as const;

/** `Current account, BE68 5390 0754 7034` */
export function accountName({ name, iban }: Pick<Account, 'name' | 'iban'>): string {
  return `${name}, ${spaced(iban)}`;
}

function accountNumber(account: unknown): string | undefined {
  const iban = textAt(account, ['iban']);
  return iban === undefined ? textAt(account, ['bban']) : spaced(iban);
}

function row(term: string, ...texts: readonly string[]): AskedRow {
  return { term, texts };
}

function optional(term: string, text: string | undefined): AskedRow[] {
  return text === undefined || text === '' ? [] : [row(term, text)];
}

function present(...texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text): text is string => text !== undefined);
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at = value;
  for (const name of path) at = memberOf(at, name);
  return typeof at === 'string' ? at : undefined;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `details`, `details and balances`, `details, balances and transactions` */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
