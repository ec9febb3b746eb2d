/** Gateways on one store that are not configured alike, as while settings or versions are changed one after the other. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { noteIn } from '../../src/store/index.js';
import { aSchema } from '../postgres/schemas.js';
import { aPath } from '../store/stores.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { V1 } from './living.js';

async function gatewaysWith(...settings: readonly Record<string, unknown>[]): Promise<TestGateway[]> {
  const shared = { store: aSchema(), storeKeyFile: aPath('store.key') };
  const all: TestGateway[] = [];
  for (const own of settings) {
    const gateway = await startTestGateway({ ...shared, ...own });
    onTestFinished(gateway.close);
    all.push(gateway);
  }
  return all;
}

const admin = async ({ call }: TestGateway, path: string, method = 'GET', json?: unknown) => {
  const { status, json: answer, text } = await call(path, { side: 'admin', method, json });
  expect(status, text).toBe(200);
  return answer;
};
const positions = (gateway: TestGateway) => admin(gateway, '/api/settings');

describe('gateways that are configured differently', () => {
  it('judge each by its own settings, whatever is switched or moved at another one', async () => {
    const enforcing = { stance: 'enforce', profile: 'production' };
    const [one, other, alike] = await gatewaysWith(enforcing, { stance: 'observe' }, enforcing);
    const stanceOf = async (gateway: TestGateway) => (await positions(gateway)).stance;
    const all = [one, other, alike] as [TestGateway, TestGateway, TestGateway];
    await admin(all[0], '/api/clock', 'PUT', { advance: '1h', mode: 'frozen' });
    for (const gateway of all) await gateway.call(`${V1}/nowhere`);
    expect(all[1].app.clock.now()).toBe(all[0].app.clock.now());
    expect(await Promise.all(all.map(stanceOf))).toEqual(['enforce', 'observe', 'enforce']);
    await admin(all[0], '/api/settings', 'PUT', { stance: 'observe', profile: 'sandbox' });
    await admin(all[1], '/api/settings', 'PUT', { stance: 'enforce' });
    for (const gateway of all) await gateway.call(`${V1}/nowhere`);
    expect(await positions(all[2])).toMatchObject({ stance: 'observe', profile: 'sandbox' });
    expect(await positions(all[1])).toMatchObject({ stance: 'enforce', profile: 'sandbox' });
  });

  it('go by what was switched or let pass while one of them runs, and by a setting that was changed in the configuration', async () => {
    const shared = { store: aSchema(), storeKeyFile: aPath('store.key') };
    const start = (settings: Record<string, unknown>) => startTestGateway({ ...shared, ...settings });
    const one = await start({ stance: 'enforce' });
    const other = await start({ stance: 'enforce' });
    const waiver = { rule: 'consents/frequency-allowed', reason: 'Agreed.', until: '2099-12-31' };
    await admin(one, '/api/settings', 'PUT', { stance: 'observe' });
    await admin(one, '/api/waivers', 'POST', waiver);
    await one.close();
    const again = await start({ stance: 'enforce' });
    expect((await positions(again)).stance).toBe('observe');
    expect((await admin(again, '/api/waivers')).waivers).toEqual([waiver]);
    const changed = await start({ stance: 'enforce', profile: 'production' });
    expect(await positions(changed)).toMatchObject({ stance: 'enforce', profile: 'production' });
    for (const gateway of [other, again, changed]) await gateway.close();
    const first = await start({ stance: 'enforce' });
    expect((await positions(first)).stance).toBe('enforce');
    expect((await admin(first, '/api/waivers')).waivers).toEqual([]);
    await first.close();
  });

  it('show at once at each of them what was switched or let pass at another one, and switch it back there', async () => {
    const [one, other] = (await gatewaysWith({}, {})) as [TestGateway, TestGateway];
    await admin(one, '/api/settings', 'PUT', { stance: 'observe' });
    expect((await admin(other, '/api/settings', 'PUT', { stance: 'enforce' })).stance).toBe('enforce');
    expect((await positions(one)).stance).toBe('enforce');
    await admin(other, '/api/settings', 'PUT', { profile: 'production' });
    expect((await positions(one)).profile).toBe('production');
    const waiver = { rule: 'consents/frequency-allowed', reason: 'Agreed.', until: '2099-12-31' };
    await admin(one, '/api/waivers', 'POST', waiver);
    expect((await admin(other, '/api/waivers')).waivers).toEqual([waiver]);
    expect((await admin(other, '/api/settings')).profile).toBe('production');
  });

  it('let pass together what an operator lets pass at one of them', async () => {
    const [one, other] = (await gatewaysWith({}, {})) as [TestGateway, TestGateway];
    const waiver = {
      rule: 'consents/frequency-allowed',
      reason: 'Agreed with the bank.',
      until: '2099-12-31',
    };
    await admin(one, '/api/waivers', 'POST', waiver);
    const validUntil = new Date(other.now() + 86_400_000).toISOString().slice(0, 10);
    const answer = await other.call(`${V1}/consents`, {
      headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
      json: {
        ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil },
        ...{ frequencyPerDay: 9, combinedServiceIndicator: false },
      },
    });
    const { findings } = await admin(other, `/api/exchanges/${answer.headers['sandgate-exchange']}`);
    expect(findings.find(({ rule }: { rule: string }) => rule === waiver.rule).waived).toBe(waiver.reason);
    expect((await admin(other, '/api/waivers')).waivers).toEqual([waiver]);
  });

  it('note by which rules they judge, and a report of what several judged leaves each verdict to its gateway, and says so', async () => {
    const [one] = (await gatewaysWith({})) as [TestGateway];
    await one.call(`${V1}/nowhere`);
    const report = async () => {
      const { text } = await one.call('/api/sessions/test/report?format=json', { side: 'admin' });
      return JSON.parse(text).head;
    };
    const [{ notes: [started] = [] } = {}] = await one.app.store.sessions();
    const { catalogue, profile, notes } = await report();
    expect(started).toMatchObject({ kind: 'started', settings: { catalogue: catalogue.digest } });
    expect([profile.rejudged, notes]).toEqual([false, []]);
    const settings = { ...started?.settings, catalogue: 'f'.repeat(64) };
    await noteIn(one.app.store, 'test', { at: one.now(), kind: 'started', settings } as never);
    expect((await report()).notes).toEqual([]);
    await one.call(`${V1}/nowhere`);
    const mixed = await report();
    expect(mixed.profile.rejudged).toBe(false);
    expect(mixed.notes.join(' ')).toContain(
      `Gateways with different rules recorded it (catalogues ${catalogue.digest.slice(0, 12)}, ffffffffffff): each call was judged by those of its gateway.`,
    );
  });
});
