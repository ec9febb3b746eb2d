/** The gateway's own certificate is not lent to strangers: who may have a call sent to the bank, and who may not. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { sandgate, startCommand } from '../cli/run-command.js';
import { aPath } from '../store/stores.js';
import { type BankBehind, bytesOf, openBankBehind } from './bank-behind.js';
import { startTestGateway, testCertificates } from './harness.js';
import { openTls, statusOf, untilClosed } from './raw.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const DAY = 86_400_000;

const open: BankBehind[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function behind(settings: Record<string, unknown> = {}): Promise<BankBehind> {
  const made = await openBankBehind(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"of":"the bank"}'),
    settings,
  );
  open.push(made);
  return made;
}

const STRANGERS = [
  ['without certificate', null, 'CERTIFICATE_MISSING', 'certificate/presented'],
  ['with one of another CA', 'bad-untrusted', 'CERTIFICATE_INVALID', 'certificate/issued-by-trusted-ca'],
  ['with an expired one', 'bad-expired', 'CERTIFICATE_EXPIRED', 'certificate/within-validity'],
  ['with a revoked one', 'bad-revoked', 'CERTIFICATE_REVOKED', 'certificate/not-revoked'],
] as const;

describe('a caller who has not shown who it is', () => {
  it.each(STRANGERS)('does not learn from Sandgate-Findings whose consent one is: %s', async (_, cert) => {
    const replay = { source: 'replay', replay: 'test/fixtures/har/charles.har' };
    for (const settings of [{ stance: 'enforce' }, { stance: 'observe' }, { stance: 'observe', ...replay }]) {
      const gateway = await startTestGateway(settings);
      onTestFinished(gateway.close);
      const findings = async (options: object) =>
        (await gateway.call('/stdgroup/v1/consents/NOBODY', { cert, ...options })).headers[
          'sandgate-findings'
        ];
      expect(await findings({})).toMatch(/^certificate\/[a-z-]+$/);
      const lzma = { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'lzma' } };
      expect(await findings(lzma)).not.toContain('consents/');
      const [first] = await gateway.records();
      if (cert !== null) expect(first?.verdicts['consents/known-to-tpp']).toBe('violated');
    }
  });
});

/** The head of a creation, whose body never comes. */
const HEAD = [
  'POST /stdgroup/v1/consents HTTP/1.1',
  'Host: localhost',
  'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'PSU-IP-Address: 192.0.2.1',
  'Content-Type: application/json',
].join('\r\n');

describe('the body of a caller who has not shown who it is', () => {
  const unread = STRANGERS.filter(([, cert]) => cert !== 'bad-expired');

  it.each(unread)('is not read before the refusal: %s', async (_, cert, code, rule) => {
    const bank = await behind();
    const own =
      cert === null
        ? { cert: undefined, key: undefined }
        : { cert: bank.gateway.file(`${cert}.pem`), key: bank.gateway.file(`${cert}.key`) };
    const gateways = [bank.gateway];
    for (const stance of ['enforce', 'observe']) {
      const made = await startTestGateway({ stance });
      onTestFinished(made.close);
      gateways.push(made);
    }
    const sources = [];
    for (const gateway of gateways) {
      for (const length of ['Content-Length: 500000', 'Transfer-Encoding: chunked']) {
        const socket = await openTls(gateway, own as object);
        const answer = untilClosed(socket);
        socket.write(`${HEAD}\r\n${length}\r\nExpect: 100-continue\r\n\r\n`);
        const text = await answer;
        expect([statusOf(text), text]).toEqual([401, expect.stringContaining(`"${code}"`)]);
        expect(text).toMatch(/^Connection: close\r$/m);
        expect(text).not.toContain('100 Continue');
      }
      const [first, second] = await gateway.records();
      const { call, answer } = first?.exchange ?? {};
      sources.push(answer?.source);
      expect([first?.verdicts[rule], second?.verdicts[rule]]).toEqual(['violated', 'violated']);
      expect(call?.request.body).toEqual({ text: '', size: 500_000, truncated: true });
      expect(second?.exchange.call.request.body).toEqual({ text: '', size: 0, truncated: true });
      expect(first?.verdicts['requests/content-type']).toBe('complied');
      expect(first?.verdicts['consents/body-well-formed']).toBe('not-observed');
    }
    expect(sources).toEqual(['rule', 'rule', 'emulator']);
  });

  it.each([
    ['no rule demands a certificate', { rules: { 'certificate/presented': 'off' } }],
    [
      'it is waived',
      {
        waivers: [{ rule: 'certificate/presented', reason: 'known', until: '2099-01-01' }],
        stance: 'observe',
      },
    ],
  ])('is read where %s', async (_, settings) => {
    const gateway = await startTestGateway(settings);
    onTestFinished(gateway.close);
    const wrong = await gateway.call('/stdgroup/v1/consents', { cert: null, json: { access: 7 } });
    expect([wrong.status, new Set(wrong.codes)]).toEqual([400, new Set(['FORMAT_ERROR'])]);
    const [record] = await gateway.records();
    expect(record?.exchange.call.request.body?.text).toBe('{"access":7}');
  });

  it('is read where a recording answers everybody, or the gateway lends its certificate', async () => {
    const replay = await startTestGateway({
      ...{ stance: 'observe', source: 'replay', replay: 'test/fixtures/har/charles.har' },
    });
    onTestFinished(replay.close);
    const { gateway: lending, seen } = await behind({ stance: 'observe', lendCertificate: 'anyone' });
    for (const gateway of [replay, lending]) {
      await gateway.call('/stdgroup/v1/consents', { cert: null, json: { access: 7 } });
      const [record] = await gateway.records();
      expect(record?.exchange.call.request.body?.text).toBe('{"access":7}');
    }
    expect(seen).toHaveLength(1);
  });
});

