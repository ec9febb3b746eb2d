/** Calls every row of the specification's tables over a real TLS socket. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bankDateAt,
  OPERATION_IDS,
  OPERATIONS,
  PAYMENT_PRODUCTS,
  type PaymentProduct,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
  SCA_SCENARIO_IDS,
  SCA_SCENARIOS,
  SPECIFIED_PAYMENT_STATUSES,
  sandboxConsent,
} from '../../src/spec/index.js';
import { answersBeside } from '../openapi-answers.js';
import {
  bankViolations,
  type CallOptions,
  CHALLENGE,
  EXPECTED_VIOLATIONS,
  eventually,
  REQUEST_ID,
  startTestGateway,
  type TestGateway,
} from './harness.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const V1 = '/stdgroup/v1';
const call = (path: string, options?: CallOptions) => gateway.call(`${V1}${path}`, options);
const REDIRECT = 'https://tpp.example/back';
const PRODUCTS = Object.keys(PAYMENT_PRODUCTS) as PaymentProduct[];
const creation = (explicit?: boolean): Record<string, string | undefined> => ({
  'TPP-Redirect-URI': REDIRECT,
  'PSU-IP-Address': '192.0.2.1',
  'TPP-Explicit-Authorisation-Preferred': explicit === undefined ? undefined : String(explicit),
});
const inDays = (days: number) => bankDateAt(gateway.now() + days * 86_400_000);
const consentBody = () => ({
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: inDays(80),
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
});
const sepaBody = () => ({
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: 'BE14983120441783' },
  creditorAccount: { iban: 'BE86986509812450' },
  creditorName: 'Jane Doe',
  requestedExecutionDate: inDays(2),
});
const crossBorderBody = () => ({
  ...sepaBody(),
  instructedAmount: { currency: 'USD', amount: '850.00' },
  creditorAccount: { bban: '000123456789' },
  creditorAgent: 'SDGTUS33',
});
const authorizeQuery = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    scope: 'AIS:VALID_CONSENT_ID',
    client_id: 'VALID_CLIENT_ID',
    state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    response_type: 'code',
    ...more,
  });

describe('consents', () => {
  it.each([undefined, false])('are created implicitly where the header is %s', async (explicit) => {
    const answer = await call('/consents', { headers: creation(explicit), json: consentBody() });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ consentStatus: 'received', consentId: 'VALID_CONSENT_ID' });
    expect(Object.keys(answer.json._links).sort()).toEqual(['scaOAuth', 'scaStatus', 'self', 'status']);
    expect(answer.headers).toMatchObject({
      'x-request-id': REQUEST_ID,
      'aspsp-sca-approach': 'REDIRECT',
      location: `${gateway.urls.api}${V1}/consents/VALID_CONSENT_ID`,
    });
    const flow = answer.json._links.scaStatus.href.split('/').at(-1);
    expect(answer.json._links.scaOAuth.href).toBe(
      `${gateway.urls.api}/stdgroup/.well-known/openid-configuration?authorizationId=${flow}`,
    );
  });

  it('are created explicitly where the header is true, and authorised by a call of its own', async () => {
    const answer = await call('/consents', { headers: creation(true), json: consentBody() });
    expect(answer.json.consentId).toBe('CONSENT_ID_NO_AUTHORIZATION');
    expect(Object.keys(answer.json._links).sort()).toEqual(['self', 'startAuthorisation', 'status']);
    const started = await gateway.call(answer.json._links.startAuthorisation.href, { method: 'POST' });
    expect([started.status, started.json.scaStatus]).toEqual([201, 'received']);
    expect(started.json._links.scaOAuth.href).toContain('.well-known/openid-configuration?authorizationId=');
  });

  it('that were authorised implicitly take no second authorisation', async () => {
    const answer = await call('/consents/VALID_CONSENT_ID/authorisations', { json: {} });
    expect([answer.status, answer.codes]).toEqual([409, ['STATUS_INVALID']]);
  });

  it.each(Object.entries(SANDBOX_CONSENTS))(
    '%s has its status and its scope',
    async (id, { status, scope }) => {
      const read = await call(`/consents/${id}`);
      expect([read.status, read.json.consentStatus]).toEqual([200, status]);
      const kinds: Record<string, string> = {
        preselected: 'accounts',
        allPsd2: 'allPsd2',
        availableAccounts: 'availableAccounts',
      };
      const kind = Object.keys(read.json.access)[0] ?? '';
      if (scope === 'availableAccountsWithBalances') expect(kind).toMatch(/^availableAccountsWithBalances?$/);
      else expect(Object.keys(read.json.access)).toContain(kinds[scope]);
      const only = await call(`/consents/${id}/status`);
      expect([only.status, only.json]).toEqual([200, { consentStatus: status }]);
    },
  );

  it.each(Object.entries(SANDBOX_CONSENTS))(
    '%s is deleted where the document says so',
    async (id, { deletable }) => {
      const answer = await call(`/consents/${id}`, { method: 'DELETE' });
      expect([answer.status, answer.text === '']).toEqual(deletable ? [204, true] : [403, false]);
    },
  );

  it('show their authorisations for VALID_CONSENT_ID only', async () => {
    const list = await call('/consents/VALID_CONSENT_ID/authorisations');
    expect(list.status).toBe(200);
    expect(list.json.authorisationIds).toEqual(
      expect.arrayContaining(Object.keys(SANDBOX_AUTHORISATIONS).slice(0, 2)),
    );
    for (const [id, scaStatus] of Object.entries(SANDBOX_AUTHORISATIONS)) {
      const one = await call(`/consents/VALID_CONSENT_ID/authorisations/${id}`);
      expect([one.status, one.json]).toEqual([200, { scaStatus }]);
      const other = await call(`/consents/CONSENT_ID_RECEIVED/authorisations/${id}`);
      expect([other.status, other.codes]).toEqual([403, ['CONSENT_UNKNOWN']]);
    }
    expect((await call('/consents/CONSENT_ID_RECEIVED/authorisations')).codes).toEqual(['CONSENT_UNKNOWN']);
  });

  it('that nobody knows are not found', async () => {
    const answer = await call('/consents/NO_SUCH_CONSENT');
    expect([answer.status, answer.codes]).toEqual([403, ['CONSENT_UNKNOWN']]);
  });
});

describe('discovery', () => {
  it('gives every field of the document', async () => {
    const id = '22222222-2222-2222-2222-222222222222';
    const answer = await gateway.call(`/stdgroup/.well-known/openid-configuration?authorizationId=${id}`);
    expect(answer.json).toEqual({
      issuer: expect.stringContaining(gateway.urls.api),
      authorization_endpoint: `${gateway.urls.psu}/stdgroup/authorization/authorize/${id}`,
      token_endpoint: `${gateway.urls.api}${V1}/token`,
      userinfo_endpoint: `${gateway.urls.api}${V1}/accounts`,
      scopes_supported: ['account', 'payment'],
      response_types_supported: ['code'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
    });
  });

  it('is left out where links are direct', async () => {
    const direct = await startTestGateway({ scaLink: 'direct' });
    const answer = await direct.call(`${V1}/consents`, { headers: creation(), json: consentBody() });
    const flow = answer.json._links.scaStatus.href.split('/').at(-1);
    expect(answer.json._links.scaOAuth.href).toBe(
      `${direct.urls.psu}/stdgroup/authorization/authorize/${flow}`,
    );
    await direct.close();
  });

  it.each([
    [{}, 'discovery'],
    [{ profile: 'production' }, 'direct'],
    [{ profile: 'production', scaLink: 'discovery' }, 'discovery'],
    [{ scaLink: 'direct' }, 'direct'],
  ])('is what a creation links with %j: %s', async (settings, form) => {
    const bank = await startTestGateway(settings);
    const linked = async () => {
      const answer = await bank.call(`${V1}/consents`, { headers: creation(), json: consentBody() });
      return answer.json._links.scaOAuth.href.includes('/.well-known/') ? 'discovery' : 'direct';
    };
    expect(await linked()).toBe(form);
    const json = { profile: 'production' };
    await bank.call('/api/settings', { method: 'PUT', json, side: 'admin' });
    expect(await linked()).toBe('scaLink' in settings ? form : 'direct');
    await bank.close();
  });
});

describe('authorize', () => {
  const AUTHORIZE = '/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222';

  it.each(SCA_SCENARIO_IDS)('ends %s on an information page and in a redirect', async (scenario) => {
    const row = SCA_SCENARIOS[scenario];
    const information = await gateway.call(`${AUTHORIZE}?${authorizeQuery({ choice: scenario })}`, {
      side: 'psu',
    });
    expect(information.status).toBe(200);
    expect(information.text).toContain(row.information);
    const end = await gateway.call(`${AUTHORIZE}?${authorizeQuery({ scenario })}`, { side: 'psu' });
    expect(end.status).toBe(302);
    const location = new URL(end.headers.location ?? '');
    expect(location.origin + location.pathname).toBe(REDIRECT);
    expect(location.searchParams.get('state')).toBe(authorizeQuery().get('state'));
    expect(location.searchParams.get('error')).toBe(row.error);
    expect(location.searchParams.get('code')).toBe(row.error === null ? 'AIS_VALID_CODE' : null);
  });

  it('offers all scenarios on a page that needs no script', async () => {
    const page = await gateway.call(`${AUTHORIZE}?${authorizeQuery()}`, { side: 'psu' });
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    for (const scenario of SCA_SCENARIO_IDS) expect(page.text).toContain(`value="${scenario}"`);
    expect(page.text).not.toContain('<script');
    const exchange = page.headers['sandgate-exchange'];
    expect(page.headers['sandgate-report']).toBe(`${gateway.urls.admin}/exchanges/${exchange}`);
  });

  it.each([
    ['AIS:CONSENT_ID_TRANSACTION_90D_KO', 'AIS_VALID_CODE_TRANSACTION_90D_KO'],
    ['PIS:PAYMENT_ID_RCVD_SCT', 'PIS_VALID_CODE'],
  ])('gives the scope %s the code %s', async (scope, code) => {
    const id = '11111111-1111-1111-1111-111111111111';
    const path = `/stdgroup/authorization/authorize/${id}?${authorizeQuery({ scope, scenario: 'SCA_OK' })}`;
    const end = await gateway.call(path, { side: 'psu' });
    expect(new URL(end.headers.location ?? '').searchParams.get('code')).toBe(code);
  });
});

describe('token', () => {
  const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code_verifier: 'any' };

  it.each([
    ['AIS_VALID_CODE', 'AIS:VALID_CONSENT_ID', 3600],
    ['AIS_VALID_CODE_TRANSACTION_90D_KO', 'AIS:CONSENT_ID_TRANSACTION_90D_KO', 3600],
    ['PIS_VALID_CODE', 'PIS:PAYMENT_ID_RCVD_SCT', 300],
  ])('takes %s, whatever the verifier, and refreshes what it gave', async (code, scope, seconds) => {
    const answer = await call('/token', { form: { ...form, code }, headers: { 'X-Request-ID': undefined } });
    const expected = { token_type: 'Bearer', expires_in: seconds, scope };
    expect(answer.json).toMatchObject(expected);
    expect(answer.headers['cache-control']).toContain('no-store');
    const refreshed = await call('/token', {
      form: {
        grant_type: 'refresh_token',
        client_id: 'VALID_CLIENT_ID',
        refresh_token: answer.json.refresh_token,
      },
    });
    expect(refreshed.json).toMatchObject(expected);
    expect(refreshed.json.access_token).not.toBe(answer.json.access_token);
  });

  it.each([
    ['an unknown code', { ...form, code: 'NO_SUCH_CODE' }, 400, 'invalid_grant'],
    [
      'another grant',
      { grant_type: 'client_credentials', client_id: 'VALID_CLIENT_ID' },
      400,
      'unsupported_grant_type',
    ],
    ['no code', form, 400, 'invalid_request'],
    ['another client', { ...form, code: 'AIS_VALID_CODE', client_id: 'PSDXX-NO-1' }, 401, 'invalid_client'],
  ])('refuses %s as OAuth does', async (_name, fields, status, error) => {
    const answer = await call('/token', { form: fields });
    expect([answer.status, answer.json.error]).toEqual([status, error]);
  });
});

describe('accounts', () => {
  const read = async (path: string, headers: Record<string, string | undefined> = {}, code?: string) =>
    call(`/accounts${path}`, { headers: gateway.accountHeaders(await gateway.token(code), headers) });

  it('are four in the list', async () => {
    const answer = await read('');
    expect([answer.status, answer.json.accounts.length]).toEqual([200, 4]);
  });

  it('take the header Consent-Id in any case of letters', async () => {
    const answer = await read('', { 'Consent-Id': undefined, 'CONSENT-ID': 'VALID_CONSENT_ID' });
    expect(answer.status).toBe(200);
  });

  it.each(['', '/balances', '/transactions?bookingStatus=booked&dateFrom=2020-01-01'])(
    'are read one by one: ACCOUNT_ID%s, and no other',
    async (path) => {
      expect((await read(`/ACCOUNT_ID${path}`)).status).toBe(200);
      const other = await read(`/ACCOUNT_ID_3${path}`);
      expect([other.status, other.codes]).toEqual([401, ['CONSENT_INVALID']]);
    },
  );

  it('give transactions by status, date and page', async () => {
    const both = await read('/ACCOUNT_ID/transactions?bookingStatus=both&withBalance=true');
    expect(both.json.transactions.booked.length).toBeGreaterThan(0);
    expect(both.json.transactions.pending.length).toBeGreaterThan(0);
    expect(both.json.balances.length).toBeGreaterThan(0);
    expect(both.json.transactions._links).toHaveProperty('account');
    const today = inDays(0);
    const none = await read(
      `/ACCOUNT_ID/transactions?bookingStatus=booked&dateFrom=${inDays(1)}&dateTo=${inDays(2)}`,
    );
    expect(none.json.transactions.booked).toEqual([]);
    const reversed = await read(
      `/ACCOUNT_ID/transactions?bookingStatus=booked&dateFrom=${today}&dateTo=2020-01-01`,
    );
    expect([reversed.status, reversed.codes]).toEqual([400, ['PERIOD_INVALID']]);
  });

  it('are read by CONSENT_ID_TRANSACTION_90D_KO, their transactions are not', async () => {
    const headers = { 'Consent-Id': 'CONSENT_ID_TRANSACTION_90D_KO' };
    const code = 'AIS_VALID_CODE_TRANSACTION_90D_KO';
    for (const dateFrom of [inDays(-120), inDays(-30)]) {
      const path = `/ACCOUNT_ID/transactions?bookingStatus=booked&dateFrom=${dateFrom}`;
      const answer = await read(path, headers, code);
      expect([answer.status, answer.codes]).toEqual([401, ['CONSENT_EXPIRED']]);
    }
    expect((await read('', headers, code)).status).toBe(200);
  });

  it.each([
    ['no token', { Authorization: undefined }, 401, 'TOKEN_INVALID'],
    ['an unknown token', { Authorization: 'Bearer 0123' }, 401, 'TOKEN_UNKNOWN'],
    ['no Consent-Id', { 'Consent-Id': undefined }, 400, 'FORMAT_ERROR'],
    ['the token of another consent', { 'Consent-Id': 'CONSENT_ID_ALL_PSD2' }, 401, 'TOKEN_INVALID'],
    ['an unknown consent', { 'Consent-Id': 'NO_SUCH_CONSENT' }, 400, 'CONSENT_UNKNOWN'],
    ['an IP address that is none', { 'PSU-IP-Address': '999.1.1.1' }, 400, 'FORMAT_ERROR'],
  ])('are closed to %s', async (_name, headers, status, code) => {
    const answer = await read('', headers);
    expect([answer.status, answer.codes.includes(code)]).toEqual([status, true]);
  });
});

describe('payments', () => {
  for (const product of PRODUCTS) {
    const body = () => (PAYMENT_PRODUCTS[product] === 'SCT' ? sepaBody() : crossBorderBody());

    it(`of ${product} are created implicitly`, async () => {
      const answer = await call(`/payments/${product}`, { headers: creation(false), json: body() });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.json).toMatchObject({
        transactionStatus: 'RCVD',
        paymentId: `PAYMENT_ID_RCVD_${PAYMENT_PRODUCTS[product]}`,
      });
      expect(Object.keys(answer.json._links).sort()).toEqual(['scaOAuth', 'scaStatus', 'self', 'status']);
      const again = await gateway.call(`${answer.json._links.self.href}/authorisations`, { method: 'POST' });
      expect([again.status, again.codes]).toEqual([409, ['STATUS_INVALID']]);
    });

    it(`of ${product} are created explicitly, and authorised by a call of its own`, async () => {
      const answer = await call(`/payments/${product}`, { headers: creation(true), json: body() });
      expect(answer.status, answer.text).toBe(201);
      const started = await gateway.call(answer.json._links.startAuthorisation.href, { method: 'POST' });
      expect([started.status, started.json.scaStatus]).toEqual([201, 'received']);
    });

    it(`of ${product} have the status of their id`, async () => {
      for (const [id, payment] of SANDBOX_PAYMENTS) {
        const fits = payment.product === PAYMENT_PRODUCTS[product];
        const read = await call(`/payments/${product}/${id}`);
        const only = await call(`/payments/${product}/${id}/status`);
        expect([read.status, only.status]).toEqual(fits ? [200, 200] : [403, 403]);
        if (fits)
          expect([read.json.transactionStatus, only.json]).toEqual([
            payment.status,
            { transactionStatus: payment.status },
          ]);
      }
    });

    it(`of ${product} are cancelled unless they are final`, async () => {
      for (const status of SPECIFIED_PAYMENT_STATUSES) {
        const answer = await call(`/payments/${product}/PAYMENT_ID_${status}_${PAYMENT_PRODUCTS[product]}`, {
          method: 'DELETE',
        });
        const final = ['ACSC', 'RJCT', 'CANC'].includes(status);
        expect([status, answer.status, answer.codes]).toEqual(
          final ? [status, 405, ['CANCELLATION_INVALID']] : [status, 204, []],
        );
      }
    });

    it.each(['authorisations', 'cancellation-authorisations'])(
      `of ${product} show their %s`,
      async (kind) => {
        const base = `/payments/${product}/PAYMENT_ID_PATC_${PAYMENT_PRODUCTS[product]}/${kind}`;
        expect((await call(base)).json.authorisationIds).toContain('11111111-1111-1111-1111-111111111111');
        for (const [id, scaStatus] of Object.entries(SANDBOX_AUTHORISATIONS))
          expect((await call(`${base}/${id}`)).json).toEqual({ scaStatus });
      },
    );
  }

  it.each([
    ['', 'GET'],
    ['', 'DELETE'],
    ['/status', 'GET'],
    ['/authorisations', 'GET'],
    ['/authorisations', 'POST'],
    ['/authorisations/11111111-1111-1111-1111-111111111111', 'GET'],
    ['/cancellation-authorisations', 'GET'],
    ['/cancellation-authorisations/11111111-1111-1111-1111-111111111111', 'GET'],
  ])('are not found under another product: …%s, %s', async (path, method) => {
    for (const explicit of [false, true]) {
      const headers = creation(explicit);
      const created = await call('/payments/sepa-credit-transfers', { headers, json: sepaBody() });
      const other = `/payments/cross-border-payments/${created.json.paymentId}${path}`;
      const answer = await call(other, { method });
      expect([answer.status, answer.codes]).toEqual([403, ['RESOURCE_UNKNOWN']]);
    }
  });

  it.each([
    ['/payments/instant-sepa-credit-transfers', 404, 'PRODUCT_UNKNOWN'],
    ['/bulk-payments/sepa-credit-transfers', 404, 'PRODUCT_UNKNOWN'],
  ])('of %s are not offered', async (path, status, code) => {
    const answer = await call(path, { headers: creation(), json: sepaBody() });
    expect([answer.status, answer.codes]).toEqual([status, [code]]);
  });
});

describe('funds confirmation', () => {
  it.each([
    ['1500.00', true],
    ['1500.01', false],
  ])('tells whether %s is available', async (amount, fundsAvailable) => {
    const answer = await call('/funds-confirmations', {
      json: { account: { iban: 'BE67983610020587' }, instructedAmount: { currency: 'EUR', amount } },
    });
    expect([answer.status, answer.json]).toEqual([200, { fundsAvailable }]);
  });

  it('knows no other account', async () => {
    const answer = await call('/funds-confirmations', {
      json: { account: { iban: 'BE14983120441783' }, instructedAmount: { currency: 'EUR', amount: '1' } },
    });
    expect([answer.status, answer.codes]).toEqual([400, ['NO_PIIS_ACTIVATION']]);
  });
});

describe('the notification', () => {
  const NOTIFY = '/internal/stdgroup/authorization/v1/tpp/notify';

  it('is answered at once and sent afterwards', async () => {
    const received: string[] = [];
    const tpp = createServer((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (text) => received.push(text))
        .on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => tpp.listen(0, '127.0.0.1', resolve));
    const { port } = tpp.address() as AddressInfo;
    const tppNotificationUri = `http://127.0.0.1:${port}/notified`;
    const json = { paymentId: 'PAYMENT_ID_RCVD_SCT', tppNotificationUri, status: 'ACSC' };
    expect((await gateway.call(NOTIFY, { json })).status).toBe(202);
    await eventually(() => expect(received).toHaveLength(1));
    expect(JSON.parse(received[0] ?? '')).toEqual({
      'payment-ID': 'PAYMENT_ID_RCVD_SCT',
      transactionStatus: 'ACSC',
    });
    const callbacks = (await gateway.records()).filter(
      ({ exchange }) => exchange.call.listener === 'callback',
    );
    expect(callbacks).toHaveLength(1);
    expect(callbacks[0]?.exchange.answer?.status).toBe(204);
    tpp.close();
  });

  it('goes nowhere but to the allowed addresses', async () => {
    const json = {
      paymentId: 'PAYMENT_ID_RCVD_SCT',
      tppNotificationUri: 'http://169.254.169.254/latest',
      status: 'ACSC',
    };
    const answer = await gateway.call(NOTIFY, { json });
    expect([answer.status, answer.codes]).toEqual([400, ['FORMAT_ERROR']]);
  });
});

describe('the walk', () => {
  it('met every operation with a success', async () => {
    const met = new Set(
      (await gateway.records())
        .filter(({ exchange: { call, answer } }) => {
          const success: readonly number[] =
            call.operation === null ? [] : OPERATIONS[call.operation].success;
          return success.includes(answer?.status ?? 0);
        })
        .map(({ exchange }) => exchange.call.operation),
    );
    expect(OPERATION_IDS.filter((id) => !met.has(id))).toEqual([]);
    expect(sandboxConsent('VALID_CONSENT_ID')).toBeDefined();
  });

  it('got answers as the document of the interface says them', async () => {
    const document = (await gateway.call('/openapi.json')).json;
    expect(answersBeside(document, await gateway.records())).toEqual([]);
  });

  it('met every violation that is expected of the emulator', async () => {
    const found = bankViolations(await gateway.records());
    for (const { rule, operation } of EXPECTED_VIOLATIONS)
      expect(found, `${rule} is listed in expected-violations.json`).toContainEqual(
        expect.objectContaining({ rule, operation }),
      );
  });

  it('left no secret in the store', async () => {
    const token = await gateway.token();
    await call('/accounts', { headers: gateway.accountHeaders(token) });
    expect(JSON.stringify(await gateway.records())).not.toContain(token);
  });
});
