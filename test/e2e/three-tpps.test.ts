/** Three TPPs in one session: each has its own verdict, and a report for one holds nothing of the others. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/index.js';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { CHALLENGE, startTestGateway, type TestGateway, testCertificates, VERIFIER } from './harness.js';

const folder = folderOfFile();
const certs = join(folder, 'certs');
const store = join(folder, 'sandgate.db');
const V1 = '/stdgroup/v1';
/** Formats that tell the verdict, in text. */
const FORMATS = ['html', 'json', 'junit', 'markdown', 'sarif'];

const TPPS = [
  { nick: 'alphapay', name: 'Alpha Pay', country: 'be', nca: 'nbb', number: '4710', id: 'PSDBE-NBB-4710' },
  { nick: 'betapay', name: 'Beta Pay', country: 'de', nca: 'bafin', number: '4711', id: 'PSDDE-BAFIN-4711' },
  { nick: 'gammapay', name: 'Gamma Páy', country: 'fr', nca: 'acpr', number: '4712', id: 'PSDFR-ACPR-4712' },
] as const;
type Tpp = (typeof TPPS)[number];
const [ALPHA, BETA, GAMMA] = TPPS;

async function issueFor({ nick, name, country, nca, number }: Tpp): Promise<void> {
  const args = ['--name', nick, '--organisation', name, '--country', country, '--nca', nca];
  const issued = await sandgate(
    ['certs', 'issue', '--certs', certs, ...args, '--number', number, '--key-type', 'ec-p256'],
    { clock: Date.now },
  );
  expect(issued.err).toBe('');
}

const report = (args: readonly string[]) =>
  sandgate(['report', 'test', '--store', store, ...args], { clock: Date.now });
const jsonOf = async (args: readonly string[] = []): Promise<Report> => {
  const { out, err } = await report([...args, '--format', 'json']);
  expect(err).toBe('');
  return JSON.parse(out);
};

/** Creates a consent, sends the customer to the bank, and reads; without an X-Request-ID where `isAmiss`. */
async function useBank(gateway: TestGateway, { nick }: Tpp, isAmiss: boolean): Promise<void> {
  const cert = nick;
  const address = `https://${nick}.example/cb`;
  const json = {
    access: { allPsd2: 'allAccounts' },
    ...{ recurringIndicator: true, frequencyPerDay: 4, combinedServiceIndicator: false },
    validUntil: new Date(gateway.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  };
  const headers = { 'TPP-Redirect-URI': address, 'PSU-IP-Address': '192.0.2.1' };
  const { json: created } = await gateway.call(`${V1}/consents`, { cert, json, headers });
  const id = new URL(created._links.scaStatus.href).pathname.split('/').at(-1);
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'VALID_CLIENT_ID', scope: `AIS:${created.consentId}` },
    ...{ state: `state-of-${nick}`, redirect_uri: address },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', scenario: 'SCA_OK' },
  });
  const back = await gateway.call(`/stdgroup/authorization/authorize/${id}?${query}`, { side: 'psu' });
  const code = new URL(back.headers.location ?? '').searchParams.get('code') ?? '';
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID' },
    ...{ code, code_verifier: VERIFIER, redirect_uri: address },
  };
  const { json: token } = await gateway.call(`${V1}/token`, { cert, form });
  const read = gateway.accountHeaders(token.access_token, {
    'User-Agent': `${nick}-client`,
    ...(isAmiss ? { 'X-Request-ID': undefined } : {}),
  });
  await gateway.call(`${V1}/accounts`, { cert, headers: read });
  // A path that nobody but this TPP calls.
  await gateway.call(`${V1}/accounts/of-${nick}/balances`, { cert, headers: read });
}

beforeAll(async () => {
  cpSync(await testCertificates(), certs, { recursive: true });
  for (const tpp of TPPS) await issueFor(tpp);
  const gateway = await startTestGateway({
    ...{ certs, store, blockedOrganisations: ['PSDIT-BI-1'] },
    waivers: [
      ...TPPS.map((tpp) => ({
        ...{ rule: 'accounts/account-was-listed', match: { tpp: tpp.id }, until: '2999-01-01' },
        reason: `until ${tpp.nick} is mended`,
      })),
      {
        ...{ rule: 'requests/accepts-json', until: '2999-01-01' },
        reason: `As agreed with ${BETA.name}`,
      },
    ],
  });
  try {
    await gateway.call('/api/faults', {
      ...{ side: 'admin', method: 'POST', headers: { Origin: gateway.urls.admin } },
      json: { id: 'slow-betapay', where: `tpp:${BETA.id}`, do: { kind: 'delay', ms: 1 } },
    });
    await useBank(gateway, ALPHA, false);
    await useBank(gateway, BETA, true);
    await useBank(gateway, GAMMA, false);
    // A token of Alpha, used by Gamma: the finding must not tell Gamma whose it is.
    const token = await gateway.token('AIS_VALID_CODE', ALPHA.nick);
    const headers = gateway.accountHeaders(token, { 'User-Agent': 'gammapay-client' });
    await gateway.call(`${V1}/accounts`, { cert: GAMMA.nick, headers });
  } finally {
    await gateway.close();
  }
}, 60_000);

