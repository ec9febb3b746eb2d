/** Several gateways on one store: what holds for one holds for all of them together. */
import { afterEach, describe, expect, it } from 'vitest';
import { aPath } from '../store/stores.js';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';
import { livingTpp, V1 } from './living.js';

const ACCOUNTS = `${V1}/accounts`;
const open: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

type Three = readonly [TestGateway, TestGateway, TestGateway];

async function three(settings: Record<string, unknown> = {}): Promise<Three> {
  const store = aPath();
  const start = async (lane: number) => {
    const gateway = await startTestGateway({ store, ...settings }, lane);
    open.push(gateway);
    return gateway;
  };
  return [await start(0), await start(1), await start(2)];
}

const read = (gateway: TestGateway, token: string, headers: Record<string, string | undefined> = {}) =>
  gateway.call(ACCOUNTS, {
    headers: gateway.accountHeaders(token, { 'PSU-IP-Address': undefined, ...headers }),
  });

const statuses = (replies: readonly { readonly status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const admin = (
  gateway: TestGateway,
  path: string,
  json?: unknown,
  method = json === undefined ? 'GET' : 'PUT',
) =>
  gateway.call(path, {
    ...{ side: 'admin', method },
    ...(json === undefined ? {} : { json }),
    headers: { 'Content-Type': 'application/json' },
  });

describe('three gateways on one store', () => {
  it('know a token that another one gave', async () => {
    const [one, other, third] = await three();
    const token = await one.token();
    expect((await read(other, token)).status).toBe(200);
    expect((await read(third, token)).status).toBe(200);
    expect((await read(one, 'no-token')).status).toBe(401);
  });

  it('let exactly four accesses pass of a hundred that come at once', async () => {
    const all = await three();
    const token = await all[0].token();
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => read(all[i % 3] as TestGateway, token)),
    );
    expect(statuses(replies)).toEqual({ 200: 4, 429: 96 });
    const [{ json }] = await Promise.all([admin(all[1], '/api/budgets')]);
    expect(json).toMatchObject([{ used: 4, left: 0 }]);
  });

  it('give one token for a code that comes to all of them at once', async () => {
    const all = await three({ bank: 'living' });
    const tpp = livingTpp(all[0]);
    const created = await tpp.create();
    const back = await tpp.authorise(created);
    const code = back.searchParams.get('code') ?? '';
    const replies = await Promise.all(all.map((gateway) => livingTpp(gateway).exchange({ code })));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 2 });
    // A code that came again ends what it gave.
    const given = replies.find(({ status }) => status === 200)?.json.access_token;
    for (const gateway of all)
      expect(
        (await livingTpp(gateway).ask('GET /accounts', { consent: created.id, token: given })).status,
      ).toBe(401);
  });

  it('let a PSU authorise at one of them what began at another, and the TPP go on at the third', async () => {
    const [one, other, third] = await three({ bank: 'living' });
    const created = await livingTpp(one).create();
    const back = await livingTpp(other).authorise(created);
    const { status, json } = await livingTpp(third).exchange({ code: back.searchParams.get('code') ?? '' });
    expect(status).toBe(200);
    const answer = await livingTpp(one).ask('GET /accounts', {
      consent: created.id,
      token: json.access_token,
    });
    expect(answer.status).toBe(200);
    const gone = await livingTpp(other).ask(`DELETE /consents/${created.id}`);
    expect(gone.status).toBe(204);
    const late = await livingTpp(one).ask('GET /accounts', { consent: created.id, token: json.access_token });
    expect(late.status).toBe(401);
  });

  it('go by one clock', async () => {
    const [one, other] = await three();
    const token = await one.token();
    for (let i = 0; i < 4; i++) await read(one, token);
    expect((await read(other, token)).status).toBe(429);
    const moved = await admin(other, '/api/clock', { advance: '1d', mode: 'frozen' });
    expect(moved.status, moved.text).toBe(200);
    expect((await read(one, await one.token())).status).toBe(200);
    expect(one.app.clock.now()).toBe(other.app.clock.now());
    expect(one.app.clock.now()).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
  });

  it('are all switched by one', async () => {
    const [one, other] = await three();
    expect((await admin(one, '/api/settings', { stance: 'observe' })).status).toBe(200);
    const stranger = await other.call(`${V1}/nowhere?x=1`);
    expect(stranger.status).toBe(404);
    expect((await admin(other, '/api/settings')).json.stance).toBe('observe');
  });

  it('forget, take and go back to snapshots together', async () => {
    const [one, other, third] = await three({ bank: 'living' });
    const kept = await livingTpp(one).create();
    expect((await admin(other, '/api/bank/snapshots/before', undefined, 'PUT')).status).toBe(200);
    const later = await livingTpp(third).create();
    const known = async (gateway: TestGateway) => {
      const seen = [];
      for (const { id } of [kept, later])
        seen.push((await livingTpp(gateway).ask(`GET /consents/${id}`)).status);
      return seen;
    };
    for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([200, 200]);
    expect((await admin(third, '/api/bank/snapshots/before/restore', undefined, 'POST')).status).toBe(200);
    for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([200, 403]);
    expect((await admin(one, '/api/bank/reset', undefined, 'POST')).status).toBe(200);
    for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([403, 403]);
  });

  it('record each exchange once, under ids that differ, in chains that are sound', async () => {
    const all = await three();
    const token = await all[0].token();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        read(all[i % 3] as TestGateway, token, { 'PSU-IP-Address': '192.0.2.1' }),
      ),
    );
    const told = replies.map(({ headers }) => headers['sandgate-exchange']);
    expect(new Set(told).size).toBe(60);
    for (const gateway of all) await gateway.app.recorder.drain();
    const records = await all[0].records();
    expect(records.map(({ exchange }) => exchange.call.id)).toEqual(expect.arrayContaining(told));
    expect(records).toHaveLength(61);
    const breaks: unknown[] = [];
    for await (const found of all[0].app.store.verifyChain('test')) breaks.push(found);
    expect(breaks).toEqual([]);
    expect(await all[0].app.store.chainNotes('test', 'disturbed')).toEqual([]);
  });
});
