/** Account information: the list, one account, its balances and transactions. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { bankDayAt, type ConsentScope, type Dialect, SANDBOX, sandboxConsent } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { createDayBodies } from '../day-bodies.js';
import { answerJson, openReply } from '../render.js';
import {
  accountRecord,
  balanceRecords,
  bookedEntries,
  type ListView,
  pendingEntries,
} from './account-records.js';
import type { Bank, Handlers, Moment } from './bank.js';
import { refusalByToken } from './token-first.js';
import { pageLinks, readTransactionsQuery, type TransactionsQuery } from './transactions-query.js';

type Right = 'details' | 'balances' | 'transactions';

/** Rights of a consent of each scope, beside the list of accounts (reading `consent-scope-limits`). */
const RIGHTS = {
  preselected: { details: true, balances: true, transactions: true },
  allPsd2: { details: true, balances: true, transactions: true },
  availableAccounts: { details: false, balances: false, transactions: false },
  availableAccountsWithBalances: { details: false, balances: true, transactions: false },
} as const satisfies Record<ConsentScope, Record<Right, boolean>>;

export function createAccountHandlers(bank: Bank): Handlers<'accounts'> {
  const { data, links } = bank;
  const remember = createDayBodies(links.api);
  const own = data.accounts.accounts.find(({ resourceId }) => resourceId === SANDBOX.accountId);
  const account = own && { iban: own.iban, currency: own.currency };
  /** All that the body depends on is in its name, but for the day. */
  const show = (call: Call, { now }: Moment, name: string, make: (day: number) => unknown) => {
    const day = bankDayAt(now);
    return openReply(call, {
      source: 'emulator',
      status: 200,
      rendered: remember(name, day, () => make(day)),
    });
  };

  return {
    'accounts.list': (call, moment) => {
      const scope = consentIn(bank, call, moment);
      if (typeof scope !== 'string') return scope;
      const view = viewOf(scope, call);
      return show(call, moment, `list ${view.links} ${view.balances}`, (day) => ({
        accounts: data.accounts.accounts.map((one) => accountRecord(one, { data, links, day }, view)),
      }));
    },
    'accounts.read': (call, moment) => {
      const scope = permitted(bank, call, moment, 'details');
      if (typeof scope !== 'string') return scope;
      const view = viewOf(scope, call);
      return show(call, moment, `one ${view.links} ${view.balances}`, (day) => ({
        account: own && accountRecord(own, { data, links, day }, view),
      }));
    },
    'accounts.balances': (call, moment) => {
      const scope = permitted(bank, call, moment, 'balances');
      if (typeof scope !== 'string') return scope;
      return show(call, moment, 'balances', (day) => ({
        account,
        balances: balanceRecords(data, SANDBOX.accountId, day),
      }));
    },
    'accounts.transaction': (call, moment) => {
      const { now } = moment;
      const scope = permitted(bank, call, moment, 'transactions');
      if (typeof scope !== 'string') return scope;
      const day = bankDayAt(now);
      const currency = own?.currency ?? 'EUR';
      const entries = [
        ...bookedEntries(data, currency, day).map(({ entry }) => entry),
        ...pendingEntries(data, currency, day),
      ];
      return answerTransaction(call, entries);
    },
    'accounts.transactions': (call, moment) => {
      const scope = permitted(bank, call, moment, 'transactions');
      if (typeof scope !== 'string') return scope;
      // §Errors 5: the consent of that name is the error, whatever the dates.
      if (call.header['consent-id'] === SANDBOX.consent90dExpired) return refuseHistory(call, links.dialect);
      const asked = readTransactionsQuery(
        call,
        links.dialect,
        bankDayAt(moment.now),
        data.transactions.pageSize,
      );
      if ('status' in asked) return asked;
      return show(call, moment, `transactions ${Object.values(asked).join(' ')}`, (day) => ({
        account,
        transactions: transactionsOf(bank, asked, own?.currency ?? 'EUR', day),
        ...(asked.withBalance ? { balances: balanceRecords(data, SANDBOX.accountId, day) } : {}),
      }));
    },
  };
}

export function refuseHistory(call: Call, { historyDays }: Dialect): Answer {
  const text = `The access right to transactions older than ${historyDays} days is expired.`;
  return refuse(call, 'CONSENT_EXPIRED', { text });
}

/** One of the entries that the call may read, by its id (reading `single-transaction`). */
export function answerTransaction(call: Call, entries: readonly Record<string, unknown>[]): Answer {
  const id = call.params.transactionId;
  const entry = entries.find((one) => (one.transactionId ?? one.entryReference) === id);
  return entry === undefined
    ? refuse(call, 'RESOURCE_UNKNOWN', { text: 'The account has no such transaction.' })
    : answerJson(call, 'emulator', 200, { transactionsDetails: entry });
}

/** The scope of the consent in the header, or the answer where there is none. Token and status are for rules to judge. */
function consentIn(bank: Bank, call: Call, moment: Moment): ConsentScope | Answer {
  const refusal = refusalByToken(bank, call, moment, 'AIS', true);
  if (refusal !== null) return refusal;
  if (!bank.links.dialect.hasConsents) return 'allPsd2';
  const id = call.header['consent-id'];
  if (id === undefined || id === '')
    return refuse(call, 'FORMAT_ERROR', { path: 'Consent-Id', text: 'The header Consent-Id is missing.' });
  const consent = sandboxConsent(id);
  return consent?.scope ?? refuse(call, 'CONSENT_UNKNOWN', { status: 400 });
}

function permitted(bank: Bank, call: Call, moment: Moment, right: Right): ConsentScope | Answer {
  const scope = consentIn(bank, call, moment);
  if (typeof scope !== 'string') return scope;
  if (call.params.accountId !== SANDBOX.accountId)
    return refuse(call, 'CONSENT_INVALID', { text: 'The consent gives no right to this account.' });
  if (RIGHTS[scope][right]) return scope;
  return refuse(call, 'CONSENT_INVALID', {
    text: `The consent gives no right to the ${right} of this account.`,
  });
}

function viewOf(scope: ConsentScope, call: Call): ListView {
  if (scope === 'availableAccountsWithBalances') return { links: false, balances: 'all' };
  const { details, balances } = RIGHTS[scope];
  const withBalance = queryValue(call, 'withBalance') === 'true';
  return { links: details, balances: balances && withBalance ? 'granted' : 'none' };
}

/** A range of dates, booked and pending, in pages. */
function transactionsOf({ data, links }: Bank, asked: TransactionsQuery, currency: string, day: number) {
  const { bookingStatus, page, pageSize } = asked;
  const parts: Record<string, unknown> = {};
  let pages = 1;
  if (bookingStatus === 'booked' || bookingStatus === 'both' || bookingStatus === 'all') {
    const within = bookedEntries(data, currency, day).filter(
      ({ date }) => date >= asked.dateFrom && date <= asked.dateTo,
    );
    pages = Math.max(1, Math.ceil(within.length / pageSize));
    parts.booked = within.slice(page * pageSize, (page + 1) * pageSize).map(({ entry }) => entry);
  }
  // Pending transactions have no booking date yet, and come before all booked ones.
  if (bookingStatus !== 'booked' && bookingStatus !== 'information')
    parts.pending = page === 0 ? pendingEntries(data, currency, day) : [];
  // Standing orders, of which the account has none.
  if (bookingStatus === 'information') parts.information = [];
  return {
    ...parts,
    _links: pageLinks(links, SANDBOX.accountId, asked, pages),
  };
}
