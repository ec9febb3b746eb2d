/** The same traffic judged live, from the store, from a HAR and from a cassette. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineJudge, judgeRecording, loadConfig } from '../../../src/app/index.js';
import { createFingerprint, type FileRecord, through } from '../../../src/exchange/index.js';
import { buildCassette, readRecording } from '../../../src/exchange/recording/index.js';
import type { Verdicts } from '../../../src/rules/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import type { RecordedExchange } from '../../../src/store/index.js';
import { CHALLENGE, startTestGateway, type TestGateway } from '../../e2e/harness.js';
import { sendRaw } from '../../e2e/raw.js';
import { buildHar } from '../../exchange/har/build-har.js';

const V1 = '/stdgroup/v1';
const REDIRECT = 'https://tpp.example/back';
const TODAY = '2026-06-15';
let gateway: TestGateway;
let live: readonly RecordedExchange[];

beforeAll(async () => {
  gateway = await startTestGateway({ stance: 'observe' });
  await walk(gateway);
  live = await gateway.records();
});
afterAll(() => gateway.close());

/** A journey with faults of many kinds on its way. */
async function walk({ call, token, accountHeaders }: TestGateway): Promise<void> {
  const headers = { 'TPP-Redirect-URI': REDIRECT, 'PSU-IP-Address': '192.0.2.1' };
  const consent = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '2000-01-01',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  await call(`${V1}/consents`, { headers, json: consent });
  await call(`${V1}/consents`, { headers: { ...headers, 'X-Request-ID': 'no uuid' }, json: { access: {} } });
  const validUntil = new Date(gateway.now() + 80 * 86_400_000).toISOString().slice(0, 10);
  const created = await call(`${V1}/consents`, { headers, json: { ...consent, validUntil } });
  const discovery = await call(created.json._links.scaOAuth.href);
  const query = new URLSearchParams({
    scope: 'AIS:VALID_CONSENT_ID',
    client_id: 'VALID_CLIENT_ID',
    state: 'test',
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    response_type: 'code',
    scenario: 'SCA_OK',
  });
  await call(`${discovery.json.authorization_endpoint}?${query}`, { side: 'psu' });
  const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
  await call(`${V1}/token`, { form: { ...form, code_verifier: 'x'.repeat(43) } });
  const bearer = await token();
  for (let i = 0; i < 5; i++) {
    await call(`${V1}/accounts`, { headers: accountHeaders(bearer, { 'PSU-IP-Address': undefined }) });
  }
  await call(`${V1}/accounts/ACCOUNT_ID/balances`, { headers: accountHeaders(bearer) });
  await call(`${V1}/accounts`, { headers: accountHeaders('nobody-gave-this-token'), cert: 'tpp-pi' });
  await call(`${V1}/accounts`, { cert: null });
  await call(`${V1}/acounts`);
  await sendRaw(gateway, 'this is no HTTP\r\n\r\n');
}

function judgeAgain(records: Iterable<FileRecord>, origins: Iterable<string> = Object.values(gateway.urls)) {
  const { config } = loadConfig({ env: {} });
  const { fingerprint } = gateway.app;
  const parts = { fingerprint, today: TODAY, dialect: dialectOf(), origins, foreign: false };
  return [...through(records, judgeRecording({ judge: createOfflineJudge(config, parts), fingerprint }))];
}

const verdictsOf = (records: readonly RecordedExchange[]) => records.map(({ verdicts }) => verdicts);
const findingsOf = (records: readonly RecordedExchange[]) =>
  records.map(({ findings }) => findings.map(({ rule, place }) => `${rule} ${place}`).sort());
const without = (records: readonly RecordedExchange[]): FileRecord[] =>
  records.map(({ exchange }) => ({ exchange }));

const meta = { version: '0', session: 'test', dialect: dialectOf() };
const har = (records: readonly FileRecord[]) =>
  readRecording(buildHar(records, { ...meta, origins: [gateway.urls.api, gateway.urls.psu] }));
const cassette = (records: readonly FileRecord[], verdicts: boolean) => {
  const { api, psu } = gateway.urls;
  return readRecording(buildCassette(records, { ...meta, verdicts, origins: { api, psu } }));
};

