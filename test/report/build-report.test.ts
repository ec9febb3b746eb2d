/** What a report says of a recording. */
import { describe, expect, it } from 'vitest';
import { type Report, renderReport, reportSchema } from '../../src/report/index.js';
import type { LocalStore } from '../../src/store/index.js';
import { aFailedConnection, NOW, TPP } from '../builders.js';
import { CONSENT, PAYMENT } from '../rules/ledger-of.js';
import { aStore } from '../store/stores.js';
import { record, reportOf, type Sent, VALID } from './a-recording.js';

const consentHeaders = { Authorization: 'Bearer access-3', 'Consent-Id': CONSENT };

const balances = (more: Record<string, string | undefined> = {}, status = 200): Sent => ({
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: { ...consentHeaders, ...more },
  },
  answer: { status, body: status === 200 ? { balances: [] } : { tppMessages: [] } },
});

const aRecording = (sent: readonly Sent[], parts = {}): LocalStore => {
  const store = aStore({ path: ':memory:' });
  record(store, sent, parts);
  return store;
};

const openFindings = ({ findings }: Report) =>
  findings.filter(({ severity }) => severity !== 'note').map(({ rule, count }) => `${rule} ${count}`);

describe('a report', () => {
  it('keeps its schema, and says the same of the same recording to the byte', async () => {
    const store = aRecording([...VALID, balances({ 'X-Request-ID': 'no uuid' })]);
    const report = await reportOf(store);
    expect(reportSchema.parse(report)).toEqual(report);
    for (const format of ['json', 'junit', 'markdown', 'sarif', 'html'] as const)
      expect(await renderReport(report, format)).toBe(await renderReport(await reportOf(store), format));
  });

  it('tells who called, against whom, and by what was judged', async () => {
    const { head, tpps, against, certificates } = await reportOf(aRecording(VALID));
    expect(head.recording).toMatchObject({ kind: 'store', name: 'june', exchanges: VALID.length });
    expect(head.recording.from).toBe(new Date(NOW + 2_000).toISOString());
    expect(head.profile).toEqual({ judged: 'sandbox', recorded: ['sandbox'], rejudged: false });
    expect(head.catalogue.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(tpps.map(({ id, roles }) => ({ id, roles }))).toEqual([
      { id: TPP, roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'] },
    ]);
    expect(against.map(({ source, exchanges }) => [source, exchanges])).toEqual([['upstream', VALID.length]]);
    const [certificate] = certificates.list;
    expect(certificate?.rolesUsed).toEqual(['PSP_AI', 'PSP_IC', 'PSP_PI']);
    expect(certificate?.rolesMissing).toEqual([]);
    expect(certificate?.daysLeft).toBe(299);
  });

  it('counts each exchange once among those who called and among those who answered', async () => {
    const callback: Sent = {
      call: { listener: 'callback', method: 'POST', target: '/tpp/notify', body: { 'payment-ID': PAYMENT } },
      answer: { status: 204 },
      with: { elapsed: { total: 9_000, answerer: 9_000 } },
    };
    const { tpps, otherCallers, against, traffic } = await reportOf(aRecording([...VALID, callback]));
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
    expect(otherCallers.gateway).toBe(1);
    expect(sum([...tpps.map(({ exchanges }) => exchanges), ...Object.values(otherCallers)])).toBe(
      VALID.length + 1,
    );
    expect(against.find(({ source }) => source === 'tpp')).toMatchObject({ exchanges: 1, banks: [] });
    expect(sum(against.map(({ exchanges }) => exchanges))).toBe(VALID.length + 1);
    expect(traffic.latency.bank.max).toBe(10);
  });

  it('counts findings that it does not list, and says so', async () => {
    const store = aRecording(Array.from({ length: 40 }, () => balances({ Authorization: undefined })));
    const report = await reportOf(store, { caps: { occurrences: 3, appendix: 10 } });
    const group = report.findings.find(({ rule }) => rule === 'accounts/token-present');
    expect(group).toMatchObject({ count: 40, omitted: 37 });
    expect(group?.occurrences).toHaveLength(3);
    expect(report.appendix.exchanges).toHaveLength(10);
    expect(report.appendix.omitted).toBe(30);
    expect(report.head.notes.join(' ')).toMatch(
      /counted but not listed.*first 10 exchanges are listed; 30 more/,
    );
    const listed = report.findings.flatMap(({ occurrences }) => occurrences.map(({ exchange }) => exchange));
    expect(Object.keys(report.exchanges).sort()).toEqual([...new Set(listed)].sort());
  });

  it('draws consent and payment as lanes from creation to the end', async () => {
    const { lanes } = (await reportOf(aRecording([...VALID, balances()]))).journeys;
    expect(lanes.map(({ kind, resource }) => [kind, resource])).toEqual([
      ['consent', CONSENT],
      ['payment', PAYMENT],
      // The last call simulates a notification of this one.
      ['payment', 'PAYMENT_ID_RCVD_SCT'],
    ]);
    const [consent, payment] = lanes;
    expect(consent?.reached).toEqual(['created', 'authorised', 'token', 'access', 'status']);
    expect(consent).toMatchObject({
      authorisation: 'implicit',
      link: 'discovery',
      lastStatus: 'valid',
      tpp: TPP,
    });
    expect(consent?.steps.map(({ stage }) => stage)).toEqual([
      ...['created', 'authorised', 'authorised', 'token', 'token', 'token', 'status', 'access'],
    ]);
    expect(payment?.reached).toContain('revoked');
    expect(payment?.lastStatus).toBe('CANC');
  });

  it('begins a lane again where the sandbox gives the same id again', async () => {
    const { lanes } = (await reportOf(aRecording([...VALID, ...VALID]))).journeys;
    const created = lanes.filter(({ reached }) => reached.includes('created'));
    expect(created.map(({ kind }) => kind)).toEqual(['consent', 'payment', 'consent', 'payment']);
  });

  it('keeps long lanes short, yet no step with a finding is left out', async () => {
    const store = aRecording([
      ...VALID,
      ...Array.from({ length: 30 }, () => balances({ 'PSU-IP-Address': '192.0.2.1' })),
      balances({ 'X-Request-ID': 'x' }),
    ]);
    const [journey] = (await reportOf(store, { caps: { steps: 12 } })).journeys.lanes;
    expect(journey?.steps.length).toBeLessThanOrEqual(12);
    expect(journey?.omitted).toBeGreaterThan(20);
    expect(journey?.steps.at(-1)?.findings.map(({ rule }) => rule)).toContain('requests/request-id-is-uuid');
  });

  it('counts accesses of a day against what is allowed', async () => {
    const store = aRecording([
      ...VALID,
      ...Array.from({ length: 4 }, () => balances()),
      balances({}, 429),
      balances({ 'PSU-IP-Address': '192.0.2.1' }),
      { ...balances(), after: 86_400_000 },
    ]);
    const { rows } = (await reportOf(store)).dailyLimit;
    const figures = rows.map(({ day, allowed, unattended, attended, refused, over }) => ({
      ...{ day, allowed, unattended, attended, refused, over },
    }));
    expect(figures).toEqual([
      { day: '2026-06-15', allowed: 4, unattended: 4, attended: 1, refused: 1, over: 0 },
      { day: '2026-06-16', allowed: 4, unattended: 1, attended: 0, refused: 0, over: 0 },
    ]);
  });

  it('does not call created what got no success for an answer', async () => {
    const create = VALID.find(({ call }) => call?.operation === 'consents.create');
    if (create === undefined) throw new Error('no creation is recorded');
    const failed = { ...create, answer: { status: 400, body: { tppMessages: [] } } };
    const { lanes } = (await reportOf(aRecording([failed, create]))).journeys;
    expect(lanes.flatMap(({ steps }) => steps.map(({ ok, label }) => [ok, label]))).toEqual([
      [false, 'Creation failed'],
      [true, 'Consent created'],
    ]);
  });

  it.each<readonly [name: string, statuses: readonly number[], meaning: string]>([
    [
      'the calls themselves',
      [400, 413],
      'The gateway itself: it did not take these calls, which were broken HTTP, or beyond its limits',
    ],
    ['the bank', [502, 504], 'The gateway itself, because the bank could not be reached'],
    [
      'both',
      [413, 502, 502],
      'The gateway itself: 2 because the bank could not be reached; 1 for calls that it did not take, which were broken HTTP, or beyond its limits',
    ],
  ])('says why the gateway itself answered, because of %s', async (_name, statuses, meaning) => {
    const sent = statuses.map(
      (status): Sent => ({
        call: { operation: 'accounts.list' },
        answer: { status, source: 'gateway' },
        with: { fault: { kind: status === 504 ? 'timeout' : 'malformed', message: 'It was so.' } },
      }),
    );
    const { against } = await reportOf(aRecording([...VALID, ...sent]));
    expect(against.find(({ source }) => source === 'gateway')).toMatchObject({ meaning });
  });

  it('counts pages of the bank apart from calls that name no operation', async () => {
    const page: Sent = {
      call: { listener: 'psu', method: 'POST', target: '/stdgroup/authorization/authorize/1' },
      answer: { status: 200 },
    };
    const wrong: Sent = { call: { target: '/nothing' }, answer: { status: 404 } };
    const { coverage } = await reportOf(aRecording([...VALID, page, page, wrong]));
    expect(coverage).toMatchObject({ unknownCalls: 1, pages: 2 });
  });

  it('counts a connection that failed for no call, neither a slow nor a quick one', async () => {
    const store = aRecording(VALID);
    const before = await reportOf(store);
    const exchange = aFailedConnection({ session: 'june', id: '0000000001Z', at: NOW + 86_400_000 });
    store.append({ records: [{ exchange, verdicts: {}, findings: [] }], changes: [] });
    const { coverage, traffic } = await reportOf(store);
    expect(coverage.unknownCalls).toBe(0);
    expect(traffic).toMatchObject({
      exchanges: before.traffic.exchanges + 1,
      operations: before.traffic.operations,
      latency: before.traffic.latency,
      faults: [{ kind: 'handshake', count: 1 }],
    });
  });

  it('puts rules that were never exercised before those that passed', async () => {
    const { rules, operations, scenarios } = (await reportOf(aRecording(VALID))).coverage;
    const outcomes = rules.map(({ outcome }) => outcome);
    expect(outcomes.lastIndexOf('never-exercised')).toBeLessThan(outcomes.indexOf('complied'));
    expect(rules.find(({ rule }) => rule === 'accounts/token-present')?.outcome).toBe('never-exercised');
    expect(operations.find(({ operation }) => operation === 'oauth.token')?.calls).toBe(3);
    expect(scenarios.every(({ count }) => count === 0)).toBe(true);
  });

  it('judges again under another profile, with what is known of earlier sessions', async () => {
    const store = aRecording(VALID, { session: 'monday' });
    record(store, [balances({ 'PSU-IP-Address': '192.0.2.1' }), balances({ 'X-Request-ID': undefined })], {
      start: NOW + 3_600_000,
    });
    const sandbox = await reportOf(store);
    expect(sandbox.head.profile.rejudged).toBe(false);
    const production = await reportOf(store, { flags: { profile: 'production' } });
    expect(production.head.profile).toEqual({ judged: 'production', recorded: ['sandbox'], rejudged: true });
    expect(production.recipe.earlier.sessions).toEqual(['monday']);
    const severityOf = (report: Report) =>
      report.findings.find(({ rule }) => rule === 'requests/request-id-present')?.severity;
    expect([severityOf(sandbox), severityOf(production)]).toEqual(['should', 'must']);
    // The consent was created on Monday.
    expect(openFindings(production).join()).not.toMatch(/consent-known|token-known/);
  });

  it('shows overrides and waivers, and lets waived findings pass', async () => {
    const waivers = [{ rule: 'requests/request-id-present', reason: 'Ticket 4711', until: '2026-12-31' }];
    const overrides = { 'accounts/booking-status': 'note' } as const;
    const report = await reportOf(
      aRecording([...VALID, balances({ 'X-Request-ID': undefined })], { waivers, overrides }),
    );
    expect(report.head.waivers).toMatchObject([{ reason: 'Ticket 4711', used: 1 }]);
    expect(report.head.overrides).toEqual([
      { rule: 'accounts/booking-status', severity: 'note', standard: 'must' },
    ]);
    expect(report.verdict.tpp).toMatchObject({
      outcome: 'complied',
      findings: { must: 0, should: 0, waived: 1 },
    });
    const rule = report.coverage.rules.find((one) => one.rule === 'requests/request-id-present');
    expect(rule?.outcome).toBe('waived');
  });

  it('tells what is new, still open and fixed since an older report', async () => {
    const older = await reportOf(
      aRecording([...VALID, balances({ Authorization: undefined }), balances({ 'X-Request-ID': 'x' })]),
    );
    const store = aRecording([
      ...VALID,
      balances({ 'X-Request-ID': 'x' }),
      balances({ 'PSU-IP-Address': 'nowhere' }),
    ]);
    const { baseline } = await reportOf(store, { baseline: { name: 'old.json', report: older } });
    const severe = (list: { rule: string; severity: string }[] = []) =>
      list.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule);
    expect(severe(baseline?.new)).toContain('requests/psu-ip-address-valid');
    expect(severe(baseline?.open)).toContain('requests/request-id-is-uuid');
    expect(severe(baseline?.fixed)).toContain('accounts/token-present');
    const nothing = (await reportOf(aRecording([]), { baseline: { name: 'old.json', report: older } }))
      .baseline;
    expect(nothing?.fixed).toEqual([]);
    expect(severe(nothing?.unknown)).toContain('accounts/token-present');
  });

  it('tells what the bank did otherwise, and what a client may rely on', async () => {
    const wrong: Sent = {
      call: { operation: 'consents.status', params: { consentId: CONSENT } },
      answer: { body: { consentStatus: 'active' } },
    };
    const { bankDeviations, verdict } = await reportOf(aRecording([...VALID.slice(0, 1), wrong]));
    const deviation = bankDeviations.find(({ rule }) => rule === 'answers/consent-status-known');
    expect(deviation).toMatchObject({ operations: ['consents.status'], sources: ['upstream'] });
    expect(deviation?.seen.join()).toContain('active');
    expect(deviation?.rely).toContain('not usable');
    expect(verdict.aspsp.outcome).not.toBe('complied');
  });

  it('says of each reading what was observed', async () => {
    const { readings } = await reportOf(aRecording([...VALID, balances({}, 429)]));
    const observed = (id: string) => readings.find((one) => one.id === id)?.observed;
    expect(observed('delete-answer')).toEqual([]);
    expect(observed('cancel-answer')).toEqual([{ value: '204 without body', count: 1 }]);
    expect(observed('daily-limit-status')?.[0]?.value).toBe('429 without code, without Retry-After');
    expect(observed('access-token-lifetime')).toEqual([{ value: 'AIS: 3600 seconds', count: 3 }]);
    expect(observed('refresh-rotation')).toEqual([{ value: 'a new refresh token', count: 2 }]);
  });

  it('parts latency into the gateway’s share and the bank’s', async () => {
    const { latency, operations, overTime } = (await reportOf(aRecording(VALID))).traffic;
    expect(latency.bank).toMatchObject({ count: VALID.length, max: 10 });
    expect(latency.gateway.max).toBe(2.5);
    expect(Math.abs((latency.total.p50 ?? 0) - 12.5)).toBeLessThan(0.13);
    expect(operations.reduce((sum, { calls }) => sum + calls, 0)).toBe(VALID.length);
    expect(overTime.spans.reduce((sum, { calls }) => sum + calls, 0)).toBe(VALID.length);
  });

  it('cites exchanges without a secret, and gives a line that asks again', async () => {
    const report = await reportOf(aRecording([...VALID, balances({ 'X-Request-ID': 'x' })]));
    const [cited] = Object.values(report.exchanges).slice(-1);
    expect(cited?.request.startLine).toBe('GET /stdgroup/v1/accounts/ACCOUNT_ID/balances HTTP/1.1');
    expect(cited?.curl).toContain(`-H 'Authorization: Bearer '"$ACCESS_TOKEN"''`);
    expect(cited?.curl).toContain(`'https://localhost:8443/stdgroup/v1/accounts/ACCOUNT_ID/balances'`);
    expect(JSON.stringify(report)).not.toContain('access-3');
  });

  it('is whole of an empty session too', async () => {
    const report = await reportOf(aRecording([]));
    expect(report.verdict.tpp.outcome).toBe('not-applicable');
    expect(report.evidence).toMatchObject({ head: null, links: 0, sentence: 'Nothing was recorded.' });
    expect(reportSchema.parse(report)).toEqual(report);
  });
});
