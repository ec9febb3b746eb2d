/** Sessions of a running gateway: named by calls, rotated, kept for a while. */
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { createSqliteStore } from '../../src/store/index.js';
import { openReceiver } from '../mutations/play.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { DAY_MS, eventually, startTestGateway, type TestGateway } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const named = (session: string) => ({ headers: { 'Sandgate-Session': session } });

describe('a call', () => {
  it('is recorded in the session that it names, without the header that names it', async () => {
    const gateway = await startTestGateway();
    await gateway.call(PATH);
    await gateway.call(PATH, named('checkout'));
    await gateway.call(PATH, named('checkout'));
    const inSession = (name: string) => all(gateway.app.store.read(name));
    const checkout = await inSession('checkout');
    expect([(await inSession('test')).length, checkout.length]).toEqual([1, 2]);
    expect(JSON.stringify(checkout).toLowerCase()).not.toContain('sandgate-session');
    const noted = (await gateway.app.store.sessions()).find(({ name }) => name === 'checkout');
    expect(noted?.notes).toMatchObject([
      { kind: 'started', settings: { profile: 'sandbox', urls: { api: gateway.urls.api } } },
    ]);
    await gateway.close();
  });

  it('that names none is refused in the format of the API, and recorded in that of the gateway', async () => {
    const gateway = await startTestGateway({ 'limits.sessions': 1 });
    const bad = await gateway.call(PATH, named('not a name'));
    expect([bad.status, bad.codes, bad.headers['sandgate-source']]).toEqual([
      400,
      ['FORMAT_ERROR'],
      'gateway',
    ]);
    await gateway.call(PATH, named('one'));
    const many = await gateway.call(PATH, named('two'));
    expect([many.status, many.text]).toEqual([400, expect.stringContaining('at most 1 session ')]);
    const records = await gateway.records();
    expect(records.map(({ exchange }) => exchange.fault?.kind)).toEqual(['malformed', 'malformed']);
    expect((await gateway.app.store.sessions()).map(({ name }) => name)).toEqual(['test', 'one']);
    await gateway.close();
  });

  it('is begun by no caller without certificate, who gets the refusal that it would get anyway', async () => {
    const gateway = await startTestGateway({ 'limits.sessions': 10 });
    for (let n = 0; n < 20; n++) {
      const stranger = await gateway.call(PATH, { cert: null, ...named(`flood-${n}`) });
      expect([stranger.status, stranger.codes]).toEqual([401, ['CERTIFICATE_MISSING']]);
    }
    expect((await gateway.call(PATH, named('mine'))).status).toBe(200);
    expect((await gateway.call(PATH, { cert: null, ...named('mine') })).status).toBe(401);
    const sessions = await gateway.app.store.sessions();
    expect(sessions.map(({ name, exchanges }) => [name, exchanges])).toEqual([
      ['test', 20],
      ['mine', 2],
    ]);
    await gateway.close();
  });

  it('is told to a caller without certificate that would be answered otherwise', async () => {
    const gateway = await startTestGateway({ rules: { 'certificate/presented': 'off' } });
    const { status, text } = await gateway.call(PATH, { cert: null, ...named('mine') });
    expect([status, text]).toEqual([400, expect.stringContaining('valid certificate')]);
    await gateway.close();
  });

  it('names nothing where the header is switched off', async () => {
    const gateway = await startTestGateway({ sessionHeader: false });
    expect((await gateway.call(PATH, named('checkout'))).status).toBe(200);
    expect((await gateway.app.store.sessions()).map(({ name }) => name)).toEqual(['test']);
    await gateway.close();
  });
});

