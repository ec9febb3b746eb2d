/** Own rules in a gateway that runs: what they refuse, what is noted of them, and what nobody can make them do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { startGateway } from '../../src/testing/index.js';
import '../../src/testing/vitest.js';
import { anExchange } from '../builders.js';
import { sandgate } from '../cli/run-command.js';
import { folderOfTest } from '../folder.js';
import { SHARED_CERTIFICATES } from '../shared-certificates.js';
import { eventually, testCertificates } from './harness.js';

const HOUSE = 'examples/own-rules/house.ts';
const HANGING = 'test/fixtures/own-rules/hanging.mjs';

async function open(settings: Record<string, unknown>) {
  const gateway = await startGateway({ settings });
  onTestFinished(gateway.close);
  const tpp = gateway.tpp();
  const admin = (path: string, body?: object) =>
    fetch(`${gateway.urls.admin}${path}`, {
      method: body === undefined ? 'GET' : path === '/api/settings' ? 'PUT' : 'POST',
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const consent = (days: number) =>
    tpp.call('POST /consents', {
      headers: { 'TPP-Redirect-URI': 'https://tpp.example/back', 'PSU-IP-Address': '192.0.2.1' },
      json: {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: new Date(gateway.clock.now() + days * 86_400_000).toISOString().slice(0, 10),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
    });
  const readAccounts = (deed = 'nothing') =>
    tpp.call('GET /accounts', {
      headers: { 'X-Do': deed, 'Consent-Id': 'VALID_CONSENT_ID', 'PSU-IP-Address': '192.0.2.1' },
    });
  return { gateway, admin, consent, readAccounts };
}

describe.each([
  ['in the gateway', false],
  ['in a thread', true],
])('the example project, %s', (_, customRulesWorker) => {
  it('refuses what its must forbids, lets the rest pass, and is in the session', async () => {
    const { gateway, consent } = await open({ ownRules: HOUSE, customRulesWorker });
    expect((await consent(90)).status).toBe(201);
    const refused = await consent(200);
    expect(refused.status).toBe(400);
    expect(refused.json.tppMessages[0]).toMatchObject({ code: 'FORMAT_ERROR', path: 'body validUntil' });
    const session = gateway.session();
    expect(session.exchanges.map(({ verdicts }) => verdicts['x-acme/consent-is-short'])).toEqual([
      'complied',
      'violated',
    ]);
    expect(session).toHaveFinding('x-acme/consent-is-short');
    expect(session).not.toHaveFinding('x-acme/bank-names-owner');
  });
});

describe('operators', () => {
  it('see own rules, waive them, and cannot load any', async () => {
    const { gateway, admin, consent } = await open({ ownRules: HOUSE });
    const rules = (await (await admin('/api/rules')).json()) as { id: string; file: string | null }[];
    expect(rules.filter(({ file }) => file !== null).map(({ id }) => id)).toEqual([
      'x-acme/consent-is-short',
      'x-acme/calls-are-traced',
      'x-acme/bank-names-owner',
    ]);
    for (const body of [{ ownRules: HANGING }, { ownRules: [HANGING] }, { customRulesWorker: false }])
      expect((await admin('/api/settings', body)).status).toBe(400);
    const waiver = { rule: 'x-acme/consent-is-short', reason: 'agreed', until: '2099-12-31' };
    expect((await admin('/api/waivers', waiver)).status).toBe(200);
    expect((await consent(200)).status).toBe(201);
    expect(gateway.session().findings).toContainEqual(
      expect.objectContaining({ rule: 'x-acme/consent-is-short', waived: 'agreed' }),
    );
  });
});

describe('a thread', () => {
  it('that hangs holds up its own call alone, which is not refused', async () => {
    const { gateway, readAccounts, consent } = await open({ ownRules: HANGING, customRulesWorker: true });
    await readAccounts();
    const begun = performance.now();
    let ended = 0;
    const hanging = readAccounts('loop').then(({ status }) => {
      ended = performance.now();
      return status;
    });
    expect((await consent(90)).status).toBe(201);
    const other = performance.now();
    const status = await hanging;
    expect(other).toBeLessThan(ended);
    expect(ended - begun).toBeGreaterThan(900);
    expect((await readAccounts()).status).toBe(status);
    const [found] = gateway.session().findings.filter(({ rule }) => rule === 'x-test/call');
    expect(found).toMatchObject({
      ...{ severity: 'note', place: 'rule' },
      actual: 'rule broken: it gave no verdict within 1000 ms',
    });
  });

  it('that ends itself is started again', async () => {
    const { gateway, readAccounts } = await open({ ownRules: HANGING, customRulesWorker: true });
    await readAccounts('exit');
    // No call waits for a thread that is still starting.
    await eventually(async () => {
      await readAccounts('violate');
      const found = gateway.session().findings.filter(({ rule }) => rule === 'x-test/call');
      expect(found.map(({ place, actual }) => [place, actual])).toEqual([
        ['rule', 'rule broken: it ended the thread that it ran in'],
        ['header X-Do', 'violate'],
      ]);
    });
  });
});

describe('answers of the bank, looked at from a thread', () => {
  it.each([
    ['sandbox', 'complied'],
    // Such an answer is kept in the turn in which it was made.
    ['living', 'not-observed'],
  ] as const)('of the %s bank that created a consent: %s', async (bank, verdict) => {
    const { gateway, consent } = await open({ ownRules: HANGING, customRulesWorker: true, bank });
    const { json } = await consent(90);
    await gateway.tpp().call(`GET /consents/${json.consentId}/status`);
    const verdicts = gateway.session().exchanges.map((one) => one.verdicts['x-test/answer']);
    expect(verdicts).toEqual([verdict, 'complied']);
  });
});

describe('a recording', () => {
  async function recorded() {
    const store = join(folderOfTest(), 'store.db');
    const { gateway, consent } = await open({ store, ownRules: HOUSE });
    await consent(200);
    await gateway.close();
    await testCertificates();
    const report = (...args: string[]) =>
      sandgate(['report', 'test', '--store', store, '--certs', SHARED_CERTIFICATES, ...args]);
    return { store, report };
  }
  const digest = /examples\/own-rules\/house\.ts \(SHA-256 [0-9a-f]{64}\)/;

  it('names the files of own rules with their digests in every format, apart from the catalogue', async () => {
    const { report } = await recorded();
    for (const format of ['markdown', 'junit', 'sarif', 'html']) {
      const { out } = await report('--format', format, '--own-rules', HOUSE);
      expect(out, format).toMatch(digest);
      expect(out, format).toContain('A recurring consent ends within 180 days');
    }
    expect((await report('--format', 'markdown', '--own-rules', HOUSE)).out).toContain(
      '### Findings of own rules\n\n- **must** `x-acme/consent-is-short`',
    );
    const json = JSON.parse((await report('--json', '--own-rules', HOUSE)).out);
    expect(json.head.ownRules).toEqual([
      {
        file: HOUSE,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        rules: ['x-acme/consent-is-short', 'x-acme/calls-are-traced', 'x-acme/bank-names-owner'],
      },
    ]);
    expect(json.head.profile.rejudged).toBe(false);
    expect(json.verdict.tpp.rules.mustViolated).toBe(1);
  });

  it('never leads to a file that is run: without the setting, verdicts stay and texts are missing', async () => {
    const { report } = await recorded();
    const { out } = await report('--json');
    const { head, findings } = JSON.parse(out);
    expect(head.ownRules).toEqual([{ file: HOUSE, digest: expect.any(String), rules: [] }]);
    expect(head.notes.join()).toMatch(/Own rules that are not at hand: examples\/own-rules\/house\.ts/);
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ rule: 'x-acme/consent-is-short', severity: 'must', count: 1 },
        statement: 'The file of this own rule is not at hand',
      }),
    );
    const again = JSON.parse((await report('--json', '--profile', 'production')).out);
    expect(again.findings.filter(({ rule }: { rule: string }) => rule.startsWith('x-'))).toEqual([]);
    expect(again.head.notes.join()).toContain('They were not judged again');
  });

  it('gives a report that follows from it where the file is at hand, and only there', async () => {
    const { report, store } = await recorded();
    const file = join(folderOfTest(), 'report.json');
    await report('--format', 'json', '--out', file, '--own-rules', HOUSE);
    const verify = (...args: string[]) =>
      sandgate(['verify', file, '--certs', SHARED_CERTIFICATES, '--store', store, ...args]);
    expect((await verify('--own-rules', HOUSE)).out).toMatch(/contents +sound/);
    expect((await verify()).status).toBe(1);
  });

  it('is judged again by another file, and says which', async () => {
    const { report } = await recorded();
    const { head } = JSON.parse((await report('--json', '--own-rules', HANGING)).out);
    expect(head).toMatchObject({ profile: { rejudged: true }, ownRules: [{ file: HANGING }] });
  });
});

describe('check', () => {
  it('judges a file by own rules and lists their findings apart', async () => {
    const exchange = anExchange({
      call: {
        ...{ operation: 'consents.create', headers: { 'PSU-IP-Address': '192.0.2.1' } },
        body: { recurringIndicator: true, validUntil: '2027-06-15' },
      },
      answer: { status: 201, body: {} },
    });
    const file = join(folderOfTest(), 'traffic.json');
    writeFileSync(
      file,
      [...buildCassette([{ exchange }], { session: 'own', dialect: dialectOf() })].join(''),
    );
    const { out, status } = await sandgate(['check', file, '--own-rules', HOUSE]);
    expect(out).toMatch(/Own rules: examples\/own-rules\/house\.ts \(SHA-256 [0-9a-f]{64}\)\./);
    expect(out).toMatch(/Findings of own rules:\n\nMUST {2}x-acme\/consent-is-short/);
    expect(out).toContain('Source: ACME privacy guideline 4.2');
    expect(status).toBe(1);
  });
});
