/** What a page follows: events of exchanges, journeys, alerts and settings, over real listeners. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { follow, type TestEvent } from './follow.js';
import { eventually, started, startTestGateway, type TestGateway } from './harness.js';

async function followed(gateway: TestGateway, query = '', headers: Record<string, string> = {}) {
  const one = await follow(`${gateway.urls.admin}/api/events${query}`, headers);
  onTestFinished(one.close);
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
    expect(begun.data).toMatchObject({
      ...{ session: 'test', settings: { stance: 'enforce' } },
      clock: { mode: 'real', speed: '1' },
    });
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

  it('are told in part to who does not want so many, with how many were left out until all are told again', async () => {
    const gateway = await started();
    const all = await followed(gateway);
    const some = await followed(gateway, '?most=1');
    const isMissed = ({ event, data }: TestEvent) => event === 'alert' && data.kind === 'missed';
    await some.until(({ event }) => event === 'settings');
    expect(some.events.filter(isMissed)).toEqual([]);
    const token = await gateway.token();
    const answers = await Promise.all(Array.from({ length: 12 }, () => readAccounts(gateway, token)));
    for (const { headers } of answers) await all.until(({ id }) => id === headers['sandgate-exchange']);
    const raised = await some.until((one) => isMissed(one) && one.data.state === 'raised');
    expect(raised.data.text).toMatch(/^\d+ calls a second: only the newest are shown\.$/);
    await some.until((one) => isMissed(one) && one.data.state === 'cleared');
    const leftOut = some.events.filter(isMissed).map(({ data }) => data.leftOut.exchanges);
    const told = some.events.filter(({ event, id }) => event === 'exchange' && id !== undefined);
    expect(leftOut.reduce((sum, one) => sum + one, told.length)).toBe(13);
    const before = some.events.length;
    const next = await readAccounts(gateway, token);
    await some.until(({ id }) => id === next.headers['sandgate-exchange']);
    expect(some.events.slice(before).filter(isMissed)).toEqual([]);
    expect((await gateway.call('/api/events?most=many', { side: 'admin' })).status).toBe(400);
  });

  it('end when the gateway stops', async () => {
    const gateway = await startTestGateway();
    const page = await followed(gateway);
    await gateway.close();
    await page.ended;
  });

  it('are for so many pages at most', async () => {
    const gateway = await started();
    const pages = [];
    for (let i = 0; i < 20; i++) pages.push(await followed(gateway));
    const refused = await gateway.call('/api/events', { side: 'admin' });
    expect([refused.status, refused.json.error]).toEqual([503, expect.stringContaining('close one of them')]);
    pages[0]?.close();
    pages[1]?.close();
    const token = await gateway.token();
    const late = await eventually(async () => {
      const one = await followed(gateway);
      expect(one.status).toBe(200);
      return one;
    });
    await readAccounts(gateway, token);
    await late.until(({ event }) => event === 'exchange');
  });

  it('are for those alone who have the token, where one is set', async () => {
    const adminToken = '0123456789abcdef';
    const gateway = await started({ adminToken });
    expect((await followed(gateway)).status).toBe(401);
    const page = await followed(gateway, '', { Authorization: `Bearer ${adminToken}` });
    await page.until(({ event }) => event === 'settings');
  });
});

describe('alerts', () => {
  it('tell of a failed handshake what to do, and of a limit when it frees up', async () => {
    const gateway = await started();
    const page = await followed(gateway);
    await gateway.token();
    // What was there at the beginning is told: what comes now is new.
    await page.until(({ event }) => event === 'journey');
    const { host } = new URL(gateway.urls.api);
    await gateway.call(`http://${host}/`).catch(() => {});
    const failed = await page.until(({ event, data }) => event === 'alert' && data.kind === 'handshake');
    expect([failed.data.text, failed.data.remedy]).toEqual([
      expect.stringContaining('plain HTTP was sent to a TLS port'),
      'Call the API listener by an address that begins with https.',
    ]);
    const token = await gateway.token();
    const headers = gateway.accountHeaders(token, { 'PSU-IP-Address': undefined });
    for (let i = 0; i < 3; i++) await gateway.call('/stdgroup/v1/accounts', { headers });
    const limit = await page.until(({ event, data }) => event === 'alert' && data.kind === 'limit');
    expect(limit.data.text).toMatch(
      /^Consent VALID_CONSENT_ID has used 3 of 4 accesses of a day: accounts\.list\./,
    );
    const { json } = await gateway.call('/api/alerts', { side: 'admin' });
    expect(json.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['handshake', 'limit']);
    const [lane] = (await gateway.call('/api/journeys', { side: 'admin' })).json;
    expect(lane.budget).toMatchObject({ used: 3, allowed: 4, left: 1 });
  });

  it('name the access that used the limit, and tell of none once the consent has ended', async () => {
    const gateway = await started();
    const token = await gateway.token();
    const headers = gateway.accountHeaders(token, { 'PSU-IP-Address': undefined });
    const reads = [];
    for (let i = 0; i < 3; i++) reads.push(await gateway.call('/stdgroup/v1/accounts', { headers }));
    const consent = '/stdgroup/v1/consents/VALID_CONSENT_ID';
    await gateway.call(consent);
    const limits = async () =>
      (await gateway.call('/api/alerts', { side: 'admin' })).json.filter(
        ({ kind }: { kind: string }) => kind === 'limit',
      );
    expect(await limits()).toMatchObject([{ exchange: reads.at(-1)?.headers['sandgate-exchange'] }]);
    expect((await gateway.call(consent, { method: 'DELETE' })).status).toBe(204);
    expect(await limits()).toEqual([]);
  });
});

describe('a read that failed', () => {
  const open = async () => {
    const gateway = await started();
    const asked = async (path: string) => (await gateway.call(path, { side: 'admin' })).json;
    const token = await gateway.token();
    const read = async (consent: string | undefined): Promise<string> => {
      const headers = gateway.accountHeaders(token, { 'Consent-Id': consent });
      const answer = await gateway.call('/stdgroup/v1/accounts', { headers });
      return answer.headers['sandgate-exchange'] as string;
    };
    /** The calls of a journey, the oldest first, as each place tells them. */
    const told = async (id: string) => {
      const runs: { calls: { exchange: string }[] }[] = await asked(`/api/journeys/${id}`);
      const { exchanges } = await asked(`/api/exchanges?q=${encodeURIComponent(`journey:${id}`)}`);
      const listed: { id: string; resources: { id: string }[] }[] = exchanges.toReversed();
      expect(listed.every(({ resources }) => resources.some((one) => one.id === id))).toBe(true);
      const report = await gateway.call('/api/sessions/test/report?format=json', { side: 'admin' });
      const { journeys } = JSON.parse(report.text);
      const lane = journeys.lanes.find(({ resource }: { resource: string }) => resource === id);
      const reported: { exchange: string }[] = lane.steps;
      return {
        drawn: runs.flatMap(({ calls }) => calls.map(({ exchange }) => exchange)),
        listed: listed.map((one) => one.id),
        reported: reported.map(({ exchange }) => exchange),
      };
    };
    return { read, told, lanes: () => asked('/api/journeys') };
  };

  it('with the token of another consent is in the journeys of both, in diagram, list and report', async () => {
    const { read, told, lanes } = await open();
    const first = await read('VALID_CONSENT_ID');
    const wrong = await read('CONSENT_ID_BALANCES');
    const ofToken = await told('VALID_CONSENT_ID');
    expect(ofToken.drawn.slice(-2)).toEqual([first, wrong]);
    expect([ofToken.listed, ofToken.reported]).toEqual([ofToken.drawn, ofToken.drawn]);
    const [drawn, listed, reported] = [[wrong], [wrong], [wrong]];
    expect(await told('CONSENT_ID_BALANCES')).toEqual({ drawn, listed, reported });
    const broken = (await lanes()).map((one: { id: string; broken: string }) => [one.id, one.broken]);
    expect(Object.fromEntries(broken)).toEqual({
      VALID_CONSENT_ID: 'Consent-Id',
      CONSENT_ID_BALANCES: 'consent',
    });
  });

  it('and names no consent is in the journey of its token, whose chain it breaks until a read passes', async () => {
    const { read, told, lanes } = await open();
    const wrong = await read(undefined);
    const { drawn, listed, reported } = await told('VALID_CONSENT_ID');
    expect([drawn.at(-1), listed, reported]).toEqual([wrong, drawn, drawn]);
    const [link] = (await lanes())[0].chain.slice(-1);
    expect(link).toMatchObject({
      ...{ link: 'Consent-Id', state: 'broken', exchange: wrong },
      rule: 'accounts/consent-id-present',
    });
    await read('VALID_CONSENT_ID');
    expect((await lanes())[0].broken).toBeNull();
  });
});

