import { get, Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import { type Gateway, type GatewayOptions, startGateway } from '../../src/testing/index.js';
import { folderOfTest } from '../folder.js';
import { callsOf } from './calls.js';

const AUTHORISATION = '22222222-2222-2222-2222-222222222222';

async function open(options?: GatewayOptions): Promise<Gateway> {
  const gateway = await startGateway(options);
  onTestFinished(gateway.close);
  return gateway;
}

describe('a gateway in a test', () => {
  it('answers over mutual TLS on free ports, and tells what it recorded', async () => {
    const gateway = await open();
    const calls = callsOf(gateway);
    await calls.readAccounts(await calls.fetchToken());
    const { exchanges, findings } = gateway.session();
    expect(exchanges.map(({ call, answer }) => [call.operation, answer?.status])).toEqual([
      ['oauth.token', 200],
      ['accounts.list', 200],
    ]);
    expect(findings.filter(({ severity }) => severity === 'must')).toEqual([]);
    for (const url of Object.values(gateway.urls)) expect(Number(new URL(url).port)).toBeGreaterThan(0);
  });

  it('gives agent options that undici and node:https take alike', async () => {
    const gateway = await open();
    const url = `${gateway.urls.api}/stdgroup/.well-known/openid-configuration?authorizationId=${AUTHORISATION}`;
    const dispatcher = new Agent(gateway.agent());
    const agent = new HttpsAgent({ ...gateway.agent(), keepAlive: true });
    const viaFetch = (await fetch(url, { dispatcher })).status;
    const viaHttps = await new Promise((resolve, reject) => {
      get(url, { agent }, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    expect([viaFetch, viaHttps]).toEqual([200, 200]);
    const tpps = gateway.session().exchanges.map(({ call }) => call.tpp);
    expect(tpps).toEqual(['PSDBE-NBB-0123456789', 'PSDBE-NBB-0123456789']);
    agent.destroy();
    await dispatcher.close();
  });

  it.each([
    ['tpp-other', 'PSDDE-BAFIN-987654', 200],
    [null, null, 401],
    ['bad-expired', 'PSDBE-NBB-0123456789', 401],
  ] as const)('calls under the certificate %s', async (name, tpp, status) => {
    const gateway = await open();
    const url = `${gateway.urls.api}/stdgroup/.well-known/openid-configuration?authorizationId=${AUTHORISATION}`;
    const response = await fetch(url, { dispatcher: new Agent(gateway.agent(name)) });
    expect(response.status).toBe(status);
    expect(gateway.session().exchanges.map(({ call }) => call.tpp)).toEqual([tpp]);
  });

  it('says which line of a test made a call, if its store outlives the test', async () => {
    const said = async (settings: Readonly<Record<string, unknown>>) => {
      const gateway = await open({ settings });
      const tpp = gateway.tpp();
      await tpp.call('GET /accounts');
      const made = new Error().stack?.split('\n')[1];
      const [exchange] = gateway.session().exchanges;
      return { header: exchange?.call.request.header['sandgate-test'], made };
    };
    const { header = '', made } = await said({ store: join(folderOfTest(), 'tests.db') });
    const [, line] = /:(\d+):\d+\)?$/.exec(made ?? '') ?? [];
    expect(header).toBe(`test/testing/start-gateway.test.ts:${Number(line) - 1}`);
    expect((await said({})).header).toBeUndefined();
  });

  it('gives every certificate as PEM', async () => {
    const { certificates } = await open();
    const { ca, ...pairs } = certificates;
    expect(ca).toContain('BEGIN CERTIFICATE');
    expect(Object.keys(pairs)).toEqual(expect.arrayContaining(['tpp', 'tpp-ai', 'tpp-ec', 'bad-revoked']));
    for (const { cert, key } of Object.values(pairs)) {
      expect(cert).toContain('BEGIN CERTIFICATE');
      expect(key).toContain('PRIVATE KEY');
    }
  });

  it('lets time pass: a token ends, the day of the limit begins again', async () => {
    const gateway = await open();
    const calls = callsOf(gateway);
    const token = await calls.fetchToken();
    const unattended = () => calls.readAccounts(token, { attended: false });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push(await unattended());
    gateway.clock.advance('2h');
    statuses.push(await unattended());
    gateway.clock.advance('1d');
    statuses.push(await calls.readAccounts(await calls.fetchToken(), { attended: false }));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 401, 200]);
  });

  it('lets time stand still, run faster, and go back', async () => {
    const { clock } = await open();
    clock.set('2031-01-31T09:00Z');
    clock.freeze();
    clock.advance('-1d');
    clock.set(new Date(clock.now() + 1_000));
    const frozen = clock.now();
    expect(new Date(frozen).toISOString()).toMatch(/^2031-01-30T09:00:/);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now()).toBe(frozen);
    clock.run('1d/1s');
    expect(clock.now()).toBeGreaterThanOrEqual(frozen);
    expect(() => clock.set('soon')).toThrow('The clock cannot be set to soon');
    expect(() => clock.run('fast')).toThrow('The clock cannot run at the speed fast');
  });

  it.each(['2019-02-01T12:00:00Z', '2031-06-15T08:00:00Z'])(
    'starts at %s, with certificates of that time',
    async (startAt) => {
      const gateway = await open({ startAt });
      const calls = callsOf(gateway);
      expect(await calls.readAccounts(await calls.fetchToken())).toBe(200);
      expect(gateway.session().exchanges[0]?.call.at).toBeGreaterThanOrEqual(Date.parse(startAt));
      expect(gateway.clock.now() - Date.parse(startAt)).toBeLessThan(60_000);
    },
  );

  it('takes stance, profile, severities and any other setting', async () => {
    const gateway = await open({
      stance: 'observe',
      profile: 'production',
      rules: { 'requests/request-id-present': 'note' },
      settings: { segment: 'bank', 'limits.body': '1KiB' },
      session: 'mine',
    });
    const url = `${gateway.urls.api}/bank/v1/consents/VALID_CONSENT_ID`;
    await fetch(url, { dispatcher: new Agent(gateway.agent()) });
    const session = gateway.session();
    expect(session.name).toBe('mine');
    expect(session.findings.find(({ rule }) => rule === 'requests/request-id-present')).toMatchObject({
      severity: 'note',
      operation: 'consents.read',
      method: 'GET',
      path: '/bank/v1/consents/VALID_CONSENT_ID',
    });
    expect(session.switchedOff).not.toContain('requests/request-id-present');
  });

  it('keeps its session after it was closed, which may happen twice', async () => {
    const gateway = await startGateway();
    await callsOf(gateway).fetchToken();
    await gateway.close();
    await gateway.close();
    expect(gateway.session().exchanges).toHaveLength(1);
    await expect(fetch(gateway.urls.admin)).rejects.toThrow();
  });

  it('closes while clients keep their connections open', async () => {
    const gateway = await startGateway();
    const dispatcher = new Agent(gateway.agent());
    await (await fetch(`${gateway.urls.api}/stdgroup/v1/accounts`, { dispatcher })).text();
    await gateway.close();
    await dispatcher.close();
  });

  it.each([
    [{ stance: 'obey' }, 'one of enforce, observe is expected'],
    [
      { settings: { matching: { 'accounts.list': { preset: 'lenient' } } } },
      'matching.accounts.list.preset in the settings is "lenient": one of "strict", "psd2", "loose" is expected.',
    ],
    [{ settings: { scalink: 'direct' } }, 'There is no setting scalink. Did you mean scaLink?'],
    [{ rules: { 'oauth/state-frsh': 'off' } }, 'Did you mean oauth/state-fresh?'],
    [{ startAt: 'soon' }, 'The clock cannot start at soon'],
    [{ data: 'nowhere' }, 'nowhere'],
  ])('%j is refused with a sentence', async (options, words) => {
    const refused = startGateway(options as GatewayOptions);
    await expect(refused).rejects.toThrow(SandgateError);
    await expect(refused).rejects.toThrow(words);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'tomorrow', '--2h', '5'])(
    'the clock is not advanced by %s',
    async (by) => {
      const gateway = await open();
      expect(() => gateway.clock.advance(by)).toThrow('The clock cannot be advanced by');
    },
  );

  it('names the certificate that is nearest to an unknown one', async () => {
    const gateway = await open();
    expect(() => gateway.agent('tpp_ai' as 'tpp')).toThrow('Did you mean tpp-ai?');
  });

  it('hands its log to the test', async () => {
    const lines: string[] = [];
    await open({ log: (line) => lines.push(line), settings: { logLevel: 'info' } });
    expect(lines.join('')).toContain('The gateway is ready.');
  });
});
