/** Periodic and bulk payments at a bank whose profile offers them. */
import { describe, expect, it } from 'vitest';
import { partId } from '../../../src/bank/index.js';
import type { BankProfile } from '../../../src/spec/index.js';
import { DAY, HOUR, NOON } from '../../bank/a-bank.js';
import { type CallParts, fingerprint, TPP } from '../../builders.js';
import { errorOf, jsonOf } from '../an-emulator.js';
import { aLivingBank, type LivingBankUnderTest } from './a-living-bank.js';

const product = { 'sepa-credit-transfers': { like: 'SCT' } } as const;
const PROFILE: BankProfile = {
  name: 'a-bank',
  title: 'A bank',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all' }],
  services: { payments: product, 'periodic-payments': product, 'bulk-payments': product },
};

const DEBTOR = { iban: 'BE68539007547034' };
const PART = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
  remittanceInformationUnstructured: 'Rent',
};
const PERIODIC = {
  ...PART,
  debtorAccount: DEBTOR,
  startDate: '2026-03-02',
  frequency: 'Monthly',
  executionRule: 'preceding',
  dayOfExecution: '31',
};
const BULK = {
  debtorAccount: DEBTOR,
  batchBookingPreferred: false,
  payments: [PART, { ...PART, instructedAmount: { currency: 'EUR', amount: '1.00' } }],
};

type Service = 'periodic-payments' | 'bulk-payments';
const create = (bank: LivingBankUnderTest, paymentService: Service, body: object) =>
  bank.ask({
    operation: 'payments.create',
    params: { paymentService },
    headers: { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
    body,
  });

/** An order that was created, and what can be done with it. */
function created(bank: LivingBankUnderTest, paymentService: Service, body: object) {
  const answer = create(bank, paymentService, body);
  const { paymentId, _links } = jsonOf(answer);
  const on = (operation: NonNullable<CallParts['operation']>, more: Record<string, string> = {}) =>
    bank.ask({ operation, params: { paymentService, paymentId, ...more } });
  const authorisation = _links.scaStatus.href.split('/').at(-1) as string;
  return {
    ...{ answer, paymentId, on },
    authorise: () => expect(bank.sca(authorisation, 'psu-1')).toBe('SCA_OK'),
    status: () => jsonOf(on('payments.status')).transactionStatus,
  };
}

/** What a consent for all accounts shows of an account's transactions. */
function transactions(bank: LivingBankUnderTest, bookingStatus: string) {
  const answer = bank.ask({
    operation: 'consents.create',
    headers: { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
    body: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: '2026-08-01',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  const { consentId, _links } = jsonOf(answer);
  bank.sca(_links.scaStatus.href.split('/').at(-1), 'psu-1');
  bank.ask({ operation: 'consents.status', params: { consentId } });
  const [token, scope] = [fingerprint('access'), `AIS:${consentId}`];
  const given = { token, tpp: TPP, scope, issuedAt: bank.now, expiresAt: bank.now + HOUR };
  bank.keep([
    { family: 'tokens', key: token, fact: given },
    { family: 'bankTokens', key: token, fact: { ...given, kind: 'access', code: 'code' } },
  ]);
  const read = bank.ask({
    operation: 'accounts.transactions',
    params: { accountId: 'acc-1' },
    query: `bookingStatus=${bookingStatus}&dateFrom=2026-02-01`,
    headers: { 'Consent-Id': consentId, Authorization: 'Bearer access', 'PSU-IP-Address': '192.0.2.7' },
  });
  expect(read.status, JSON.stringify(jsonOf(read))).toBe(200);
  return jsonOf(read).transactions;
}

describe('a periodic payment', () => {
  it('is read as it was posted, at the address of its service', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const { answer, paymentId, on } = created(bank, 'periodic-payments', PERIODIC);
    expect(answer.header.location).toBe(
      `https://localhost:8443/stdgroup/v1/periodic-payments/sepa-credit-transfers/${paymentId}`,
    );
    expect(jsonOf(answer)._links.self.href).toBe(answer.header.location);
    expect(jsonOf(on('payments.read'))).toEqual({ ...PERIODIC, transactionStatus: 'RCVD' });
  });

  it('is paid on the last bank day of each month, by the clock of the bank', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const { paymentId, authorise, status } = created(bank, 'periodic-payments', PERIODIC);
    authorise();
    expect(status()).toBe('ACTC');
    bank.now = Date.parse('2026-06-01T12:00:00Z');
    expect(status()).toBe('ACSP');
    const booked = transactions(bank, 'booked').booked.filter(
      ({ transactionId }: { transactionId: string }) => transactionId.startsWith(paymentId),
    );
    expect(booked).toMatchObject(
      [2, 1, 0].map((nth) => ({
        transactionId: `${partId(paymentId, nth)}-debit`,
        bookingDate: ['2026-03-31', '2026-04-30', '2026-05-29'][nth],
        transactionAmount: { currency: 'EUR', amount: '-12.50' },
        creditorName: 'Fietsen Roeland',
      })),
    );
  });

  it('is listed as a standing order as long as it runs, and stops once it is cancelled', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const { authorise, on, status } = created(bank, 'periodic-payments', PERIODIC);
    expect(transactions(bank, 'information')).toMatchObject({ information: [] });
    authorise();
    expect(transactions(bank, 'information').information).toEqual([
      {
        creditorName: 'Fietsen Roeland',
        creditorAccount: PART.creditorAccount,
        remittanceInformationUnstructured: 'Rent',
        transactionAmount: { currency: 'EUR', amount: '-12.50' },
        bankTransactionCode: 'PMNT-ICDT-STDO',
        additionalInformationStructured: {
          standingOrderDetails: {
            startDate: '2026-03-02',
            executionRule: 'preceding',
            frequency: 'Monthly',
            dayOfExecution: '31',
          },
        },
      },
    ]);
    bank.now += 40 * DAY;
    const cancelled = on('payments.cancel');
    expect(cancelled.status).toBe(202);
    bank.sca(jsonOf(cancelled)._links.scaStatus.href.split('/').at(-1), 'psu-1');
    expect(status()).toBe('CANC');
    expect(transactions(bank, 'information').information).toEqual([]);
  });

  it.each([
    ['startDate', { startDate: '2026-03-01' }],
    ['startDate', { startDate: '2026-02-30' }],
    ['frequency', { frequency: 'Monday' }],
    ['executionRule', { executionRule: 'never' }],
    ['dayOfExecution', { dayOfExecution: '32' }],
    ['endDate', { endDate: '2026-03-02' }],
    ['monthsOfExecution', { frequency: 'MonthlyVariable' }],
    ['monthsOfExecution.0', { frequency: 'MonthlyVariable', monthsOfExecution: ['13'] }],
  ])('is refused with %s', (path, given) => {
    const answer = create(aLivingBank({ bankProfile: PROFILE }), 'periodic-payments', {
      ...PERIODIC,
      ...given,
    });
    expect(errorOf(answer)).toBe('400 FORMAT_ERROR');
    // A rule or the bank itself refuses it.
    expect(jsonOf(answer).tppMessages[0].path.replace('body ', '')).toBe(path);
  });

  it('cannot be read as a payment, nor can what it paid', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const { paymentId, authorise } = created(bank, 'periodic-payments', PERIODIC);
    authorise();
    bank.now += 40 * DAY;
    for (const id of [paymentId, partId(paymentId, 0)])
      expect(errorOf(bank.ask({ operation: 'payments.read', params: { paymentId: id } }))).toBe(
        '403 RESOURCE_UNKNOWN',
      );
  });
});

