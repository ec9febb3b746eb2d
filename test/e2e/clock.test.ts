/** The clock that is moved while the gateway runs: what is judged and answered goes by it, what is recorded stays in order. */

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REAL } from '../../src/app/clock/clock.js';
import { keptClock } from '../../src/app/clock/clock-settings.js';
import { drawReport, judgeRecording, loadConfig, openSessionSource, showClock } from '../../src/app/index.js';
import { arrivedAt, through, timeOfId } from '../../src/exchange/index.js';
import { buildCassette, readRecording } from '../../src/exchange/recording/index.js';
import { FORMAT_NAMES, renderReport } from '../../src/report/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { COMMON_WORLD, type SessionInfo } from '../../src/store/index.js';
import { sandgate } from '../cli/run-command.js';
import { buildHar } from '../exchange/har/build-har.js';
import { all } from '../rows.js';
import { startServing, temporaryFolder } from './child.js';
import { CHALLENGE, DAY_MS, startTestGateway, type TestGateway, VERIFIER } from './harness.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const ACCOUNTS = '/stdgroup/v1/accounts';
const REDIRECT = 'https://tpp.example/back';

const clock = (json?: unknown, more: Record<string, string> = {}) =>
  gateway.call('/api/clock', {
    side: 'admin',
    ...(json === undefined ? {} : { method: 'PUT', json }),
    headers: { ...more },
  });
const read = (token: string, consent = 'VALID_CONSENT_ID', ip?: string) =>
  gateway.call(ACCOUNTS, {
    headers: gateway.accountHeaders(token, { 'Consent-Id': consent, 'PSU-IP-Address': ip }),
  });
const shown = () => gateway.app.clock.now();

/** An explicit consent of so many days that the PSU has authorised, with a token for it. */
async function consented(days: number): Promise<{ consentId: string; token: string; refresh: string }> {
  const validUntil = new Date(shown() + days * DAY_MS).toISOString().slice(0, 10);
  const created = await gateway.call('/stdgroup/v1/consents', {
    headers: {
      'TPP-Redirect-URI': REDIRECT,
      'TPP-Nok-Redirect-URI': REDIRECT,
      'PSU-IP-Address': '192.0.2.1',
      'TPP-Explicit-Authorisation-Preferred': 'true',
    },
    json: {
      access: { allPsd2: 'allAccounts' },
      ...{ recurringIndicator: true, validUntil, frequencyPerDay: 4, combinedServiceIndicator: false },
    },
  });
  const { consentId, _links } = created.json;
  const started = await gateway.call(_links.startAuthorisation.href, { method: 'POST' });
  const { authorization_endpoint } = (await gateway.call(started.json._links.scaOAuth.href)).json;
  const url = new URL(authorization_endpoint);
  url.search = new URLSearchParams({
    ...{ scope: `AIS:${consentId}`, client_id: 'VALID_CLIENT_ID', state: `state-${consentId}-${shown()}` },
    ...{ redirect_uri: REDIRECT, code_challenge: CHALLENGE, code_challenge_method: 'S256' },
    ...{ response_type: 'code', scenario: 'SCA_OK' },
  }).toString();
  const { headers } = await gateway.call(url.href, { side: 'psu' });
  const code = new URL(headers.location ?? '').searchParams.get('code') ?? '';
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code, code_verifier: VERIFIER },
    redirect_uri: REDIRECT,
  };
  const answer = await gateway.call('/stdgroup/v1/token', { form });
  expect(answer.status, answer.text).toBe(200);
  return { consentId, token: answer.json.access_token, refresh: answer.json.refresh_token };
}

