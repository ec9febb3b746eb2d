/** A bank profile at work: two gateways in a row that both have it, and what its recordings give afterwards. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../src/answer/index.js';
import { loadConfig } from '../../src/app/index.js';
import { type BankProfile, bankProfile, namedProfile } from '../../src/spec/index.js';
import { sandgate, startCommand } from '../cli/run-command.js';
import { all } from '../rows.js';
import { temporaryFolder } from './child.js';
import {
  type Reply,
  started,
  startTestGateway,
  type TestGateway,
  testCertificates,
  VERIFIER,
} from './harness.js';

const aProfile = (parts: Partial<BankProfile>): BankProfile =>
  bankProfile.parse({
    ...{ name: 'hill-bank', title: 'Hill Bank', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'everything' }],
    ...parts,
  });

const HILL = aProfile({
  paths: {
    ...{ base: '/xs2a/{tenant}', version: 'v2', values: { tenant: 'hill' } },
    bases: { payments: '/pis' },
    operations: { 'oauth.token': '/oauth/token' },
  },
});
const DALE = aProfile({ name: 'dale-bank', title: 'Dale Bank', paths: { base: '/dale' } });
const NAMED = `Hill Bank (hill-bank, ${namedProfile(HILL).digest})`;

const folder = temporaryFolder();
const fileOf = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const hill = fileOf('hill.json', HILL);
const dale = fileOf('dale.json', DALE);
const store = join(folder, 'hill.db');

let bank: TestGateway;
let gateway: TestGateway;
const upstreamOf = async (behind: TestGateway) => {
  const certs = await testCertificates();
  return {
    ...{ upstream: behind.urls.api, upstreamPsu: behind.urls.psu, upstreamCa: join(certs, 'ca.pem') },
    ...{ upstreamCert: join(certs, 'tpp.pem'), upstreamKey: join(certs, 'tpp.key') },
  };
};

beforeAll(async () => {
  bank = await startTestGateway({ bankProfile: hill });
  gateway = await startTestGateway({ ...(await upstreamOf(bank)), bankProfile: hill, store });
  await walk(gateway);
  await gateway.app.recorder.drain();
});
afterAll(async () => {
  await gateway.close();
  await bank.close();
});

const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  ...{ debtorAccount: { iban: 'BE71096123456769' }, creditorAccount: { iban: 'DE89370400440532013000' } },
  ...{ creditorName: 'Fietsen Roeland', remittanceInformationUnstructured: 'Invoice 1' },
};

/** A token, the accounts, and a payment with its status, by the paths of the profile. */
async function walk({ call, accountHeaders }: Pick<TestGateway, 'call' | 'accountHeaders'>) {
  const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
  const token = await call('/oauth/token', { form: { ...form, code_verifier: VERIFIER } });
  const headers = accountHeaders(token.json?.access_token);
  const accounts = await call('/xs2a/hill/v2/accounts', { headers });
  const payment = await call('/pis/v2/payments/sepa-credit-transfers', {
    headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' },
    json: PAYMENT,
  });
  return { token, accounts, payment };
}

const statuses = ({
  token,
  accounts,
  payment,
}: Readonly<Record<'token' | 'accounts' | 'payment', Reply>>) => [
  ...[token.status, accounts.status, payment.status],
];

describe('two gateways with one profile', () => {
  it('answer by its paths, and links lead through the first', async () => {
    const walked = await walk(gateway);
    expect(statuses(walked)).toEqual([200, 200, 201]);
    const { self, status } = walked.payment.json._links;
    expect(self.href).toMatch(/\/pis\/v2\/payments\/sepa-credit-transfers\//);
    if (self.href.startsWith('http')) expect(self.href.startsWith(gateway.urls.api)).toBe(true);
    expect((await gateway.call(status.href, { headers: {} })).status).not.toBe(404);
    expect((await bank.call('/stdgroup/v1/accounts')).status).toBe(404);
  });

  it('record operations, and find nothing against a TPP that follows it', async () => {
    const records = await all(gateway.app.store.read('test'));
    const made = records.map(({ exchange }) => exchange.call.operation);
    expect(made.slice(0, 3)).toEqual(['oauth.token', 'accounts.list', 'payments.create']);
    const musts = records
      .slice(0, 3)
      .flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'must'));
    expect(musts).toEqual([]);
  });
});

