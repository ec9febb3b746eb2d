import { describe, expect, it } from 'vitest';
import {
  type BankConsent,
  coveredAccounts,
  covers,
  endSca,
  openConsent,
  type Right,
  shownAccess,
  showsOwner,
} from '../../src/bank/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { ACCOUNTS, anAuthorisation, booksOf, NOON, POPULATION, TPP } from './a-bank.js';

const OPENING = { id: 'consent-1', tpp: TPP, explicit: false, redirectUri: null, nokRedirectUri: null };
const IBAN = 'BE68539007547034';
const JOINT = 'BE43068999999501';
const RIGHTS: readonly Right[] = ['listed', 'details', 'balances', 'transactions'];

function opened(access: unknown, given: object = {}) {
  const body = { access, recurringIndicator: true, validUntil: '2026-04-30', frequencyPerDay: 4, ...given };
  return openConsent({ ...OPENING, body }, POPULATION, dialectOf(), NOON);
}

/** Given by psu-1. */
function granted(access: unknown, accounts?: string[]): BankConsent {
  const consent = opened(access) as BankConsent;
  const ending = { authorisation: anAuthorisation(), psu: 'psu-1', outcome: 'SCA_OK', accounts } as const;
  const { changes } = endSca(booksOf(consent), ending, NOON);
  return changes.find(({ family }) => family === 'bankConsents')?.fact as BankConsent;
}

/** `acc-1 LDBT`: listed, details, balances, transactions. */
const rightsOf = (consent: BankConsent) =>
  ACCOUNTS.map((account) => {
    const rights = RIGHTS.filter((right) => covers(consent, account, right)).map((right) => right.charAt(0));
    return rights.length === 0 ? '' : `${account.resourceId} ${rights.join('')}`;
  })
    .filter((one) => one !== '')
    .join(', ');

describe('a consent', () => {
  it.each([
    ['allPsd2', { allPsd2: 'allAccounts' }, 'acc-1 ldbt, acc-2 ldbt, acc-closed ldbt, acc-joint ldbt'],
    [
      'availableAccounts',
      { availableAccounts: 'allAccounts' },
      'acc-1 l, acc-2 l, acc-closed l, acc-joint l',
    ],
    [
      'availableAccountsWithBalances',
      { availableAccountsWithBalances: 'allAccounts' },
      'acc-1 lb, acc-2 lb, acc-closed lb, acc-joint lb',
    ],
    ['accounts', { accounts: [{ iban: IBAN }] }, 'acc-1 ld'],
    [
      'balances and transactions of different accounts',
      { balances: [{ iban: IBAN, currency: 'EUR' }], transactions: [{ resourceId: 'acc-joint' }] },
      'acc-1 ldb, acc-joint ldt',
    ],
    ['one list beside an empty one', { accounts: [], balances: [{ iban: IBAN }] }, 'acc-1 ldb'],
    ['a null beside a list', { allPsd2: null, accounts: [{ iban: IBAN }] }, 'acc-1 ld'],
    ['empty lists', { accounts: [], balances: [] }, 'acc-1 ldb, acc-2 ldb, acc-joint ldb'],
  ])('gives of %s what it asks for, and no more', (_, access, rights) => {
    const consent = granted(access);
    expect(rightsOf(consent)).toBe(rights);
    expect(coveredAccounts(consent, POPULATION).map(({ resourceId }) => resourceId)).toEqual(
      rights.split(', ').map((one) => one.split(' ')[0]),
    );
  });

  it('keeps of the request what is of use, however much there was', () => {
    const asked = { balances: [{ iban: IBAN, junk: 'x'.repeat(100_000) }], junk: 'x'.repeat(100_000) };
    expect(JSON.stringify(opened(asked)).length).toBeLessThan(1_000);
  });

  it('gives nothing before the PSU has agreed', () => {
    const consent = opened({ allPsd2: 'allAccounts' }) as BankConsent;
    expect([rightsOf(consent), coveredAccounts(consent, POPULATION)]).toEqual(['', []]);
  });

  it.each([
    ['none was asked for', { accounts: [{ iban: IBAN }] }, false],
    [
      'that of another account was',
      { accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [{ iban: JOINT }] } },
      false,
    ],
    [
      'its own was',
      { accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [{ iban: IBAN }] } },
      true,
    ],
    ['all were', { accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [] } }, true],
    ['all were, of what is selected', { accounts: [], additionalInformation: { ownerName: [] } }, true],
    ['allAccountsWithOwnerName was', { allPsd2: 'allAccountsWithOwnerName' }, true],
    ['allAccounts was', { allPsd2: 'allAccounts' }, false],
  ])('shows the name of an owner as it was asked for: %s', (_, access, shows) => {
    expect(showsOwner(granted(access), ACCOUNTS[0] as (typeof ACCOUNTS)[number])).toBe(shows);
  });

  it('is shown as it was asked for, and then as it was granted', () => {
    const asked = { accounts: [], balances: [] };
    expect(shownAccess(opened(asked) as BankConsent, POPULATION)).toEqual(asked);
    const named = { ...asked, balances: [{ iban: IBAN, currency: 'EUR' }] };
    const { balances } = named;
    expect(shownAccess(opened(named) as BankConsent, POPULATION)).toEqual({ balances });
    const account = { iban: JOINT, currency: 'EUR' };
    expect(shownAccess(granted(asked, ['acc-joint']), POPULATION)).toEqual({
      accounts: [account],
      balances: [account],
    });
    const global = { allPsd2: 'allAccounts' };
    expect(shownAccess(granted(global), POPULATION)).toEqual(global);
  });

  it.each([
    ['no access', undefined, {}, 'FORMAT_ERROR access'],
    ['nothing that is offered', { somethingElse: 1 }, {}, 'FORMAT_ERROR access'],
    ['an unknown IBAN', { balances: [{ iban: 'BE00' }] }, {}, 'RESOURCE_UNKNOWN access.balances[0]'],
    [
      'another currency',
      { accounts: [{ iban: IBAN, currency: 'USD' }] },
      {},
      'RESOURCE_UNKNOWN access.accounts[0]',
    ],
    ['no IBAN at all', { accounts: [{ msisdn: '1' }] }, {}, 'RESOURCE_UNKNOWN access.accounts[0]'],
    [
      'a thousand accounts and one',
      { accounts: Array.from({ length: 1_001 }, () => ({ iban: IBAN })) },
      {},
      'FORMAT_ERROR access.accounts',
    ],
    ['a past end', { allPsd2: 'allAccounts' }, { validUntil: '2026-03-01' }, 'FORMAT_ERROR validUntil'],
    ['no date', { allPsd2: 'allAccounts' }, { validUntil: 'soon' }, 'FORMAT_ERROR validUntil'],
  ])('with %s cannot be created', (_, access, given, fault) => {
    const { code, path } = opened(access, given) as { code: string; path: string };
    expect(`${code} ${path}`).toBe(fault);
  });
});
