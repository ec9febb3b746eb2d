/** What careless and hostile clients send: an error or a closed connection each time, and a gateway that lives on. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../collect-garbage.js';
import { REQUEST_ID, startTestGateway, type TestGateway } from './harness.js';
import { BAD_JSON } from './hostile.js';
import { GET_CONSENT, openTcp, openTls, sendRaw, statusOf, untilClosed, untilHolds } from './raw.js';

const CONSENTS = '/stdgroup/v1/consents';
const CONSENT = `${CONSENTS}/VALID_CONSENT_ID`;

async function expectAlive(gateway: TestGateway): Promise<void> {
  expect((await gateway.call(CONSENT)).status).toBe(200);
  expect((await gateway.call('/healthz', { side: 'admin' })).status).toBe(200);
}

const lastRecord = async (gateway: TestGateway) => (await gateway.records()).at(-1)?.exchange;

it('a misspelt header is told beside the one that is missing', async () => {
  const gateway = await startTestGateway();
  const headers = { 'Consent-Id': undefined, 'Concent-Id': 'VALID_CONSENT_ID', 'X-Unrelated': 'x' };
  const answer = await gateway.call('/stdgroup/v1/accounts', {
    headers: gateway.accountHeaders(await gateway.token(), headers),
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('header Consent-Id');
  expect(answer.text).toContain('absent, but Concent-Id was sent (a misspelling?)');
  expect(answer.text).not.toContain('X-Unrelated');
  await gateway.close();
});

describe('a body', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const headers = { 'Content-Type': 'application/json', 'TPP-Redirect-URI': 'https://tpp.example/back' };
  const right = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: new Date(Date.now() + 80 * 86_400_000).toISOString().slice(0, 10),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };

  it.each(BAD_JSON)('%.20s is an error in the format of the interface', async (body) => {
    const answer = await gateway.call(CONSENTS, { body, headers });
    expect([answer.status, answer.codes.includes('FORMAT_ERROR')]).toEqual([400, true]);
  });

  it.each(Object.keys(right))('with a wrong type of %s names the field', async (field) => {
    for (const wrong of [{ nested: [] }, 17.5]) {
      const answer = await gateway.call(CONSENTS, { json: { ...right, [field]: wrong }, headers });
      expect([answer.status, answer.text.includes(field)]).toEqual([400, true]);
    }
  });

  it('of another media type is 415', async () => {
    const answer = await gateway.call(CONSENTS, {
      body: '<a/>',
      headers: { ...headers, 'Content-Type': 'text/xml' },
    });
    expect([answer.status, answer.codes]).toEqual([415, ['FORMAT_ERROR']]);
  });

  it('of bytes that are no text is an error', async () => {
    const answer = await gateway.call(CONSENTS, { body: Buffer.from([0xff, 0xfe, 0x00, 0xc0]), headers });
    expect(answer.status).toBe(400);
  });

  it('over the limit is 413, recorded without its content', async () => {
    const answer = await gateway.call(CONSENTS, { body: `"${'SECRET'.repeat(200_000)}"`, headers });
    expect([answer.status, answer.codes]).toEqual([413, ['FORMAT_ERROR']]);
    expect(answer.headers['sandgate-source']).toBe('gateway');
    const record = await lastRecord(gateway);
    expect(record).toMatchObject({ fault: { kind: 'too-large' }, call: { operation: 'consents.create' } });
    expect(JSON.stringify(record)).not.toContain('SECRET');
    await expectAlive(gateway);
  });

  it('over the limit in chunks, which tells no length before, is 413 too', async () => {
    const socket = await openTls(gateway);
    const answer = untilClosed(socket);
    socket.write(`POST ${CONSENTS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let i = 0; i < 20; i++) socket.write(chunk);
    socket.write('0\r\n\r\n');
    expect(statusOf(await answer)).toBe(413);
  });

  it('over the limit at the token endpoint is an error of OAuth', async () => {
    const answer = await gateway.call('/stdgroup/v1/token', { form: { code: 'x'.repeat(1_100_000) } });
    expect([answer.status, answer.json.error]).toEqual([413, 'invalid_request']);
  });

  it('with two lengths, or a length and chunks, is no HTTP', async () => {
    for (const head of [
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
    ]) {
      const answer = await sendRaw(
        gateway,
        `POST ${CONSENTS} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\nhello`,
      );
      expect(statusOf(answer)).toBe(400);
    }
  });
});

describe('header fields', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it('that are too large together are 431, recorded as a failed connection', async () => {
    const answer = await sendRaw(gateway, `${GET_CONSENT}\r\nX-Bomb: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(statusOf(answer)).toBe(431);
    const record = await lastRecord(gateway);
    expect(record).toMatchObject({
      fault: { kind: 'unparseable' },
      answer: { status: 431, source: 'gateway' },
    });
    expect(record?.call.certificate).toMatchObject({ encoding: 'standard' });
  });

  it('in great number within the limit are taken', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `a${i}: 1`).join('\r\n');
    const answer = await sendRaw(gateway, `${GET_CONSENT}\r\n${many}\r\nConnection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(200);
  });

  it('with control characters are no HTTP', async () => {
    expect(statusOf(await sendRaw(gateway, `${GET_CONSENT}\r\nX-Evil: a\u0001b\r\n\r\n`))).toBe(400);
    expect(statusOf(await sendRaw(gateway, `${GET_CONSENT}\r\nX Evil: a\r\n\r\n`))).toBe(400);
  });

  it('without Host are refused', async () => {
    const answer = await sendRaw(gateway, `GET ${CONSENT} HTTP/1.1\r\nX-Request-ID: ${REQUEST_ID}\r\n\r\n`);
    expect([statusOf(answer), answer.includes('Host')]).toEqual([400, true]);
  });

  it('with letters beyond ASCII are taken as they come', async () => {
    const answer = await sendRaw(
      gateway,
      Buffer.from(`${GET_CONSENT}\r\nPSU-User-Agent: \xe9\xff\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    expect(statusOf(answer)).toBe(200);
  });

  it('that would split an answer are not sent back', async () => {
    const answer = await gateway.call(CONSENT, { headers: { 'X-Request-ID': 'a%0d%0aSet-Cookie: x=1' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

describe('slow clients', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      'limits.handshake': '300ms',
      'limits.headersTime': '300ms',
      'limits.requestTime': '500ms',
      'limits.keepAlive': '200ms',
      'limits.idle': '1500ms',
    });
  });
  afterAll(() => gateway.close());

  it('that do not finish their header fields are cut', async () => {
    const socket = await openTls(gateway);
    const end = untilClosed(socket);
    const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 50);
    socket.write(`${GET_CONSENT}\r\n`);
    expect(statusOf(await end)).toBe(408);
    clearInterval(drip);
    expect(await lastRecord(gateway)).toMatchObject({ fault: { kind: 'timeout' } });
  });

  it('that do not finish their body are cut, and their call is recorded', async () => {
    const socket = await openTls(gateway);
    const end = untilClosed(socket);
    const drip = setInterval(() => socket.write('x'), 50);
    socket.write(`POST ${CONSENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n`);
    expect(statusOf(await end)).toBe(408);
    clearInterval(drip);
    expect(await lastRecord(gateway)).toMatchObject({
      fault: { kind: 'timeout' },
      call: { operation: 'consents.create' },
      answer: { status: 408 },
    });
  });

  it('that send nothing at all are cut', async () => {
    const silent = await openTls(gateway);
    expect([408, Number.NaN]).toContain(statusOf(await untilClosed(silent)));
  });

  it('that open a connection and never begin TLS are cut, and recorded', async () => {
    const socket = await openTcp(gateway);
    await untilClosed(socket);
    const faults = (await gateway.records()).map(({ exchange }) => exchange.fault?.message ?? '');
    expect(faults).toContain('The TLS handshake failed: it was not finished in time.');
  });

  it('that keep a connection open without using it are closed', async () => {
    const socket = await openTls(gateway);
    const end = untilClosed(socket);
    socket.write(`${GET_CONSENT}\r\n\r\n`);
    expect(statusOf(await end)).toBe(200);
  });
});

describe('too many connections', () => {
  it('of one address are cut, and room that becomes free is used again', async () => {
    const gateway = await startTestGateway({ 'limits.connectionsPerAddress': 3 });
    const open = await Promise.all([openTls(gateway), openTls(gateway), openTls(gateway)]);
    await expect(openTls(gateway)).rejects.toThrow();
    for (const socket of open) await new Promise((resolve) => socket.once('close', resolve).destroy());
    await expect.poll(async () => (await gateway.call(CONSENT).catch(() => null))?.status).toBe(200);
    const faults = (await gateway.records()).flatMap(({ exchange }) => exchange.fault?.kind ?? []);
    expect(faults).toEqual(['overload']);
    await gateway.close();
  });

  it('in total are cut', async () => {
    const gateway = await startTestGateway({ 'limits.connections': 2 });
    const open: Socket[] = [];
    for (const _ of [1, 2]) {
      const socket = await openTls(gateway);
      const answer = untilHolds(socket, 'valid');
      socket.write(`${GET_CONSENT}\r\n\r\n`);
      await answer;
      open.push(socket);
    }
    await expect(openTls(gateway)).rejects.toThrow();
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await gateway.call(CONSENT).catch(() => null))?.status).toBe(200);
    await gateway.close();
  });
});

/** The record of an alert: fatal, number 46 (RFC 5246 7.2). */
const CERTIFICATE_UNKNOWN = Buffer.from([21, 3, 3, 0, 2, 2, 46]);