describe('a gateway', () => {
  it('goes on in a new session after the time that was asked for', async () => {
    const gateway = await startTestGateway({ sessionRotateEvery: '1d' });
    await gateway.call(PATH);
    gateway.move(DAY_MS);
    await gateway.call(PATH);
    await gateway.call(PATH);
    const sessions = (await gateway.app.store.sessions()).map(({ name, exchanges }) => [name, exchanges]);
    expect(sessions).toEqual([
      ['test', 1],
      ['test-2', 2],
    ]);
    await gateway.close();
  });

  it('removes what is older than it is to keep, while calls go on', async () => {
    const store = aPath();
    const first = await startTestGateway({ store, session: 'test' });
    for (let i = 0; i < 5; i++) await first.call(PATH);
    await first.close();
    const gateway = await startTestGateway({ store, session: 'later', keepDays: '2' });
    gateway.move(3 * DAY_MS);
    await eventually(async () => {
      expect((await gateway.call(PATH)).status).toBe(200);
      expect((await gateway.app.store.sessions()).map(({ name }) => name)).toEqual(['later']);
    });
    await gateway.close();
  });

  it('does not recognise people in what it records, where it is asked not to', async () => {
    const gateway = await startTestGateway({ pseudonymise: true });
    const token = await gateway.token();
    const answer = await gateway.call('/stdgroup/v1/accounts', { headers: gateway.accountHeaders(token) });
    const [iban] = answer.json.accounts.map((account: { iban: string }) => account.iban);
    expect(iban).toMatch(/^[A-Z]{2}\d\d/);
    const records = await gateway.records();
    expect(JSON.stringify(records)).not.toContain(iban);
    await gateway.close();
  });
});

describe('what a gateway recorded', () => {
  /** Calls of every kind that is recorded differently. */
  async function walk(gateway: TestGateway, receiver: string): Promise<void> {
    const token = await gateway.token();
    const headers = gateway.accountHeaders(token);
    const authorize = '/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222';
    const page = {
      client_id: 'VALID_CLIENT_ID',
      redirect_uri: 'https://tpp.example/cb',
      scope: 'AIS:VALID_CONSENT_ID',
    };
    await gateway.call('/stdgroup/v1/accounts', { headers });
    await gateway.call('/stdgroup/v1/accounts', { headers, cert: null });
    await gateway.call('/stdgroup/v1/acounts?x=%20a&x=b', { headers });
    await gateway.call('/stdgroup/v1/accounts', { headers, method: 'PATCH' });
    await gateway.call('/stdgroup/v1/consents', { json: { access: { allPsd2: 'allAccounts' } } });
    await gateway.call('/stdgroup/v1/consents', {
      body: '{"a":1.10,',
      headers: { 'Content-Type': 'application/json' },
    });
    const coded = gzipSync('{"a":1}');
    const gzip = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    await gateway.call('/stdgroup/v1/consents', { body: coded, headers: gzip });
    await gateway.call('/stdgroup/v1/consents', {
      body: new Uint8Array([0xff, 0xfe]),
      headers: { 'Content-Type': 'x/y' },
    });
    await gateway.call(`${authorize}?${new URLSearchParams(page)}`, { side: 'psu' });
    await gateway.call(`${authorize}?${new URLSearchParams({ ...page, scenario: 'SCA_NOK' })}`, {
      side: 'psu',
    });
    // The path of the other listener, and a callback.
    await gateway.call(authorize);
    await gateway.call('/internal/stdgroup/authorization/v1/tpp/notify', {
      json: { paymentId: 'PAYMENT_ID_RCVD_SCT', tppNotificationUri: receiver, status: 'ACSC' },
    });
    await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', named('not a name'));
  }

  it('leaves in a HAR and comes back as it was, every record of it', async () => {
    const [from, to] = [aPath(), aPath()];
    const gateway = await startTestGateway({ store: from });
    const receiver = await openReceiver();
    await walk(gateway, receiver.url);
    const recorded = await gateway.records();
    await receiver.close();
    expect(recorded.length).toBeGreaterThan(13);
    expect(recorded.map(({ exchange }) => exchange.call.listener)).toContain('callback');
    await gateway.close();

    const file = join(dirname(to), 'test.har');
    const sessions = (...args: string[]) =>
      run(['sessions', ...args], {
        ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: process.stderr, env: {} },
        ...{ clock: Date.now, signal: new AbortController().signal },
      });
    expect(await sessions('export', 'test', '--out', file, '--store', from)).toBe(0);
    expect(await sessions('import', file, '--store', to)).toBe(0);
    const store = createSqliteStore({ path: to, readonly: true });
    expect(await all(store.read('test'))).toEqual(recorded);
    expect(await all(store.chains.verify('test'))).toEqual([]);
    store.close();
  });
});
