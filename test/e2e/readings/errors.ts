/** Readings on errors: which status and which code. */
import { expect } from 'vitest';
import type { ReadingId } from '../../../src/spec/index.js';
import { bodyOf, CREATION, EXCHANGE, LITERAL, PAY, type Shown, told, transactions, VALID } from './shown.js';

export const ERRORS = {
  'error-body': bodyOf(
    'GET /consents/NOBODY',
    {},
    {
      tppMessages: [{ category: 'ERROR', code: 'CONSENT_UNKNOWN', text: expect.any(String) }],
    },
  ),
  'error-body-oauth': [['POST /token', { form: { ...EXCHANGE, code: 'UNKNOWN' } }, '400 invalid_grant']],
  'error-several': [
    ['GET /accounts', {}, '400 FORMAT_ERROR TOKEN_INVALID'],
    ['GET /accounts', { cert: 'bad-untrusted' }, '401 CERTIFICATE_INVALID'],
  ],
  'no-certificate-status': [
    ['GET /consents/VALID_CONSENT_ID', { cert: null }, '401 CERTIFICATE_MISSING'],
    ['GET /consents/VALID_CONSENT_ID', { cert: 'bad-not-yet-valid' }, '401 CERTIFICATE_INVALID'],
    ['GET /consents/VALID_CONSENT_ID', { cert: 'bad-expired' }, '401 CERTIFICATE_EXPIRED'],
    ['GET /consents/VALID_CONSENT_ID', { cert: 'bad-revoked' }, '401 CERTIFICATE_REVOKED'],
  ],
  'role-missing-status': [['GET /consents/VALID_CONSENT_ID', { cert: 'tpp-pi' }, '401 ROLE_INVALID']],
  'path-unknown-status': [['GET /acounts', {}, '404 RESOURCE_UNKNOWN']],
  'method-unknown-status': [['PUT /consents', {}, '405 SERVICE_INVALID']],
  'format-error-status': [
    ['POST /consents', { headers: CREATION, body: '[' }, '415 FORMAT_ERROR'],
    [
      'POST /consents',
      { headers: { ...CREATION, 'Content-Type': 'application/json' }, body: '[' },
      '400 FORMAT_ERROR',
    ],
    [transactions('?bookingStatus=booked&dateFrom=today'), VALID, '400 FORMAT_ERROR'],
  ],
  'consent-unknown-path-status': [['GET /consents/NOBODY', {}, '403 CONSENT_UNKNOWN']],
  'consent-unknown-header-status': [
    ['GET /accounts', { ...VALID, headers: { 'Consent-Id': 'NOBODY' } }, '400 CONSENT_UNKNOWN'],
  ],
  'consent-not-valid-status': [
    ['GET /accounts', { consent: 'CONSENT_ID_REVOKED_BY_PSU' }, '401 CONSENT_INVALID'],
    ['GET /accounts', { consent: 'CONSENT_ID_EXPIRED' }, '401 CONSENT_EXPIRED'],
  ],
  'account-no-permission-status': [['GET /accounts/ACCOUNT_ID_2', VALID, '401 CONSENT_INVALID']],
  'history-after-sca': {
    file: 'test/rules/accounts/history-within-90-days.test.ts',
    test: '20 minutes after the SCA',
  },
  'history-expired-status': [
    [
      transactions('?bookingStatus=booked'),
      { consent: 'CONSENT_ID_TRANSACTION_90D_KO' },
      '401 CONSENT_EXPIRED',
    ],
  ],
  'token-fault-status': async ({ gateway, ask }) => {
    const headers = gateway.accountHeaders(await gateway.token());
    gateway.move(30 * 86_400_000);
    const answer = await ask('GET /accounts', { headers });
    gateway.move(-30 * 86_400_000);
    expect(told(answer)).toBe('401 TOKEN_EXPIRED');
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  },
  'second-authorisation-status': [
    ['POST /consents/VALID_CONSENT_ID/authorisations', {}, '409 STATUS_INVALID'],
  ],
  'daily-limit-status': { file: 'test/e2e/daily-limit.test.ts', test: 'refuses the fifth access of a day' },
  'product-unknown-status': [
    ['POST /payments/other', PAY, '404 PRODUCT_UNKNOWN'],
    ['POST /bulk-payments/sepa-credit-transfers', PAY, '404 PRODUCT_UNKNOWN'],
  ],
  'payment-unknown-status': [
    ['GET /payments/sepa-credit-transfers/NOBODY', {}, '403 RESOURCE_UNKNOWN'],
    ['GET /payments/cross-border-payments/PAYMENT_ID_RCVD_SCT', {}, '403 RESOURCE_UNKNOWN'],
  ],
  'authorisation-unknown-status': [
    ['GET /consents/VALID_CONSENT_ID/authorisations/nobody', {}, '404 RESOURCE_UNKNOWN'],
    [
      `GET /consents/VALID_CONSENT_ID/authorisations/${LITERAL.replaceAll('2', '9')}`,
      {},
      '404 RESOURCE_UNKNOWN',
    ],
  ],
  'cancellation-final-status': [
    ['DELETE /payments/sepa-credit-transfers/PAYMENT_ID_ACSC_SCT', {}, '405 CANCELLATION_INVALID'],
  ],
  'authorize-error-page': {
    file: 'test/answer/answer-refusal.test.ts',
    test: 'stays on a page where the redirect URI is none',
  },
} as const satisfies Partial<Record<ReadingId, Shown>>;