const PLAIN_REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('a failed handshake', () => {
  it.each([
    ['plain HTTP', PLAIN_REQUEST, 'plain HTTP was sent to a TLS port', 400],
    ['bytes that are no TLS', '\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a', 'is not TLS', undefined],
  ])('of %s is recorded with its cause', async (_name, bytes, cause, status) => {
    const gateway = await startTestGateway();
    const socket = await openTcp(gateway);
    const end = untilClosed(socket);
    socket.write(bytes, 'latin1');
    await end;
    await expect.poll(async () => (await lastRecord(gateway))?.fault).toMatchObject({ kind: 'handshake' });
    const record = await lastRecord(gateway);
    expect(record?.fault?.message).toContain(cause);
    expect([record?.answer?.status, record?.call.certificate]).toEqual([status, 'not-observed']);
    await gateway.close();
  });

  it.each([
    ['api', PLAIN_REQUEST],
    ['psu', `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`],
    ['api', 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ] as const)('of plain HTTP to the %s listener is answered: https is needed', async (side, bytes) => {
    const gateway = await startTestGateway();
    const socket = await openTcp(gateway, side);
    const end = untilClosed(socket);
    socket.write(bytes);
    const answer = await end;
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*This port speaks TLS alone: begin the address with https\./s);
    const { findings } = (await gateway.records())[0] ?? {};
    expect(findings).toEqual([]);
    await gateway.close();
  });

  it('of TLS 1.1 is recorded with its cause', async () => {
    const gateway = await startTestGateway();
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(openTls(gateway, old)).rejects.toThrow();
    await expect.poll(async () => (await lastRecord(gateway))?.fault?.message).toContain('1.2 or newer');
    await gateway.close();
  });

  it('of a client that does not trust the gateway is recorded with its cause', async () => {
    const gateway = await startTestGateway();
    await expect(openTls(gateway, { ca: [] })).rejects.toThrow();
    await expect.poll(async () => (await lastRecord(gateway))?.fault?.kind).toBe('handshake');
    await gateway.close();
  });

  it('of a browser that does not trust the CA says so, and what to do', async () => {
    const gateway = await startTestGateway();
    const socket = await openTcp(gateway, 'psu');
    const end = untilClosed(socket);
    // The hello of TLS 1.2, in which an alert is in clear; what answers it is not read.
    const hello = new Duplex({ read() {}, write: (chunk, _, done) => void socket.write(chunk, done) });
    connectTls({ socket: hello, maxVersion: 'TLSv1.2' }).on('error', () => {});
    socket.once('data', () => socket.write(CERTIFICATE_UNKNOWN));
    await end;
    await expect.poll(async () => (await lastRecord(gateway))?.fault?.kind).toBe('handshake');
    const [alert] = (await gateway.call('/api/alerts', { side: 'admin' })).json;
    expect([alert.text, alert.remedy]).toEqual([
      'The TLS handshake failed: the browser (or other client) does not accept the gateway’s server certificate.',
      'The browser does not trust certs/ca.pem: import it into the browser as a CA, or go past its warning.',
    ]);
    await gateway.close();
  });

  it('is recorded once', async () => {
    const gateway = await startTestGateway();
    const socket = await openTcp(gateway);
    const end = untilClosed(socket);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await end;
    await gateway.call(CONSENT);
    const kinds = (await gateway.records()).map(({ exchange }) => exchange.fault?.kind ?? null);
    expect(kinds).toEqual(['handshake', null]);
    await gateway.close();
  });
});