/** Rules that could not be judged for want of a clear value; all others must agree. */
function rulesThatDiffer(found: readonly Verdicts[], wanted: readonly Verdicts[]): string[] {
  const differing = wanted.flatMap((verdicts, i) => {
    const rules = new Set([...Object.keys(verdicts), ...Object.keys(found[i] ?? {})]);
    return [...rules].filter((rule) => found[i]?.[rule] !== verdicts[rule]);
  });
  return [...new Set(differing)].sort();
}

describe('a recording', () => {
  it('was judged live with findings of many kinds', () => {
    const found = new Set(
      findingsOf(live)
        .flat()
        .map((text) => text.split(' ')[0]),
    );
    for (const rule of [
      'consents/valid-until-not-past',
      'requests/request-id-is-uuid',
      'oauth/verifier-matches-challenge',
      'accounts/within-daily-limit',
      'accounts/token-known',
      'certificate/presented',
      'certificate/role-covers-operation',
      'requests/known-path',
    ])
      expect([...found]).toContain(rule);
  });

  it.each([
    ['the store', () => live],
    ['a HAR', () => har(live).records],
    ['a cassette with its verdicts', () => cassette(live, true).records],
  ])('has the same verdicts and findings when it is judged from %s', (_, records) => {
    const again = judgeAgain(records());
    expect(verdictsOf(again)).toEqual(verdictsOf(live));
    expect(findingsOf(again)).toEqual(findingsOf(live));
  });

  it.each([
    ['the store', () => without(live)],
    ['a HAR', () => without(har(live).records as RecordedExchange[])],
    ['a cassette', () => without(cassette(live, false).records as RecordedExchange[])],
  ])('without its stored verdicts differs only where a clear secret is needed: %s', (_, records) => {
    const again = verdictsOf(judgeAgain(records()));
    expect(rulesThatDiffer(again, verdictsOf(live))).toEqual([
      'oauth/verifier-matches-challenge',
      'oauth/verifier-well-formed',
      'requests/ids-of-their-kind',
    ]);
    for (const [i, verdicts] of again.entries()) {
      for (const [rule, verdict] of Object.entries(verdicts)) {
        if (verdict !== live[i]?.verdicts[rule]) expect([rule, verdict]).toEqual([rule, 'not-observed']);
      }
    }
  });

  it('of a cassette knows from its findings what it cannot judge any more', () => {
    const again = judgeAgain(cassette(live, false).records);
    expect(findingsOf(again)).toEqual(findingsOf(live));
  });

  it('without certificates has nothing to say of them, and still follows the flow', () => {
    const records = har(live).records.map(({ exchange: { call, ...rest } }) => ({
      exchange: {
        ...rest,
        call: call.with({
          certificate: 'not-observed',
          tpp: null,
          connection: { ...call.connection, tls: 'not-observed' },
        }),
      },
    }));
    const again = judgeAgain(records);
    const certificateVerdicts = again.flatMap(({ verdicts }) =>
      Object.entries(verdicts).filter(([rule]) => rule.startsWith('certificate/')),
    );
    expect(new Set(certificateVerdicts.map(([, verdict]) => verdict))).toEqual(new Set(['not-observed']));
    expect(findingsOf(again).flat()).toContainEqual(expect.stringContaining('accounts/within-daily-limit'));
  });

  it('of another tool is judged also where a call has no method', () => {
    const entry = {
      startedDateTime: TODAY,
      request: { method: '', url: `${gateway.urls.api}${V1}/accounts`, headers: [] },
      response: { status: 200, headers: [], content: {} },
    };
    const { records } = readRecording(JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
    expect(findingsOf(judgeAgain(records)).flat()).not.toEqual([]);
  });

  it('takes the severities that count now', () => {
    const { config } = loadConfig({ env: {}, flags: { rules: 'oauth/verifier-matches-challenge=note' } });
    const fingerprint = createFingerprint(new Uint8Array(32));
    const parts = { fingerprint, today: TODAY, dialect: dialectOf(), origins: [], foreign: false };
    const judge = createOfflineJudge(config, parts);
    const findings = [
      ...through(live, judgeRecording({ judge, fingerprint, overrides: config.rules ?? {} })),
    ].flatMap((record) => record.findings);
    const severities = findings
      .filter(({ rule }) => rule === 'oauth/verifier-matches-challenge')
      .map(({ severity }) => severity);
    expect(severities).toEqual(['note']);
  });
});
