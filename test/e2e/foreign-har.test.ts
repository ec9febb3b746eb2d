/** HAR files of browsers and proxies, for banks at other addresses, are imported and replayed. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sandgate, startCommand } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import {
  type CallOptions,
  CHALLENGE,
  startTestGateway,
  type TestGateway,
  testCertificates,
  VERIFIER,
} from './harness.js';

/** The banks are none of ours: one has an authorize address of its own, one a discovery document. */
const BANKS_OWN = { 'answers/links-are-reachable': 'off', 'answers/discovery-document': 'off' };
const V1 = '/stdgroup/v1';
const CLIENT = 'PSDBE-NBB-0123456789';
const DAY_MS = 86_400_000;
const RECORDED_DAY = Date.UTC(2026, 5, 15);

const folder = folderOfFile();
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/har/${name}.har`, import.meta.url));

/** The gateway's day of a day of the recording. */
const dayLike = (recorded: string, gateway: TestGateway) => {
  const age = Math.floor(gateway.now() / DAY_MS) - Math.floor(RECORDED_DAY / DAY_MS);
  return new Date(Date.parse(recorded) + age * DAY_MS).toISOString().slice(0, 10);
};
const id = (): Record<string, string> => ({ 'X-Request-ID': crypto.randomUUID() });
const creation = () => ({
  ...id(),
  'PSU-IP-Address': '198.51.100.3',
  'TPP-Redirect-URI': 'https://other.example/cb',
});

/** Asks, and expects the answer to come out of the recording. */
async function ask(gateway: TestGateway, target: string, options?: CallOptions) {
  const reply = await gateway.call(target, options);
  expect(reply.headers['sandgate-source'], reply.text).toBe('replay');
  expect(reply.text).not.toContain('bank.example');
  return reply;
}

async function authorise(gateway: TestGateway, address: string, scope: string): Promise<string> {
  const query = new URLSearchParams({
    ...{ scope, client_id: CLIENT, response_type: 'code', state: 'own-state' },
    ...{ redirect_uri: 'https://other.example/cb' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  });
  const page = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  const { status, headers } = await gateway.call(page, { side: 'psu' });
  expect([status, headers.location]).toEqual([302, expect.stringMatching(/^https:\/\/other\.example\/cb\?/)]);
  const back = new URL(headers.location ?? '').searchParams;
  expect(back.get('state')).toBe('own-state');
  return back.get('code') ?? '';
}

async function token(gateway: TestGateway, address: string, code: string): Promise<string> {
  const form = { grant_type: 'authorization_code', client_id: CLIENT, code, code_verifier: VERIFIER };
  const { status, json } = await ask(gateway, address, { form });
  expect(status).toBe(200);
  return json.access_token;
}

/** A consent of a web console: created, authorised, used, revoked. */
async function consent(gateway: TestGateway): Promise<void> {
  const json = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: dayLike('2026-09-10', gateway),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const created = await ask(gateway, `${V1}/consents`, { json, headers: creation() });
  const { consentId, _links } = created.json;
  expect(created.status).toBe(201);
  expect(_links.self.href).toBe(`${gateway.urls.api}${V1}/consents/${consentId}`);
  expect(created.headers.location).toBe(_links.self.href);
  const before = await ask(gateway, _links.status.href, { headers: id() });
  const discovery = (await ask(gateway, _links.scaOAuth.href)).json;
  const code = await authorise(gateway, discovery.authorization_endpoint, `AIS:${consentId}`);
  const access = await token(gateway, discovery.token_endpoint, code);
  const after = await ask(gateway, _links.status.href, { headers: id() });
  expect([before, after].map((status) => status.json.consentStatus)).toEqual(['received', 'valid']);
  const headers = { ...id(), Authorization: `Bearer ${access}`, 'Consent-Id': consentId };
  const { accounts } = (await ask(gateway, `${V1}/accounts`, { headers })).json;
  expect(accounts[0]._links.balances.href).toMatch(`${gateway.urls.api}${V1}/accounts/`);
  const removed = await ask(gateway, _links.self.href, { method: 'DELETE', headers: id() });
  expect(removed.status).toBe(204);
}

/** A payment of a script, polled before and after its SCA on pages of the bank's own. */
async function payment(gateway: TestGateway): Promise<void> {
  const json = {
    creditorName: 'Jane Doe',
    creditorAccount: { iban: 'BE86 9865 0981 2450' },
    debtorAccount: { iban: 'BE14983120441783' },
    instructedAmount: { amount: '123.5', currency: 'EUR' },
    endToEndIdentification: 'OWN-1',
  };
  const headers = { ...creation(), 'TPP-Explicit-Authorisation-Preferred': 'false' };
  const created = await ask(gateway, `${V1}/payments/sepa-credit-transfers`, { json, headers });
  const { paymentId, _links } = created.json;
  expect(created.headers.location).toBe(`${V1}/payments/sepa-credit-transfers/${paymentId}`);
  const before = await ask(gateway, _links.status.href, { headers: id() });
  const again = await ask(gateway, _links.status.href, { headers: id() });
  const code = await authorise(gateway, _links.scaOAuth.href, `PIS:${paymentId}`);
  await token(gateway, `${V1}/token`, code);
  const after = await ask(gateway, _links.status.href, { headers: id() });
  expect([before, again, after].map((status) => status.json.transactionStatus)).toEqual([
    'RCVD',
    'RCVD',
    'ACSC',
  ]);
  const whole = await ask(gateway, _links.self.href, { headers: id() });
  expect(whole.json).toMatchObject({ endToEndIdentification: 'OWN-1', transactionStatus: 'ACSC' });
}

/** Reads with a token from elsewhere. */
async function reads(gateway: TestGateway): Promise<void> {
  const headers = () => ({
    ...id(),
    ...gateway.accountHeaders('my-own-token', { 'Consent-Id': 'MY-CONSENT' }),
  });
  const { accounts } = (await ask(gateway, `${V1}/accounts`, { headers: headers() })).json;
  const account = `${V1}/accounts/${accounts[0].resourceId}`;
  const balances = await ask(gateway, `${account}/balances`, { headers: headers() });
  expect(balances.json.balances[0].referenceDate).toBe(dayLike('2026-06-14', gateway));
  const query = new URLSearchParams({
    dateFrom: dayLike('2026-03-17', gateway),
    bookingStatus: 'booked',
  });
  const { transactions } = (await ask(gateway, `${account}/transactions?${query}`, { headers: headers() }))
    .json;
  expect(transactions.booked[0]).toMatchObject({
    creditorName: 'Café Ünïcode',
    bookingDate: dayLike('2026-06-12', gateway),
  });
  expect(transactions._links.next.href).toBe(
    `${gateway.urls.api}${account}/transactions?bookingStatus=booked&dateFrom=${dayLike('2026-03-17', gateway)}&entryReferenceFrom=T1`,
  );
  const funds = {
    account: { iban: 'BE67983610020587' },
    instructedAmount: { currency: 'EUR', amount: '123.50' },
  };
  const asked = await ask(gateway, `${V1}/funds-confirmations`, { json: funds, headers: id() });
  expect(asked.json).toEqual({ fundsAvailable: true });
}

const TOOLS = [
  {
    tool: 'chrome-devtools',
    exchanges: 8,
    skipped: 'Skipped: 3 another path, 1 CORS preflight.',
    play: consent,
  },
  { tool: 'mitmproxy', exchanges: 5, skipped: 'Skipped: 1 another path.', play: payment },
  { tool: 'charles', exchanges: 4, skipped: 'Skipped: 1 another path.', play: reads },
] as const;

describe.each(TOOLS)('the HAR of $tool', ({ tool, exchanges, skipped, play }) => {
  const file = fixture(tool);
  const replay = (source: Record<string, unknown>) =>
    startTestGateway({ source: 'replay', stance: 'observe', rules: BANKS_OWN, ...source });
  const usedWhole = async (gateway: TestGateway) => {
    const { json } = await gateway.call('/api/replay', { side: 'admin' });
    expect(json.missed.map(({ text }: { text: string }) => text)).toEqual([]);
    expect(json.unused).toEqual([]);
    expect(json.used).toHaveLength(exchanges);
  };

  it('replays for a client with values of its own: all used, none missed', async () => {
    const gateway = await replay({ replay: file });
    await play(gateway);
    await usedWhole(gateway);
    await gateway.close();
  });

  it('is imported as a session, which replays just so', async () => {
    const store = join(folder, `${tool}.db`);
    const { status, out, err } = await sandgate(['sessions', 'import', file, '--store', store], {
      clock: Date.now,
    });
    expect([status, err]).toEqual([0, '']);
    expect(out).toBe(`Imported ${exchanges} exchanges as session ${tool}. ${skipped}\n`);
    const gateway = await replay({ replay: tool, store });
    await play(gateway);
    await usedWhole(gateway);
    await gateway.close();
  });

  it('is served by the command', async () => {
    const ports = ['--listen', '--psu-listen', '--admin-listen'].flatMap((flag) => [flag, '127.0.0.1:0']);
    const own = ['--certs', await testCertificates(), '--store', ':memory:', '--log-level', 'error'];
    const replaying = startCommand(['replay', file, ...ports, ...own], { clock: Date.now });
    await replaying.prints('Sandgate is ready.');
    const { status, out } = await replaying.stop();
    expect(status).toBe(0);
    expect(out).toContain(`0 of ${exchanges} recorded exchanges used`);
  });
});