describe('2,500 random byte strings', () => {
  async function flood(
    gateway: TestGateway,
    count: number,
    open: () => Promise<{ write: (bytes: Buffer) => void; closed: Promise<unknown> }>,
  ) {
    let left = count;
    const worker = async () => {
      while (left-- > 0) {
        const { write, closed } = await open();
        write(randomBytes(1 + Math.floor(Math.random() * 600)));
        await closed;
      }
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    await expectAlive(gateway);
  }

  it('at the TCP socket and inside TLS leave the gateway alive, small, and its store small', async () => {
    // The handshake has time: a busy machine must not have good ones cut.
    const gateway = await startTestGateway({ 'limits.headersTime': '300ms', 'limits.handshake': '10s' });
    const tcp = async () => {
      const socket = await openTcp(gateway);
      const closed = untilClosed(socket);
      return { write: (bytes: Buffer) => void socket.end(bytes), closed };
    };
    let session: Buffer | undefined;
    const tls = async () => {
      const socket = await openTls(gateway, session === undefined ? {} : { session });
      socket.once('session' as 'data', (given: Buffer) => {
        session = given;
      });
      const closed = untilClosed(socket);
      return { write: (bytes: Buffer) => void socket.end(bytes), closed };
    };
    await flood(gateway, 400, tcp);
    await flood(gateway, 100, tls);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    await flood(gateway, 1_600, tcp);
    await flood(gateway, 400, tls);
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    expect(grown).toBeLessThan(8_000_000);
    const failures = (await gateway.records()).filter(({ exchange }) => exchange.fault !== null);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(500);
    const counted = failures.reduce(
      (sum, { exchange }) =>
        sum + Number(/ (\d+) earlier failures/.exec(exchange.fault?.message ?? '')?.[1] ?? 0),
      0,
    );
    expect(counted).toBeGreaterThan(250);
    await gateway.close();
  });
});
