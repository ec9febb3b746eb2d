/** Signatures of reports: for the bytes and the key that they are of, and for no others. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedBy, signReport } from '../../src/report/index.js';

const privatePem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
  key.export({ type: 'spki', format: 'pem' }).toString();

const KEYS = [
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'PS256'],
  ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'],
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ES384'],
  ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'ES512'],
  ['Ed25519', generateKeyPairSync('ed25519'), 'EdDSA'],
] as const;
const BYTES = Buffer.from('{"format":"sandgate-report"}\n');

describe.each(KEYS)('a key of %s', (_, { privateKey, publicKey }, alg) => {
  it('signs detached, and the public key checks it', async () => {
    const jws = await signReport(BYTES, privatePem(privateKey), 'key.pem');
    const [header = '', payload] = jws.split('.');
    expect(payload).toBe('');
    const read = JSON.parse(Buffer.from(header, 'base64url').toString());
    expect(read).toMatchObject({ alg, b64: false, crit: ['b64'] });
    expect(await isSignedBy(BYTES, `${jws}\n`, publicPem(publicKey), 'pub.pem')).toBe(true);
    expect(await isSignedBy(BYTES, jws, privatePem(privateKey), 'key.pem')).toBe(true);
  });

  it('does not fit other bytes, another signature or another key', async () => {
    const jws = await signReport(BYTES, privatePem(privateKey), 'key.pem');
    const pem = publicPem(publicKey);
    expect(await isSignedBy(Buffer.from('{}'), jws, pem, 'pub')).toBe(false);
    const [header = '', , signature = ''] = jws.split('.');
    const other = signature.startsWith('A') ? 'B' : 'A';
    expect(await isSignedBy(BYTES, `${header}..${other}${signature.slice(1)}`, pem, 'pub')).toBe(false);
    expect(await isSignedBy(BYTES, `${header}.${BYTES.toString('base64url')}.${signature}`, pem, 'pub')).toBe(
      false,
    );
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    expect(await isSignedBy(BYTES, jws, publicPem(stranger), 'pub')).toBe(false);
  });
});

describe('a signature', () => {
  it.each([
    ['nothing', ''],
    ['words', 'not a signature'],
    ['no algorithm', `${Buffer.from('{"alg":"none"}').toString('base64url')}..`],
    ['too many parts', 'a.b.c.d.e'],
  ])('of %s fits nothing', async (_, jws) => {
    expect(await isSignedBy(BYTES, jws, publicPem(KEYS[1][1].publicKey), 'pub')).toBe(false);
  });
});

describe('a file that is no key to sign with is named', () => {
  it.each([
    ['words', 'no key at all'],
    ['a weak key', privatePem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
    ['a key for agreement', privatePem(generateKeyPairSync('x25519').privateKey)],
    ['another curve', privatePem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)],
    ['a public key', publicPem(KEYS[1][1].publicKey)],
    [
      'a key behind a passphrase',
      generateKeyPairSync('ed25519')
        .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
    ],
  ])('%s', async (_, pem) => {
    await expect(signReport(BYTES, pem, 'key.pem')).rejects.toThrow(/^key\.pem is no /);
  });
});
