/** Two years of a TPP's certificates, as their lives grow shorter: calls go on over each change, and what is wrong is named before. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createAuthority,
  type IssuingAuthority,
  issueCertificate,
  issueCrl,
  OID,
  openIssuingAuthority,
} from '../../src/certificate/index.js';
import { keys, serial } from '../certificate/made.js';
import { sandgate } from '../cli/run-command.js';
import { CONSENT_BODY } from '../rules/requests-of.js';
import { DAY_MS, startTestGateway, type TestGateway, testCertificates } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';
const TPP = 'PSDBE-NBB-0123456789';

/** By day of the beginning and of the end; each begins some days before the one before it ends. */
const LIVES = [
  ['life-398', 0, 398],
  ['life-200', 391, 591],
  ['life-100', 584, 684],
  ['life-47', 677, 724],
  ['life-47-again', 717, 764],
] as const;

const BOUND = {
  ...{ name: 'bound', title: 'Bound', standard: 'Berlin Group 1.3.8', sources: [{ where: '-', tells: '-' }] },
  access: { boundTo: 'certificate' },
};

let gateway: TestGateway;
let dir = '';
let start = 0;
let day = 0;
const file = (name: string) => join(dir, name);
const passTo = (wanted: number): void => {
  gateway.move((wanted - day) * DAY_MS);
  day = wanted;
};

interface Order {
  readonly authority: IssuingAuthority;
  readonly from: number;
  readonly to: number;
  readonly usages?: readonly ('clientAuth' | 'serverAuth')[];
}

