/** Accounts of the living bank as its operator sees them, what is done to them by hand, and what its books say. */
import {
  type AccountAction,
  accountActions,
  type BankView,
  type BooksOf,
  type ShownAccount,
  type ShownBooks,
  wantedOf,
} from '../../admin/index.js';
import { bookedRecord, entryRecord } from '../../answer/index.js';
import {
  type Account,
  amountText,
  availableBalance,
  type BankChange,
  type Books,
  bankNameOf,
  bookByHand,
  bookedBalance,
  booksAt,
  changeIban,
  consentStatusAt,
  countBooked,
  coveredAccounts,
  isPossible,
  OPERATORS,
  type Posting,
  pageOfBooked,
  paymentStatusAt,
  pendingEntries,
  settleDue,
  steerAccount,
} from '../../bank/index.js';
import { memberOf } from '../../exchange/index.js';
import { bankDayAt, dayOf, isIban, plainIban, SandgateError } from '../../spec/index.js';
import { readWanted } from '../config/values.js';
import type { RunningWorld } from '../gateway/worlds.js';
import { accountOf } from './resources.js';
import type { Hands } from './steering.js';

/** In bytes, of all accounts of a world together. */
const MOST_BYTES = 4 * 1_048_576;
const MOST_SHOWN = 100;

export function accountsOf(
  world: RunningWorld,
  { population, steer, remember, living }: Hands,
): Pick<BankView, 'account' | 'changeAccount' | 'books'> {
  /** Everything due by now is settled first, and stays so. */
  function looked<T>(look: (books: Books, now: number) => T): T {
    const now = world.clock.now();
    const books = booksAt({ state: world.bank, population }, now);
    void remember(world, settleDue(books, now));
    return look(books, now);
  }
  return {
    account: (id) => looked((books, now) => showAccount(books, accountOf(books, id), now)),
    changeAccount: async (id, action, wanted) => {
      living();
      const asked = readWanted(wantedOf[action] as (typeof wantedOf)['book'], wanted);
      const { resourceId } = looked((books) => accountOf(books, id));
      await steer(world, { action, account: resourceId, ...noted(asked) }, () =>
        looked((books, now) => {
          const changed = changeOf(books, accountOf(books, resourceId), { action, asked }, now);
          const bytes = world.bank.holdings.bytesOf(OPERATORS);
          if (bytes > MOST_BYTES) throw new SandgateError('bank.hands-full', { most: '4 MiB' });
          if (typeof changed === 'string') throw new SandgateError('bank.account', { problem: changed });
          return [changed];
        }),
      );
      return looked((books, now) => showAccount(books, accountOf(books, resourceId), now));
    },
    books: (of) => looked((books, now) => booksOf(books, world, of, now)),
  };
}

const noted = (asked: object) =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));

function changeOf(
  books: Books,
  account: Account,
  {
    action,
    asked,
  }: { readonly action: AccountAction; readonly asked: { readonly amount: string; readonly text: string } },
  now: number,
): BankChange | string {
  if (action === 'book') return bookByHand(books, account, asked, now);
  if (action === 'change-iban') {
    const { iban } = asked as { readonly iban?: string };
    if (iban !== undefined && !isIban(plainIban(iban))) return `${iban} is no IBAN.`;
    return changeIban(books, account, iban === undefined ? undefined : plainIban(iban), now);
  }
  if (!isPossible(account, action))
    throw new SandgateError('bank.account-status', {
      status: account.status,
      action,
      id: account.resourceId,
    });
  return steerAccount(books, account, action, now);
}

function showAccount(books: Books, account: Account, now: number): ShownAccount {
  const { resourceId, iban, currency, name, status, owners } = account;
  const today = bankDayAt(now);
  const period = { from: account.openedOn, to: today };
  const money = (minor: number) => amountText(minor, currency);
  const record = (posting: Posting) => bookedRecord(posting, currency) as ShownEntry;
  const former = books.state.bankAccounts.get(resourceId)?.formerIbans ?? [];
  return {
    ...{ resourceId, iban, currency, name, status, owners },
    formerIbans: former.filter(({ until }) => until > now).map((one) => one.iban),
    balance: money(bookedBalance(books, resourceId, now)),
    available: money(availableBalance(books, account, now)),
    actions: accountActions.filter(
      (action) => action === 'book' || action === 'change-iban' || isPossible(account, action),
    ),
    transactions: {
      count: countBooked(books, resourceId, period, now),
      booked: pageOfBooked(books, resourceId, period, { now, offset: 0, limit: MOST_SHOWN }).map(record),
      pending: pendingEntries(books, account, now).map((one) => entryRecord(one, currency) as ShownEntry),
    },
  };
}
type ShownEntry = ShownAccount['transactions']['booked'][number];

/** What an application should believe that has read all of it now. */
function booksOf(
  books: Books,
  world: RunningWorld,
  { tpp, psu, dateFrom }: BooksOf,
  now: number,
): ShownBooks {
  const { bankConsents, bankPayments } = world.bank;
  const isOf = (one: { readonly tpp: string; readonly psu: string | null }) =>
    (tpp === undefined || one.tpp === tpp) && (psu === undefined || one.psu === psu);
  const named = psu === undefined ? undefined : bankNameOf.psu(psu);
  const consents = [...(named === undefined ? bankConsents.values() : bankConsents.all(named))].filter(isOf);
  const payments = [...(named === undefined ? bankPayments.values() : bankPayments.all(named))].filter(isOf);
  const seen =
    tpp === undefined
      ? psu === undefined
        ? []
        : books.population.accountsOf(psu)
      : consents
          .filter((consent) => consentStatusAt(consent, now) === 'valid')
          .flatMap((consent) => coveredAccounts(consent, books.population));
  const accounts = new Map(seen.map((account) => [account.resourceId, account]));
  return {
    accounts: Array.from(accounts.values(), (account) => bookOf(books, account, dateFrom, now)),
    payments: payments.map((payment) => {
      const endToEnd = memberOf(payment.body, 'endToEndIdentification');
      return {
        paymentId: payment.id,
        ...(typeof endToEnd === 'string' ? { endToEndIdentification: endToEnd } : {}),
        amount: amountText(payment.amount, payment.currency),
        currency: payment.currency,
        status: paymentStatusAt(payment, now),
      };
    }),
    consents: consents.map((one) => ({ consentId: one.id, status: consentStatusAt(one, now), psu: one.psu })),
  };
}

function bookOf(books: Books, account: Account, dateFrom: string | undefined, now: number) {
  const { resourceId, iban, currency, status, openedOn } = account;
  const [today, from] = [bankDayAt(now), dateFrom === undefined ? openedOn : dayOf(Date.parse(dateFrom))];
  const transactions = countBooked(books, resourceId, { from, to: today }, now);
  const entries = pageOfBooked(
    books,
    resourceId,
    { from, to: today },
    { now, offset: 0, limit: transactions },
  );
  return {
    ...{ resourceId, iban, currency, status, transactions },
    balance: amountText(bookedBalance(books, resourceId, now), currency),
    sum: amountText(
      entries.reduce((sum, { amount }) => sum + amount, 0),
      currency,
    ),
    pending: pendingEntries(books, account, now).length,
  };
}