describe('a bulk payment', () => {
  it('is read as it was posted, and executed payment by payment', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const { authorise, on, paymentId, status } = created(bank, 'bulk-payments', BULK);
    expect(jsonOf(on('payments.read'))).toEqual({ ...BULK, transactionStatus: 'RCVD' });
    authorise();
    bank.now = NOON + 3 * HOUR;
    expect(status()).toBe('ACSC');
    const amounts = transactions(bank, 'booked')
      .booked.filter(({ transactionId }: { transactionId: string }) => transactionId.startsWith(paymentId))
      .map(({ transactionAmount }: { transactionAmount: { amount: string } }) => transactionAmount.amount);
    expect(amounts).toEqual(['-1.00', '-12.50']);
  });

  it('is PART where the money does not suffice for all', () => {
    const bank = aLivingBank({ bankProfile: PROFILE });
    const much = { ...PART, instructedAmount: { currency: 'EUR', amount: '999999.00' } };
    const { authorise, status } = created(bank, 'bulk-payments', { ...BULK, payments: [PART, much] });
    authorise();
    bank.now = NOON + DAY;
    expect(status()).toBe('PART');
  });

  it.each<[string, string, object]>([
    [
      '400 FORMAT_ERROR',
      'payments[1].creditorAccount.iban',
      { payments: [PART, { ...PART, creditorAccount: { iban: 'be' } }] },
    ],
    [
      '400 FORMAT_ERROR',
      'payments[1].instructedAmount.currency',
      {
        payments: [PART, { ...PART, instructedAmount: { currency: 'USD', amount: '1.00' } }],
      },
    ],
    [
      '400 FORMAT_ERROR',
      'payments',
      { payments: Array.from({ length: 101 }, () => ({ ...PART, creditorName: 'A' })) },
    ],
    ['400 RESOURCE_UNKNOWN', 'debtorAccount', { debtorAccount: { iban: 'BE43068999999999' } }],
    [
      '400 PAYMENT_FAILED',
      'payments[0].creditorAccount',
      { payments: [{ ...PART, creditorAccount: DEBTOR }] },
    ],
  ])('is refused with %s at %s', (error, path, given) => {
    const answer = create(aLivingBank({ bankProfile: PROFILE }), 'bulk-payments', { ...BULK, ...given });
    expect(errorOf(answer)).toBe(error);
    // A rule or the bank itself refuses it.
    expect(jsonOf(answer).tppMessages[0].path.replace('body ', '')).toBe(path);
  });
});

describe('a service or product that the profile does not name', () => {
  it.each(['payments', 'periodic-payments', 'bulk-payments'])('is not offered as %s', (paymentService) => {
    const bank = aLivingBank({
      bankProfile: { ...PROFILE, services: { payments: { other: { like: 'SCT' } } } },
    });
    const answer = bank.ask({ operation: 'payments.create', params: { paymentService }, body: PERIODIC });
    expect(errorOf(answer)).toMatch(/PRODUCT_UNKNOWN$/);
  });
});
