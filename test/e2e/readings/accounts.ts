/** Readings on accounts and transactions. */
import { expect } from 'vitest';
import type { ReadingId } from '../../../src/spec/index.js';
import { bodyOf, PAY, PAYMENT, type Shown, transactions, VALID } from './shown.js';

export const ACCOUNTS = {
  'account-record': {
    file: 'test/answer/emulator/accounts.test.ts',
    test: 'are of six types, amounts as strings, times with offset',
  },
  'account-list': { file: 'test/answer/emulator/accounts.test.ts', test: 'shows four, links each to itself' },
  'account-read-body': bodyOf('GET /accounts/ACCOUNT_ID', VALID, { account: { resourceId: 'ACCOUNT_ID' } }),
  'payment-read-body': async ({ ask }) => {
    await ask('POST /payments/sepa-credit-transfers', PAY);
    const { json } = await ask('GET /payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT');
    expect(json.transactionStatus).toBe('RCVD');
    expect(json.instructedAmount).not.toEqual(PAYMENT.instructedAmount);
  },
  'cross-border-body': async ({ ask }) => {
    const json = { ...PAYMENT, creditorAccount: { bban: '000123456789' }, creditorAgent: 'SDGTUS33' };
    expect((await ask('POST /payments/cross-border-payments', { ...PAY, json })).status).toBe(201);
  },
  'transactions-query': {
    file: 'test/answer/emulator/transactions.test.ts',
    test: 'may lie wholly ahead or behind',
  },
  'transactions-link': {
    file: 'test/e2e/links.test.ts',
    test: 'work as they are given, and so do those behind them',
  },
  'booking-status-values': [
    ...['booked', 'pending', 'both', 'all', 'information'].map(
      (status) => [transactions(`?bookingStatus=${status}`), VALID, '200'] as const,
    ),
    [transactions('?bookingStatus=BOOKED'), VALID, '400 FORMAT_ERROR'],
    [transactions('?dateFrom=2026-01-01'), VALID, '400 FORMAT_ERROR'],
  ],
  'date-range-inclusive': [
    [
      transactions('?bookingStatus=booked&dateFrom=2026-01-02&dateTo=2026-01-01'),
      VALID,
      '400 PERIOD_INVALID',
    ],
  ],
} as const satisfies Partial<Record<ReadingId, Shown>>;