describe('the clock of a running gateway', () => {
  it('is read and moved by the admin API', async () => {
    expect((await clock()).json).toEqual({ now: expect.any(String), mode: 'real', speed: '1' });
    const set = await clock({ now: '2031-01-31T09:00Z', mode: 'frozen' });
    expect([set.status, set.json]).toEqual([
      200,
      { now: '2031-01-31T09:00:00.000Z', mode: 'frozen', speed: '1' },
    ]);
    expect((await clock({ advance: '90d' })).json.now).toBe('2031-05-01T09:00:00.000Z');
    expect((await clock({ now: '-1d' })).json.now).toBe('2031-04-30T09:00:00.000Z');
    expect((await clock({ speed: '1d/1s' })).json).toMatchObject({ mode: 'frozen', speed: '1d/1s' });
    expect((await clock({ mode: 'running' })).json).toMatchObject({ mode: 'running', speed: '1d/1s' });
    expect((await clock({ mode: 'real' })).json).toMatchObject({ mode: 'real', speed: '1' });
  });

  it.each([
    [{}, 'now, advance, mode or speed is expected'],
    [{ now: 'soon' }, 'now: a time is expected'],
    [{ advance: '90' }, 'advance: a duration with its unit is expected'],
    [{ speed: '0' }, 'speed: a speed is expected'],
    [{ mode: 'paused' }, 'mode: one of real, frozen, running is expected'],
    [{ now: '2031-01-01', advance: '1d' }, 'give one of them'],
    [{ mode: 'real', advance: '1d' }, 'give it alone'],
    [{ advance: '-90000d' }, 'before 1970'],
    [{ time: '2031-01-01' }, 'now'],
    [['2031-01-01'], 'an object of now or advance'],
  ])('stays where it is for %j', async (wanted, words) => {
    const answer = await clock(wanted);
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(words)]);
    expect((await clock()).json.mode).toBe('real');
  });

  it('cannot be moved by a page of another site', async () => {
    const options = { side: 'admin', method: 'PUT', body: '{"advance":"90d"}' } as const;
    const plain = await gateway.call('/api/clock', { ...options, headers: { 'Content-Type': 'text/plain' } });
    const form = await gateway.call('/api/clock', {
      ...options,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const foreign = await gateway.call('/api/clock', {
      ...options,
      headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    });
    expect([plain.status, form.status, foreign.status]).toEqual([415, 415, 403]);
    expect((await clock()).json.mode).toBe('real');
  });
});

describe('the clock at the start', () => {
  const open: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function started(settings: Record<string, unknown>): Promise<TestGateway> {
    const one = await startTestGateway(settings);
    open.push(one);
    return one;
  }

  const inStore = () => ({ store: join(temporaryFolder(), 'store.db') });

  it('is set, and runs at a speed', async () => {
    const { app } = await started({
      ...{ clock: '2031-01-31', clockSpeed: '1h/1m' },
      // It has certificates made that are good then, too.
      certs: join(temporaryFolder(), 'certs'),
    });
    expect(app.clock.state()).toMatchObject({ mode: 'running', speed: { factor: 60 } });
    expect(new Date(app.clock.now()).toISOString()).toMatch(/^2031-01-31/);
    const [note] = (await app.store.sessions())[0]?.notes ?? [];
    expect(note?.settings).toMatchObject({ clock: { now: '2031-01-31T00:00:00.000Z', speed: '1h/1m' } });
  });

  it('goes on where the store left off, unless it is told otherwise', async () => {
    const settings = inStore();
    const first = await startTestGateway(settings);
    const own = { side: 'admin', method: 'PUT' } as const;
    await first.call('/api/clock', { ...own, json: { now: '2031-01-31', mode: 'frozen' } });
    await first.close();
    const second = await startTestGateway(settings);
    expect(showClock(second.app.clock)).toMatchObject({ now: '2031-01-31T00:00:00.000Z', mode: 'frozen' });
    await second.call('/api/clock', { ...own, json: { mode: 'running' } });
    await second.close();
    const third = await startTestGateway({ ...settings, session: 'next' });
    expect(showClock(third.app.clock)).toMatchObject({
      now: expect.stringMatching(/^2031-01-31T00:0/),
      mode: 'running',
    });
    await third.close();
    const real = await startTestGateway({ ...settings, clock: 'real' });
    expect(showClock(real.app.clock).mode).toBe('real');
    await real.close();
    const fifth = await started(settings);
    expect(showClock(fifth.app.clock).mode).toBe('real');
  });

  it('survives kill -9', async () => {
    const folder = temporaryFolder();
    const serving = await startServing(gateway.certs, [], folder);
    const moved = await sandgate(['clock', 'set', '+90d', '--admin', serving.ready.admin]);
    expect(moved).toMatchObject({ status: 0, err: '' });
    // What follows the note is answered only once both are kept.
    await gateway.call(`${serving.ready.api}${ACCOUNTS}`);
    serving.process.kill('SIGKILL');
    await serving.ended;
    const again = await startServing(gateway.certs, [], folder);
    open.push({
      close: async () => {
        again.process.kill('SIGTERM');
        await again.ended;
      },
    });
    const { out } = await sandgate(['clock', '--json', '--admin', again.ready.admin]);
    expect(Date.parse(JSON.parse(out).now) - Date.now()).toBeGreaterThan(89 * DAY_MS);
  });

  it('is no business of a file that is imported', () => {
    const clock = {
      now: '2031-01-31T00:00:00.000Z',
      mode: 'frozen',
      speed: '1',
      since: '2026-01-01T00:00:00Z',
    };
    const started = { at: 1, kind: 'started', settings: { clock } } as const;
    const imported = { at: 2, kind: 'imported', settings: {} } as const;
    expect(keptClock([{ notes: [started] }], COMMON_WORLD)).toMatchObject({ mode: 'frozen' });
    expect(keptClock([{ notes: [started, imported] }, { notes: [] }], COMMON_WORLD)).toEqual(REAL);
    const broken = { ...started, settings: { clock: { ...clock, now: 'soon' } } };
    expect(keptClock([{ notes: [broken] }], COMMON_WORLD)).toEqual(REAL);
  });

  it.each([
    [{ clock: '2031-01-31' }, '--clock cannot be used with source upstream'],
    [{ clockSpeed: '2' }, '--clock-speed cannot be used with source upstream'],
  ])('is not that of a bank: %j', async (settings, words) => {
    const bank = { upstream: 'https://127.0.0.1:1', source: 'emulator,upstream' };
    await expect(startTestGateway({ ...bank, ...settings })).rejects.toThrow(words);
  });

  it('cannot be moved while a bank answers, and no bank answers while it is moved', async () => {
    const { call } = await started({ upstream: 'https://127.0.0.1:1', source: 'emulator' });
    const put = async (path: string, json: unknown) => {
      const answer = await call(path, { side: 'admin', method: 'PUT', json });
      return [answer.status, answer.json.error ?? ''];
    };
    expect(await put('/api/clock', { advance: '1d' })).toEqual([200, '']);
    expect(await put('/api/settings', { source: 'upstream' })).toEqual([
      400,
      expect.stringContaining('sandgate clock set real'),
    ]);
    expect(await put('/api/clock', { mode: 'real' })).toEqual([200, '']);
    expect(await put('/api/settings', { source: 'upstream' })).toEqual([200, '']);
    expect(await put('/api/clock', { advance: '1d' })).toEqual([
      400,
      expect.stringContaining('a bank answers'),
    ]);
    expect(await put('/api/clock', { mode: 'real' })).toEqual([200, '']);
  });

  it('of a store is that of the machine again where a bank is put behind it', async () => {
    const settings = inStore();
    const first = await startTestGateway({ ...settings, clock: '+90d' });
    await first.close();
    const { app } = await started({ ...settings, upstream: 'https://127.0.0.1:1' });
    expect(app.clock.state().mode).toBe('real');
  });
});