const FORMATS = ['json', 'html', 'markdown', 'junit', 'sarif'] as const;

describe('a recording under a profile', () => {
  const cassette = join(folder, 'hill.cassette.json');
  const har = join(folder, 'hill.har');
  const env = { SANDGATE_STORE: store };
  beforeAll(async () => {
    for (const out of [cassette, har]) {
      const exported = await sandgate(['sessions', 'export', 'test', '--out', out], { env, clock: Date.now });
      expect(exported.err).toBe('');
    }
  });

  it.each(FORMATS)('is named in a report as %s', async (format) => {
    const made = await sandgate(['report', 'test', '--format', format], { env, clock: Date.now });
    expect(made).toMatchObject({ status: 0, err: '' });
    const text = format === 'json' || format === 'sarif' ? `"${namedProfile(HILL).digest}"` : 'Hill Bank';
    expect(made.out).toContain(text);
  });

  it.each([
    ['a cassette', cassette],
    ['a HAR file', har],
  ])('is judged by its own profile out of %s', async (_, file) => {
    const checked = await sandgate(['check', file], { clock: Date.now });
    expect(checked.out).toContain(`the bank profile ${NAMED}`);
    expect(checked.status, checked.out).toBe(0);
    const other = await sandgate(['check', file, '--bank-profile', dale], { clock: Date.now });
    expect(other.out).toContain(`was recorded under the bank profile ${NAMED} and is judged by that`);
    expect(other.status).toBe(0);
    const again = await sandgate(['check', file, '--bank-profile', dale, '--rejudge', '--json'], {
      clock: Date.now,
    });
    const found = JSON.parse(again.out);
    expect(found.bankProfile.name).toBe('dale-bank');
    expect(found.remarks).toEqual([expect.stringContaining(`Recorded under the bank profile ${NAMED}`)]);
    expect(found.findings.map(({ rule }: { rule: string }) => rule)).toContain('requests/known-path');
  });

  it('of the store is judged by its own profile, and by another one if asked', async () => {
    const asked = await sandgate(['report', 'test', '--json', '--bank-profile', dale], {
      env,
      clock: Date.now,
    });
    expect(asked.err).toContain('add --rejudge');
    const own = JSON.parse(asked.out);
    expect(own.head).toMatchObject({
      bankProfiles: [{ name: 'hill-bank' }],
      profile: { rejudged: false },
    });
    const again = await sandgate(['report', 'test', '--json', '--bank-profile', dale, '--rejudge'], {
      env,
      clock: Date.now,
    });
    const rejudged = JSON.parse(again.out);
    expect(rejudged.head).toMatchObject({
      bankProfiles: [{ name: 'dale-bank' }],
      profile: { rejudged: true },
    });
    expect(rejudged.head.notes[0]).toMatch(
      /^Recorded under the bank profile Hill Bank .* judged by Dale Bank/,
    );
    expect(rejudged.coverage.unknownCalls).toBeGreaterThan(own.coverage.unknownCalls);
    const report = fileOf('rejudged.json', again.out);
    const verified = await sandgate(['verify', report], { env, clock: Date.now });
    expect(verified.out + verified.err).not.toMatch(/FAIL|differs/);
  });

  it.each([
    ['a cassette', cassette],
    ['a HAR file', har],
  ])('comes back out of %s with its profile', async (_, file) => {
    const own = join(folder, `back-${file.endsWith('.har') ? 'har' : 'cassette'}.db`);
    const into = { env: { SANDGATE_STORE: own }, clock: Date.now };
    expect((await sandgate(['sessions', 'import', file, '--session', 'back'], into)).err).toBe('');
    const made = JSON.parse((await sandgate(['report', 'back', '--json'], into)).out);
    expect(made.head.bankProfiles).toEqual([namedProfile(HILL)]);
    expect(made.coverage.operations.find(byId('accounts.list')).calls).toBeGreaterThan(0);
  });

  it('is replayed under its profile, and under another one by that one’s paths', async () => {
    const same = await started({ source: 'replay', replay: cassette, bankProfile: hill });
    expect(statuses(await walk(same))).toEqual([200, 200, 201]);
    const other = await started({ source: 'replay', replay: cassette, bankProfile: dale });
    const paid = await other.call('/dale/v1/payments/sepa-credit-transfers', {
      headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' },
      json: PAYMENT,
    });
    expect(paid.status, paid.text).toBe(201);
    expect(paid.json._links.self.href).toMatch(/\/dale\/v1\/payments\/sepa-credit-transfers\/[^/]+$/);
  });

  it('asks for a profile to be judged again by', async () => {
    const said = await sandgate(['check', cassette, '--rejudge']);
    expect(said.err).toContain('Name it with --bank-profile');
    expect(said.status).toBe(2);
  });
});