describe('what rules found', () => {
  it('is shown with the severity that it was found with, not that of the catalogue', async () => {
    const gateway = await started();
    for (let i = 0; i < 3; i++) await gateway.token();
    const { json } = await gateway.call('/api/rules', { side: 'admin' });
    const rule = json.find(({ id }: { id: string }) => id === 'oauth/code-used-once');
    expect(rule).toMatchObject({ found: 2, worst: 'note', severity: { sandbox: 'should' } });
    expect(json.find(({ id }: { id: string }) => id === 'oauth/client-id').worst).toBeNull();
  });
});

describe('journeys of the living bank', () => {
  it('know the PSU and what the operator did, without a call', async () => {
    const gateway = await started({ bank: 'living' });
    const page = await followed(gateway);
    const validUntil = new Date(gateway.now() + 86_400_000).toISOString().slice(0, 10);
    const { json } = await gateway.call('/stdgroup/v1/consents', {
      headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
      json: {
        ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil },
        ...{ frequencyPerDay: 4, combinedServiceIndicator: false },
      },
    });
    const id = json.consentId;
    const begun = await page.until(({ event, data }) => event === 'journey' && data.id === id);
    expect(begun.data).toMatchObject({ status: 'received', ended: false, next: 'psu', psu: null });
    await gateway.call(`/api/bank/consents/${id}/expire`, { side: 'admin', method: 'POST', json: {} });
    const ended = await page.until(({ event, data }) => event === 'journey' && data.id === id && data.ended);
    expect([ended.data.status, ended.data.next, ended.data.steps.at(-1)]).toEqual([
      'expired',
      null,
      expect.objectContaining({ step: 'ended', exchange: null }),
    ]);
  });
});
