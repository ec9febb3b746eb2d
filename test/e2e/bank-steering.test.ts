/** What an operator does to the living bank: reset, snapshots, and what he is told of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { type CallOptions, startTestGateway, type TestGateway } from './harness.js';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function started(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ bank: 'living', ...settings });
  open.push(gateway);
  return gateway;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const admin = (gateway: TestGateway, path: string, method = 'GET', options: CallOptions = {}) =>
  gateway.call(`/api/bank${path}`, {
    ...{ side: 'admin', method },
    headers: { ...(method === 'GET' ? {} : JSON_TYPE), ...options.headers },
  });

async function createConsent(gateway: TestGateway, headers: CallOptions['headers'] = {}): Promise<string> {
  const validUntil = new Date(gateway.app.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const { json } = await gateway.call('/stdgroup/v1/consents', {
    headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1', ...headers },
    json: {
      access: { allPsd2: 'allAccounts' },
      ...{ recurringIndicator: true, validUntil, frequencyPerDay: 4, combinedServiceIndicator: false },
    },
  });
  return json.consentId;
}

/** As an answer is but for what every answer has of its own. */
const consent = async (gateway: TestGateway, id: string, headers: CallOptions['headers'] = {}) => {
  const { status, text } = await gateway.call(`/stdgroup/v1/consents/${id}`, { headers });
  return { status, text };
};

describe('the bank', () => {
  it('tells which one it is, who there is, and what time', async () => {
    const gateway = await started({ bankPsus: 200 });
    const about = (await admin(gateway, '')).json;
    expect(about).toEqual({
      ...{
        bank: 'living',
        seed: expect.any(Number),
        psus: expect.any(Number),
        now: expect.any(String),
        fixed: [],
      },
    });
    const page = (await admin(gateway, '/psus?from=1&limit=2')).json;
    expect(page.map(({ id }: { id: string }) => id)).toEqual(['psu-2', 'psu-3']);
    expect(Object.keys(page[0])).toEqual(['id', 'name', 'login', 'password', 'accounts']);
    expect(page[0].accounts[0]).toEqual({
      ...{ resourceId: expect.any(String), iban: expect.any(String), currency: expect.any(String) },
      ...{ name: expect.any(String), status: expect.any(String) },
    });
    expect((await admin(gateway, '/psus')).json).toHaveLength(100);
    const bad = await admin(gateway, '/psus?limit=many');
    expect([bad.status, bad.json.error]).toEqual([400, expect.stringContaining('limit=many')]);
  });

  it('forgets what TPPs did when it is reset, and notes that', async () => {
    const gateway = await started();
    const id = await createConsent(gateway);
    expect((await consent(gateway, id)).status).toBe(200);
    expect((await admin(gateway, '/reset', 'POST')).json.bank).toBe('living');
    expect((await consent(gateway, id)).status).toBe(403);
    expect((await gateway.app.store.sessions())[0]?.notes).toMatchObject([
      { kind: 'started' },
      { kind: 'bank', settings: { action: 'reset' } },
    ]);
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
  });

  it('is, after going back to a snapshot, what it was: facts, limits and the clock', async () => {
    const gateway = await started();
    const id = await createConsent(gateway);
    await gateway.call('/api/clock', { side: 'admin', method: 'PUT', json: { mode: 'frozen' } });
    const before = [await consent(gateway, id), (await admin(gateway, '')).json];
    expect((await admin(gateway, '/snapshots/linked', 'PUT')).json.name).toBe('linked');
    const later = await createConsent(gateway);
    await gateway.call(`/stdgroup/v1/consents/${id}`, { method: 'DELETE' });
    await gateway.call('/api/clock', { side: 'admin', method: 'PUT', json: { advance: '90d' } });
    expect(await consent(gateway, id)).not.toEqual(before[0]);
    await admin(gateway, '/snapshots/gone', 'PUT');
    expect((await admin(gateway, '/snapshots/linked/restore', 'POST')).status).toBe(200);
    expect([await consent(gateway, id), (await admin(gateway, '')).json]).toEqual(before);
    expect((await consent(gateway, later)).status).toBe(403);
    expect((await admin(gateway, '/snapshots')).json.map(({ name }: { name: string }) => name)).toEqual([
      'linked',
      'gone',
    ]);
  });

  it('has its snapshots after a restart, and is what it was when it stopped', async () => {
    const store = aPath();
    const first = await startTestGateway({ bank: 'living', store });
    const [one, two] = [await createConsent(first), await createConsent(first)];
    await admin(first, '/snapshots/both', 'PUT');
    const kept = await consent(first, one);
    await first.call(`/stdgroup/v1/consents/${one}`, { method: 'DELETE' });
    await admin(first, '/snapshots/one', 'PUT');
    await admin(first, '/reset', 'POST');
    await first.close();
    const gateway = await started({ store });
    expect([(await consent(gateway, one)).status, (await consent(gateway, two)).status]).toEqual([403, 403]);
    await admin(gateway, '/snapshots/both/restore', 'POST');
    expect(await consent(gateway, one)).toEqual(kept);
    await admin(gateway, '/snapshots/one/restore', 'POST');
    expect((await consent(gateway, one)).text).toContain('terminatedByTpp');
    expect((await consent(gateway, two)).status).toBe(200);
  });

  it('changes nothing that cannot be kept', async () => {
    const gateway = await started();
    const id = await createConsent(gateway);
    await admin(gateway, '/snapshots/one', 'PUT');
    const before = await consent(gateway, id);
    const { store } = gateway.app;
    const { append } = store;
    Object.assign(store, {
      append: () => {
        throw new SandgateError('store.unusable', { path: 'a.db', why: 'the disk is full' });
      },
    });
    const lost = [
      ...[admin(gateway, '/reset', 'POST'), admin(gateway, '/snapshots/two', 'PUT')],
      admin(gateway, '/snapshots/one', 'DELETE'),
    ];
    for (const { status, json } of await Promise.all(lost))
      expect([status, json.error]).toEqual([503, expect.stringContaining('the disk is full')]);
    Object.assign(store, { append });
    await expect.poll(() => gateway.app.recorder.probe()).toBe(null);
    expect(await consent(gateway, id)).toEqual(before);
    expect((await admin(gateway, '/snapshots')).json).toMatchObject([{ name: 'one' }]);
    expect((await gateway.app.store.sessions())[0]?.notes.filter(({ kind }) => kind === 'bank')).toHaveLength(
      1,
    );
  });
});

