/** Request smuggling: what two servers could read differently is refused, and no bank sees it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BankBehind, fieldOf, openBankBehind } from './bank-behind.js';
import { OUTSIDE, SMUGGLED } from './hostile.js';
import { openTls, sendRaw, statusOf, untilHolds } from './raw.js';

const V1 = '/stdgroup/v1';
let bank: BankBehind;
beforeAll(async () => {
  bank = await openBankBehind(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    { psuProxy: true },
    // Browsers show no certificate.
    { requestCert: false },
  );
});
afterAll(() => bank.close());

/** Sends it, and gives what came back, what reached the bank, and what was recorded of it last. */
async function send(bytes: string, side: 'api' | 'psu' = 'api') {
  const before = bank.seen.length;
  const answer = await sendRaw(bank.gateway, bytes, side);
  const last = (await bank.gateway.records()).at(-1);
  return { answer, status: statusOf(answer), atBank: bank.seen.slice(before), last };
}
const get = (target: string, ...fields: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n');

describe('a target that leads out of the base path', () => {
  it.each(OUTSIDE)('as %s is 400 on either listener, and reaches no bank', async (target) => {
    for (const side of ['api', 'psu'] as const) {
      const { status, answer, atBank } = await send(get(target), side);
      expect([status, answer.includes('bank.example'), atBank]).toEqual([400, false, []]);
    }
  });

  it('is recorded as it came, with its cause', async () => {
    const { last } = await send(get('/%2e%2e/internal'));
    expect(last?.exchange).toMatchObject({
      call: { operation: null, request: { target: '/%2e%2e/internal' } },
      answer: { status: 400, source: 'gateway' },
      fault: { kind: 'malformed' },
    });
  });
});

describe('a target in another spelling', () => {
  it('is recognised, recorded and forwarded in the one spelling', async () => {
    const target = `/std%67roup/v1/%63onsents/VALID%5FCONSENT_ID?x=%7e`;
    const plain = `${V1}/consents/VALID_CONSENT_ID?x=%7e`;
    const { status, atBank, last } = await send(get(target));
    expect([status, atBank.map((one) => one.target)]).toEqual([200, [plain]]);
    expect(last?.exchange.call).toMatchObject({
      operation: 'consents.read',
      params: { consentId: 'VALID_CONSENT_ID' },
      request: { target: plain },
    });
  });

  it('asks for pages of the bank in the one spelling too, as a whole address also', async () => {
    const { atBank } = await send(get(`https://localhost:${portOfPsu()}/%6cogin?a=%62`), 'psu');
    expect(atBank.map((one) => one.target)).toEqual(['/login?a=%62']);
  });

  const portOfPsu = () => new URL(bank.gateway.urls.psu).port;
});

describe('a request that ends elsewhere for the next server', () => {
  it.each(SMUGGLED)('by %s is %d; the connection ends with it', async (_, status, bytes) => {
    const sent = await send(bytes);
    expect([sent.status, sent.atBank, sent.answer.match(/HTTP\/1\.1 /g)?.length]).toEqual([status, [], 1]);
    expect(sent.answer).toMatch(/^Connection: close\r$/m);
    expect(sent.last?.exchange).toMatchObject({ answer: { status, source: 'gateway' } });
  });

  it('is none where chunks are said in capitals', async () => {
    const { status, atBank } = await send(
      `POST ${V1}/consents HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    );
    expect([status, atBank[0]?.body.toString()]).toEqual([200, '{}']);
    expect(fieldOf(atBank[0]?.headers ?? [], 'content-length')).toBe('2');
  });
});

describe('a Connection field that names what is meant for the bank', () => {
  const V = `${V1}/accounts`;
  const read = (connection: string, ...more: string[]) =>
    [
      ...[`GET ${V} HTTP/1.1`, 'Host: localhost', 'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
      ...['Consent-ID: VALID_CONSENT_ID', 'Authorization: Bearer x', 'PSU-IP-Address: 192.0.2.1', 'q: 1'],
      ...[`Connection: ${connection}`, ...more, '', ''],
    ].join('\r\n');
  afterEach(async () => {
    await bank.gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { stance: 'enforce' } });
  });

  it.each(['enforce', 'observe'])(
    'is 400 in stance %s: no bank counts as without the PSU what was judged as with it',
    async (stance) => {
      await bank.gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { stance } });
      for (const bytes of [
        read('close, PSU-IP-Address'),
        read('PSU-IP-Address'),
        read('close,\tpsu-ip-address\t, te'),
        read('close', 'connection: X-Request-ID'),
        read('close, Host'),
        read('Q, close'),
      ]) {
        const { answer, status, atBank, last } = await send(bytes);
        expect([status, atBank]).toEqual([400, []]);
        expect(answer).toMatch(/"code":\s*"FORMAT_ERROR"/);
        expect(last?.exchange).toMatchObject({ answer: { status: 400 }, fault: { kind: 'malformed' } });
        expect(last?.findings.filter(({ rule }) => rule.startsWith('answers/'))).toEqual([]);
      }
      expect((await send(read('close, PSU-IP-Address').replace(V, '/login'), 'psu')).status).toBe(400);
    },
  );

  it('is none where it names what is of the connection, or what is not there', async () => {
    await bank.gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { stance: 'observe' } });
    const { status, atBank } = await send(
      read('close, TE, Keep-Alive, X-Not-There, constructor', 'TE: trailers', 'Keep-Alive: timeout=5'),
    );
    expect([status, fieldOf(atBank[0]?.headers ?? [], 'psu-ip-address')]).toEqual([200, '192.0.2.1']);
    expect(fieldOf(atBank[0]?.headers ?? [], 'te')).toBeUndefined();
  });
});

it('a client that offers ALPN http/1.0 alone gets through', async () => {
  const socket = await openTls(bank.gateway, { ALPNProtocols: ['http/1.0'] });
  expect(socket).toMatchObject({ alpnProtocol: 'http/1.0' });
  const answer = untilHolds(socket, '{}');
  socket.write(`GET ${V1}/consents/VALID_CONSENT_ID HTTP/1.0\r\n\r\n`);
  expect(statusOf(await answer)).toBe(200);
  socket.destroy();
});
