/** Periodic and bulk payments of the sandbox bank, where a profile offers them. */
import { expect, it } from 'vitest';
import type { BankProfile } from '../../../src/spec/index.js';
import { anEmulator, errorOf, jsonOf } from '../an-emulator.js';

const product = { 'sepa-credit-transfers': { like: 'SCT' } } as const;
const PROFILE: BankProfile = {
  name: 'a-bank',
  title: 'A bank',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all' }],
  services: { 'periodic-payments': product, 'bulk-payments': product },
};

it.each([
  [
    'periodic-payments',
    {
      startDate: expect.any(String),
      executionRule: 'following',
      frequency: 'Monthly',
      creditorName: expect.any(String),
    },
  ],
  [
    'bulk-payments',
    { debtorAccount: { iban: expect.any(String) }, payments: [{ creditorName: expect.any(String) }] },
  ],
])('is read as the one payment of the sandbox, as %s', (paymentService, members) => {
  const bank = anEmulator({ bankProfile: PROFILE });
  const params = { paymentService };
  const created = bank.ask({ operation: 'payments.create', params, body: {} });
  const { paymentId, _links } = jsonOf(created);
  expect(_links.self.href).toContain(`/v1/${paymentService}/sepa-credit-transfers/${paymentId}`);
  const read = bank.ask({ operation: 'payments.read', params: { ...params, paymentId } });
  expect(jsonOf(read)).toMatchObject({ ...members, transactionStatus: 'RCVD' });
});

it('is refused where the profile does not offer it', () => {
  const bank = anEmulator({ bankProfile: PROFILE });
  expect(errorOf(bank.ask({ operation: 'payments.read' }))).toMatch(/PRODUCT_UNKNOWN$/);
});
