import { describe, expect, it } from 'vitest';
import { isAmount, isDateTimeWithOffset, isIban, type SandboxConsentId } from '../../../src/spec/index.js';
import { NOW } from '../../builders.js';
import { anEmulator, DATA, errorOf, jsonOf, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const DAY = 86_400_000;
const CONSENT = { 'Consent-Id': 'VALID_CONSENT_ID' };
const listFor = (consent: SandboxConsentId, query?: string) =>
  jsonOf(
    ask({
      operation: 'accounts.list',
      headers: { 'Consent-Id': consent },
      ...(query === undefined ? {} : { query }),
    }),
  ).accounts;

describe('the list of accounts', () => {
  it('shows four, links each to itself, and the first to what can be read of it', () => {
    const accounts = listFor('VALID_CONSENT_ID');
    expect(accounts.map((one: { resourceId: string }) => one.resourceId)).toEqual([
      'ACCOUNT_ID',
      'ACCOUNT_ID_2',
      'ACCOUNT_ID_3',
      'ACCOUNT_ID_4',
    ]);
    expect(accounts[0]._links).toEqual({
      account: { href: `${V1}/accounts/ACCOUNT_ID` },
      balances: { href: `${V1}/accounts/ACCOUNT_ID/balances` },
      transactions: { href: `${V1}/accounts/ACCOUNT_ID/transactions` },
    });
    for (const { resourceId, _links } of accounts.slice(1))
      expect(_links).toEqual({ account: { href: `${V1}/accounts/${resourceId}` } });
    for (const { iban, currency, balances } of accounts) {
      expect(isIban(iban)).toBe(true);
      expect(currency).toBe('EUR');
      expect(balances).toBeUndefined();
    }
  });

  it('holds balances where they are asked for and granted', () => {
    const accounts = listFor('VALID_CONSENT_ID', 'withBalance=true');
    expect(accounts[0].balances).toHaveLength(6);
    expect(accounts[1].balances).toBeUndefined();
    expect(listFor('CONSENT_ID_AVAILABLE_ACCOUNTS', 'withBalance=true')[0].balances).toBeUndefined();
  });

  it('follows the scope of the consent', () => {
    for (const account of listFor('CONSENT_ID_AVAILABLE_ACCOUNTS_WITH_BALANCES')) {
      expect(account.balances.length).toBeGreaterThan(0);
      expect(account._links).toBeUndefined();
    }
    expect(listFor('CONSENT_ID_AVAILABLE_ACCOUNTS')[0]._links).toBeUndefined();
    expect(listFor('CONSENT_ID_ALL_PSD2')[0]._links).toBeDefined();
  });

  it('takes the header in any case of letters', () => {
    for (const name of ['Consent-Id', 'Consent-ID', 'consent-id', 'CONSENT-ID'])
      expect(ask({ operation: 'accounts.list', headers: { [name]: 'VALID_CONSENT_ID' } }).status).toBe(200);
  });
});

describe('one account', () => {
  it('stands in a member of its own', () => {
    const answer = jsonOf(ask({ operation: 'accounts.read', headers: CONSENT, query: 'withBalance=true' }));
    expect(Object.keys(answer)).toEqual(['account']);
    expect(answer.account.resourceId).toBe('ACCOUNT_ID');
    expect(answer.account.balances).toHaveLength(6);
  });

  it.each(['accounts.read', 'accounts.balances', 'accounts.transactions'] as const)(
    '%s gives no right to another',
    (operation) => {
      for (const accountId of ['ACCOUNT_ID_2', 'ACCOUNT_ID_4', 'nothing'])
        expect(
          errorOf(ask({ operation, headers: CONSENT, params: { accountId }, query: 'bookingStatus=booked' })),
        ).toBe('401 CONSENT_INVALID');
    },
  );

  it.each([
    ['accounts.list', 200, 200],
    ['accounts.read', 401, 401],
    ['accounts.balances', 401, 200],
    ['accounts.transactions', 401, 401],
  ] as const)('%s is granted as the scope says', (operation, available, withBalances) => {
    const status = (consent: SandboxConsentId) =>
      ask({ operation, headers: { 'Consent-Id': consent }, query: 'bookingStatus=booked' }).status;
    expect(status('CONSENT_ID_AVAILABLE_ACCOUNTS')).toBe(available);
    expect(status('CONSENT_ID_AVAILABLE_ACCOUNTS_WITH_BALANCES')).toBe(withBalances);
    expect(status('CONSENT_ID_ALL_PSD2')).toBe(200);
  });
});

describe('balances', () => {
  const { account, balances } = jsonOf(ask({ operation: 'accounts.balances', headers: CONSENT }));
  type Balance = {
    balanceType: string;
    balanceAmount: { amount: string };
    lastChangeDateTime: string;
    referenceDate: string;
  };
  const amount = (type: string) =>
    Number(balances.find((one: Balance) => one.balanceType === type).balanceAmount.amount);

  it('are of six types, amounts as strings, times with offset', () => {
    expect(account).toEqual({ iban: DATA.accounts.accounts[0]?.iban, currency: 'EUR' });
    expect(balances.map((one: Balance) => one.balanceType)).toEqual([
      'closingBooked',
      'expected',
      'interimAvailable',
      'openingBooked',
      'interimBooked',
      'forwardAvailable',
    ]);
    for (const { balanceAmount, lastChangeDateTime } of balances) {
      expect(isAmount(balanceAmount.amount)).toBe(true);
      expect(isDateTimeWithOffset(lastChangeDateTime)).toBe(true);
      expect(Date.parse(lastChangeDateTime)).toBeLessThan(NOW);
    }
    expect(balances[0].referenceDate).toBe('2026-06-14');
  });

  it('agree with the entries of the day', () => {
    const today = jsonOf(
      ask({
        operation: 'accounts.transactions',
        headers: CONSENT,
        query: 'bookingStatus=both&dateFrom=2026-06-15',
      }),
    ).transactions;
    const sum = (entries: { transactionAmount: { amount: string } }[]) =>
      entries.reduce((total, one) => total + Number(one.transactionAmount.amount), 0);
    expect(amount('interimBooked')).toBeCloseTo(amount('closingBooked') + sum(today.booked), 2);
    expect(amount('expected')).toBeCloseTo(amount('interimBooked') + sum(today.pending), 2);
    expect(amount('openingBooked')).toBe(amount('closingBooked'));
  });

  it('move with the day', () => {
    const later = ask({ operation: 'accounts.balances', headers: CONSENT }, { now: NOW + 3 * DAY });
    expect(jsonOf(later).balances[0].referenceDate).toBe('2026-06-17');
    expect(jsonOf(ask({ operation: 'accounts.balances', headers: CONSENT }))).toEqual({ account, balances });
  });
});

describe('the consent of an account call', () => {
  it.each(['accounts.list', 'accounts.read', 'accounts.balances', 'accounts.transactions'] as const)(
    'must be named and known for %s',
    (operation) => {
      expect(errorOf(ask({ operation }))).toBe('400 FORMAT_ERROR');
      for (const id of ['nobody', '__proto__'])
        expect(errorOf(ask({ operation, headers: { 'Consent-Id': id } }))).toBe('400 CONSENT_UNKNOWN');
    },
  );
});
