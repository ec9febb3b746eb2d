/** HTTP as it comes: methods, expectations, chunks, pipelines, and the two listeners' parts of the world. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_ID, startTestGateway, type TestGateway, VERIFIER } from './harness.js';
import { GET_CONSENT, openTls, sendRaw, statusOf, untilClosed, untilHolds } from './raw.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const TOKEN = '/stdgroup/v1/token';
const FORM = `grant_type=authorization_code&code=AIS_VALID_CODE&client_id=VALID_CLIENT_ID&code_verifier=${VERIFIER}`;
const lastRecord = async () => (await gateway.records()).at(-1)?.exchange;

describe('every answer of the API listener', () => {
  it('tells its exchange, its source and what was found', async () => {
    const answer = await gateway.call(CONSENT, { headers: { 'X-Request-ID': 'no-uuid' } });
    const record = await lastRecord();
    expect(answer.headers['sandgate-exchange']).toBe(record?.call.id);
    expect(answer.headers['sandgate-source']).toBe('emulator');
    expect(answer.headers['sandgate-findings']).toBe('requests/request-id-is-uuid');
    expect(answer.headers['x-request-id']).toBe('no-uuid');
  });

  it('names no finding where there is none', async () => {
    const answer = await gateway.call(CONSENT);
    expect(answer.headers['sandgate-findings']).toBeUndefined();
    expect(answer.headers['x-request-id']).toBe(REQUEST_ID);
  });

  it('keeps quiet with --no-headers', async () => {
    const quiet = await startTestGateway({ headers: false });
    const answer = await quiet.call(CONSENT, { cert: null });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('sandgate-'))).toEqual([]);
    await quiet.close();
  });
});

describe('methods', () => {
  it('HEAD gives the head of the GET', async () => {
    const get = await gateway.call(CONSENT);
    const head = await gateway.call(CONSENT, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it.each(['OPTIONS', 'PATCH', 'PUT', 'TRACE'])('%s is 405 with Allow', async (method) => {
    const answer = await sendRaw(
      gateway,
      `${GET_CONSENT.replace('GET', method)}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(405);
    expect(/\r\nallow: (.*)\r\n/i.exec(answer)?.[1]).toBe('GET, HEAD, DELETE');
    expect(answer).toContain('SERVICE_INVALID');
  });

  it('of another protocol are closed with a 400', async () => {
    expect(statusOf(await sendRaw(gateway, 'BREW /pot HTCPCP/1.0\r\n\r\n'))).toBe(400);
  });
});

describe('paths', () => {
  it('that are unknown are 404 and name the nearest', async () => {
    const answer = await gateway.call('/stdgroup/v1/consent');
    expect([answer.status, answer.codes]).toEqual([404, ['RESOURCE_UNKNOWN']]);
    expect(answer.text).toContain('/stdgroup/v1/consents');
  });

  it('of the PSU listener are told with their address on the API listener', async () => {
    const path = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';
    const answer = await gateway.call(path);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain(gateway.urls.psu);
  });

  it('of the API listener are told with their address on the PSU listener', async () => {
    const answer = await gateway.call('/stdgroup/v1/accounts', { side: 'psu' });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain(`${gateway.urls.api}/stdgroup/v1/accounts`);
  });

  it.each([
    [
      'in absolute form, of another host,',
      'GET https://elsewhere.example/stdgroup/v1/accounts HTTP/1.1\r\nHost: elsewhere.example',
    ],
    ['with an encoded NUL', 'GET /stdgroup/v1/consents/A%00B HTTP/1.1\r\nHost: localhost'],
    ['that are an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost'],
  ])('%s are refused and recorded', async (_name, head) => {
    const answer = await sendRaw(gateway, `${head}\r\n\r\n`);
    expect([statusOf(answer), answer.includes('FORMAT_ERROR')]).toEqual([400, true]);
    expect(await lastRecord()).toMatchObject({
      fault: { kind: 'malformed' },
      answer: { status: 400, source: 'gateway' },
    });
  });

  it('in absolute form, of the listener itself, are paths', async () => {
    const head = `GET ${gateway.urls.api}/stdgroup/v1/consents/VALID_CONSENT_ID HTTP/1.1\r\nHost: elsewhere.example`;
    const answer = await sendRaw(gateway, `${head}\r\nConnection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(200);
    expect((await lastRecord())?.call).toMatchObject({
      operation: 'consents.read',
      request: { target: '/stdgroup/v1/consents/VALID_CONSENT_ID' },
    });
  });

  it('with a raw NUL are no HTTP', async () => {
    expect(statusOf(await sendRaw(gateway, 'GET /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n'))).toBe(400);
  });

  it('of CONNECT lead nowhere', async () => {
    const answer = await sendRaw(
      gateway,
      'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    );
    expect(statusOf(answer)).toBe(405);
    expect((await lastRecord())?.fault).toEqual({
      kind: 'refused',
      message: expect.stringContaining('CONNECT'),
    });
  });

  it('with Upgrade are refused, for browsers as if it were not there', async () => {
    const head = `${GET_CONSENT}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(statusOf(await sendRaw(gateway, head))).toBe(501);
    expect(statusOf(await sendRaw(gateway, head, 'psu'))).toBe(404);
  });
});

describe('bodies', () => {
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const head = (...more: string[]) =>
    [
      `POST ${TOKEN} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/x-www-form-urlencoded',
      ...more,
      '',
      '',
    ].join('\r\n');

  it('in chunks are put together', async () => {
    const answer = await sendRaw(
      gateway,
      `${head('Transfer-Encoding: chunked', 'Connection: close')}${chunked(FORM)}`,
    );
    expect(statusOf(answer)).toBe(200);
  });

  it('in pieces are put together', async () => {
    const socket = await openTls(gateway);
    const answer = untilClosed(socket);
    const whole = `${head(`Content-Length: ${FORM.length}`, 'Connection: close')}${FORM}`;
    for (const piece of whole.match(/[\s\S]{1,40}/g) ?? []) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statusOf(await answer)).toBe(200);
  });

  it('are asked for where the client expects it', async () => {
    const socket = await openTls(gateway);
    const asked = untilHolds(socket, '\r\n\r\n');
    socket.write(head(`Content-Length: ${FORM.length}`, 'Expect: 100-continue', 'Connection: close'));
    expect(await asked).toMatch(/^HTTP\/1\.1 100 Continue/);
    const answer = untilClosed(socket);
    socket.write(FORM);
    expect(await answer).toContain('access_token');
  });

  it('are not asked for where they are too large', async () => {
    const answer = await sendRaw(gateway, head('Content-Length: 5000000', 'Expect: 100-continue'));
    expect([statusOf(answer), answer.includes('100 Continue')]).toEqual([413, false]);
  });

  it('are decoded as Content-Encoding says', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' };
    const answer = await gateway.call(TOKEN, { body: gzipSync(FORM), headers });
    expect(answer.status, answer.text).toBe(200);
  });

  it.each([
    ['gzip', Buffer.from('no gzip at all'), 400],
    ['lzma', Buffer.from('x'), 415],
    ['gzip', gzipSync(Buffer.alloc(5_000_000)), 413],
  ])('that cannot be decoded from %s are refused', async (coding, body, status) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    const answer = await gateway.call('/stdgroup/v1/consents', { body, headers });
    expect(answer.status).toBe(status);
  });

  it('that break off are recorded with their cause, and nothing of them is kept', async () => {
    const socket = await openTls(gateway);
    socket.on('error', () => {});
    socket.write(`${head('Content-Length: 1000')}code=SECRET-CODE`, () => socket.destroy());
    await expect.poll(async () => (await lastRecord())?.fault?.kind).toBe('client-gone');
    const record = await lastRecord();
    expect([record?.answer, record?.call.operation]).toEqual([null, 'oauth.token']);
    expect(JSON.stringify(record)).not.toContain('SECRET-CODE');
  });
});

describe('a pipeline', () => {
  it('is answered in its order', async () => {
    const paths = ['VALID_CONSENT_ID', 'CONSENT_ID_EXPIRED', 'NO_SUCH', 'CONSENT_ID_REJECTED'];
    const calls = paths.map((id) => GET_CONSENT.replace('VALID_CONSENT_ID', `${id}/status`));
    const answer = await sendRaw(gateway, `${calls.join('\r\n\r\n')}\r\nConnection: close\r\n\r\n`);
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '200', '403', '200']);
    expect([...answer.matchAll(/"consentStatus":"(\w+)"/g)].map(([, status]) => status)).toEqual([
      'valid',
      'expired',
      'rejected',
    ]);
  });
});

describe('a pipeline that is deeper than can be taken', () => {
  it('is told as that, and not as malformed', async () => {
    const socket = await openTls(gateway, { side: 'psu' });
    const answers = untilClosed(socket);
    const path = `/nothing?deep=${'a'.repeat(400)}`;
    const request = (field: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${field}\r\n`;
    socket.write(request('').repeat(1_100) + request('Connection: close\r\n'));
    const answered = (await answers).match(/HTTP\/1\.1 /g)?.length ?? 0;
    const told = (await gateway.records()).flatMap(({ exchange }) => exchange.fault?.message ?? []);
    expect(told.filter((message) => message.includes('malformed (HPE_'))).toEqual([]);
    if (answered < 1_101) expect(told.join()).toContain('too many requests were sent ahead of their answers');
  });
});

describe('a length that the bytes on the wire do not tell for certain', () => {
  it.each([
    ['Content-Length: 3\r\nContent-Length: 4', 'Content-Length is repeated.'],
    ['Content-Length: 3, 3', 'Content-Length is malformed, or stands beside Transfer-Encoding.'],
    [
      'Transfer-Encoding: chunked\r\nContent-Length: 3',
      'Content-Length is malformed, or stands beside Transfer-Encoding.',
    ],
    [
      'Content-Length: 3\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding is malformed, or stands beside Content-Length.',
    ],
  ])('is refused by its own name: %j', async (fields, problem) => {
    const answer = await sendRaw(
      gateway,
      `POST ${TOKEN} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\nabc`,
    );
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain(problem);
  });
});

describe('the PSU listener', () => {
  it('is plain HTTP where that is wanted, and links say so', async () => {
    const plain = await startTestGateway({ psuHttp: true });
    expect(plain.urls.psu).toMatch(/^http:\/\//);
    const answer = await plain.call(
      '/stdgroup/.well-known/openid-configuration?authorizationId=11111111-1111-1111-1111-111111111111',
    );
    expect(answer.json.authorization_endpoint).toContain(plain.urls.psu);
    expect((await plain.call('/favicon.ico', { side: 'psu' })).status).toBe(404);
    await plain.close();
  });
});

describe('the fixed segment', () => {
  it('can be another one', async () => {
    const other = await startTestGateway({ segment: 'berlingroup' });
    expect((await other.call('/berlingroup/v1/consents/VALID_CONSENT_ID')).status).toBe(200);
    expect((await other.call(CONSENT)).status).toBe(404);
    await other.close();
  });
});