describe('what goes by the clock', () => {
  it('is the end of a consent', async () => {
    const { consentId, token } = await consented(80);
    expect((await read(token, consentId)).status).toBe(200);
    await clock({ advance: '91d' });
    const after = await read(await gateway.token(), consentId);
    expect(after.status).toBe(401);
    expect((await gateway.records()).at(-1)?.verdicts['accounts/consent-valid']).toBe('violated');
  });

  it('is the daily limit, and what is told of it', async () => {
    const token = await gateway.token();
    for (let i = 0; i < 4; i++) await read(token);
    expect((await read(token)).status).toBe(429);
    await clock({ advance: '1d' });
    expect((await gateway.call('/api/budgets', { side: 'admin' })).json).toEqual([]);
    expect((await read(await gateway.token())).status).toBe(200);
    await clock({ advance: '-1d' });
    const [budget] = (await gateway.call('/api/budgets', { side: 'admin' })).json;
    expect(budget).toMatchObject({ used: 4, left: 0 });
  });

  it('is the end of tokens, and of refresh tokens', async () => {
    const { token, consentId, refresh } = await consented(90);
    await clock({ advance: '2h' });
    expect((await read(token, consentId)).status).toBe(401);
    const form = { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: refresh };
    expect((await gateway.call('/stdgroup/v1/token', { form })).status).toBe(200);
    await clock({ advance: '91d' });
    const late = await gateway.call('/stdgroup/v1/token', { form });
    expect([late.status, late.json.error]).toEqual([400, 'invalid_grant']);
  });

  it('are the dates of certificates, but not those of the gateway’s own', async () => {
    await clock({ advance: '500d' });
    const answer = await gateway.call(ACCOUNTS);
    expect([answer.status, answer.codes]).toEqual([401, ['CERTIFICATE_EXPIRED']]);
    expect((await gateway.call('/readyz', { side: 'admin' })).status).toBe(200);
  });
});

