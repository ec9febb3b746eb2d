/** Sessions of a running gateway: named by calls, rotated, kept for a while. */
import { describe, expect, it } from 'vitest';
import { aPath } from '../store/stores.js';
import { DAY_MS, eventually, startTestGateway } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const named = (session: string) => ({ headers: { 'Sandgate-Session': session } });

describe('a call', () => {
  it('is recorded in the session that it names, without the header that names it', async () => {
    const gateway = await startTestGateway();
    await gateway.call(PATH);
    await gateway.call(PATH, named('checkout'));
    await gateway.call(PATH, named('checkout'));
    const inSession = (name: string) => [...gateway.app.store.read(name)];
    expect([inSession('test').length, inSession('checkout').length]).toEqual([1, 2]);
    expect(JSON.stringify(inSession('checkout')).toLowerCase()).not.toContain('sandgate-session');
    const noted = gateway.app.store.sessions().find(({ name }) => name === 'checkout');
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
    expect([many.status, many.text]).toEqual([400, expect.stringContaining('1 sessions')]);
    const records = await gateway.records();
    expect(records.map(({ exchange }) => exchange.fault?.kind)).toEqual(['malformed', 'malformed']);
    expect(gateway.app.store.sessions().map(({ name }) => name)).toEqual(['test', 'one']);
    await gateway.close();
  });

  it('names nothing where the header is switched off', async () => {
    const gateway = await startTestGateway({ sessionHeader: false });
    expect((await gateway.call(PATH, named('checkout'))).status).toBe(200);
    expect(gateway.app.store.sessions().map(({ name }) => name)).toEqual(['test']);
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
    const sessions = gateway.app.store.sessions().map(({ name, exchanges }) => [name, exchanges]);
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
      expect(gateway.app.store.sessions().map(({ name }) => name)).toEqual(['later']);
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
