/** With --isolate-sessions each session that calls name is a world of its own, also after a restart. */
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/index.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { type CallOptions, CHALLENGE, startTestGateway, type TestGateway, VERIFIER } from './harness.js';

const V1 = '/stdgroup/v1';
const isolated = (settings: Record<string, unknown> = {}) =>
  startTestGateway({ isolateSessions: true, ...settings });
const within = (session: string, headers: Record<string, string | undefined> = {}) => ({
  'Sandgate-Session': session,
  ...headers,
});
const tokenForm = (code: string) => ({
  grant_type: 'authorization_code',
  client_id: 'VALID_CLIENT_ID',
  code,
  code_verifier: VERIFIER,
});

async function tokenIn(gateway: TestGateway, session: string): Promise<string> {
  const form = tokenForm('AIS_VALID_CODE');
  const { json } = await gateway.call(`${V1}/token`, { form, headers: within(session) });
  return json.access_token;
}

/** Creates a consent to be authorised in a session; gives the address that the PSU's browser is sent to. */
async function authorizeLink(gateway: TestGateway, session: string): Promise<string> {
  const json = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, frequencyPerDay: 4 };
  const validUntil = new Date(gateway.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const headers = within(session, {
    'TPP-Redirect-URI': 'https://tpp.example/cb',
    'PSU-IP-Address': '192.0.2.1',
  });
  const { json: created } = await gateway.call(`${V1}/consents`, {
    json: { ...json, validUntil, combinedServiceIndicator: false },
    headers,
  });
  const { pathname } = new URL(created._links.scaStatus.href);
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'VALID_CLIENT_ID', scope: `AIS:${created.consentId}`, state: 's' },
    ...{ redirect_uri: 'https://tpp.example/cb', code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  });
  return `/stdgroup/authorization/authorize/${pathname.split('/').at(-1)}?${query}&scenario=SCA_OK`;
}

async function codeOf(gateway: TestGateway, link: string): Promise<string> {
  const { headers } = await gateway.call(link, { side: 'psu' });
  return new URL(headers.location ?? '').searchParams.get('code') ?? '';
}

const operationsIn = async (gateway: TestGateway, session: string) =>
  (await all(gateway.app.store.read(session))).map(({ exchange: { call } }) => call.operation);

describe('two sessions of one TPP', () => {
  it('do not know each other’s tokens, nor that of calls which name none', async () => {
    const gateway = await isolated();
    const token = await tokenIn(gateway, 'one');
    const read = async (headers: CallOptions['headers']) =>
      (await gateway.call(`${V1}/accounts`, { headers: gateway.accountHeaders(token, headers) })).status;
    expect(await read(within('one'))).toBe(200);
    expect([await read(within('two')), await read({})]).toEqual([401, 401]);
    await gateway.close();
  });

  it('are entered once each, however many calls name them at once', async () => {
    const gateway = await isolated({ 'limits.sessions': 3 });
    const sessions = ['one', 'two'];
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, i) => tokenIn(gateway, sessions[i % 2] ?? '')),
    );
    expect((await gateway.call(`${V1}/token`, { headers: within('three') })).status).toBe(400);
    for (const [i, token] of tokens.entries()) {
      const headers = gateway.accountHeaders(token, within(sessions[i % 2] ?? ''));
      expect((await gateway.call(`${V1}/accounts`, { headers })).status).toBe(200);
    }
    const noted = await gateway.app.store.sessions();
    const starts = noted.map(({ name, notes }) => [name, notes.map(({ kind }) => kind)]);
    // Which of the two was entered first is the calls' affair.
    expect(starts.filter(([name]) => name !== 'test').sort()).toEqual(
      sessions.map((name) => [name, ['started']]),
    );
    await gateway.close();
  });

  it('have a daily limit each, however many calls come at once', async () => {
    const gateway = await isolated();
    const sessions = ['one', 'two'];
    const tokens = await Promise.all(sessions.map((session) => tokenIn(gateway, session)));
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const headers = within(sessions[i % 2] ?? '', { 'PSU-IP-Address': undefined });
        const all = gateway.accountHeaders(tokens[i % 2] ?? '', headers);
        return (await gateway.call(`${V1}/accounts`, { headers: all })).status;
      }),
    );
    for (const rest of [0, 1])
      expect(statuses.filter((status, i) => i % 2 === rest && status === 200)).toHaveLength(4);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await gateway.close();
  });

  it('send a browser to pages of their own, by the authorisation in its address', async () => {
    const gateway = await isolated();
    const [one, two] = [await authorizeLink(gateway, 'one'), await authorizeLink(gateway, 'two')];
    expect([await codeOf(gateway, two), await codeOf(gateway, one)]).not.toContain('');
    for (const session of ['one', 'two'])
      expect(await operationsIn(gateway, session)).toEqual(['consents.create', 'oauth.authorize']);
    const elsewhere = await gateway.call(one, { side: 'psu', headers: within('two') });
    expect([elsewhere.status, elsewhere.headers.location]).toEqual([404, undefined]);
    await gateway.close();
  });

  it('go on where they were after a restart, and a browser still finds its session', async () => {
    const store = aPath();
    const before = await isolated({ store });
    const token = await tokenIn(before, 'one');
    const link = await authorizeLink(before, 'two');
    await before.close();
    const gateway = await isolated({ store });
    const read = async (session: string) => {
      const headers = gateway.accountHeaders(token, within(session));
      return (await gateway.call(`${V1}/accounts`, { headers })).status;
    };
    expect([await read('one'), await read('two')]).toEqual([200, 401]);
    expect(await codeOf(gateway, link)).not.toBe('');
    expect((await operationsIn(gateway, 'two')).at(-1)).toBe('oauth.authorize');
    await gateway.close();
  });
});

it('what a living bank remembers for a TPP is bounded in all of its sessions together', async () => {
  const gateway = await isolated({ bank: 'living' });
  const pay = async (session: string, cert: string, length: number) => {
    const json = {
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      debtorAccount: { iban: 'BE16983078682374' },
      creditorAccount: { iban: 'BE62510007547061' },
      creditorName: 'Fietsenatelier Roeland',
      more: 'x'.repeat(length),
    };
    const headers = within(session, {
      'TPP-Redirect-URI': 'https://tpp.example/cb',
      'PSU-IP-Address': '192.0.2.1',
    });
    const path = `${V1}/payments/sepa-credit-transfers`;
    return (await gateway.call(path, { cert, json, headers })).status;
  };
  let created = 0;
  const fill = async (session: string): Promise<void> => {
    for (let i = 0; i < 150; i++) if ((await pay(session, 'tpp', 15_000)) === 201) created += 1;
  };
  await Promise.all(Array.from({ length: 10 }, (_, i) => fill(`s${i}`)));
  const mebibytes = (created * 15_000) / 1_048_576;
  expect(mebibytes).toBeGreaterThan(14);
  expect(mebibytes).toBeLessThan(16);
  expect(await pay('s0', 'tpp-other', 10)).toBe(201);
  await gateway.close();
});

it('sessions share one world where nothing is said of it', async () => {
  const gateway = await startTestGateway();
  const token = await tokenIn(gateway, 'one');
  const headers = gateway.accountHeaders(token, within('two'));
  expect((await gateway.call(`${V1}/accounts`, { headers })).status).toBe(200);
  await gateway.close();
});

it('sessions cannot be isolated where calls may not name them', () => {
  expect(() => loadConfig({ flags: { isolateSessions: true, sessionHeader: false }, file: null })).toThrow(
    /--isolate-sessions needs the header Sandgate-Session/,
  );
});
