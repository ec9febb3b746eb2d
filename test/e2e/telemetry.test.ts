/** Traces of calls at a collector of OpenTelemetry: journeys, callers, banks, and what must not be in them. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type IssueOrder, issueInto } from '../../src/app/certificates/issue.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { folderOfTest } from '../folder.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { type Collector, type SeenSpan, startCollector } from '../telemetry/collector.js';
import { openBankBehind, settingsFor } from './bank-behind.js';
import {
  DAY_MS,
  eventually,
  started,
  startTestGateway,
  type TestGateway,
  testCertificates,
} from './harness.js';
import { linked, livingTpp } from './living-tpp.js';

const IBAN = 'BE68539007547034';
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.trace}-${CALLER.span}-01`;

const calls = (spans: readonly SeenSpan[]) =>
  spans.filter(({ attributes }) => attributes['sandgate.exchange']);
const ofOperation = (spans: readonly SeenSpan[], operation: string) =>
  calls(spans).filter(({ attributes }) => attributes['sandgate.operation'] === operation);

async function told(collector: Collector, gateway: TestGateway): Promise<readonly SeenSpan[]> {
  const { length } = await gateway.records();
  return eventually(async () => {
    const spans = collector.spans();
    expect(calls(spans)).toHaveLength(length);
    return spans;
  });
}

describe('traces', () => {
  it('have each SCA journey as one, and each read behind it as one of its own that links to it', async () => {
    const collector = await startCollector();
    const gateway = await started({ bank: 'living', otlp: collector.url.href });
    const tpp = livingTpp(gateway, 'tpp');
    const consents = [];
    for (let i = 0; i < 10; i++) consents.push(await linked(tpp, 'psu-1'));
    const [first] = consents;
    await tpp.read('/accounts', first?.id ?? '', first?.tokens.access ?? '');
    await tpp.refresh(first?.tokens.refresh ?? '');
    const spans = await told(collector, gateway);

    const creations = ofOperation(spans, 'consents.create');
    expect(new Set(creations.map(({ trace }) => trace)).size).toBe(10);
    for (const { trace, id, parent } of creations) {
      expect(parent).toBe('');
      const journey = calls(spans).filter((span) => span.trace === trace);
      expect(journey.map(({ attributes }) => attributes['sandgate.operation'])).toEqual(
        expect.arrayContaining(['consents.create', 'oauth.authorize', 'oauth.token']),
      );
      for (const span of journey) if (span.id !== id) expect(span.parent).toBe(id);
    }
    const journeys = new Set(creations.map(({ trace }) => trace));
    const [read] = ofOperation(spans, 'accounts.list');
    const refreshed = ofOperation(spans, 'oauth.token').filter(({ links }) => links.length > 0);
    expect(refreshed).toHaveLength(1);
    for (const later of [read, refreshed[0]]) {
      expect(journeys.has(later?.trace ?? '')).toBe(false);
      expect(later?.links).toEqual([{ trace: creations[0]?.trace, span: creations[0]?.id }]);
    }
  });

  it('go on with that of the caller, which goes to the bank as it came', async () => {
    const collector = await startCollector();
    const behind = await openBankBehind(
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"accounts":[]}'),
      { otlp: collector.url.href },
    );
    await behind.gateway.call('/stdgroup/v1/accounts', {
      headers: { traceparent: TRACEPARENT, 'Consent-Id': 'VALID_CONSENT_ID' },
    });
    const spans = await told(collector, behind.gateway);
    const [call, rules, bank] = spans;
    expect(spans.map(({ trace }) => trace)).toEqual([CALLER.trace, CALLER.trace, CALLER.trace]);
    expect(call?.parent).toBe(CALLER.span);
    expect(call?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/stdgroup/v1/accounts',
      'url.path': '/stdgroup/v1/accounts',
      'http.response.status_code': 200,
      'sandgate.source': 'upstream',
    });
    expect([call?.kind, rules?.kind, bank?.kind]).toEqual([2, 1, 3]);
    for (const one of [rules, bank]) expect(one?.parent).toBe(call?.id);
    expect(bank?.attributes).toMatchObject({
      'server.address': 'localhost',
      'http.response.status_code': 200,
    });
    const rule = 'accounts/token-present';
    expect(rules?.events).toContainEqual(
      expect.objectContaining({
        name: 'finding',
        attributes: expect.objectContaining({ 'sandgate.rule': rule }),
      }),
    );
    expect(bank?.end).toBe(call?.end);
    expect(rules?.start).toBe(call?.start);
    const sent = behind.seen[0]?.headers ?? [];
    expect(sent[sent.findIndex((name) => name.toLowerCase() === 'traceparent') + 1]).toBe(TRACEPARENT);
    await behind.close();
  });

  it('hold no account number, token, query or name, wherever a caller puts it', async () => {
    const collector = await startCollector();
    const gateway = await started({ bank: 'living', otlp: collector.url.href });
    const tpp = livingTpp(gateway, 'tpp');
    const { id, tokens } = await linked(tpp, 'psu-1');
    await tpp.read(`/accounts/${IBAN}/transactions?dateFrom=2026-01-01&iban=${IBAN}`, id, tokens.access);
    await gateway.call(`/${IBAN}?${IBAN}`, {
      method: 'PUT',
      headers: {
        [`X-${IBAN}`]: IBAN,
        'Sandgate-Session': IBAN,
        'PSU-ID': 'Wilhelmina',
        traceparent: `00-${IBAN}`,
        tracestate: `bank=${IBAN}`,
      },
      json: { [IBAN]: IBAN },
    });
    await gateway.call('/stdgroup/v1/consents', { json: { access: { [IBAN]: [IBAN] }, psu: 'Wilhelmina' } });
    await eventually(async () => expect(calls(collector.spans()).length).toBeGreaterThanOrEqual(7));
    const bytes = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1');
    expect(bytes).toContain('sandgate.exchange');
    for (const secret of [IBAN, tokens.access, tokens.refresh, 'Wilhelmina', 'dateFrom', 'psu-1', id])
      expect(bytes, secret).not.toContain(secret);
  });

  it('go with the header fields of a file that only its owner may read', async () => {
    const collector = await startCollector();
    const file = join(folderOfTest(), 'headers');
    writeFileSync(file, '# of the collector\nAuthorization: Bearer of-the-collector\nX-Scope-OrgID: 7\n', {
      mode: 0o600,
    });
    const gateway = await started({ otlp: new URL('/below', collector.url).href, otlpHeadersFile: file });
    await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID');
    await told(collector, gateway);
    expect(collector.requests[0]).toMatchObject({
      path: '/below/v1/traces',
      headers: {
        authorization: 'Bearer of-the-collector',
        'x-scope-orgid': '7',
        'content-type': 'application/x-protobuf',
      },
    });
    expect(collector.requests[0]?.headers).not.toHaveProperty('sandgate-sent');
    const { text } = await gateway.call('/metrics', { side: 'admin' });
    expect(text).toContain('sandgate_told_total{what="traces",outcome="sent"} 1');
    writeFileSync(file, 'no field\n');
    await expect(started({ otlp: collector.url.href, otlpHeadersFile: file })).rejects.toThrow(
      `Line 1 of ${file} is no header field that can be sent: write NAME: VALUE.`,
    );
  });

  it('that nobody takes keep no call waiting, and the stop not long', async () => {
    const collector = await startCollector(() => {});
    const gateway = await startTestGateway({ otlp: collector.url.href, logLevel: 'warn' });
    const begun = performance.now();
    for (let i = 0; i < 20; i++)
      expect((await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID')).status).toBe(200);
    await gateway.close();
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(gateway.logged()).toContainEqual(
      expect.objectContaining({ msg: 'Traces of calls did not reach --otlp.', calls: 20 }),
    );
  });
});

describe('a webhook', () => {
  it('is told of findings, signed, once for each rule, and of nothing personal', async () => {
    const hook = await startCollector();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const file = join(folderOfTest(), 'secret');
    writeFileSync(file, secret, { mode: 0o600 });
    const gateway = await started({
      ...{ webhook: hook.url.href, webhookAllow: ['localhost'], webhookSecretFile: file },
    });
    for (let i = 0; i < 3; i++)
      await gateway.call(`/stdgroup/v1/accounts?iban=${IBAN}`, {
        headers: { 'Consent-Id': 'VALID_CONSENT_ID' },
      });
    const told = await eventually(async () => {
      const messages = hook.requests.map(({ body, headers }) =>
        new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>),
      ) as { readonly type: string; readonly data: Record<string, unknown> }[];
      expect(messages.map(({ data }) => data.rule)).toContain('accounts/token-present');
      return messages;
    });
    const [record] = await gateway.records();
    const missing = told.filter(({ data }) => data.rule === 'accounts/token-present');
    expect(missing.map(({ type, data }) => [type, data.exchange, data.count])).toEqual([
      ['finding.must', record?.exchange.call.id, 1],
    ]);
    expect(JSON.stringify(told)).not.toContain(IBAN);
    expect(hook.requests[0]?.headers).toHaveProperty('sandgate-sent');
  });

  it('is told of a change at the bank, and of a certificate of a TPP near its end, once in the life of the store', async () => {
    const hook = await startCollector();
    const [certs, store] = [join(folderOfTest(), 'certs'), aPath()];
    cpSync(await testCertificates(), certs, { recursive: true });
    const now = Date.now();
    const organisation = { name: 'Short', country: 'BE', nca: 'NBB', number: '0770000001' };
    const order: IssueOrder = {
      ...{ name: 'short', organisation, roles: ['PSP_AI'] },
      ...{ keyType: 'ec-p256', qcType: 'web', encoding: 'standard' },
      ...{ notBefore: now - DAY_MS, notAfter: now + 20 * DAY_MS },
    };
    await issueInto(certs, order, { p12: null, force: false }, now);
    let body: object = { consentStatus: 'valid', frequencyPerDay: 4 };
    const behind = await openBankBehind((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
    const files = createFiles();
    onTestFinished(async () => {
      await behind.close();
      files.remove();
    });
    const told = () => hook.requests.map(({ body: text }) => JSON.parse(text.toString('utf8')));
    const run = async (calls: number): Promise<string> => {
      const gateway = await startTestGateway({
        ...settingsFor(behind.url, files),
        ...{ certs, store, shadow: 'emulator', webhook: hook.url.href, webhookAllow: ['localhost'] },
        webhookOn: ['bank.drift', 'certificate.ending'],
      });
      for (let i = 0; i < calls; i++)
        await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { cert: 'short' });
      await gateway.app.notificationsDone();
      const [first] = (await all(gateway.app.store.read(gateway.app.session))).slice(-calls);
      await gateway.app.close();
      return first?.exchange.call.id ?? '';
    };
    await run(100);
    expect(told().map(({ data }) => data.what)).toEqual(['the certificate for the bank (default)']);
    body = { ...body, frequencyPerDay: '4', ownerName: 'Wilhelmina' };
    const exchange = await run(2);
    const drift = { operation: 'consents.read', exchange, count: 1 };
    const one = (type: string, data: object) => ({ type, data: expect.objectContaining(data) });
    const expected = [
      one('certificate.ending', { what: 'the certificate for the bank (default)', days: 29 }),
      one('certificate.ending', {
        ...{ what: 'a certificate of a TPP', organisation: 'PSDBE-NBB-0770000001', days: 19 },
        stops: 'All calls of PSDBE-NBB-0770000001 are refused.',
      }),
      one('bank.drift', { ...drift, what: 'type', place: 'frequencyPerDay', status: 200 }),
      one('bank.drift', { ...drift, what: 'added', place: 'ownerName', status: 200 }),
      one('bank.drift', { ...drift, what: 'type', place: 'body frequencyPerDay', beside: 'emulator' }),
      one('bank.drift', { ...drift, what: 'added', place: 'body ownerName', beside: 'emulator' }),
    ];
    const seen = () => told().map(({ type, data }) => ({ type, data }));
    expect(seen()).toEqual(expect.arrayContaining(expected));
    expect(seen()).toHaveLength(expected.length);
    await run(2);
    expect(seen()).toHaveLength(expected.length);
    expect(JSON.stringify(told())).not.toContain('Wilhelmina');
  });

  it.each([
    ['the first of several workers', 0, 1],
    ['another worker', 1, 0],
  ])('is told of a certificate in the settings by the first worker alone: %s', async (_, slot, messages) => {
    const hook = await startCollector();
    const files = createFiles();
    onTestFinished(() => files.remove());
    const gateway = await startTestGateway(
      {
        ...settingsFor(new URL('https://localhost:1'), files),
        ...{ store: aPath(), webhook: hook.url.href, webhookAllow: ['localhost'] },
        webhookOn: ['certificate.ending'],
      },
      slot,
    );
    await gateway.close();
    expect(hook.requests).toHaveLength(messages);
  });

  it('is not asked for an inner address that the settings do not allow', async () => {
    const hook = await startCollector();
    const gateway = await startTestGateway({ webhook: hook.url.href, logLevel: 'warn' });
    await gateway.call('/stdgroup/v1/accounts');
    await gateway.close();
    expect(hook.requests).toEqual([]);
    expect(gateway.logged()).toContainEqual(
      expect.objectContaining({
        msg: 'An event did not reach --webhook.',
        cause: expect.stringContaining('127.0.0.1'),
      }),
    );
  });

  it.each([
    [{ webhookAllow: 'localhost' }, '--webhook-allow is only used with --webhook URL: add it.'],
    [{ otlpHeadersFile: 'x' }, '--otlp-headers-file is only used with --otlp URL: add it.'],
    [{ webhookOn: 'finding' }, 'events are expected, of finding.must'],
  ])('is refused with settings that mean nothing: %s', async (settings, problem) => {
    await expect(started(settings)).rejects.toThrow(problem);
  });
});