/** Without those about a verifier, which no recording holds in clear. */
const decided = ({ verdicts }: { readonly verdicts: Readonly<Record<string, string>> }): string[] =>
  Object.entries(verdicts)
    .filter(([rule]) => !rule.startsWith('oauth/verifier-'))
    .map((entry) => entry.join(' '));

describe('a session in which the clock was moved', () => {
  /** Forward, with a stop, and back behind its beginning. */
  async function journey(): Promise<void> {
    const { token, consentId, refresh } = await consented(30);
    await read(token, consentId);
    await clock({ advance: '31d', mode: 'frozen' });
    await read(await gateway.token(), consentId);
    for (let i = 0; i < 5; i++) await read(await gateway.token());
    await clock({ now: '-756h' });
    await read(await gateway.token());
    await clock({ mode: 'running', speed: '1h/1m' });
    const form = { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: refresh };
    await gateway.call('/stdgroup/v1/token', { form });
    await clock({ mode: 'real' });
    await read(await gateway.token());
  }

  it('stays in order by ids, which keep the time of the machine, and its chain is whole', async () => {
    await journey();
    const calls = (await gateway.records()).map(({ exchange }) => exchange.call);
    expect(calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).toSorted());
    for (const call of calls)
      expect(Math.abs((timeOfId(call.id) ?? 0) - arrivedAt(call))).toBeLessThan(60_000);
    expect(new Set(calls.map(({ ahead }) => Math.sign(ahead)))).toEqual(new Set([0, 1, -1]));
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
    const [session] = await gateway.app.store.sessions();
    expect(Math.abs((session?.lastAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(Math.abs((session?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('is reported as such, in every format', async () => {
    await journey();
    await gateway.records();
    const { store } = gateway.app;
    const [session] = await store.sessions();
    const loaded = loadConfig({ flags: {} });
    const opened = await openSessionSource(store, session as SessionInfo, { loaded, today: '' });
    const report = await drawReport(opened, { version: '0.0.0' });
    const { clock, recording } = report.head;
    expect(clock).toMatchObject({ times: 4, exchanges: expect.any(Number) });
    expect(clock?.moves.map(({ mode, speed }) => `${mode} ${speed}`)).toEqual([
      'frozen 1',
      'frozen 1',
      'running 1h/1m',
      'real 1',
    ]);
    expect(Date.parse(clock?.to ?? '') - Date.parse(clock?.from ?? '')).toBeGreaterThan(31 * DAY_MS);
    expect(Date.parse(recording.to ?? '') - Date.parse(recording.from ?? '')).toBeLessThan(60_000);
    const sentence = /Time was moved 4 times; the moved clock showed \S+ to \S+: \d+ of \d+ exchanges/;
    for (const format of FORMAT_NAMES.filter((one) => one !== 'csv' && one !== 'pdf'))
      expect(await renderReport(report, format)).toMatch(sentence);
  });

  it('notes each move', async () => {
    await clock({ now: '2031-01-31', mode: 'frozen' });
    await clock({ advance: '1d' });
    await clock({ mode: 'real' });
    await gateway.records();
    const moves = (await gateway.app.store.sessions())[0]?.notes.flatMap(({ kind, settings }) =>
      kind === 'clock' ? [[settings.from.slice(0, 10), settings.to, settings.mode]] : [],
    );
    expect(moves).toEqual([
      [expect.any(String), '2031-01-31T00:00:00.000Z', 'frozen'],
      ['2031-01-31', '2031-02-01T00:00:00.000Z', 'frozen'],
      ['2031-02-01', expect.any(String), 'real'],
    ]);
  });

  it('is judged as it was live, from the store, a HAR and a cassette', async () => {
    await journey();
    const records = await gateway.records();
    const live = records.map(decided);
    expect(live.flat().filter((verdict) => verdict.endsWith('violated')).length).toBeGreaterThan(3);
    const { judge, fingerprint, urls } = gateway.app;
    const meta = { session: 'test', dialect: dialectOf() };
    const files = [
      [...buildHar(records, { ...meta, version: '0.0.0', origins: [urls.api, urls.psu] })].join(''),
      [...buildCassette(records, { ...meta, origins: urls })].join(''),
    ];
    const readings = files.map((text) => readRecording(text).records);
    for (const read of [records, ...readings]) {
      const bare = [...read].map(({ exchange }) => ({ exchange }));
      const again = [...through(bare, judgeRecording({ judge, fingerprint }))];
      expect(again.map(decided)).toEqual(live);
      const times = bare.map(({ exchange: { call } }) => [call.at, call.ahead]);
      expect(times).toEqual(records.map(({ exchange: { call } }) => [call.at, call.ahead]));
    }
  });
});