describe('a bank is never asked for a caller', () => {
  it.each(STRANGERS)('%s, though the stance is observe', async (_, cert, code, rule) => {
    const { gateway, seen } = await behind();
    const answer = await gateway.call(CONSENT, { cert });
    expect([answer.status, answer.codes, answer.headers['sandgate-source']]).toEqual([401, [code], 'rule']);
    expect(answer.headers['sandgate-findings']).toContain(rule);
    expect(seen).toHaveLength(0);
    const [record] = await gateway.records();
    expect(record?.exchange.answer).toMatchObject({ source: 'rule', status: 401 });
    expect(record?.verdicts[rule]).toBe('violated');
  });

  it('with one that is not valid yet', async () => {
    const { gateway, seen } = await behind();
    const answer = await gateway.call(CONSENT, { cert: 'bad-not-yet-valid' });
    expect([answer.status, answer.headers['sandgate-source'], seen.length]).toEqual([401, 'rule', 0]);
  });

  it.each([
    ['no path of the interface', '/nowhere', {}],
    ['a method that its path does not have', CONSENT, { method: 'PATCH' }],
    ['the token endpoint', '/stdgroup/v1/token', { form: { grant_type: 'authorization_code' } }],
    ['a body that cannot be read', CONSENT, { body: 'x', headers: { 'Content-Encoding': 'lzma' } }],
    ['a body over the cap', CONSENT, { body: bytesOf(20_000) }],
  ])('without certificate that asks for %s', async (_, target, options) => {
    const { gateway, seen } = await behind({ recordCap: 4_096 });
    const answer = await gateway.call(target, { ...options, cert: null });
    expect([answer.status, answer.headers['sandgate-source'], seen.length]).toEqual([401, 'rule', 0]);
  });

  it.each([
    ['the second of a chain', { source: 'replay,upstream', replay: 'test/fixtures/har/charles.har' }],
    ['asked for single operations', { source: 'emulator', sources: { 'consents.*': 'upstream' } }],
    ['asked before the emulator', { source: 'upstream,emulator' }],
  ])('without certificate where the bank is %s', async (_, settings) => {
    const { gateway, seen } = await behind({ ...settings, stance: 'observe' });
    const stranger = await gateway.call(CONSENT, { cert: null });
    expect([stranger.status, stranger.headers['sandgate-source'], seen.length]).toEqual([401, 'rule', 0]);
    expect((await gateway.call(CONSENT)).headers['sandgate-source']).toBe('upstream');
  });

  it.each([
    ['a severity', { rules: { 'certificate/presented': 'off', 'certificate/not-revoked': 'off' } }],
    ['a waiver', { waivers: [{ rule: 'certificate/not-revoked', reason: 'known', until: '2099-01-01' }] }],
  ])('whom %s would let pass, nor does that one learn whose consent one is', async (_, settings) => {
    const { gateway, seen } = await behind({ ...settings, stance: 'observe' });
    for (const cert of [null, 'bad-revoked']) {
      const { status, headers } = await gateway.call('/stdgroup/v1/consents/NOBODY', { cert });
      expect([status, headers['sandgate-source']]).toEqual([401, 'rule']);
      expect(headers['sandgate-findings'] ?? '').not.toContain('consents/');
    }
    const [latest] = (await gateway.records()).slice(-1);
    expect(latest?.verdicts['consents/known-to-tpp']).toBe('not-observed');
    expect(seen).toHaveLength(0);
  });

  it('whose certificate ends while the connection stays open', async () => {
    const { gateway, seen } = await behind();
    expect((await gateway.call(CONSENT)).status).toBe(200);
    gateway.move(4_000 * DAY);
    expect((await gateway.call(CONSENT)).codes).toContain('CERTIFICATE_EXPIRED');
    expect(seen).toHaveLength(1);
  });

  it('of whose certificate a load balancer says nothing', async () => {
    const { gateway, seen } = await behind({ clientCertHeader: 'rfc9440', clientCertFrom: '127.0.0.1' });
    // Its own certificate is that of the load balancer.
    expect((await gateway.call(CONSENT, { cert: 'tpp' })).codes).toEqual(['CERTIFICATE_MISSING']);
    const der = (name: string) => (gateway.file(name).split('-----')[2] ?? '').replaceAll('\n', '');
    const headers = { 'Client-Cert': `:${der('bad-untrusted.pem')}:` };
    expect((await gateway.call(CONSENT, { headers })).codes).toEqual(['CERTIFICATE_INVALID']);
    expect(seen).toHaveLength(0);
    const known = await gateway.call(CONSENT, { headers: { 'Client-Cert': `:${der('tpp.pem')}:` } });
    expect([known.status, seen.length]).toEqual([200, 1]);
  });

  it('without certificate in stance enforce, and with all else that is wrong', async () => {
    const { gateway, seen } = await behind({ stance: 'enforce' });
    const answer = await gateway.call(CONSENT, { cert: null, method: 'PATCH' });
    expect([answer.status, answer.codes, seen.length]).toEqual([
      401,
      ['CERTIFICATE_MISSING', 'SERVICE_INVALID'],
      0,
    ]);
  });
});

