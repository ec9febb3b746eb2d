/** Calls that the gateway sends itself, for its operator: they are told from those of TPPs, and nobody else can make one. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownCallHeader } from '../../src/gateway/index.js';
import { all } from '../rows.js';
import { openBankBehind } from './bank-behind.js';
import { started, type TestGateway } from './harness.js';

const ACCOUNTS = '/stdgroup/v1/accounts';
const FILL = { Authorization: 'Bearer {token}' };
const HEADER = 'Sandgate-Sender';

const act = async (gateway: TestGateway, path: string, json: object = {}) => {
  const { status, json: given, text } = await gateway.call(path, { side: 'admin', method: 'POST', json });
  expect(status, text).toBe(200);
  return given;
};
const asked = async (gateway: TestGateway, path: string) =>
  (await gateway.call(path, { side: 'admin' })).json;
const found = async (gateway: TestGateway, q: string): Promise<string[]> =>
  (await asked(gateway, `/api/exchanges?q=${encodeURIComponent(q)}`)).exchanges
    .map(({ operation }: { operation: string }) => operation)
    .toReversed();
const resend = (gateway: TestGateway, id: string | undefined, headers: object) =>
  act(gateway, `/api/exchanges/${id}/resend`, { headers });

/** A TPP reads without a token, and the operator sends that again, mended. */
async function mended(gateway: TestGateway) {
  const wrong = await gateway.call(ACCOUNTS, {
    headers: { 'Consent-Id': 'VALID_CONSENT_ID', 'PSU-IP-Address': '192.0.2.1' },
  });
  return (await resend(gateway, wrong.headers['sandgate-exchange'], FILL)).exchange;
}

describe('a call that is sent again', () => {
  it('is marked with those that get it a token, in list, filter, journey and call; the header is recorded nowhere', async () => {
    const gateway = await started();
    const id = await mended(gateway);
    expect(await found(gateway, 'sender:sandgate')).toEqual(['oauth.token', 'accounts.list']);
    expect(await found(gateway, '-sender:*')).toEqual(['accounts.list']);
    const runs: { calls: { sender: string | null }[] }[] = await asked(
      gateway,
      '/api/journeys/VALID_CONSENT_ID',
    );
    expect(runs.flatMap(({ calls }) => calls.map(({ sender }) => sender))).toEqual([
      ...[null, 'sandgate', 'sandgate'],
    ]);
    expect(await asked(gateway, `/api/exchanges/${id}`)).toMatchObject({ sender: 'sandgate', status: 200 });
    const { store } = gateway.app;
    const [, value] = ownCallHeader(store.fingerprintKey);
    const stored = JSON.stringify(await all(store.read('test')));
    for (const text of [HEADER, HEADER.toLowerCase(), value]) expect(stored).not.toContain(text);
  });

  it('keeps its mark in a HAR and in a cassette', async () => {
    const gateway = await started();
    await mended(gateway);
    for (const format of ['har', 'cassette']) {
      const path = `/api/sessions/test/export?format=${format}`;
      const { text } = await gateway.call(path, { side: 'admin' });
      expect(text.match(/"sender": ?"sandgate"/g), format).toHaveLength(2);
    }
  });

  it('judges no TPP in a report, which says so and marks it; in the list it is judged as any', async () => {
    const gateway = await started();
    const right = await gateway.call(ACCOUNTS, { headers: gateway.accountHeaders(await gateway.token()) });
    const wrong = { 'X-Request-ID': 'no uuid' };
    const { exchange } = await resend(gateway, right.headers['sandgate-exchange'], { ...FILL, ...wrong });
    expect((await asked(gateway, `/api/exchanges/${exchange}`)).worst).not.toBeNull();
    const { text } = await gateway.call('/api/sessions/test/report?format=json', { side: 'admin' });
    const { head, findings, appendix } = JSON.parse(text);
    expect(findings.map(({ rule }: { rule: string }) => rule)).not.toContain('requests/request-id-is-uuid');
    expect(head.notes).toContainEqual(expect.stringMatching(/^2 calls were sent by Sandgate itself/));
    expect(appendix.exchanges.map(({ sender }: { sender: string }) => sender)).toEqual([
      ...[null, null, 'sandgate', 'sandgate'],
    ]);
    expect(appendix.exchanges.at(-1).findings).toEqual([]);
    const own = await gateway.call(ACCOUNTS, { headers: gateway.accountHeaders('x', wrong) });
    expect(own.status).toBeGreaterThan(399);
    const again = await gateway.call('/api/sessions/test/report?format=json', { side: 'admin' });
    const rules = JSON.parse(again.text).findings.map(({ rule }: { rule: string }) => rule);
    expect(rules).toContain('requests/request-id-is-uuid');
  });
});

it('a first journey is marked as a whole, calls to the PSU listener too', async () => {
  const gateway = await started();
  const { exchanges } = await act(gateway, '/api/journeys');
  expect((await found(gateway, 'sender:sandgate')).length).toBe(exchanges.length);
  expect(await found(gateway, 'sender:sandgate listener:psu')).toEqual(['oauth.authorize']);
});

it('a bank gets no header of it; what a TPP sends under its name marks nothing', async () => {
  const { gateway, seen, close } = await openBankBehind(
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"accounts":[]}');
    },
    { stance: 'observe' },
  );
  onTestFinished(close);
  const [, value] = ownCallHeader(gateway.app.store.fingerprintKey);
  const forged = [
    value.slice(1),
    `${value}A`,
    'A'.repeat(value.length),
    '',
    `${value}, ${value}`,
    'sandgate',
  ];
  for (const one of forged) {
    const { headers } = await gateway.call(ACCOUNTS, {
      headers: gateway.accountHeaders('x', { [HEADER]: one }),
    });
    const { sender } = await asked(gateway, `/api/exchanges/${headers['sandgate-exchange']}`);
    expect(sender, one).toBeNull();
  }
  const { headers } = await gateway.call(ACCOUNTS, { headers: gateway.accountHeaders('x') });
  seen.length = 0;
  await resend(gateway, headers['sandgate-exchange'], {});
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen[0]?.headers)).not.toMatch(/sandgate-sender/i);
  expect(await found(gateway, 'sender:sandgate')).toEqual(['accounts.list']);
});

it('a call that came with a header of that name is sent again without it: the mark gets to no bank and no recording', async () => {
  const { gateway, seen, close } = await openBankBehind((_, response) => response.end('{}'), {
    stance: 'observe',
  });
  onTestFinished(close);
  const { store } = gateway.app;
  const { headers } = await gateway.call(ACCOUNTS, {
    headers: gateway.accountHeaders('x', { [HEADER.toUpperCase()]: 'bait' }),
  });
  const { exchange } = await resend(gateway, headers['sandgate-exchange'], {});
  const other = await resend(gateway, headers['sandgate-exchange'], { [HEADER]: 'bait' });
  const [, value] = ownCallHeader(store.fingerprintKey);
  expect(JSON.stringify(seen)).not.toContain(value);
  expect(JSON.stringify(await all(store.read('test')))).not.toContain(value);
  for (const id of [exchange, other.exchange])
    expect((await asked(gateway, `/api/exchanges/${id}`)).sender).toBe('sandgate');
});
