/** Readings on consents, payments and their authorisations. */

import { expect } from 'vitest';
import type { ReadingId } from '../../../src/spec/index.js';
import { bankDateAt } from '../../../src/spec/index.js';
import {
  bodyOf,
  CONSENT,
  CREATE,
  CREATION,
  keysOf,
  LITERAL,
  PAY,
  PAYMENT,
  type Sent,
  type Shown,
  told,
  whole,
} from './shown.js';

export const CREATIONS = {
  'consent-answer-body': async ({ ask }) => {
    const { json, headers } = await ask('POST /consents', CREATE);
    expect(keysOf(json)).toEqual(['_links', 'consentId', 'consentStatus']);
    expect(headers).toMatchObject({ location: json._links.self.href, 'aspsp-sca-approach': 'REDIRECT' });
  },
  'debtor-currency': async ({ ask, gateway }) => {
    const asks = (iban: string, currency: string) =>
      ask('POST /payments/sepa-credit-transfers', {
        ...PAY,
        json: { ...PAYMENT, debtorAccount: { iban, currency } },
      });
    const own = PAYMENT.debtorAccount.iban;
    for (const [iban, currency, said] of [
      [own, 'EUR', '201'],
      [own.toLowerCase(), 'USD', '400 RESOURCE_UNKNOWN'],
      ['BE68539007547034', 'USD', '201'],
    ] as const) {
      expect(told(await asks(iban, currency))).toBe(said);
      const found = (await gateway.records()).at(-1)?.findings.map(({ rule }) => rule);
      expect(found?.includes('payments/debtor-currency-is-the-accounts')).toBe(said !== '201');
    }
  },
  'payment-answer-body': async ({ ask }) => {
    const { json, headers } = await ask('POST /payments/sepa-credit-transfers', PAY);
    expect(keysOf(json)).toEqual(['_links', 'paymentId', 'transactionStatus']);
    expect(headers).toMatchObject({ location: json._links.self.href, 'aspsp-sca-approach': 'REDIRECT' });
  },
  'notification-support': async ({ ask }) => {
    const headers = { ...CREATION, 'TPP-Notification-URI': 'https://tpp.example/n' };
    for (const [path, json] of [
      ['/consents', CONSENT],
      ['/payments/sepa-credit-transfers', PAYMENT],
    ] as const) {
      const support = async (sent: Sent) =>
        (await ask(`POST ${path}`, { ...sent, json })).headers['aspsp-notification-support'];
      expect([await support({ headers }), await support({ headers: CREATION })]).toEqual([
        'false',
        undefined,
      ]);
    }
  },
  'creation-links': whole(
    'are created explicitly where the header is true, and authorised by a call of its own',
  ),
  'creation-ids': whole('are created implicitly where the header is %s'),
  'creation-authorisation-ids': {
    file: 'test/e2e/flows.test.ts',
    test: 'of one TPP keep their addresses and their outcomes apart',
  },
  'implicit-by-default': bodyOf('POST /consents', CREATE, { consentId: 'VALID_CONSENT_ID' }),
  'authorisation-request-body': async ({ ask }) => {
    for (const sent of [{}, { json: {} }, { json: { psuData: { password: 'p' } } }])
      expect((await ask('POST /consents/CONSENT_ID_NO_AUTHORIZATION/authorisations', sent)).status).toBe(201);
  },
  'authorisation-answer-body': async ({ ask }) => {
    const { json } = await ask('POST /consents/CONSENT_ID_NO_AUTHORIZATION/authorisations');
    expect([keysOf(json), keysOf(json._links)]).toEqual([
      ['_links', 'authorisationId', 'scaStatus'],
      ['scaOAuth', 'scaStatus'],
    ]);
  },
  'authorisation-list': async ({ ask }) => {
    const { json } = await ask('POST /consents', CREATE);
    const list = await ask('GET /consents/VALID_CONSENT_ID/authorisations');
    expect(list.json.authorisationIds).toEqual([
      ...['11111111-1111-1111-1111-111111111111', LITERAL],
      json._links.scaStatus.href.split('/').at(-1),
    ]);
  },
  'consent-read-body': async ({ ask, gateway }) => {
    await ask('POST /consents', {
      ...CREATE,
      json: { ...CONSENT, recurringIndicator: false, frequencyPerDay: 1 },
    });
    const { json } = await ask('GET /consents/VALID_CONSENT_ID');
    const until = bankDateAt(gateway.now() + 90 * 86_400_000);
    expect(json).toMatchObject({ recurringIndicator: true, frequencyPerDay: 4, validUntil: until });
    expect(keysOf(json.access)).toEqual(['accounts', 'balances', 'transactions']);
  },
  'explicit-consent-status': {
    file: 'test/e2e/flows.test.ts',
    test: 'is valid for status, read and accounts once the PSU has authorised it',
  },
  'consent-scopes-of-ids': whole('%s has its status and its scope'),
  'consent-access-forms': async ({ ask }) => {
    const one = [{ iban: 'BE14983120441783' }];
    for (const access of [
      { availableAccounts: 'allAccounts' },
      { availableAccountsWithBalance: 'allAccounts' },
      { accounts: one, balances: one, transactions: one },
    ])
      expect(told(await ask('POST /consents', { ...CREATE, json: { ...CONSENT, access } }))).toBe('201');
    const access = { allPsd2: 'allAccounts', accounts: one };
    expect((await ask('POST /consents', { ...CREATE, json: { ...CONSENT, access } })).status).toBe(400);
  },
} as const satisfies Partial<Record<ReadingId, Shown>>;
