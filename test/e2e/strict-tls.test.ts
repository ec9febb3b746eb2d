/** `--strict-tls`: what a client with a certificate that is no good sees of the handshake, and what is recorded of it. */
import { get } from 'node:https';
import { type ConnectionOptions, connect } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { issueCertificate, openIssuingAuthority } from '../../src/certificate/index.js';
import { keys, serial } from '../certificate/made.js';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ strictTls: true });
  return gateway.close;
});
// So many failed connections are recorded a second.
beforeEach(() => gateway.move(2_000));

const identity = (name: string | null) =>
  name === null ? {} : { cert: gateway.file(`${name}.pem`), key: gateway.file(`${name}.key`) };

/** The status of a call, or what the client tells of the end of the connection. */
const ask = (options: ConnectionOptions): Promise<number | string> =>
  new Promise((resolve) => {
    const to = {
      ca: gateway.file('ca.pem'),
      port: Number(new URL(gateway.urls.api).port),
      host: '127.0.0.1',
    };
    get({ ...to, agent: false, path: PATH, ...options }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    ).on('error', (error: NodeJS.ErrnoException) => resolve(error.message));
  });

async function failures() {
  return (await gateway.records()).flatMap(({ exchange: { call, fault, answer } }) =>
    call.request.method === '' ? [{ fault, answer, certificate: call.certificate }] : [],
  );
}

const serverOnly = () => {
  const pair = keys('ec-p256', 'server only');
  const made = issueCertificate({
    authority: openIssuingAuthority(gateway.file('ca.pem'), gateway.file('ca.key')),
    publicKey: pair.publicKey,
    serialNumber: serial('server only'),
    notBefore: Date.now() - DAY_MS,
    notAfter: Date.now() + DAY_MS,
    subject: { commonName: 'server-only.example' },
    extendedKeyUsage: ['serverAuth'],
  });
  return { cert: made.chainPem, key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
};

const REFUSED = [
  ['no certificate', null, 116, 'certificate_required', 'the client shows no certificate'],
  [
    'an untrusted one',
    'bad-untrusted',
    48,
    'unknown_ca',
    'no trusted CA stands behind the client certificate',
  ],
  ['an expired one', 'bad-expired', 45, 'certificate_expired', 'the client certificate has expired'],
  ['one of next year', 'bad-not-yet-valid', 42, 'bad_certificate', 'the client certificate is not valid yet'],
  ['a revoked one', 'bad-revoked', 44, 'certificate_revoked', 'the client certificate is revoked'],
] as const;

describe('a client', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'with a good certificate calls as ever (%s)',
    async (maxVersion) => {
      expect(await ask({ ...identity('tpp'), maxVersion })).toBe(200);
    },
  );

  it.each(REFUSED)(
    'with %s gets an alert of TLS 1.3, and that is recorded',
    async (_, name, alert, word, why) => {
      const before = (await failures()).length;
      expect(await ask(identity(name))).toMatch(new RegExp(`alert number ${alert}\\b`));
      const made = (await failures()).slice(before);
      expect(made).toMatchObject([
        {
          answer: null,
          fault: {
            kind: 'handshake',
            message: `The handshake was refused with TLS alert ${alert} (${word}): ${why}.`,
          },
        },
      ]);
      expect(typeof made[0]?.certificate).toBe(name === null ? 'string' : 'object');
    },
  );

  it.each(REFUSED)('with %s gets an alert of TLS 1.2', async (_, name, alert) => {
    const known = alert === 116 ? 40 : alert;
    expect(await ask({ ...identity(name), maxVersion: 'TLSv1.2' })).toMatch(
      new RegExp(`alert number ${known}\\b`),
    );
  });

  it.each(['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'])(
    'can read the alert with %s',
    async (ciphers) => {
      expect(await ask({ ...identity('bad-revoked'), ciphers })).toMatch(/alert number 44\b/);
    },
  );

  it('without clientAuth is refused', async () => {
    expect(await ask(serverOnly())).toMatch(/alert number 43\b/);
  });

  it('is refused when it resumes the session of a certificate that has expired meanwhile', async () => {
    const to = {
      ca: gateway.file('ca.pem'),
      port: Number(new URL(gateway.urls.api).port),
      host: '127.0.0.1',
    };
    const session = await new Promise<Buffer>((resolve, reject) => {
      const socket = connect({ ...to, ...identity('tpp') });
      onTestFinished(() => void socket.destroy());
      socket.once('session', resolve).once('error', reject);
    });
    gateway.move(400 * DAY_MS);
    onTestFinished(() => gateway.move(-400 * DAY_MS));
    expect(await ask({ ...identity('tpp'), session })).toMatch(/alert number 45\b/);
  });
});

describe('without --strict-tls', () => {
  it('the same client reads a 401', async () => {
    const lenient = await startTestGateway();
    onTestFinished(lenient.close);
    expect((await lenient.call(PATH, { cert: null })).status).toBe(401);
  });
});

it('a load balancer that shows no certificate is let through, and its header counts', async () => {
  const behind = await startTestGateway({
    ...{ strictTls: true, clientCertHeader: 'nginx', clientCertFrom: '127.0.0.0/8,::1' },
  });
  onTestFinished(behind.close);
  const headers = {
    'X-SSL-Cert': encodeURIComponent(
      gateway.file('tpp.pem').split(/(?<=-----END CERTIFICATE-----)/)[0] ?? '',
    ),
  };
  expect((await behind.call(PATH, { cert: null, headers })).status).toBe(200);
});
