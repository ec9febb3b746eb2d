import { describe, expect, it } from 'vitest';
import { askedByCancellation, askedByPayment } from '../../../../src/answer/living/sca/asked.js';
import type { StandingOrder } from '../../../../src/bank/index.js';
import { aPayment, POPULATION } from '../../../bank/a-bank.js';

const part = (creditorName: string, amount: number) => ({
  body: { ...aPayment().body, creditorName, instructedAmount: { currency: 'EUR', amount: `${amount}.00` } },
  amount: amount * 100,
  creditor: null,
});
const standing: StandingOrder = {
  ...{
    frequency: 'Monthly',
    rule: 'following',
    start: 20_514,
    end: 20_900,
    dayOfMonth: 2,
    nth: 0,
    day: 20_514,
  },
};

/** `Amount: 12.50 EUR` */
const rowsOf = (payment: Parameters<typeof askedByPayment>[0]) =>
  askedByPayment(payment, POPULATION).rows.map(({ term, texts }) => `${term}: ${texts.join(' | ')}`);

describe('what a PSU is asked for', () => {
  it('says for a standing order how often it is paid, and until when', () => {
    const rows = rowsOf(aPayment({ standing }));
    expect(rows).toContain('Again and again: Monthly | from 2026-03-02 until 2027-03-23');
    expect(rows).toContain('Amount: 12.50 EUR');
    expect(rowsOf(aPayment({ standing: { ...standing, end: null } }))).toContain(
      'Again and again: Monthly | from 2026-03-02',
    );
  });

  it('says for a bulk payment the sum, and what each of the first payees gets', () => {
    const parts = Array.from({ length: 12 }, (_, nth) => part(`Payee ${nth + 1}`, nth + 1));
    const bulk = aPayment({ parts, amount: 7_800, body: { debtorAccount: { iban: 'BE68539007547034' } } });
    const rows = rowsOf(bulk);
    expect(rows).toContain('Amount: 78.00 EUR');
    expect(rows.find((row) => row.startsWith('To: '))).toMatch(
      /^To: Payee 1, 1\.00 EUR \| .* \| Payee 10, 10\.00 EUR \| and 2 more$/,
    );
    expect(askedByCancellation(bulk, POPULATION).title).toBe('Cancel a payment');
  });
});