/** Into the folder, by its name. */
function issue(name: string, { authority, from, to, usages = ['clientAuth', 'serverAuth'] }: Order): void {
  const pair = keys('ec-p256', name);
  const made = issueCertificate({
    authority,
    publicKey: pair.publicKey,
    serialNumber: serial(name),
    notBefore: start + from * DAY_MS,
    notAfter: start + to * DAY_MS,
    subject: {
      country: 'BE',
      organization: 'Test TPP',
      commonName: `${name}.example`,
      organizationIdentifier: TPP,
    },
    dnsNames: [`${name}.example`],
    qualified: {
      compliance: true,
      types: ['web'],
      pds: [{ url: 'https://localhost/pds/en', language: 'en' }],
    },
    psd2: { roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'], ncaName: 'National Bank of Belgium', ncaId: 'BE-NBB' },
    policies: [OID.policyWebPsd2],
    extendedKeyUsage: usages,
  });
  writeFileSync(file(`${name}.pem`), made.chainPem);
  writeFileSync(file(`${name}.key`), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

const NEW_CA = () =>
  createAuthority({
    subject: { country: 'BE', organization: 'New Trust Services', commonName: 'New CA' },
    keys: keys('ec-p256', 'New CA'),
    serialNumber: serial('New CA'),
    notBefore: start - DAY_MS,
    notAfter: start + 3_000 * DAY_MS,
  });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sandgate-years-'));
  const all = await testCertificates();
  for (const name of readdirSync(all).filter((one) => /\.(?:pem|key|crl)$/.test(one)))
    copyFileSync(join(all, name), file(name));
  start = Date.now() - 60_000;
  const authority = openIssuingAuthority(
    readFileSync(file('ca.pem'), 'utf8'),
    readFileSync(file('ca.key'), 'utf8'),
  );
  for (const [name, from, to] of LIVES) issue(name, { authority, from, to });
  issue('server-only', { authority, from: 391, to: 591, usages: ['serverAuth'] });
  issue('new-ca', { authority: NEW_CA(), from: 391, to: 591 });
  writeFileSync(file('new-ca-anchor.pem'), NEW_CA().pem);
  gateway = await startTestGateway({ certs: dir, strictTls: true, trustAnchors: file('ca.pem') });
  return gateway.close;
});

/** The calendar of the command on a day, with the files that the TPP has in hand. */
async function calendar(names: readonly string[], env: Record<string, string> = {}) {
  const args = ['certs', 'calendar', ...names.map((name) => file(`${name}.pem`)), '--certs', dir, '--json'];
  const { out, status: code } = await sandgate(args, { env, clock: () => start + day * DAY_MS });
  const rows = JSON.parse(out) as {
    what: string;
    stops: string;
    problems: string[];
    gapDays: number;
    daysLeft: number;
  }[];
  return { code, of: (name: string) => rows.find(({ what }) => what === file(`${name}.pem`)) };
}

/** The statuses of the 200 calls of a second, by all certificates that are good then in turn. */
async function callsAt(moment: number): Promise<number[]> {
  gateway.move(start + moment - gateway.now());
  day = Math.floor(moment / DAY_MS);
  const good = LIVES.filter(([, from, to]) => from * DAY_MS <= moment && moment < to * DAY_MS);
  const calls = Array.from({ length: 200 }, (_, i) =>
    gateway.call(PATH, { cert: good[i % good.length]?.[0] ?? null }),
  );
  return [...new Set((await Promise.all(calls)).map(({ status }) => status))];
}

describe('certificates of 398, 200, 100 and 47 days', () => {
  it('are told of before they end, and lose no call while one follows the other', async () => {
    const names = LIVES.map(([name]) => name);
    const told = await calendar(names);
    expect(told.code).toBe(0);
    for (const name of names.slice(0, -1))
      expect(told.of(name)?.stops).toMatch(/^Nothing: PSDBE-NBB-0123456789 goes on/);
    expect(told.of('life-47-again')?.stops).toBe(`All calls of ${TPP} are refused.`);
    // Within the last minute, since the clock goes on while the calls are made.
    for (const [i, [, from]] of LIVES.entries()) {
      const before = LIVES[i - 1];
      const ends = before === undefined ? [] : [before[2] * DAY_MS - 60_000, before[2] * DAY_MS + 1_000];
      for (const moment of [from * DAY_MS - 1_000, from * DAY_MS + 1_000, ...ends].filter((one) => one > 0))
        expect([moment, await callsAt(moment)]).toEqual([moment, [200]]);
    }
  });

  it('share tokens and consents: they are the organisation’s', async () => {
    passTo(720);
    const token = await gateway.token('AIS_VALID_CODE', 'life-47');
    const read = await gateway.call('/stdgroup/v1/accounts', {
      ...{ cert: 'life-47-again', headers: gateway.accountHeaders(token) },
    });
    expect(read.status, read.text).toBe(200);
  });

  it('have tokens and consents of their own at a bank that binds them to the certificate', async () => {
    const settings = { certs: dir, trustAnchors: file('ca.pem'), bankProfile: BOUND };
    const bank = await startTestGateway(settings);
    onTestFinished(bank.close);
    bank.move(720 * DAY_MS);
    const validUntil = new Date(bank.now() + 30 * DAY_MS).toISOString().slice(0, 10);
    const created = await bank.call('/stdgroup/v1/consents', {
      json: { ...CONSENT_BODY, validUntil },
      headers: {
        ...{ 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.1' },
        'TPP-Redirect-URI': 'https://tpp.example/cb',
      },
      cert: 'life-47',
    });
    expect(created.status, created.text).toBe(201);
    const consent = `/stdgroup/v1/consents/${created.json.consentId}`;
    const token = await bank.token('AIS_VALID_CODE', 'life-47');
    const said = async (cert: string) => {
      const headers = bank.accountHeaders(token);
      const asked = [
        await bank.call('/stdgroup/v1/accounts', { cert, headers }),
        await bank.call(consent, { cert }),
      ];
      return asked.map(({ status, codes }) => [status, ...codes].join(' '));
    };
    expect(await said('life-47')).toEqual(['200', '200']);
    expect(await said('life-47-again')).toEqual(['401 TOKEN_INVALID', '403 CONSENT_UNKNOWN']);
    const [record] = (await bank.records()).slice(-2);
    expect(record?.findings.map(({ rule, actual }) => [rule, actual])).toContainEqual([
      ...['accounts/token-belongs-to-tpp', 'a token of another certificate of the same organisation'],
    ]);
    writeFileSync(file('bound.json'), JSON.stringify(BOUND));
    const rows = await calendar(['life-47', 'life-47-again'], { SANDGATE_BANK_PROFILE: file('bound.json') });
    expect(rows.of('life-47')?.stops).toContain(`With the next one, ${TPP} needs new ones.`);
  });

  it('that leave a gap say how long calls are refused', async () => {
    const told = await calendar(['life-398', 'life-100']);
    expect(told.of('life-398')).toMatchObject({
      ...{ gapDays: 186, stops: `Calls of ${TPP} are refused for 186 days, until the next one begins.` },
    });
  });
});

describe('a certificate that a bank refuses is named before it is used', () => {
  const REFUSED = [
    ['without clientAuth', 'server-only', 'It lacks clientAuth: a bank with strict TLS ends the handshake.'],
    ['of a new CA', 'new-ca', 'No trusted CA stands behind it.'],
  ] as const;
  it.each(REFUSED)('%s', async (_, name, problem) => {
    passTo(380);
    const told = await calendar(['life-398', name]);
    expect([told.code, told.of(name)?.problems]).toEqual([1, [problem]]);
    expect(told.of('life-398')?.stops).toBe(`All calls of ${TPP} are refused.`);
    passTo(395);
    await expect(gateway.call(PATH, { cert: name })).rejects.toThrow();
    expect((await gateway.call(PATH, { cert: 'life-398' })).status).toBe(200);
  });

  it('of a new CA that is trusted by a reload is good from the next handshake on', async () => {
    passTo(396);
    writeFileSync(file('ca.pem'), `${readFileSync(file('ca.pem'), 'utf8')}${NEW_CA().pem}`);
    expect(await gateway.app.reload()).toMatchObject([{ part: 'trust' }]);
    expect((await gateway.call(PATH, { cert: 'new-ca' })).status).toBe(200);
    expect((await calendar(['new-ca'])).of('new-ca')?.problems).toEqual([]);
  });

  it('that is revoked in the middle of its life', async () => {
    passTo(600);
    expect((await gateway.call(PATH, { cert: 'life-100' })).status).toBe(200);
    const [own = ''] = readFileSync(file('ca.pem'), 'utf8').split(/(?<=-----END CERTIFICATE-----\n)/);
    const authority = openIssuingAuthority(own, readFileSync(file('ca.key'), 'utf8'));
    const list = issueCrl({
      ...{ authority, number: 99_999_999, thisUpdate: start, nextUpdate: start + 1_000 * DAY_MS },
      revoked: [{ serialNumber: serial('life-100'), at: start + 599 * DAY_MS }],
    });
    writeFileSync(file('ca.crl'), list.pem);
    expect((await calendar(['life-100'])).of('life-100')?.problems).toEqual(['It is revoked.']);
    await gateway.app.reload();
    // The connection from before goes on, and each of its calls is judged; a new one does not come to be.
    expect((await gateway.call(PATH, { cert: 'life-100' })).status).toBe(401);
    const rows = (await gateway.call('/api/certificates/calendar', { side: 'admin' })).json as {
      subject: string;
      problems: string[];
    }[];
    expect(
      rows.filter(({ problems }) => problems.includes('It is revoked.')).map(({ subject }) => subject),
    ).toEqual([expect.stringContaining('life-100.example')]);
  });
});

it('the metric has the certificates that the settings name, and no other', async () => {
  const { text } = await gateway.call('/metrics', { side: 'admin' });
  const lines = text.split('\n').filter((line) => line.startsWith('sandgate_certificate_days_left{'));
  expect(lines.some((line) => line.includes('use="server"'))).toBe(true);
  expect(lines.some((line) => line.includes('use="ca"'))).toBe(true);
  expect(lines.filter((line) => line.includes('use="tpp"'))).toEqual([]);
  expect(new Set(lines.map((line) => line.split('} ')[0])).size).toBe(lines.length);
});

it('the command tells in a table when each ends and what stops then, also of those that the store has seen', async () => {
  const certs = await testCertificates();
  const store = join(mkdtempSync(join(tmpdir(), 'sandgate-calendar-')), 's.db');
  const recording = await startTestGateway({ store });
  await recording.call(PATH);
  await recording.close();
  const said = await sandgate(['certs', 'calendar', '--certs', certs, '--store', store], { clock: Date.now });
  expect(said.status).toBe(0);
  expect(said.out).toMatch(
    /^\d{4}-\d\d-\d\d +\d+ +server +the server certificate +Clients end the handshake/m,
  );
  expect(said.out).toMatch(
    / tpp +a certificate of a TPP, PSDBE-NBB-0123456789 +All calls of \S+ are refused\.$/m,
  );
});
