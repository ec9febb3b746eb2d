/** Readings on funds, deletions, OAuth, notifications and limits. */
import { expect } from 'vitest';
import type { ReadingId } from '../../../src/spec/index.js';
import { REQUEST_ID } from '../harness.js';
import {
  bodyOf,
  callback,
  EXCHANGE,
  funds,
  LITERAL,
  ledger,
  type Shown,
  transactions,
  VALID,
  whole,
} from './shown.js';

export const OTHERS = {
  'funds-request-body': [['POST /funds-confirmations', funds('BE67983610020587'), '200']],
  'funds-answer-body': whole('tells whether %s is available'),
  'funds-account-unknown': [
    ['POST /funds-confirmations', funds('BE14983120441783'), '400 NO_PIIS_ACTIVATION'],
    ['POST /funds-confirmations', funds('BE00'), '400 FORMAT_ERROR'],
    ['POST /funds-confirmations', funds('BE67983610020587', 'USD'), '200'],
  ],
  'delete-answer': [['DELETE /consents/VALID_CONSENT_ID', {}, '204']],
  'delete-other-consents': [['DELETE /consents/CONSENT_ID_ALL_PSD2', {}, '403 CONSENT_UNKNOWN']],
  'delete-sandbox-ids': async ({ ask }) => {
    await ask('DELETE /consents/VALID_CONSENT_ID');
    expect((await ask('GET /consents/VALID_CONSENT_ID/status')).json).toEqual({ consentStatus: 'valid' });
  },
  'cancel-answer': [['DELETE /payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT', {}, '204']],
  'cancellation-authorisation-creation': [
    [
      'POST /payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT/cancellation-authorisations',
      {},
      '405 SERVICE_INVALID',
    ],
  ],
  'trusted-list-status': {
    file: 'test/certificate/trust-list.test.ts',
    test: 'that was withdrawn in between is one before, and none from then on',
  },
  'revocation-unknown-status': {
    file: 'test/e2e/revocation.test.ts',
    test: 'what nobody calls good gets 503',
  },
  'signature-status': {
    file: 'test/rules/signature/refusals.test.ts',
    test: 'are refused with the code that says what to correct',
  },
  'signature-headers': {
    file: 'test/rules/signature/headers-covered.test.ts',
    test: 'more than is asked for',
  },
  'signature-digest': {
    file: 'test/rules/signature/digest-matches-body.test.ts',
    test: 'of the bytes of a compressed body',
  },
  'signature-scheme': {
    file: 'test/rules/signature/causes.test.ts',
    test: 'whatever was signed and by which key',
  },
  'signature-key-id': {
    file: 'test/rules/signature/key-id-names-certificate.test.ts',
    test: 'the issuer in another order',
  },
  'consent-transitions': {
    file: 'test/rules/answers/status-moves-forward.test.ts',
    test: 'a valid consent is received again',
  },
  'payment-transitions': {
    file: 'test/rules/answers/status-moves-forward.test.ts',
    test: 'a payment falls back',
  },
  'authorisation-transitions': {
    file: 'test/rules/answers/status-moves-forward.test.ts',
    test: 'an authorisation falls back',
  },
  'token-header': [['GET /accounts', { headers: { 'Consent-Id': 'VALID_CONSENT_ID' } }, '401 TOKEN_INVALID']],
  'token-on-other-calls': [
    ['GET /consents/VALID_CONSENT_ID', {}, '200'],
    ['GET /payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT', {}, '200'],
  ],
  'access-token-lifetime': whole('takes %s, whatever the verifier, and refreshes what it gave'),
  'token-form': async ({ gateway }) => expect(await gateway.token()).toMatch(/^[0-9a-f]{96}$/),
  'token-scope-forms': bodyOf(
    'POST /token',
    { form: { ...EXCHANGE, code: 'PIS_VALID_CODE' } },
    {
      scope: 'PIS:PAYMENT_ID_RCVD_SCT',
    },
  ),
  'refresh-rotation': {
    file: 'test/answer/emulator/oauth.test.ts',
    test: 'takes an older one of the chain until its end',
  },
  'discovery-scopes': async ({ gateway, end }) => {
    const path = '/stdgroup/.well-known/openid-configuration';
    const { json } = await gateway.call(`${path}?authorizationId=${LITERAL}`);
    expect(json.scopes_supported).toEqual(['account', 'payment']);
    expect((await end({ scope: 'account' })).searchParams.get('error')).toBe('invalid_scope');
  },
  'client-credentials-grant': [
    [
      'POST /token',
      { form: { grant_type: 'client_credentials', client_id: 'VALID_CLIENT_ID' } },
      '400 unsupported_grant_type',
    ],
  ],
  'pis-code': bodyOf('POST /token', { form: { ...EXCHANGE, code: 'PIS_VALID_CODE' } }, { expires_in: 300 }),
  'code-lifetime': {
    file: 'test/answer/emulator/oauth.test.ts',
    test: 'takes a code that an authorisation gave, within ten minutes and once',
  },
  'sandbox-any-values': async ({ end }) => {
    const back = await end({
      code_challenge: 'any',
      state: 'any',
      redirect_uri: 'https://elsewhere.example/',
    });
    expect(back.href).toBe('https://elsewhere.example/?code=AIS_VALID_CODE&state=any');
  },
  'redirect-uri-any': async ({ end }) =>
    expect((await end({ redirect_uri: 'com.tpp.app://cb' })).href).toContain('com.tpp.app://cb?code='),
  'state-empty': async ({ end }) => expect((await end({ state: '' })).searchParams.get('state')).toBe(''),
  'challenge-method-absent': {
    file: 'test/rules/oauth/verifier-matches-challenge.test.ts',
    test: 'a plain challenge without method',
  },
  'redirect-uri-at-token': {
    file: 'test/e2e/readings/production.test.ts',
    test: 'a redirect_uri at the token endpoint that is not that of authorize',
  },
  'psu-without-certificate': async ({ end }) => expect((await end({})).searchParams.get('error')).toBeNull(),
  'authorize-scenario': async ({ end }) =>
    expect((await end({ scenario: 'SCA_NOK' })).searchParams.get('error')).toBe('access_denied'),
  'sca-error-redirect': whole('ends %s on an information page and in a redirect'),
  'nok-redirect-uri': {
    file: 'test/e2e/flows.test.ts',
    test: 'lead two TPPs each to a page that names it, and to its own Nok address',
  },
  'notification-answer': whole('is answered at once and sent afterwards'),
  'callback-status': whole('is answered at once and sent afterwards'),
  'callback-delivery': callback('is given up after three repetitions'),
  'callback-addresses': whole('goes nowhere but to the allowed addresses'),
  'bank-calendar': {
    file: 'test/spec/bank-calendar.test.ts',
    test: '%s begins at %s in UTC and lasts %i hours',
  },
  'daily-window': ledger('is the 24 hours up to the call'),
  'daily-limit-key': {
    file: 'test/e2e/daily-limit.test.ts',
    test: 'counts each endpoint and account by itself',
  },
  'daily-limit-counts': ledger('counts with pages: %s'),
  'consent-days-shortened': {
    file: 'test/rules/consents/valid-until-within-90-days.test.ts',
    test: 'the longest possible',
  },
  'body-limit': {
    file: 'test/e2e/bad-input.test.ts',
    test: 'over the limit is 413, recorded without its content',
  },
  'request-rate': async ({ ask }) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('GET /accounts?page=1', VALID)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.accounts.length}`))).toEqual(
      new Set(['200 4']),
    );
  },
  'version-negotiation': [['GET /consents/VALID_CONSENT_ID', { headers: { 'Accept-Version': '9' } }, '200']],
  'sca-link-forms': whole('is what a creation links with %j: %s'),
  'fixed-segment': {
    file: 'test/answer/emulator/consents.test.ts',
    test: 'links the authorize address itself where that is configured',
  },
  'interface-document': {
    file: 'test/e2e/openapi.test.ts',
    test: 'the document is neither judged nor recorded, and any other call of its path is an unknown path',
  },
  'head-as-get': [['HEAD /consents/VALID_CONSENT_ID', {}, '200']],
  'request-id': async ({ ask }) => {
    const headers = { 'X-Request-ID': undefined };
    const without = await ask('GET /consents/VALID_CONSENT_ID', { headers });
    const token = await ask('POST /token', { headers, form: { ...EXCHANGE, code: 'AIS_VALID_CODE' } });
    expect(without.headers['sandgate-findings']).toContain('requests/request-id-present');
    expect(token.headers['sandgate-findings'] ?? '').not.toContain('request-id');
    const sent = await ask('GET /consents/VALID_CONSENT_ID');
    expect(sent.headers['x-request-id']).toBe(REQUEST_ID);
  },
  'sca-code-of-scopes': {
    file: 'test/answer/emulator/oauth.test.ts',
    test: 'gives a code of its own for every other resource of the sandbox',
  },
  'discovery-unknown-authorisation': {
    file: 'test/answer/emulator/oauth.test.ts',
    test: 'needs the id of a known authorisation',
  },
  'transactions-delta': [
    [transactions('?bookingStatus=booked&deltaList=true'), VALID, '400 PARAMETER_NOT_SUPPORTED'],
    [transactions('?bookingStatus=booked&entryReferenceFrom=1'), VALID, '400 PARAMETER_NOT_SUPPORTED'],
  ],
  'consent-scope-limits': [
    ['GET /accounts', { consent: 'CONSENT_ID_AVAILABLE_ACCOUNTS' }, '200'],
    ['GET /accounts/ACCOUNT_ID', { consent: 'CONSENT_ID_AVAILABLE_ACCOUNTS' }, '401 CONSENT_INVALID'],
    [
      'GET /accounts/ACCOUNT_ID/balances',
      { consent: 'CONSENT_ID_AVAILABLE_ACCOUNTS' },
      '401 CONSENT_INVALID',
    ],
    [
      'GET /accounts/ACCOUNT_ID',
      { consent: 'CONSENT_ID_AVAILABLE_ACCOUNTS_WITH_BALANCES' },
      '401 CONSENT_INVALID',
    ],
    ['GET /accounts/ACCOUNT_ID/balances', { consent: 'CONSENT_ID_AVAILABLE_ACCOUNTS_WITH_BALANCES' }, '200'],
  ],
} as const satisfies Partial<Record<ReadingId, Shown>>;