const byId =
  (id: string) =>
  ({ operation }: { readonly operation: string }) =>
    operation === id;

describe('a session under several profiles', () => {
  it('is judged call by call by the one that was in force, and its report names them in order', async () => {
    const own = join(folder, 'several.db');
    for (const [profile, path] of [
      [hill, '/xs2a/hill/v2/accounts'],
      [dale, '/dale/v1/accounts'],
      ['sandgate', '/stdgroup/v1/accounts'],
    ] as const) {
      const running = await startTestGateway({ bankProfile: profile, store: own, stance: 'observe' });
      await running.call(path, { headers: running.accountHeaders('x'.repeat(40)) });
      await running.close();
    }
    const env = { SANDGATE_STORE: own };
    const made = await sandgate(['report', 'test', '--json'], { env, clock: Date.now });
    const { head, coverage } = JSON.parse(made.out);
    expect(head.bankProfiles.map(({ name }: { name: string }) => name)).toEqual([
      ...['hill-bank', 'dale-bank', 'sandgate'],
    ]);
    expect(head.notes.join(' ')).toContain('each call is judged by those that were in force when it came');
    expect(coverage.operations.find(byId('accounts.list')).calls).toBe(3);
    expect(coverage.unknownCalls).toBe(0);
    const again = await sandgate(['report', 'test', '--json', '--profile', 'production'], {
      env,
      clock: Date.now,
    });
    const found = JSON.parse(again.out).findings.map(({ rule }: { rule: string }) => rule);
    expect(found).not.toContain('requests/known-path');
  });
});

describe('a bank on several hosts', () => {
  it('is asked at the base of the operation, and its links lead through the gateway', async () => {
    const [certs, pay] = await Promise.all([testCertificates(), started({ bankProfile: hill })]);
    const settings = { ...(await upstreamOf(bank)), certs, bankProfile: hill };
    const between = await started({ ...settings, upstreams: { 'payments.*': pay.urls.api } });
    const { accounts, payment } = await walk(between);
    expect([accounts.status, payment.status]).toEqual([200, 201]);
    const operations = (await pay.records()).map(({ exchange }) => exchange.call.operation);
    expect(operations).toEqual(['payments.create']);
    const { href } = payment.json._links.self;
    expect(href.startsWith('/') || href.startsWith(between.urls.api)).toBe(true);
    expect(payment.headers.location ?? href).not.toContain(pay.urls.api);
    const report = await between.call('/api/sessions/test/report?format=json', { side: 'admin' });
    const banks = JSON.parse(report.text).against.find(
      ({ source }: { source: string }) => source === 'upstream',
    ).banks;
    expect(banks.sort()).toEqual([`${bank.urls.api}/`, `${pay.urls.api}/`].sort());
  });

  it.each([
    [
      { upstreams: { 'payment.*': 'https://a.example' }, upstream: 'https://b.example' },
      'payment.* is neither an operation',
    ],
    [
      { upstreams: { 'payments.*': 'file:///etc/passwd' }, upstream: 'https://b.example' },
      'upstreams.payments',
    ],
    [{ upstreams: { 'payments.*': 'https://a.example' } }, '--upstream'],
  ])('refuses %j', (settings, problem) => {
    expect(() => loadConfig({ file: fileOf('hosts.json', settings) })).toThrow(problem);
  });
});