describe('an action', () => {
  it.each([
    ['/snapshots/none/restore', 'POST', 404, /no snapshot “none”, nor any other: take one first/],
    ['/snapshots/not%20a%20name', 'PUT', 400, /cannot be called “not a name”/],
    ['/snapshots/none', 'DELETE', 404, /no snapshot/],
  ])('%s %s is refused with what to do', async (path, method, status, words) => {
    const gateway = await started();
    const answer = await admin(gateway, path, method);
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringMatching(words)]);
  });

  it('names the nearest snapshot where there is none of a name', async () => {
    const gateway = await started();
    await admin(gateway, '/snapshots/linked', 'PUT');
    const answer = await admin(gateway, '/snapshots/linkde/restore', 'POST');
    expect(answer.json.error).toContain('Did you mean “linked”?');
  });

  it('must be JSON, and not from another site', async () => {
    const gateway = await started();
    const plain = await gateway.call('/api/bank/reset', { side: 'admin', method: 'POST' });
    expect(plain.status).toBe(415);
    const form = await gateway.call('/api/bank/reset', { side: 'admin', form: { a: 'b' } });
    expect(form.status).toBe(415);
    const foreign = await admin(gateway, '/reset', 'POST', { headers: { Origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    const withBody = await gateway.call('/api/bank/reset', { side: 'admin', json: {} });
    expect(withBody.status).toBe(200);
  });

  it('is none where the sandbox bank is in force', async () => {
    const gateway = await started({ bank: 'sandbox' });
    expect((await admin(gateway, '')).json.bank).toBe('sandbox');
    for (const [path, method] of [
      ['/reset', 'POST'],
      ['/snapshots/one', 'PUT'],
    ] as const) {
      const answer = await admin(gateway, path, method);
      expect([answer.status, answer.json.error]).toEqual([409, expect.stringContaining('--bank living')]);
    }
  });
});

describe('?session=', () => {
  it('names the world of a session', async () => {
    const gateway = await started({ isolateSessions: true });
    const within = { 'Sandgate-Session': 'team' };
    const [own, common] = [await createConsent(gateway, within), await createConsent(gateway)];
    await admin(gateway, '/snapshots/mine?session=team', 'PUT');
    await admin(gateway, '/reset?session=team', 'POST');
    expect((await consent(gateway, own, within)).status).toBe(403);
    expect((await consent(gateway, common)).status).toBe(200);
    expect((await admin(gateway, '/snapshots')).json).toEqual([]);
    const clock = (path: string, json?: object) =>
      gateway.call(`/api/clock${path}`, { side: 'admin', ...(json ? { method: 'PUT', json } : {}) });
    expect((await clock('?session=team', { now: '2031-01-31', mode: 'frozen' })).status).toBe(200);
    expect((await clock('')).json.mode).toBe('real');
    expect((await admin(gateway, '?session=team')).json.now).toBe('2031-01-31T00:00:00.000Z');
    await createConsent(gateway, within);
    const { call } = (await all(gateway.app.store.read('team'))).at(-1)?.exchange ?? {};
    expect(call?.at).toBe(Date.UTC(2031, 0, 31));
    await admin(gateway, '/snapshots/mine/restore?session=team', 'POST');
    expect((await clock('?session=team')).json.mode).toBe('real');
    expect((await consent(gateway, own, within)).status).toBe(200);
  });

  it('is refused where no call has named it, or where all share one world', async () => {
    const gateway = await started({ isolateSessions: true });
    for (const path of ['/api/bank', '/api/clock', '/api/budgets']) {
      const answer = await gateway.call(`${path}?session=nobody`, { side: 'admin' });
      expect([answer.status, answer.json.error]).toEqual([404, expect.stringContaining('“nobody”')]);
    }
    const shared = await started();
    const answer = await shared.call('/api/clock?session=team', { side: 'admin' });
    expect([answer.status, answer.json.error]).toEqual([409, expect.stringContaining('--isolate-sessions')]);
  });
});