describe('--lend-certificate anyone', () => {
  it.each(STRANGERS)('sends on calls of a caller %s', async (_, cert, _code, rule) => {
    const { gateway, seen } = await behind({ lendCertificate: 'anyone' });
    const answer = await gateway.call(CONSENT, { cert });
    expect([answer.status, answer.headers['sandgate-source'], seen.length]).toEqual([200, 'upstream', 1]);
    expect(answer.headers['sandgate-findings']).toContain(rule);
  });

  it('is told in the banner, in the log and in the report', async () => {
    const store = ['--store', aPath()];
    const own = ['--certs', await testCertificates(), '--session', 'mine', '--lend-certificate', 'anyone'];
    const ports = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
    const bank = ['--upstream', 'https://bank.example'];
    const serving = startCommand(['serve', ...ports, ...own, ...bank, ...store], { clock: Date.now });
    const banner = await serving.prints('Stop with Ctrl-C.');
    const { err } = await serving.stop();
    const { out: report } = await sandgate(['report', 'mine', '--format', 'markdown', ...store]);
    for (const text of [banner, err, report]) expect(text).toContain('--lend-certificate anyone');
  });

  it('is noted at the start of the session', async () => {
    const { gateway } = await behind({ lendCertificate: 'anyone' });
    const [session] = await gateway.app.store.sessions();
    expect(session?.notes[0]?.settings).toMatchObject({ lendCertificate: 'anyone' });
  });

  it.each([
    ['without a bank', [], '--lend-certificate needs a bank: add --upstream URL'],
    [
      'beyond loopback',
      ['--upstream', 'https://bank.example', '--listen', '0.0.0.0:0'],
      'lends the gateway’s certificate to everybody who can reach 0.0.0.0',
    ],
  ])('%s is a usage error', async (_, args, told) => {
    const { status, err } = await sandgate(['serve', '--lend-certificate', 'anyone', ...args]);
    expect(status).toBe(2);
    expect(err).toContain(told);
  });
});
