/** Clients of banks that give a token before any consent, at both banks of the emulator, under profiles of real banks. */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBankProfile } from '../../src/app/config/bank-profile.js';
import { type BankProfile, bankDateAt, dialectOf, SANDBOX_PSU } from '../../src/spec/index.js';
import { folderOfTest } from '../folder.js';
import { DAY_MS, type Reply, started, type TestGateway } from './harness.js';

const BACK = 'https://tpp.example/back';
const VERIFIER = 'a-verifier-of-the-tests-that-is-long-enough-0123456789';
const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

type Headers = Readonly<Record<string, string | undefined>>;

async function organisationOf(gateway: TestGateway): Promise<string> {
  const [record] = await gateway.records();
  return record?.exchange.call.tpp ?? '';
}

async function personOf(gateway: TestGateway, bank: string) {
  if (bank === 'sandbox') return { login: SANDBOX_PSU.id, password: '', iban: 'BE14983120441783', id: '' };
  const [psu] = (await gateway.call('/api/bank/psus?limit=1', { side: 'admin' })).json;
  const account = psu.accounts.find(
    (one: { currency: string; status: string }) => one.currency === 'EUR' && one.status === 'enabled',
  );
  return { login: psu.login, password: psu.password, iban: account.iban, id: psu.id };
}

/** A client of one bank, who sends what this bank's profile asks of every call. */
async function clientOf(
  name: string,
  bank: 'sandbox' | 'living',
  always: Headers = {},
  headers: NonNullable<BankProfile['headers']> = {},
) {
  const shipped = readBankProfile(name);
  if (shipped === undefined) throw new Error(`no profile ${name}`);
  const profile = { ...shipped, headers: { ...shipped.headers, ...headers } };
  const bankProfile = join(folderOfTest(), 'bank.json');
  writeFileSync(bankProfile, JSON.stringify(profile));
  const gateway = await started({ bankProfile, bank });
  const dialect = dialectOf(profile);
  const person = await personOf(gateway, bank);
  let calls = 0;
  const send = (method: string, target: string, json?: object, headers: Headers = {}, cert = 'tpp') =>
    gateway.call(target, {
      ...{ method, cert },
      headers: {
        'X-Request-ID': `99391c7e-ad88-49ec-a2ad-${String(++calls).padStart(12, '0')}`,
        'PSU-IP-Address': '192.0.2.1',
        'TPP-Redirect-URI': BACK,
        'User-Agent': 'tests',
        ...always,
        ...headers,
      },
      ...(json === undefined ? {} : { json }),
    });
  const token = (form: Record<string, string>, cert = 'tpp', query = '') =>
    gateway.call(`${dialect.pathOf('oauth.token')}${query}`, {
      ...{ form, cert, method: 'POST', headers: { 'User-Agent': 'tests' } },
    });
  await token({ grant_type: 'nothing' });
  const clientId = await organisationOf(gateway);
  /** The PSU says yes on the page, without its forms; tells the code. */
  const authorise = async (address: string, scope: string, parts: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      ...{
        response_type: 'code',
        client_id: clientId,
        scope,
        redirect_uri: BACK,
        state: `s${++calls}-4f8a6c`,
      },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...parts },
    });
    const own = bank === 'living' ? `&psu=${person.id}` : '';
    const page = await gateway.call(`${address}?${query}`, { cert: null, side: 'psu' });
    expect(page.text).toContain('<form');
    const end = await gateway.call(`${address}?${query}&scenario=SCA_OK${own}`, { cert: null, side: 'psu' });
    expect(end.status, end.text).toBe(302);
    const location = new URL(String(end.headers.location));
    expect(location.searchParams.get('state')).toBe(query.get('state'));
    return location.searchParams.get('code') ?? location.href;
  };
  const exchange = (code: string, parts: Record<string, string> = {}, cert = 'tpp') =>
    token(
      {
        ...{ grant_type: 'authorization_code', code, redirect_uri: BACK },
        ...{ client_id: clientId, code_verifier: VERIFIER, ...parts },
      },
      cert,
    );
  const blamed = async () =>
    (await gateway.records())
      .slice(1)
      .flatMap(({ exchange: { call }, findings }) =>
        findings
          .filter(({ severity }) => severity !== 'note')
          .map(
            ({ rule, place, expected, actual }) =>
              `${call.operation}: ${rule}, ${place}: ${expected}, not ${actual}`,
          ),
      );
  return { gateway, dialect, person, send, token, authorise, exchange, clientId, blamed };
}

