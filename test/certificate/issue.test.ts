import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createSecureContext, createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { openIssuingAuthority, parsePemFile, renderPkcs12 } from '../../src/certificate/index.js';
import { SandgateError } from '../../src/spec/index.js';
import { anAuthority, aQwac, DAY, factsOf, KEY_TYPES, keys, type MadeKeyType, ROOT, serial } from './made.js';

const pemOf = (type: MadeKeyType) =>
  keys(type).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Of a real connection on which both sides show a certificate; times of its own, for OpenSSL asks the machine's clock. */
async function handshake(type: MadeKeyType): Promise<{ client: boolean; server: boolean; cn: string }> {
  const now = Date.now();
  const validity = { notBefore: now - DAY, notAfter: now + DAY };
  const root = anAuthority('TLS Root', { keys: keys(type), ...validity });
  const issuing = anAuthority('TLS Issuing', {
    keys: keys(type, 'issuing'),
    issuer: root,
    pathLength: 0,
    ...validity,
  });
  const issued = aQwac({
    authority: issuing,
    publicKey: keys(type).publicKey,
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1', '::1'],
    crlUrl: 'http://localhost/ca.crl',
    ...validity,
  });
  const own = { cert: issued.chainPem, key: pemOf(type), ca: root.pem };
  const server = createServer({ ...own, requestCert: true, rejectUnauthorized: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'secureConnection');
  const client = connect({ ...own, host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  try {
    const [[peer]] = (await Promise.all([accepted, once(client, 'secureConnect')])) as [[TLSSocket], unknown];
    const { CN } = peer.getPeerCertificate().subject;
    return { client: client.authorized, server: peer.authorized, cn: String(CN) };
  } finally {
    client.destroy();
    server.close();
  }
}

describe('an issued certificate', () => {
  it.each(KEY_TYPES)('with a key of %s serves both sides of a real TLS connection', async (type) => {
    expect(await handshake(type)).toEqual({ client: true, server: true, cn: 'tpp.example' });
  });

  it.each([
    'standard',
    'flat-roles',
    'bare-statement',
    'no-roles-wrapper',
    'other-strings',
    'unreadable',
  ] as const)('opens elsewhere too in the encoding %s', (encoding) => {
    const { pem } = aQwac({ psd2: { roles: ['PSP_AI'], ncaName: 'NBB', ncaId: 'BE-NBB', encoding } });
    const certificate = new X509Certificate(pem);
    expect(certificate.verify(keys('ec-p256', 'Test Root').publicKey)).toBe(true);
    expect(certificate).toMatchObject({ ca: false, subject: expect.stringContaining('CN=tpp.example') });
  });

  it('is the same for the same order where the signature leaves no choice', () => {
    const authority = anAuthority('RSA CA', { keys: keys('rsa-2048') });
    expect(aQwac({ authority }).pem).toBe(aQwac({ authority }).pem);
  });

  it('refuses what is no address', () => {
    expect(() => aQwac({ ipAddresses: ['localhost'] })).toThrow(RangeError);
  });
});

describe('a CA of files', () => {
  const issuing = anAuthority('Files', { issuer: ROOT, keys: keys('ec-p384') });

  it('signs as the one that was made', () => {
    const opened = openIssuingAuthority(issuing.pem + ROOT.pem, pemOf('ec-p384'));
    expect(opened).toMatchObject({ pem: issuing.pem, above: ROOT.pem });
    expect(factsOf(aQwac({ authority: opened })).chain.trusted).toBe(true);
  });

  it.each([
    ['there is no certificate', 'nothing', pemOf('ec-p384')],
    ['there is no key', issuing.pem, 'nothing'],
    ['they do not belong together', issuing.pem, pemOf('rsa-2048')],
    ['it is no CA', aQwac({ publicKey: keys('ec-p384').publicKey }).pem, pemOf('ec-p384')],
  ])('is refused with a sentence where %s', (_, pem, key) => {
    expect(() => openIssuingAuthority(pem, key)).toThrow(SandgateError);
  });
});

describe('a PKCS#12 file', () => {
  const write = (type: MadeKeyType, passphrase: string) =>
    renderPkcs12({
      privateKey: keys(type).privateKey,
      certificates: parsePemFile(Buffer.from(aQwac({ publicKey: keys(type).publicKey }).chainPem)),
      name: 'tpp é',
      passphrase,
      salt: serial('salt'),
    });

  it.each(KEY_TYPES.flatMap((type) => [[type, 'a secret é €'] as const, [type, ''] as const]))(
    'with a key of %s and the passphrase “%s” opens in OpenSSL',
    (type, passphrase) => {
      expect(() => createSecureContext({ pfx: write(type, passphrase), passphrase })).not.toThrow();
    },
  );

  it('does not open with another passphrase', () => {
    const pfx = write('ec-p256', 'right');
    expect(() => createSecureContext({ pfx, passphrase: 'wrong' })).toThrow(/mac verify/i);
    expect(pfx.includes(createPrivateKey(pemOf('ec-p256')).export({ type: 'pkcs8', format: 'der' }))).toBe(
      false,
    );
  });

  it('takes passphrases longer than a block of its hash', () => {
    const passphrase = 'long '.repeat(30);
    expect(() => createSecureContext({ pfx: write('ec-p256', passphrase), passphrase })).not.toThrow();
  });
});
