/** Every certificate gets the answer it deserves, on new and on resumed sessions alike. */
import { get } from 'node:https';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';

describe('a certificate', () => {
  it.each([
    [null, 'CERTIFICATE_MISSING', 'certificate/presented'],
    ['bad-expired', 'CERTIFICATE_EXPIRED', 'certificate/within-validity'],
    ['bad-not-yet-valid', 'CERTIFICATE_INVALID', 'certificate/within-validity'],
    ['bad-untrusted', 'CERTIFICATE_INVALID', 'certificate/issued-by-trusted-ca'],
    ['bad-no-psd2', 'CERTIFICATE_INVALID', 'certificate/has-psd2-statement'],
    ['bad-no-role', 'ROLE_INVALID', 'certificate/role-covers-operation'],
    ['bad-eseal', 'CERTIFICATE_INVALID', 'certificate/is-qwac'],
    ['bad-revoked', 'CERTIFICATE_REVOKED', 'certificate/not-revoked'],
  ])('%s is answered 401 %s', async (cert, code, rule) => {
    const answer = await gateway.call(CONSENT, { cert });
    expect(answer.status).toBe(401);
    expect(answer.codes).toContain(code);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['sandgate-source']).toBe('rule');
    expect(answer.headers['sandgate-findings']?.split(',')).toContain(rule);
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  it('of an issuer that is not trusted is refused with the option that trusts it', async () => {
    const answer = await gateway.call(CONSENT, { cert: 'bad-untrusted' });
    expect(answer.text).toContain('--trust-anchors FILE');
  });

  it.each(['tpp', 'tpp-ai', 'tpp-ec', 'tpp-other'])('%s is let through to a consent', async (cert) => {
    const answer = await gateway.call(CONSENT, { cert });
    expect([answer.status, answer.headers['sandgate-source']]).toEqual([200, 'emulator']);
  });

  it.each([
    ['tpp-pi', '/stdgroup/v1/consents/VALID_CONSENT_ID', 401],
    ['tpp-pi', '/stdgroup/v1/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT', 200],
    ['tpp-ai', '/stdgroup/v1/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT', 401],
    ['tpp-ic', '/stdgroup/v1/consents/VALID_CONSENT_ID', 401],
  ])('%s gets what its roles cover: %s', async (cert, path, status) => {
    const answer = await gateway.call(path, { cert });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.codes).toEqual(['ROLE_INVALID']);
  });

  it('is recorded with its facts, and never with its bytes or its key', async () => {
    await gateway.call(CONSENT, { cert: 'tpp-ec' });
    const record = (await gateway.records()).at(-1);
    expect(record?.exchange.call.certificate).toMatchObject({ keyType: 'ec', curve: 'P-256' });
    expect(JSON.stringify(record)).not.toContain('BEGIN');
  });
});

describe('a resumed session', () => {
  /** One call on a fresh socket: status, whether the session was resumed, and the session for the next one. */
  async function callWith(options: ConnectionOptions, side: 'api' | 'psu' = 'api') {
    const { hostname, port } = new URL(gateway.urls[side]);
    const socket = connect({ host: hostname, port: Number(port), ca: gateway.file('ca.pem'), ...options });
    let session: Buffer | undefined;
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    const text = await exchange(
      socket,
      `GET ${CONSENT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    session ??= socket.getSession();
    const [, code] = /"code":"([A-Z_]+)"/.exec(text) ?? [];
    return { status: Number(text.split(' ')[1]), code, resumed: socket.isSessionReused(), session };
  }

  function exchange(socket: TLSSocket, bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.on('secureConnect', () => socket.write(bytes));
    });
  }

  const keyOf = (name: string) => ({ cert: gateway.file(`${name}.pem`), key: gateway.file(`${name}.key`) });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const tls = { minVersion: version, maxVersion: version };

    it(`of ${version} without certificate is still CERTIFICATE_MISSING`, async () => {
      const first = await callWith(tls);
      expect([first.status, first.code, first.resumed]).toEqual([401, 'CERTIFICATE_MISSING', false]);
      const second = await callWith({ ...tls, session: first.session });
      expect([second.status, second.code, second.resumed]).toEqual([401, 'CERTIFICATE_MISSING', true]);
    });

    it(`of ${version} keeps the certificate that it began with`, async () => {
      const first = await callWith({ ...tls, ...keyOf('tpp') });
      expect([first.status, first.resumed]).toEqual([200, false]);
      const second = await callWith({ ...tls, session: first.session });
      expect([second.status, second.resumed]).toEqual([200, true]);
      const record = (await gateway.records()).at(-1);
      expect(record?.exchange.call.connection.tls).toMatchObject({ version, resumed: true });
      expect(record?.exchange.call.certificate).toMatchObject({ chain: { trusted: true } });
    });

    it(`of ${version} with a bad certificate stays bad, also where a good one is offered with it`, async () => {
      const first = await callWith({ ...tls, ...keyOf('bad-untrusted') });
      expect(first.code).toBe('CERTIFICATE_INVALID');
      const second = await callWith({ ...tls, ...keyOf('tpp'), session: first.session });
      expect([second.code, second.resumed]).toEqual(['CERTIFICATE_INVALID', true]);
    });

    it(`of ${version} of the PSU listener opens nothing on the API listener`, async () => {
      const first = await callWith(tls, 'psu');
      expect(first.session).toBeDefined();
      const second = await callWith({ ...tls, session: first.session });
      expect([second.status, second.code, second.resumed]).toEqual([401, 'CERTIFICATE_MISSING', false]);
    });
  }

  it('of TLS 1.2 by session id, without ticket, is judged the same', async () => {
    const { constants } = await import('node:crypto');
    const tls = { maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET } as const;
    const first = await callWith(tls);
    const second = await callWith({ ...tls, session: first.session });
    expect([first.code, second.code]).toEqual(['CERTIFICATE_MISSING', 'CERTIFICATE_MISSING']);
  });
});

describe('a certificate that is known', () => {
  it('is judged by its dates at every call, on the open connection and on new ones', async () => {
    const own = await startTestGateway();
    const files = { ca: own.file('ca.pem'), cert: own.file('tpp.pem'), key: own.file('tpp.key') };
    const onNewConnection = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { ...files, agent: false } as const;
        get(`${own.urls.api}${CONSENT}`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    expect([(await own.call(CONSENT)).status, await onNewConnection()]).toEqual([200, 200]);
    own.move(3_000 * 86_400_000);
    const answer = await own.call(CONSENT);
    expect([answer.status, answer.codes.includes('CERTIFICATE_EXPIRED')]).toEqual([401, true]);
    expect(await onNewConnection()).toBe(401);
    await own.close();
  });
});
