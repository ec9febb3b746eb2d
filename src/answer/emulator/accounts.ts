/** Account information: the list, one account, its balances. */
import { type Answer, type Call, keepContent, queryValue } from '../../exchange/index.js';
import { bankDayAt, type ConsentScope, SANDBOX, sandboxConsent } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { openReply, type Rendered, renderJson } from '../render.js';
import { accountRecord, balanceRecords, type ListView } from './account-records.js';
import type { Bank, Handlers } from './bank.js';
import { createTransactions } from './transactions.js';

type Right = 'details' | 'balances' | 'transactions';

/** What a consent of each scope lets see beside the list of accounts (reading `consent-scope-limits`). */
const RIGHTS = {
  preselected: { details: true, balances: true, transactions: true },
  allPsd2: { details: true, balances: true, transactions: true },
  availableAccounts: { details: false, balances: false, transactions: false },
  availableAccountsWithBalances: { details: false, balances: true, transactions: false },
} as const satisfies Record<ConsentScope, Record<Right, boolean>>;

export function createAccountHandlers(bank: Bank): Handlers<'accounts'> {
  const { data, links } = bank;
  const remember = createDayMemory(links.v1);
  const own = data.accounts.accounts.find(({ resourceId }) => resourceId === SANDBOX.accountId);

  const list = (scope: ConsentScope, withBalance: boolean, day: number) =>
    remember(`list ${scope} ${withBalance}`, day, () => {
      const view = listView(scope, withBalance);
      return {
        accounts: data.accounts.accounts.map((one) => accountRecord(one, { data, links, day }, view)),
      };
    });
  const one = (scope: ConsentScope, withBalance: boolean, day: number) =>
    remember(`one ${scope} ${withBalance}`, day, () => ({
      account: own && accountRecord(own, { data, links, day }, listView(scope, withBalance)),
    }));
  const balances = (day: number) =>
    remember('balances', day, () => ({
      account: own && { iban: own.iban, currency: own.currency },
      balances: balanceRecords(data, SANDBOX.accountId, day),
    }));
  const found = (call: Call, rendered: Rendered) =>
    openReply(call, { source: 'emulator', status: 200, rendered });

  return {
    'accounts.list': (call, { now }) => {
      const consent = consentIn(call);
      return typeof consent === 'string'
        ? found(call, list(consent, asksBalance(call), bankDayAt(now)))
        : consent;
    },
    'accounts.read': (call, { now }) => {
      const consent = permitted(call, 'details');
      return typeof consent === 'string'
        ? found(call, one(consent, asksBalance(call), bankDayAt(now)))
        : consent;
    },
    'accounts.balances': (call, { now }) => {
      const consent = permitted(call, 'balances');
      return typeof consent === 'string' ? found(call, balances(bankDayAt(now))) : consent;
    },
    'accounts.transactions': createTransactions(bank, (call) => permitted(call, 'transactions')),
  };
}

/** Bodies are the same all day: serialised once, as long as day and addresses stay. */
function createDayMemory(v1: (path: string) => string) {
  let [day, base] = [Number.NaN, ''];
  const bodies = new Map<string, Rendered>();
  return (name: string, today: number, make: () => unknown): Rendered => {
    const here = v1('');
    if (today !== day || here !== base) {
      bodies.clear();
      [day, base] = [today, here];
    }
    const known = bodies.get(name);
    if (known !== undefined) return known;
    const made = renderJson(make());
    bodies.set(name, made);
    keepContent(made.content);
    return made;
  };
}

/** The scope of the consent in the header, or the answer where there is none. Token and status are for rules to judge. */
function consentIn(call: Call): ConsentScope | Answer {
  const id = call.header['consent-id'];
  if (id === undefined || id === '')
    return refuse(call, 'FORMAT_ERROR', { path: 'Consent-Id', text: 'The header Consent-Id is missing.' });
  const consent = sandboxConsent(id);
  return consent?.scope ?? refuse(call, 'CONSENT_UNKNOWN', { status: 400 });
}

function permitted(call: Call, right: Right): ConsentScope | Answer {
  const scope = consentIn(call);
  if (typeof scope !== 'string') return scope;
  if (call.params.accountId !== SANDBOX.accountId)
    return refuse(call, 'CONSENT_INVALID', { text: 'The consent gives no right to this account.' });
  if (RIGHTS[scope][right]) return scope;
  return refuse(call, 'CONSENT_INVALID', {
    text: `The consent gives no right to the ${right} of this account.`,
  });
}

function asksBalance(call: Call): boolean {
  return queryValue(call, 'withBalance') === 'true';
}

function listView(scope: ConsentScope, withBalance: boolean): ListView {
  if (scope === 'availableAccountsWithBalances') return { links: false, balances: 'all' };
  const { details, balances } = RIGHTS[scope];
  return { links: details, balances: balances && withBalance ? 'granted' : 'none' };
}