describe('a profile in other places', () => {
  it('is named in the first lines of serve, whose command lines follow its paths', async () => {
    const args = [
      'serve',
      '--bank-profile',
      hill,
      '--certs',
      await testCertificates(),
      '--store',
      ':memory:',
    ];
    const listeners = ['--listen', '--psu-listen', '--admin-listen'].flatMap((flag) => [flag, '127.0.0.1:0']);
    const serving = startCommand([...args, ...listeners]);
    const said = await serving.prints('Stop with Ctrl-C');
    await serving.stop();
    expect(said).toContain(`interface     ${NAMED}`);
    expect(said).toMatch(/https:\/\/localhost:\d+\/oauth\/token/);
    expect(said).toMatch(/https:\/\/localhost:\d+\/xs2a\/hill\/v2\/accounts/);
  });

  it('is named by doctor', async () => {
    const found = await sandgate(['doctor', '--bank-profile', hill, '--json', '--listen', '127.0.0.1:0']);
    const row = JSON.parse(found.out).find(({ name }: { name: string }) => name === 'bank profile');
    expect(row.found).toMatch(/^Hill Bank \(hill-bank, [0-9a-f]{12}\): \d+ operations of Berlin Group/);
  });

  it('is told to the live page, and cannot be changed while the gateway runs', async () => {
    const page = await gateway.call('/', { side: 'admin', headers: { accept: 'text/html' } });
    expect(page.text.replaceAll('&quot;', '"')).toContain(
      `"bankProfile":${JSON.stringify(namedProfile(HILL))}`,
    );
    const changed = await gateway.call('/api/settings', {
      ...{ side: 'admin', method: 'PUT', json: { bankProfile: 'dale-bank' } },
    });
    expect(changed.status).toBe(400);
    expect(changed.json.error).toContain(
      'only bank, source, stance, stances, profile and scaLink can be changed',
    );
  });

  it('leaves out cells of a rehearsal that need what the bank does not offer', async () => {
    const all = await sandgate(['rehearse', '--list', '--format', 'json']);
    const bare = fileOf(
      'bare.json',
      aProfile({ name: 'bare', paths: { operations: { 'oauth.discovery': null } } }),
    );
    const left = await sandgate(['rehearse', '--list', '--format', 'json', '--bank-profile', bare]);
    const idsOf = (out: string): string[] => JSON.parse(out).map(({ id }: { id: string }) => id);
    const missing = idsOf(all.out).filter((id) => !idsOf(left.out).includes(id));
    expect(missing).toEqual(['consent/discovery-503', 'consent/discovery-html']);
  });

  it('names operations of its own wherever settings name operations', () => {
    const { config } = loadConfig({
      file: fileOf('settings.json', {
        sources: { 'accounts.transaction': 'emulator', 'consents.authorisations.update': 'replay,emulator' },
        matching: { 'accounts.transaction': { preset: 'strict' } },
        replay: 'any.json',
      }),
    });
    expect(Object.keys(config.sources ?? {})).toContain('accounts.transaction');
    expect(operationsOf('consents.*')).toContain('consents.authorisations.update');
  });
});
