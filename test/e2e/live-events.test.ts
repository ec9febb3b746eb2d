/** What a page follows: events of exchanges, journeys, alerts and settings, over real listeners. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Follower, follow } from './follow.js';
import { eventually, startTestGateway, type TestGateway } from './harness.js';

const open: TestGateway[] = [];
const followers: Follower[] = [];
afterEach(async () => {
  for (const one of followers.splice(0)) one.close();
  for (const one of open.splice(0)) await one.close();
});

async function started(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(settings);
  open.push(gateway);
  return gateway;
}

async function followed(gateway: TestGateway, query = '', headers: Record<string, string> = {}) {
  const one = await follow(`${gateway.urls.admin}/api/events${query}`, headers);
  followers.push(one);
  return one;
}

const readAccounts = async (gateway: TestGateway, token: string) =>
  gateway.call('/stdgroup/v1/accounts', { headers: gateway.accountHeaders(token) });

describe('events', () => {
  it('tell each exchange once it is kept, by its id, as the list shows it', async () => {
    const gateway = await started();
    const page = await followed(gateway);
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    const token = await gateway.token();
    const answer = await readAccounts(gateway, token);
    const id = answer.headers['sandgate-exchange'];
    const event = await page.until((one) => one.id === id);
    const { json } = await gateway.call('/api/exchanges', { side: 'admin' });
    expect(event.event).toBe('exchange');
    expect(event.data).toEqual(json.exchanges[0]);
    expect(event.data).toMatchObject({ id, path: '/stdgroup/v1/accounts', status: 200, source: 'emulator' });
  });

  it('tell journeys as they grow, and which settings are in force', async () => {
    const gateway = await started();
    const page = await followed(gateway);
    const begun = await page.until(({ event }) => event === 'settings');
    expect(begun.data).toMatchObject({ session: 'test', settings: { stance: 'enforce' } });
    const token = await gateway.token();
    await readAccounts(gateway, token);
    const grown = await page.until(
      ({ event, data }) =>
        event === 'journey' && data.steps.some((one: { step: string }) => one.step === 'reads'),
    );
    expect(grown.data).toMatchObject({ id: 'VALID_CONSENT_ID', kind: 'consent', broken: null });
    await gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { stance: 'observe' } });
    await page.until(({ event, data }) => event === 'settings' && data.settings.stance === 'observe');
  });

  it('tell of those that fit the filter alone, and refuse one that cannot be read', async () => {
    const gateway = await started();
    const page = await followed(gateway, `?q=${encodeURIComponent('status>=400')}`);
    const token = await gateway.token();
    const bad = await gateway.call('/stdgroup/v1/accounts', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(bad.status).toBeGreaterThanOrEqual(400);
    await page.until(({ id }) => id === bad.headers['sandgate-exchange']);
    expect(page.events.filter(({ event }) => event === 'exchange')).toHaveLength(1);
    expect((await gateway.call('/api/events?q=nonsense:1', { side: 'admin' })).status).toBe(400);
  });

  it('go on behind the last one that was told, and say where that is too much', async () => {
    const gateway = await started();
    const first = await followed(gateway);
    const token = await gateway.token();
    const seen = await first.until(({ event }) => event === 'exchange');
    first.close();
    const missed = await readAccounts(gateway, token);
    const again = await followed(gateway, '', { 'Last-Event-ID': seen.id ?? '' });
    await again.until(({ id }) => id === missed.headers['sandgate-exchange']);
    const next = await readAccounts(gateway, token);
    await again.until(({ id }) => id === next.headers['sandgate-exchange']);
    const ids = again.events.filter(({ event }) => event === 'exchange').map(({ id }) => id);
    expect(ids).toEqual([missed, next].map(({ headers }) => headers['sandgate-exchange']));

    const stranger = await followed(gateway, '', { 'Last-Event-ID': '0000000ZZZZ' });
    const told = await stranger.until(({ event, data }) => event === 'alert' && data.kind === 'missed');
    expect(told.data.remedy).toBe('Load the list anew.');
  });

  it('end when the gateway stops', async () => {
    const gateway = await startTestGateway();
    const page = await followed(gateway);
    await gateway.close();
    await page.ended;
  });

  it('are for so many pages at most', async () => {
    const gateway = await started();
    for (let i = 0; i < 20; i++) await followed(gateway);
    const refused = await gateway.call('/api/events', { side: 'admin' });
    expect([refused.status, refused.json.error]).toEqual([503, expect.stringContaining('close one of them')]);
    followers[0]?.close();
    followers[1]?.close();
    const token = await gateway.token();
    const late = await eventually(async () => {
      const one = await followed(gateway);
      expect(one.status).toBe(200);
      return one;
    });
    await readAccounts(gateway, token);
    await late.until(({ event }) => event === 'exchange');
  });
});
