/** What a page can do with what was recorded: send again, compare, copy, let pass, mark, go on in a new session. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { all } from '../rows.js';
import { type CallOptions, started, type TestGateway } from './harness.js';

const get = (gateway: TestGateway, path: string) => gateway.call(path, { side: 'admin' });
const post = (gateway: TestGateway, path: string, json?: unknown, options: CallOptions = {}) =>
  gateway.call(path, {
    ...{ side: 'admin', method: 'POST', ...options },
    headers: { 'Content-Type': 'application/json', ...options.headers },
    ...(json === undefined ? {} : { json }),
  });

async function firstLine(port: number, host: string, request: string): Promise<string> {
  const socket = connect(port, host).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(request);
  const [bytes] = await once(socket, 'data');
  return String(bytes).split('\r\n', 1)[0] ?? '';
}

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';

async function exchangeOf(gateway: TestGateway, path: string, options: CallOptions = {}): Promise<string> {
  return (await gateway.call(path, options)).headers['sandgate-exchange'] ?? '';
}

describe('sending again', () => {
  it('is a new exchange over the gateway’s own listener, with the certificate that said the same', async () => {
    const gateway = await started();
    const id = await exchangeOf(gateway, CONSENT, { cert: 'tpp-other' });
    const { status, json } = await post(gateway, `/api/exchanges/${id}/resend`);
    expect(status).toBe(200);
    const [again, before] = [
      (await get(gateway, `/api/exchanges/${json.exchange}`)).json,
      (await get(gateway, `/api/exchanges/${id}`)).json,
    ];
    expect(again.id).not.toBe(id);
    expect(again.call.certificate.fingerprint256).toBe(before.call.certificate.fingerprint256);
    expect(again.call.connection.tls.version).toBe('TLSv1.3');
    expect([again.path, again.status, again.previous]).toEqual([before.path, before.status, id]);
  });

  it('sends a body that came in gzip as it was read', async () => {
    const gateway = await started();
    const path = '/stdgroup/v1/funds-confirmations';
    const funds = {
      account: { iban: 'BE68539007547034' },
      instructedAmount: { currency: 'EUR', amount: '1.00' },
    };
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const body = gzipSync(JSON.stringify(funds));
    const answer = await gateway.call(path, { method: 'POST', headers, body });
    const { json } = await post(gateway, `/api/exchanges/${answer.headers['sandgate-exchange']}/resend`);
    const again = (await get(gateway, `/api/exchanges/${json.exchange}`)).json;
    expect([again.status, again.findings]).toEqual([answer.status, []]);
    expect(again.call.request.body.text).toBe(JSON.stringify(funds));
  });

  it('may be edited, and shown with any test certificate or none', async () => {
    const gateway = await started();
    const id = await exchangeOf(gateway, CONSENT);
    const sent = async (wanted: object) => {
      const { json } = await post(gateway, `/api/exchanges/${id}/resend`, wanted);
      return (await get(gateway, `/api/exchanges/${json.exchange}`)).json;
    };
    expect(await sent({ certificate: null })).toMatchObject({ status: 401, call: { certificate: 'absent' } });
    const asOf = async (one: string) =>
      (await get(gateway, `/api/exchanges/${one}`)).json.call.request.headers.find(
        ([name]: [string]) => name.toLowerCase() === 'x-request-id',
      )[1];
    const own = (await sent({ target: '/stdgroup/v1/consents?x=2' })).id;
    expect(await asOf(own)).not.toBe(await asOf(id));
    expect(await asOf((await sent({})).id)).toBe(await asOf(id));
    const expired = await sent({ certificate: 'bad-expired' });
    expect(expired.findings[0].rule).toBe('certificate/within-validity');
    const edited = await sent({
      ...{ method: 'POST', target: '/stdgroup/v1/consents?x=1', body: '{"access":' },
      headers: { 'Content-Type': 'application/json', 'x-request-id': null },
    });
    expect(edited.call.request).toMatchObject({ method: 'POST', target: '/stdgroup/v1/consents?x=1' });
    expect(edited.call.request.body.text).toBe('{"access":');
    expect(edited.findings.map(({ rule }: { rule: string }) => rule)).toContain(
      'requests/request-id-present',
    );
  });

  it.each([
    [{ certificate: 'ca' }, 404],
    [{ certificate: 'server' }, 404],
    [{ certificate: '../certs/tpp' }, 404],
    [{ certificate: '/etc/passwd' }, 404],
    [{ target: 'https://evil.example/' }, 400],
    [{ target: '//evil.example/x' }, 200],
    [{ target: '/x y' }, 400],
    [{ method: 'GET /' }, 400],
    [{ headers: { 'X\r\nY': 'a' } }, 400],
    [{ nonsense: 1 }, 400],
  ])('of %j is answered %i, and never leaves the machine', async (wanted, status) => {
    const gateway = await started();
    const id = await exchangeOf(gateway, CONSENT);
    const answer = await post(gateway, `/api/exchanges/${id}/resend`, wanted);
    expect(answer.status, answer.text).toBe(status);
  });

  it('by CONNECT, which has no answer, fails at once and takes no place from others', async () => {
    const gateway = await started();
    const id = await exchangeOf(gateway, CONSENT);
    const resend = (wanted: object) => post(gateway, `/api/exchanges/${id}/resend`, wanted);
    const tunnels = await Promise.all(
      ['CONNECT', 'connect', 'Connect', 'CONNECT'].map((method) => resend({ method })),
    );
    for (const { status, json } of tunnels)
      expect([status, json.error]).toEqual([503, expect.stringContaining('CONNECT')]);
    expect((await resend({})).status).toBe(200);
  });

  it('takes the secrets that no recording holds from whoever asks for it', async () => {
    const gateway = await started();
    const token = await gateway.token();
    const id = await exchangeOf(gateway, '/stdgroup/v1/accounts', {
      headers: gateway.accountHeaders('none'),
    });
    const headers = { Authorization: `Bearer ${token}` };
    const { json } = await post(gateway, `/api/exchanges/${id}/resend`, { headers });
    const again = (await get(gateway, `/api/exchanges/${json.exchange}`)).json;
    expect(again.status).toBe(200);
    expect(JSON.stringify(again)).not.toContain(token);
  });

  it('is refused where answers do not name their exchange, and of what is no call', async () => {
    const quiet = await started({ headers: false });
    await quiet.call(CONSENT);
    const [record] = await quiet.records();
    const refused = await post(quiet, `/api/exchanges/${record?.exchange.call.id}/resend`);
    expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining('--no-headers')]);
    expect((await post(await started(), '/api/exchanges/0000000ZZZZ/resend')).status).toBe(404);
  });
});

describe('an exchange', () => {
  it('is shown with where each finding points: header, query, body member', async () => {
    const gateway = await started();
    const json = { access: { allPsd2: 'nobody' }, recurringIndicator: true };
    const answer = await gateway.call('/stdgroup/v1/consents', {
      json,
      headers: { 'X-Request-ID': 'no-uuid' },
    });
    const { findings, call, sentence } = (
      await get(gateway, `/api/exchanges/${answer.headers['sandgate-exchange']}`)
    ).json;
    const { headers, body } = call.request;
    const markOf = (rule: string) => findings.find((one: { rule: string }) => one.rule === rule)?.mark;
    const header = markOf('requests/request-id-is-uuid');
    expect([header.part, headers[header.index][1]]).toEqual(['header', 'no-uuid']);
    const member = markOf('consents/access-value');
    expect([member.part, body.text.slice(member.from, member.to)]).toEqual(['body', '"nobody"']);
    expect(sentence).toMatch(/^The TPP sent .*; it must be .*\.$/);
    expect(findings[0]).toMatchObject({
      severity: 'must',
      statement: expect.any(String),
      fix: expect.any(String),
    });
  });

  it('is compared with the last good call of its operation', async () => {
    const gateway = await started();
    const good = await exchangeOf(gateway, CONSENT);
    const bad = await exchangeOf(gateway, '/stdgroup/v1/consents/UNKNOWN', {
      headers: { 'X-Request-ID': undefined },
    });
    const { json } = await get(gateway, `/api/exchanges/${bad}/compare?with=last-good`);
    expect(json.with).toBe(good);
    const places = (side: { place: string }[]) => side.map(({ place }) => place);
    expect(places(json.request)).toEqual(expect.arrayContaining(['path', 'header x-request-id']));
    expect(places(json.answer)).toContain('status');
    const alone = await get(
      gateway,
      `/api/exchanges/${await exchangeOf(gateway, '/nowhere')}/compare?with=last-good`,
    );
    expect([alone.status, alone.json.error]).toEqual([404, expect.stringContaining('has succeeded yet')]);
  });

  it('is given as code and as a ticket, with variables for secrets', async () => {
    const gateway = await started();
    const token = await gateway.token();
    const headers = gateway.accountHeaders(token);
    const id = await exchangeOf(gateway, '/stdgroup/v1/accounts', { headers });
    const as = async (form: string) => (await get(gateway, `/api/exchanges/${id}/code?as=${form}`)).text;
    expect(await as('curl')).toMatch(/^curl -sSgi .*Authorization: Bearer '"\$ACCESS_TOKEN"''/);
    expect(await as('fetch')).toMatch(/Bearer \$\{process\.env\.ACCESS_TOKEN\}/);
    expect(await as('vitest')).toContain('expect(response.status, "/stdgroup/v1/accounts").toBe(200);');
    expect((await get(gateway, `/api/exchanges/${id}/code?as=perl`)).status).toBe(400);
    const ticket = await get(gateway, `/api/exchanges/${id}/ticket`);
    expect([ticket.headers['content-type'], ticket.text]).toEqual([
      'text/markdown; charset=utf-8',
      expect.stringMatching(/^# GET \/stdgroup\/v1\/accounts: HTTP 200/),
    ]);
  });
});

describe('a waiver', () => {
  const waiver = { rule: 'consents/frequency-allowed', reason: 'Agreed with the bank.', until: '2099-12-31' };

  it('lets a finding pass from the next call on, visibly, and is noted in the session', async () => {
    const gateway = await started();
    const validUntil = new Date(gateway.now() + 86_400_000).toISOString().slice(0, 10);
    const json = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil };
    const create = () =>
      gateway.call('/stdgroup/v1/consents', {
        headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
        json: { ...json, frequencyPerDay: 9, combinedServiceIndicator: false },
      });
    expect((await create()).headers['sandgate-findings']).toContain(waiver.rule);
    expect((await post(gateway, '/api/waivers', waiver)).json.waivers).toEqual([waiver]);
    const answer = await create();
    const { findings } = (await get(gateway, `/api/exchanges/${answer.headers['sandgate-exchange']}`)).json;
    const waived = findings.find(({ rule }: { rule: string }) => rule === waiver.rule);
    expect(waived.waived).toBe(waiver.reason);
    await gateway.app.recorder.drain();
    const notes = (await gateway.app.store.sessions())[0]?.notes ?? [];
    expect(notes.at(-1)).toMatchObject({ kind: 'changed', settings: { waivers: [waiver] } });
    expect((await get(gateway, '/api/waivers')).json.waivers).toEqual([waiver]);
  });

  it.each([
    [{ ...waiver, rule: 'no/such-rule' }, /There is no rule/],
    [{ ...waiver, until: '2000-01-01' }, /ended on 2000-01-01/],
    [{ ...waiver, until: 'soon' }, /YYYY-MM-DD/],
    [{ ...waiver, reason: '' }, /reason/],
  ])('%j is refused', async (wanted, text) => {
    const answer = await post(await started(), '/api/waivers', wanted);
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringMatching(text)]);
  });
});

describe('a session', () => {
  it('is marked, and followed by a new one that calls go to', async () => {
    const gateway = await started();
    await gateway.call(CONSENT);
    expect((await post(gateway, '/api/sessions/test/mark', { text: 'now it breaks' })).status).toBe(200);
    expect((await post(gateway, '/api/sessions', { name: 'after' })).json).toEqual({ session: 'after' });
    await gateway.call(CONSENT);
    const [after, test] = (await get(gateway, '/api/sessions')).json;
    expect(after).toMatchObject({ name: 'after', current: true, exchanges: 1 });
    expect(test).toMatchObject({
      name: 'test',
      current: false,
      exchanges: 1,
      marks: [{ text: 'now it breaks' }],
    });
    expect((await get(gateway, '/api/exchanges')).json.exchanges).toHaveLength(1);
    expect((await post(gateway, '/api/sessions', { name: 'test' })).json).toEqual({ session: 'test-2' });
    expect((await post(gateway, '/api/sessions', { name: '../x' })).status).toBe(400);
    expect((await post(gateway, '/api/sessions/test/mark')).status).toBe(409);
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
  });

  it('is exported and reported by its links', async () => {
    const gateway = await started();
    await gateway.call(CONSENT);
    await gateway.records();
    const [{ links }] = (await get(gateway, '/api/sessions')).json;
    const cassette = await get(gateway, links.export.cassette);
    expect(cassette.headers['content-disposition']).toBe('attachment; filename="test.cassette.json"');
    expect(JSON.parse(cassette.text)).toMatchObject({ session: 'test' });
    expect(JSON.parse((await get(gateway, links.export.har)).text).log.entries).toHaveLength(1);
    const report = JSON.parse((await get(gateway, links.report.json)).text);
    expect(report.head.recording).toMatchObject({ session: 'test', exchanges: 1 });
    const page = await get(gateway, links.report.html);
    expect([page.headers['content-security-policy'], page.text]).toEqual([
      "default-src 'none'; sandbox",
      expect.stringContaining('<!doctype html>'),
    ]);
    expect((await get(gateway, '/api/sessions/nobody/report')).status).toBe(404);
  });
});

describe('actions', () => {
  it('are all refused with --no-actions', async () => {
    const gateway = await started({ actions: false });
    const id = await exchangeOf(gateway, CONSENT);
    for (const path of [`/api/exchanges/${id}/resend`, '/api/waivers', '/api/sessions', '/api/bank/reset']) {
      const answer = await post(gateway, path, {});
      expect([path, answer.status, answer.json.error]).toEqual([
        path,
        403,
        expect.stringContaining('--no-actions'),
      ]);
    }
    expect((await get(gateway, `/api/exchanges/${id}`)).status).toBe(200);
  });

  it.each([
    '/api/exchanges/1/resend',
    '/api/waivers',
    '/api/sessions',
    '/api/clock',
    '/api/settings',
    '/api/bank/reset',
  ])('%s cannot be sent by a page of another site', async (path) => {
    const gateway = await started();
    const { host } = new URL(gateway.urls.admin);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ])
      for (const method of ['POST', 'PUT']) {
        const sent = await gateway.call(path, {
          side: 'admin',
          method,
          headers: { 'Content-Type': type || undefined },
          body: '{}',
        });
        expect([type, sent.status]).toEqual([type, 415]);
      }
    for (const origin of ['https://evil.example', 'null', `https://${host}`, 'http://localhost:1'])
      expect((await post(gateway, path, {}, { headers: { Origin: origin } })).status, origin).toBe(403);
  });

  it('that a Sandgate sends for somebody else do nothing, whatever is asked', async () => {
    const gateway = await started({ bank: 'living' });
    const sent = (path: string, method: string, json?: unknown) =>
      gateway.call(path, {
        ...{ side: 'admin', method, headers: { 'Sandgate-Sent': '1' } },
        ...(json === undefined ? {} : { json }),
      });
    for (const [path, method, json] of [
      ['/api/bank/reset', 'POST', {}],
      ['/api/settings', 'PUT', { stance: 'observe' }],
      ['/api/settings', 'GET'],
      ['/exchanges', 'GET'],
      ['/readyz', 'GET'],
    ] as const)
      expect([path, (await sent(path, method, json)).status]).toEqual([path, 403]);
    expect((await get(gateway, '/api/settings')).json.stance).toBe('enforce');
  });

  it('take a body only where they have one', async () => {
    const gateway = await started({ bank: 'living' });
    const notification = { 'payment-ID': 'p', transactionStatus: 'ACSC' };
    for (const path of [
      '/api/bank/reset',
      '/api/bank/snapshots/none/restore',
      '/api/bank/consents/c/revoke',
    ]) {
      const refused = await post(gateway, path, notification);
      expect([path, refused.status, refused.json.error]).toEqual([
        path,
        400,
        expect.stringContaining('no body'),
      ]);
    }
    expect((await post(gateway, '/api/bank/reset')).status).toBe(200);
    expect((await post(gateway, '/api/bank/reset', {})).status).toBe(200);
  });

  it('with two names of a host are refused', async () => {
    const gateway = await started();
    const { hostname, port } = new URL(gateway.urls.admin);
    for (const path of ['/', '/healthz', '/api/settings']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n`;
      expect(await firstLine(Number(port), hostname, head)).toBe('HTTP/1.1 400 Bad Request');
    }
  });

  it('that ask for another protocol are answered in this one, and their connection is closed', async () => {
    const gateway = await started();
    const { port } = new URL(gateway.urls.admin);
    for (const protocol of ['websocket', 'h2c']) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      const drip = setInterval(() => socket.write('\x81\x05hello'), 20);
      onTestFinished(() => {
        clearInterval(drip);
        socket.destroy();
      });
      const closed = once(socket, 'close');
      socket.write(
        `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
      );
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      await closed;
    }
  });

  it('of a page of another site see no page, but a link there opens one', async () => {
    const gateway = await started();
    const statusOf = async (path: string, site: string, more: Record<string, string> = {}) => {
      const headers = { 'Sec-Fetch-Site': site, ...more };
      return (await gateway.call(path, { side: 'admin', headers })).status;
    };
    const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['/', '/exchanges', '/healthz', '/metrics', '/page/main.js']) {
        expect([path, await statusOf(path, site)]).toEqual([path, 403]);
        expect(await statusOf(path, site, { ...link, 'Sec-Fetch-Dest': 'iframe' })).toBe(403);
      }
      expect(await statusOf('/', site, link)).toBe(200);
      expect(await statusOf('/api/settings', site, link)).toBe(403);
    }
    expect([await statusOf('/', 'same-origin'), await statusOf('/', 'none')]).toEqual([200, 200]);
  });

  it('of a page of another site do not even read, or follow', async () => {
    const gateway = await started();
    const from = async (site: string) =>
      (await gateway.call('/api/exchanges', { side: 'admin', headers: { 'Sec-Fetch-Site': site } })).status;
    expect([await from('cross-site'), await from('same-site')]).toEqual([403, 403]);
    expect([await from('same-origin'), await from('none')]).toEqual([200, 200]);
  });
});
