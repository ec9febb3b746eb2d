/** What an application believes is held against the books of the bank. */
import { describe, expect, it } from 'vitest';
import { type Booked, type BookedPayment, differencesOf, readBelief } from '../../src/rehearsal/belief.js';

const IBAN = 'BE71096123456769';
const account = { iban: IBAN, balance: '12.50', transactions: 31, sum: '-104.20' };
const payment: BookedPayment = {
  endToEndIdentification: 'E1',
  amount: '5.00',
  status: 'ACSC',
  isOpen: false,
  isExcused: false,
};
const booked = {
  iban: IBAN,
  balance: '12.50',
  periods: [
    { transactions: 31, sum: '-104.20' },
    { transactions: 29, sum: '-4.20' },
  ],
};
const nothing: Booked = { accounts: [], payments: [], validConsents: 0 };

const compared = (belief: object, booked: Partial<Booked>) => {
  const read = readBelief(JSON.stringify(belief));
  if (typeof read === 'string') throw new Error(read);
  return differencesOf(read, { ...nothing, ...booked }).map(
    ({ of, believed, booked: is }) => `${of}: ${believed}, ${is}`,
  );
};

describe('accounts', () => {
  it.each([
    ['all as booked', [account], []],
    ['another way to write an amount', [{ ...account, balance: 12.5, sum: '-104.2' }], []],
    ['those since a later day', [{ ...account, transactions: 29, sum: '-4.20' }], []],
    [
      'the number of one day and the sum of another',
      [{ ...account, transactions: 29 }],
      [`transactions of ${IBAN}: 29, 31`],
    ],
    ['a balance alone', [{ iban: IBAN, balance: '12.50' }], []],
    ['accounts that the bank does not compare', [account, { ...account, iban: 'BE00' }], []],
    [
      'twice the transactions',
      [{ ...account, transactions: 62, sum: '-208.40' }],
      [`transactions of ${IBAN}: 62, 31`, `sum of transactions of ${IBAN}: -208.40, -104.20`],
    ],
    ['another balance', [{ ...account, balance: '12.05' }], [`balance of ${IBAN}: 12.05, 12.50`]],
    ['no account', [], [`account ${IBAN}: nothing, 12.50`]],
    ['the account twice', [account, account], [`account ${IBAN}: 2 accounts, one account`]],
  ])('with %s', (_, accounts, found) => {
    expect(compared({ accounts }, { accounts: [booked] })).toEqual(found);
  });
});

describe('payments', () => {
  const open = { ...payment, status: 'RCVD', isOpen: true };
  it.each([
    [
      'the status of the bank',
      [{ endToEndIdentification: 'E1', amount: '5.00', status: 'ACSC' }],
      [payment],
      [],
    ],
    ['the amount alone', [{ amount: '5', status: 'ACSC' }], [payment], []],
    [
      'a status that is old',
      [{ endToEndIdentification: 'E1', amount: '5.00', status: 'ACTC' }],
      [payment],
      ['payment of 5.00: ACTC, ACSC'],
    ],
    ['no payment', [], [payment], ['payment of 5.00: nothing, ACSC']],
    [
      'one for two',
      [{ amount: '5.00', status: 'ACSC' }],
      [payment, { ...open, endToEndIdentification: null }],
      ['payment of 5.00: nothing, RCVD'],
    ],
    [
      'one for two of the same reference',
      [{ endToEndIdentification: 'E1', amount: '5.00', status: 'ACSC' }],
      [open, payment],
      ['payment of 5.00: nothing, RCVD'],
    ],
    [
      'one that the bank has not',
      [{ amount: '9.00', status: 'ACSC' }],
      [],
      ['payment of 9.00: ACSC, nothing'],
    ],
    ['one of which it says that it does not know', [{ amount: '5.00', status: 'unknown' }], [open], []],
    ['one that it only meant to send', [{ amount: '5.00', status: null }], [], []],
    [
      'not knowing what the PSU authorised',
      [{ amount: '5.00', status: 'unknown' }],
      [payment],
      ['payment of 5.00: unknown, ACSC'],
    ],
    ['nothing of what it was told had failed', [], [{ ...open, isExcused: true }], []],
  ])('with %s', (_, payments, booked, found) => {
    expect(compared({ payments }, { payments: booked })).toEqual(found);
  });
});

describe('consents', () => {
  it('are counted if they are valid', () => {
    const consents = [{ status: 'valid' }, { status: 'expired' }];
    expect(compared({ consents }, { validConsents: 1 })).toEqual([]);
    expect(compared({ consents }, { validConsents: 0 })).toEqual(['valid consents: 1, 0']);
  });
});

describe('a belief', () => {
  it.each([
    ['<html>', 'belief is no JSON: it begins with “<html>”'],
    ['[]', 'belief cannot be read at its top: an object in { } is expected'],
    [
      '{"accounts":[{"balance":"1"}]}',
      'belief cannot be read at accounts.0.iban: it is missing; a text is expected',
    ],
    [
      '{"payments":[{"amount":"1,50"}]}',
      'belief cannot be read at payments.0.amount: an amount is expected, such as "12.50"',
    ],
  ])('of %s is said to be none', (text, words) => {
    expect(readBelief(text)).toBe(words);
  });

  it('that says nothing differs in nothing', () => {
    expect(compared({}, { accounts: [booked], payments: [payment], validConsents: 3 })).toEqual([]);
  });
});
