/** The document of the interface, as a client that nobody here wrote uses it. */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { AxiosRequestConfig } from 'axios';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { expect, it } from 'vitest';
import { bankDateAt } from '../../src/spec/index.js';
import { answersBeside } from '../openapi-answers.js';
import { CHALLENGE, DAY_MS, started, type TestGateway, VERIFIER } from './harness.js';

const BACK = 'https://tpp.example/back';
const DOCUMENT = '/openapi.json';
const HEADERS = {
  'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'PSU-IP-Address': '192.0.2.1',
  'TPP-Redirect-URI': BACK,
};

async function generatedClient(gateway: TestGateway) {
  const file = (name: string) => readFileSync(join(gateway.certs, name));
  const definition = (await gateway.call(DOCUMENT, { cert: null })).json;
  const httpsAgent = new Agent({ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') });
  const api = new OpenAPIClientAxios({
    definition: { ...definition, servers: [{ url: gateway.urls.api }] },
    axiosConfigDefaults: { httpsAgent, maxRedirects: 0, validateStatus: (status) => status < 400 },
  });
  const client: Record<string, unknown> = await api.init();
  /** Of an operation, by its id; parameters by their names. */
  return async (operation: string, parameters: object, body?: object, config: AxiosRequestConfig = {}) => {
    const send = client[operation];
    if (typeof send !== 'function') throw new TypeError(`the client has no ${operation}`);
    const { status, data, headers } = await send({ ...HEADERS, ...parameters }, body, config);
    return { status, data, location: new URL(headers.location ?? '/', gateway.urls.api) };
  };
}

/** The PSU agrees; the TPP gets the token. */
async function authorise(
  send: Awaited<ReturnType<typeof generatedClient>>,
  created: { _links: { scaOAuth: { href: string } } },
  scope: string,
  psu: string,
): Promise<string> {
  const authorizationId = new URL(created._links.scaOAuth.href).searchParams.get('authorizationId') ?? '';
  const { authorization_endpoint } = (await send('oauthDiscovery', { authorizationId })).data;
  const end = await send('oauthAuthorize', {
    authorisationId: new URL(authorization_endpoint).pathname.split('/').at(-1),
    ...{ scope, client_id: 'VALID_CLIENT_ID', state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw' },
    ...{
      redirect_uri: BACK,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      response_type: 'code',
    },
    ...{ scenario: 'SCA_OK', psu },
  });
  expect(end.status).toBe(302);
  const code = end.location.searchParams.get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    client_id: 'VALID_CLIENT_ID',
    code,
    code_verifier: VERIFIER,
  };
  return (await send('oauthToken', {}, new URLSearchParams(form))).data.access_token;
}

it.each(['sandbox', 'living'] as const)(
  'a client that is generated out of the document walks AIS and PIS at the %s bank, and each answer is as the document says',
  async (bank) => {
    const gateway = await started({ bank });
    const send = await generatedClient(gateway);
    const [psu] = (await gateway.call('/api/bank/psus?limit=1', { side: 'admin' })).json;
    const consent = (
      await send(
        'consentsCreate',
        {},
        {
          access: { allPsd2: 'allAccounts' },
          recurringIndicator: true,
          validUntil: bankDateAt(gateway.now() + 40 * DAY_MS),
          frequencyPerDay: 4,
          combinedServiceIndicator: false,
        },
      )
    ).data;
    const token = await authorise(send, consent, `AIS:${consent.consentId}`, psu.id);
    const read = { 'Consent-Id': consent.consentId };
    const bearer = { headers: { Authorization: `Bearer ${token}` } };
    const { accounts } = (await send('accountsList', read, undefined, bearer)).data;
    const account = accounts.find(({ currency }: { currency: string }) => currency === 'EUR');
    const accountId = bank === 'sandbox' ? 'ACCOUNT_ID' : account.resourceId;
    const one = { ...read, accountId };
    await send('accountsRead', one, undefined, bearer);
    await send('accountsBalances', one, undefined, bearer);
    const period = { dateFrom: bankDateAt(gateway.now() - 30 * DAY_MS), bookingStatus: 'booked' };
    const { transactions } = (await send('accountsTransactions', { ...one, ...period }, undefined, bearer))
      .data;
    expect(transactions.booked.length).toBeGreaterThan(0);

    const product = { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers' };
    const payment = (
      await send('paymentsCreate', product, {
        instructedAmount: { currency: 'EUR', amount: '1.50' },
        debtorAccount: { iban: account.iban },
        creditorAccount: { iban: 'BE86986509812450' },
        creditorName: 'Fietsenatelier Roeland',
      })
    ).data;
    await authorise(send, payment, `PIS:${payment.paymentId}`, psu.id);
    const paid = await send('paymentsStatus', { ...product, paymentId: payment.paymentId });
    expect(paid.data.transactionStatus).toMatch(bank === 'sandbox' ? /^RCVD$/ : /^AC/);
    expect((await send('consentsDelete', { consentId: consent.consentId })).status).toBe(204);

    const document = (await gateway.call(DOCUMENT)).json;
    expect(answersBeside(document, await gateway.records())).toEqual([]);
  },
);

it('the document is neither judged nor recorded, and any other call of its path is an unknown path', async () => {
  const gateway = await started();
  expect((await gateway.call(DOCUMENT, { cert: null })).headers['content-type']).toBe('application/json');
  expect((await gateway.call(DOCUMENT, { method: 'HEAD' })).status).toBe(200);
  expect(await gateway.records()).toEqual([]);
  expect((await gateway.call(DOCUMENT, { method: 'DELETE' })).status).toBe(404);
  expect((await gateway.call(DOCUMENT, { side: 'psu' })).status).toBe(404);
  expect(await gateway.records()).toHaveLength(2);
});

it('under a bank profile the document has the paths of that bank', async () => {
  const gateway = await started({ bankProfile: 'unicredit' });
  expect(Object.keys((await gateway.call(DOCUMENT)).json.paths)).toContain('/hydrogen/v1/accounts');
});
