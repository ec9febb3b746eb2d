/** Each payment of a bulk payment is judged as one payment is, and its place says which it is. */
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { aCall, aProfile, fingerprint, judgeOptions } from '../builders.js';
import { CREDITOR, DEBTOR } from './requests-of.js';

const dialect = dialectOf(
  aProfile({
    services: {
      'bulk-payments': {
        'sepa-credit-transfers': { like: 'SCT' },
        'cross-border-payments': { like: 'CBP' },
        'pain.001-sepa-credit-transfers': { like: 'SCT', media: ['application/xml'] },
      },
    },
  }),
);
const judge = createJudge({ rules: RULES, options: { ...judgeOptions('production'), dialect }, fingerprint });

type Members = Record<string, unknown>;
const PAYMENT: Members = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban: CREDITOR },
  creditorName: 'Example Merchant',
};

function findings(second: Members, bulk: Members = {}, paymentProduct = 'sepa-credit-transfers') {
  const body = { debtorAccount: { iban: DEBTOR }, payments: [PAYMENT, { ...PAYMENT, ...second }], ...bulk };
  const call = aCall({
    operation: 'payments.create',
    params: { paymentService: 'bulk-payments', paymentProduct },
    body,
    dialect,
  });
  return judge
    .judgeCall(call, createLedger())
    .findings.filter(({ rule }) => rule.startsWith('payments/'))
    .map(({ rule, place }) => `${rule}: ${place}`);
}

const amount = (value: unknown, currency = 'EUR') => ({ instructedAmount: { currency, amount: value } });

describe('a bulk payment', () => {
  it.each<[string, Members, string[]]>([
    ['is right', {}, []],
    ['a number', amount(1), ['payments/amount-well-formed: body payments[1].instructedAmount.amount']],
    [
      'an amount below zero',
      amount('-1.00'),
      ['payments/amount-well-formed: body payments[1].instructedAmount.amount'],
    ],
    [
      'no amount',
      { instructedAmount: { currency: 'EUR' } },
      ['payments/body-well-formed: body payments[1].instructedAmount.amount'],
    ],
    [
      'another currency',
      amount('1.00', 'USD'),
      ['payments/currency-known: body payments[1].instructedAmount.currency'],
    ],
    [
      'a wrong IBAN',
      { creditorAccount: { iban: 'DE00370400440532013000' } },
      ['payments/iban-valid: body payments[1].creditorAccount.iban'],
    ],
    [
      'no creditor',
      { creditorName: undefined },
      ['payments/body-well-formed: body payments[1].creditorName'],
    ],
    ['no BIC', { creditorAgent: 'my bank' }, ['payments/agent-is-bic: body payments[1].creditorAgent']],
    ['no purpose', { purposeCode: 'sala' }, ['payments/purpose-code-known: body payments[1].purposeCode']],
    [
      'a long text',
      { endToEndIdentification: 'x'.repeat(36) },
      ['payments/text-lengths: body payments[1].endToEndIdentification'],
    ],
    [
      'other letters',
      { creditorName: 'Müller & Söhne' },
      ['payments/text-characters: body payments[1].creditorName'],
    ],
  ])('%s', (_, second, found) => {
    expect(findings(second)).toEqual(found);
  });

  it('is not empty', () => {
    expect(findings({}, { payments: [] })).toEqual(['payments/body-well-formed: body payments']);
  });

  it('has one debtor', () => {
    expect(findings({}, { debtorAccount: { iban: 'BE00539007547034' } })).toEqual([
      'payments/iban-valid: body debtorAccount.iban',
    ]);
  });

  it('across borders takes other currencies and accounts', () => {
    const other = { creditorAccount: { bban: '1' }, ...amount('1.00', 'USD') };
    expect(findings(other, {}, 'cross-border-payments')).toEqual([]);
  });
});
