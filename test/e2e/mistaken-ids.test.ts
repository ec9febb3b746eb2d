/** Before a bank that may know more than the gateway, what the gateway itself saw still shows which id is no such id. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { VERIFIER } from './harness.js';
import { exported, judgedFromFile, judgedFromStore, judgedLive } from './judged-again.js';

const [CONSENT, PAYMENT] = ['c-7d1f', 'p-93ab'];
const [TOKEN, REFRESH] = ['at-5c1f0e7b9a2d4c6e8f10', 'rt-1b2a3c4d5e6f708192a3'];
const AUTHORISATION = '0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801';
const NAMED = new Set([
  'accounts/consent-known',
  'accounts/token-known',
  'accounts/token-belongs-to-consent',
  'consents/known-to-tpp',
  'payments/known-to-tpp',
  'payments/consent-id-is-payment-id',
  'oauth/refresh-token-as-bearer',
  'requests/ids-of-their-kind',
  'requests/known-path',
]);
const KIND = 'requests/ids-of-their-kind';

const links = (path: string) => ({
  scaOAuth: { href: `https://web.bank.example/public/stdgroup/authorize/${AUTHORISATION}` },
  scaStatus: { href: `/stdgroup/v1/${path}/authorisations/${AUTHORISATION}` },
});

let behind: BankBehind;
let newest: number;
beforeAll(async () => {
  behind = await openBankBehind(
    ({ method, target }, response) => {
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      if (target.endsWith('/token'))
        return answer(200, {
          ...{ access_token: TOKEN, refresh_token: REFRESH, token_type: 'Bearer' },
          ...{ expires_in: 3600, scope: `AIS:${CONSENT}` },
        });
      if (method === 'POST' && target.endsWith('/consents'))
        return answer(201, {
          ...{ consentId: CONSENT, consentStatus: 'received', _links: links(`consents/${CONSENT}`) },
        });
      if (method === 'POST')
        return answer(201, {
          ...{ paymentId: PAYMENT, transactionStatus: 'RCVD' },
          _links: links(`payments/sepa-credit-transfers/${PAYMENT}`),
        });
      return answer(401, { tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN' }] });
    },
    { stance: 'observe', profile: 'production' },
  );
  const { gateway } = behind;
  const headers = () => ({
    ...{ 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.7' },
    'TPP-Redirect-URI': 'https://tpp.example/cb',
  });
  const access = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '9999-12-31' };
  await gateway.call('/stdgroup/v1/consents', {
    headers: headers(),
    json: { ...access, frequencyPerDay: 4, combinedServiceIndicator: false },
  });
  await gateway.call('/stdgroup/v1/payments/sepa-credit-transfers', {
    headers: headers(),
    json: {
      instructedAmount: { amount: '1.00', currency: 'EUR' },
      debtorAccount: { iban: 'BE68539007547034' },
      creditorAccount: { iban: 'BE68539007547034' },
      creditorName: 'A',
    },
  });
  await gateway.call('/stdgroup/v1/token', {
    form: {
      ...{ grant_type: 'authorization_code', code: 'code-of-the-bank-2f61', code_verifier: VERIFIER },
      ...{ client_id: 'PSDBE-NBB-0123456789', redirect_uri: 'https://tpp.example/cb' },
    },
  });
  await gateway.app.recorder.drain();
});
afterAll(() => behind.close());
beforeEach(async () => {
  newest = (await judgedLive(behind.gateway.app.store, 'test')).length;
});

async function found(
  path: string,
  headers: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  const { gateway } = behind;
  await gateway.call(path.startsWith('/') ? path : `/stdgroup/v1/${path}`, {
    headers: { ...Object.fromEntries(headers), 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.7' },
  });
  await gateway.app.recorder.drain();
  const live = await judgedLive(gateway.app.store, 'test');
  return (live[newest]?.found ?? []).filter((rule) => NAMED.has(rule));
}
const reads = (consent: string, bearer: string) =>
  found('accounts', [
    ['Consent-Id', consent],
    ['Authorization', `Bearer ${bearer}`],
  ]);

describe('before a bank of its own', () => {
  it.each([
    ['the consent and its token', CONSENT, TOKEN, []],
    ['a consent and a token from before', 'c-of-july', 'at-of-july', []],
    ['the refresh token as bearer', CONSENT, REFRESH, ['oauth/refresh-token-as-bearer']],
    ['a payment id as Consent-Id', PAYMENT, TOKEN, [KIND]],
    ['token and consent id swapped', TOKEN, CONSENT, [KIND, KIND]],
    ['a token that is undefined', CONSENT, 'undefined', [KIND]],
    ['a consent of the sandbox in production', 'VALID_CONSENT_ID', 'at-of-july', ['accounts/consent-known']],
  ])('%s', async (_, consent, bearer, rules) => {
    expect(await reads(consent, bearer)).toEqual(rules);
  });

  /** As bytes on a socket of its own: clients of HTTP join headers of one name, or send the last. */
  async function foundInRaw(...consents: readonly string[]): Promise<readonly string[]> {
    const { gateway } = behind;
    const ports = {
      host: '127.0.0.1',
      port: Number(new URL(gateway.urls.api).port),
      servername: 'localhost',
    };
    const identity = {
      cert: gateway.file('tpp.pem'),
      key: gateway.file('tpp.key'),
      ca: gateway.file('ca.pem'),
    };
    const socket = connect({ ...ports, ...identity });
    const head = [
      ...['GET /stdgroup/v1/accounts HTTP/1.1', 'Host: localhost', `X-Request-ID: ${randomUUID()}`],
      ...[`Authorization: Bearer ${TOKEN}`, 'PSU-IP-Address: 192.0.2.7', 'Connection: close'],
      ...consents.map((id) => `Consent-Id: ${id}`),
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await once(socket.resume(), 'end');
    await gateway.app.recorder.drain();
    const live = await judgedLive(gateway.app.store, 'test');
    return (live[newest]?.found ?? []).filter((rule) => NAMED.has(rule));
  }

  it.each([
    ['once', [CONSENT], []],
    ['twice, the same one', [CONSENT, CONSENT], [KIND]],
    ['twice, another one first', ['c-of-july', CONSENT], [KIND]],
  ])('a Consent-Id that stands in the call %s reaches the bank as it was sent', async (_, sent, rules) => {
    expect(await foundInRaw(...sent)).toEqual(rules);
    const { headers = [] } = behind.seen.at(-1) ?? {};
    expect(headers.filter((_value, i) => headers[i - 1]?.toLowerCase() === 'consent-id')).toEqual(sent);
  });

  it('a path that has the segment and lacks the version is forwarded, and judged', async () => {
    expect(await found('/stdgroup/accounts', [['Consent-Id', CONSENT]])).toEqual(['requests/known-path']);
    expect(behind.seen.at(-1)?.target).toBe('/stdgroup/accounts');
  });

  it('a consent id where a payment belongs, and a payment id where a consent belongs', async () => {
    expect(await found(`payments/sepa-credit-transfers/${CONSENT}/status`, [])).toEqual([KIND]);
    newest += 1;
    expect(await found(`consents/${PAYMENT}/status`, [])).toEqual([KIND]);
    newest += 1;
    expect(await found(`consents/${CONSENT}/status`, [])).toEqual([]);
  });

  it('all of it is the same when it is judged again', async () => {
    const { store } = behind.gateway.app;
    const live = await judgedLive(store, 'test');
    expect(await judgedFromStore(store, 'test')).toEqual(live);
    for (const format of ['har', 'cassette'] as const)
      expect(await judgedFromFile(await exported(store, 'test', format), 'production')).toEqual(live);
  });

  it('what the PSU’s pages would have shown is not observed', async () => {
    const { store } = behind.gateway.app;
    const verdicts: Record<string, string>[] = [];
    for await (const record of store.read('test')) verdicts.push(record.verdicts);
    const token = verdicts[2] ?? {};
    expect(token['oauth/verifier-matches-challenge']).toBe('not-observed');
    expect(token['answers/redirect-carries-state']).toBe('not-observed');
  });
});