const bearer = (reply: Reply): Headers => {
  expect(reply.status, reply.text).toBe(200);
  return { Authorization: `Bearer ${reply.json.access_token}` };
};
const consentBody = (gateway: TestGateway) => ({
  ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true },
  ...{ frequencyPerDay: 4, combinedServiceIndicator: false },
  validUntil: bankDateAt(gateway.now() + 30 * DAY_MS),
});
const paymentBody = (iban: string) => ({
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  ...{ debtorAccount: { iban }, creditorAccount: { iban: 'BE86986509812450' } },
  creditorName: 'Fietsenatelier Roeland',
});
const PRODUCT = { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers' };

/** Signatures are for test/e2e/signatures.test.ts. */
const UNSIGNED = { signature: 'none', digest: 'none' } as const;
const BANKS = ['sandbox', 'living'] as const;

async function confirmed(
  gateway: TestGateway,
  bank: string,
  { login, password }: { login: string; password: string },
) {
  if (bank === 'sandbox') {
    gateway.move(20_000);
    return;
  }
  const form = (fields: Record<string, string>) =>
    gateway.call('/stdgroup/authorization/access', { side: 'psu', form: fields });
  const { text } = await form({ step: 'login', login, password });
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  await form({ step: 'confirm', authorisation: field('authorisation'), sca_token: field('sca_token') });
}

it.each(BANKS)(
  'a client of n26 gets its token, creates, and waits for the PSU, at the %s bank',
  async (bank) => {
    const { gateway, dialect, person, send, authorise, exchange, blamed } = await clientOf('n26', bank);
    const authorize = dialect.pathOf('oauth.authorize');
    const ais = bearer(
      await exchange(await authorise(authorize, 'DEDICATED_AISP', { response_type: 'CODE' })),
    );
    const consent = await send('POST', dialect.pathOf('consents.create'), consentBody(gateway), ais);
    expect(consent.status, consent.text).toBe(201);
    expect(Object.keys(consent.json._links)).toContain('status');
    await confirmed(gateway, bank, person);
    const status = await send('GET', consent.json._links.status.href, undefined, ais);
    expect(status.json.consentStatus, status.text).toBe('valid');
    const reads = { ...ais, 'Consent-ID': consent.json.consentId };
    const list = await send('GET', dialect.pathOf('accounts.list'), undefined, reads);
    expect(list.status, list.text).toBe(200);

    const pis = bearer(
      await exchange(await authorise(authorize, 'DEDICATED_PISP', { response_type: 'CODE' })),
    );
    const payment = await send(
      'POST',
      dialect.pathOf('payments.create', PRODUCT),
      paymentBody(person.iban),
      pis,
    );
    expect(payment.status, payment.text).toBe(201);
    await confirmed(gateway, bank, person);
    const { transactionStatus } = (await send('GET', payment.json._links.status.href, undefined, pis)).json;
    if (bank === 'living') expect(['ACTC', 'ACSP', 'ACSC']).toContain(transactionStatus);
    expect(await blamed()).toEqual([]);
  },
  60_000,
);

it.each(BANKS)(
  'a client of ing reads by its token alone, and pays by redirect, at the %s bank',
  async (bank) => {
    const signed = { Date: 'Tue, 24 Nov 2026 10:00:00 GMT' };
    const { gateway, dialect, person, send, token, authorise, exchange, blamed } = await clientOf(
      'ing',
      bank,
      signed,
      UNSIGNED,
    );
    const client = bearer(await token({ grant_type: 'client_credentials' }));
    const where = await send('GET', '/oauth2/authorization-server-url?scope=x', undefined, client);
    expect(where.status, where.text).toBe(200);
    const { pathname } = new URL(where.json.location);
    const scope = 'payment-accounts:transactions:view payment-accounts:balances:view';
    const psu = bearer(await exchange(await authorise(pathname, scope)));
    const list = await send('GET', dialect.pathOf('accounts.list'), undefined, psu);
    expect(list.status, list.text).toBe(200);
    const accountId = list.json.accounts[0].resourceId;
    const balances = await send('GET', dialect.pathOf('accounts.balances', { accountId }), undefined, psu);
    expect(balances.status, balances.text).toBe(200);
    // The client's own token reads nothing: no PSU stands behind it.
    expect((await send('GET', dialect.pathOf('accounts.list'), undefined, client)).codes).toEqual([
      'TOKEN_INVALID',
    ]);

    const payment = await send(
      'POST',
      dialect.pathOf('payments.create', PRODUCT),
      paymentBody(person.iban),
      client,
    );
    expect(payment.status, payment.text).toBe(201);
    const end = await gateway.call(`${payment.json._links.scaRedirect.href}?scenario=SCA_OK`, { cert: null });
    expect([end.status, end.headers.location]).toEqual([302, BACK]);
    const { transactionStatus } = (await send('GET', payment.json._links.status.href, undefined, client))
      .json;
    if (bank === 'living') expect(['ACTC', 'ACSP', 'ACSC']).toContain(transactionStatus);
    const signatures = /signature|digest/;
    expect((await blamed()).filter((one) => !signatures.test(one))).toEqual([]);
  },
  60_000,
);

it.each(BANKS)(
  'a client of wso2 authorises by the scope, at the %s bank',
  async (bank) => {
    const { gateway, dialect, person, send, token, authorise, exchange, blamed } = await clientOf(
      'wso2',
      bank,
    );
    const ais = bearer(await token({ grant_type: 'client_credentials', scope: 'accounts' }));
    const consent = await send('POST', dialect.pathOf('consents.create'), consentBody(gateway), ais);
    expect(consent.status, consent.text).toBe(201);
    const { consentId, _links } = consent.json;
    const discovery = await gateway.call(_links.scaOAuth.href);
    const { pathname } = new URL(discovery.json.authorization_endpoint);
    const given = await exchange(await authorise(pathname, `ais:${consentId}`));
    expect(given.json.scope).toBe(`ais:${consentId}`);
    const sca = await send('GET', _links.scaStatus.href, undefined, ais);
    expect(sca.json.scaStatus, sca.text).toBe('finalised');
    const reads = { ...bearer(given), 'Consent-ID': consentId };
    const list = await send('GET', dialect.pathOf('accounts.list'), undefined, reads);
    expect(list.status, list.text).toBe(200);
    expect(
      (await send('GET', dialect.pathOf('accounts.list'), undefined, { ...reads, ...ais })).codes,
    ).toEqual(['TOKEN_INVALID']);

    const pis = bearer(await token({ grant_type: 'client_credentials', scope: 'payments' }));
    const payment = await send(
      'POST',
      dialect.pathOf('payments.create', PRODUCT),
      paymentBody(person.iban),
      pis,
    );
    expect(payment.status, payment.text).toBe(201);
    const { paymentId } = payment.json;
    expect((await gateway.call(payment.json._links.scaOAuth.href)).status).toBe(200);
    const paid = await exchange(await authorise(pathname, `pis:${paymentId}`));
    expect(paid.json.scope, paid.text).toBe(`pis:${paymentId}`);
    const { transactionStatus } = (await send('GET', payment.json._links.status.href, undefined, pis)).json;
    if (bank === 'living') expect(['ACTC', 'ACSP', 'ACSC']).toContain(transactionStatus);
    expect((await blamed()).filter((one) => !one.includes('accounts/token-belongs-to-consent'))).toEqual([]);
  },
  60_000,
);

it.each(BANKS)(
  'tokens are of one TPP and of one service, and end, at the %s bank',
  async (bank) => {
    const { gateway, dialect, send, authorise, exchange, person } = await clientOf('n26', bank);
    const authorize = dialect.pathOf('oauth.authorize');
    const CODE = { response_type: 'CODE' };
    const code = await authorise(authorize, 'DEDICATED_AISP', CODE);
    // The code of another TPP gives nothing, nor does one that was used.
    expect((await exchange(code, { client_id: 'PSDBE-NBB-0000000000' }, 'tpp-other')).status).toBe(401);
    const ais = bearer(await exchange(code));
    expect((await exchange(code)).status).toBe(400);
    const create = (headers: Headers, cert = 'tpp') =>
      send('POST', dialect.pathOf('consents.create'), consentBody(gateway), headers, cert);
    const other = bearer(await exchange(await authorise(authorize, 'DEDICATED_AISP', CODE)));
    for (const [headers, cert] of [
      [ais, 'tpp-other'],
      [{ Authorization: 'Bearer 0123456789abcdef' }, 'tpp'],
      [bearer(await exchange(await authorise(authorize, 'DEDICATED_PISP', CODE))), 'tpp'],
    ] as const)
      expect((await create(headers, cert)).status).toBe(401);
    const pays = send('POST', dialect.pathOf('payments.create', PRODUCT), paymentBody(person.iban), other);
    expect((await pays).status).toBe(401);
    expect((await create(other)).status).toBe(201);
    gateway.move(2 * 3_600_000);
    expect((await create(other)).codes).toEqual(['TOKEN_EXPIRED']);
  },
  60_000,
);

it.each(BANKS)(
  'three of a hundred confirmation codes that come at once are tried, at the %s bank',
  async (bank) => {
    const { gateway, dialect, send } = await clientOf('obp', bank, { 'TPP-Redirect-Preferred': 'true' });
    const consent = await send('POST', dialect.pathOf('consents.create'), consentBody(gateway));
    const { scaRedirect, confirmation, scaStatus } = consent.json._links;
    await gateway.call(`${scaRedirect.href}?scenario=SCA_OK`, { cert: null });
    const confirm = (confirmationCode: string) => send('PUT', confirmation.href, { confirmationCode });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, nth) => confirm(`guess-${nth}`)));
    expect(answers.filter(({ codes }) => codes.includes('SCA_INVALID'))).toHaveLength(3);
    expect((await send('GET', scaStatus.href)).json.scaStatus).toBe('failed');
  },
  60_000,
);