/** Made once: all that may be in no report but its own. */
/** But for a millisecond in which somebody else did something, too. */
const tracesOf = (tpp: Tpp, whole: Report): string[] =>
  [
    ...[tpp.nick, tpp.name, tpp.id, tpp.number],
    ...whole.tpps
      .filter(({ id }) => id === tpp.id)
      .flatMap((one) => one.certificates.map((row) => row.fingerprint)),
    ...whole.certificates.list.filter((row) => row.tpp === tpp.id).map((row) => row.serialNumber),
    ...whole.appendix.exchanges.filter((row) => row.tpp === tpp.id).flatMap((row) => [row.id, row.at]),
  ].filter((trace) => !othersTimes(tpp, whole).includes(trace));

const othersTimes = ({ id }: Tpp, { appendix, head }: Report): string[] => [
  ...appendix.exchanges.filter((row) => row.tpp !== id).map((row) => row.at),
  ...[...head.changes.map(({ at }) => at), ...head.faults.map(({ from }) => from)],
];

describe('three TPPs in one session', () => {
  it('have a verdict each, which together are that of all', async () => {
    const { verdict, tpps, findings } = await jsonOf();
    expect(verdict.tpps.map(({ tpp, name, outcome }) => [tpp, name, outcome])).toEqual([
      [ALPHA.id, ALPHA.name, 'should-violated'],
      [BETA.id, BETA.name, 'should-violated'],
      [GAMMA.id, GAMMA.name, 'must-violated'],
    ]);
    expect(tpps.map(({ id }) => id)).toEqual(verdict.tpps.map(({ tpp }) => tpp));
    for (const { rule, judges, count, calls, outOf } of findings) {
      const each = verdict.tpps.flatMap(({ violated }) => violated.filter((one) => one.rule === rule));
      if (judges === 'aspsp') continue;
      expect(each.reduce((sum, one) => sum + one.count, 0)).toBe(count);
      expect(each.reduce((sum, one) => sum + one.calls, 0)).toBe(calls);
      expect(calls).toBeLessThanOrEqual(outOf);
    }
    const exchanges = verdict.tpps.reduce((sum, one) => sum + one.exchanges, 0);
    expect(exchanges, 'a customer is of the TPP that sent it').toBe(17);
    expect(verdict.sentence).toContain('Gamma Páy violated 1 rule of severity must');
  });

  it('are named with their verdicts in every format', async () => {
    // The table of availability holds numbers alone.
    for (const format of FORMATS) {
      const { out } = await report(['--format', format]);
      for (const { name } of TPPS) expect(out, format).toContain(name);
      expect(out, format).toContain('says nothing of a bank');
      expect(out, format).not.toMatch(/\b[Tt]he bank complied/);
    }
  });

  it.each(TPPS)('leave no trace in the report for $name', async (tpp) => {
    const whole = await jsonOf();
    const traces = TPPS.filter((one) => one !== tpp).flatMap((one) => tracesOf(one, whole));
    for (const format of [...FORMATS, 'csv']) {
      const said = await report(['--tpp', tpp.id, '--format', format]);
      // The end of the chain is told of the whole session.
      const out = said.out.replaceAll(whole.evidence.last ?? '', '');
      expect(said.err).toBe('');
      if (format !== 'csv') expect(out).toContain(tpp.id);
      expect(
        [...traces, 'PSDIT-BI-1'].filter((trace) => out.includes(trace)),
        format,
      ).toEqual([]);
    }
  });

  it('are judged as in the report on all, one by one', async () => {
    const whole = await jsonOf();
    for (const { id } of TPPS) {
      const { verdict, recipe, head } = await jsonOf(['--tpp', id]);
      const {
        tpp: _,
        name: __,
        exchanges,
        violated: ___,
        ...party
      } = whole.verdict.tpps.find((one) => one.tpp === id) ?? expect.fail(id);
      expect({ ...verdict.tpp, sentence: party.sentence }).toEqual(party);
      expect([recipe.tpp, head.recording.exchanges]).toEqual([id, exchanges]);
    }
  });

  it('keep what an operator says of one out of the reports for others', async () => {
    const { head, recipe, findings } = await jsonOf(['--tpp', ALPHA.id]);
    expect(head.waivers.map(({ reason }) => reason)).toEqual([
      'until alphapay is mended',
      'Left out here: it names another TPP.',
    ]);
    expect(recipe.judging.blockedOrganisations).toEqual([]);
    expect(head.faults).toEqual([]);
    const own = await jsonOf(['--tpp', BETA.id]);
    const again = own.findings.find(({ rule }) => rule === 'oauth/challenge-fresh');
    expect(again?.occurrences[0]?.actual, 'no time of another’s call').toBe('a value that was used before');
    expect(own.head.waivers.map(({ reason }) => reason)).toContain('As agreed with Beta Pay');
    expect(own.head.faults.map(({ fault }) => fault)).toEqual(['slow-betapay']);
    const used = findings.find(({ rule }) => rule === 'accounts/account-was-listed');
    expect(used?.occurrences[0]?.waived).toBe('until alphapay is mended');
  });

  it('have reports that verify finds to follow from the session', async () => {
    for (const { id, nick } of TPPS) {
      const file = join(folder, `${nick}.json`);
      await report(['--tpp', id, '--out', file, '--purpose', 'Yearly review', '--for', 'Supervision']);
      const { out } = await sandgate(['verify', file, '--store', store, '--json'], { clock: Date.now });
      const checks: { what: string; sound: boolean | null }[] = JSON.parse(out).checks;
      expect(checks.map(({ what, sound }) => [what, sound])).toEqual([
        ['signature', null],
        ['chain', true],
        ['checkpoints', null],
        ['contents', true],
      ]);
    }
  });

  it('have a report that follows from the session when it is judged again, and of a file of it', async () => {
    const again = join(folder, 'again.json');
    await report(['--tpp', ALPHA.id, '--profile', 'production', '--out', again]);
    const cassette = join(folder, 'all.cassette.json');
    const written = await sandgate(['sessions', 'export', 'test', '--store', store, '--out', cassette]);
    expect(written.err).toBe('');
    const ofFile = join(folder, 'of-file.json');
    await sandgate(['report', cassette, '--tpp', ALPHA.id, '--out', ofFile], { clock: Date.now });
    for (const file of [again, ofFile]) {
      const { out } = await sandgate(['verify', file, '--store', store, '--json'], { clock: Date.now });
      const contents = JSON.parse(out).checks.find(({ what }: { what: string }) => what === 'contents');
      expect(contents).toMatchObject({ sound: true, details: [] });
      const text = readFileSync(file, 'utf8');
      for (const { name, id, nick } of [BETA, GAMMA])
        expect([name, id, nick].filter((trace) => text.includes(trace))).toEqual([]);
      expect(JSON.parse(text).verdict.tpps).toMatchObject([{ tpp: ALPHA.id }]);
    }
  });

  it('are found by verify where one call is left out of the report for one', async () => {
    const file = join(folder, 'less.json');
    await report(['--tpp', GAMMA.id, '--out', file]);
    const text = readFileSync(file, 'utf8');
    const { evidence, appendix } = JSON.parse(text) as Report;
    writeFileSync(file, text.replace(`"links": ${evidence.links}`, `"links": ${evidence.links - 1}`));
    const less = await sandgate(['verify', file, '--store', store], { clock: Date.now });
    expect([less.status, less.out]).toEqual([1, expect.stringContaining('the report tells 16.')]);
    const id = appendix.exchanges.at(0)?.id ?? '';
    writeFileSync(file, text.replaceAll(id, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`));
    const other = await sandgate(['verify', file, '--store', store], { clock: Date.now });
    expect([other.status, other.out]).toEqual([1, expect.stringContaining(id)]);
  });

  it('are compared with an older report of the same TPP alone', async () => {
    const [own, all] = [join(folder, 'own-before.json'), join(folder, 'all-before.json')];
    await report(['--tpp', ALPHA.id, '--out', own]);
    await report(['--out', all]);
    const { baseline } = await jsonOf(['--tpp', ALPHA.id, '--baseline', own]);
    expect(baseline).toMatchObject({ new: [], fixed: [] });
    for (const args of [
      ['--tpp', ALPHA.id, '--baseline', all],
      ['--tpp', BETA.id, '--baseline', own],
      ['--baseline', own],
    ])
      expect(await report(args)).toMatchObject({
        status: 2,
        err: expect.stringContaining('is about other TPPs'),
      });
  });

  it('are listed where another is asked for', async () => {
    const { status, err } = await report(['--tpp', 'PSDXX-NONE-1']);
    expect([status, err]).toEqual([
      2,
      `The recording holds no exchange of the TPP PSDXX-NONE-1. It holds those of: ${TPPS.map(({ id }) => id).join(', ')}.\n`,
    ]);
  });

  it('stop a pipeline each by its own findings', async () => {
    const gate = async (id: string) =>
      (await report(['--tpp', id, '--fail-on', 'must', '--of', 'tpp'])).status;
    expect([await gate(ALPHA.id), await gate(GAMMA.id)]).toEqual([0, 1]);
  });
});
