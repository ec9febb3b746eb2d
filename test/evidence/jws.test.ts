/** Signed statements: for the bytes and the key that they are of, and for no others. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSigned, sign } from '../../src/evidence/index.js';
import { keys } from '../certificate/made.js';

const privatePem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
  key.export({ type: 'spki', format: 'pem' }).toString();

const KEYS = [
  ['RSA', keys('rsa-2048'), 'PS256'],
  ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'],
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ES384'],
  ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'ES512'],
  ['Ed25519', generateKeyPairSync('ed25519'), 'EdDSA'],
] as const;
const BYTES = Buffer.from('{"format":"sandgate-statement"}');

describe.each(KEYS)('a key of %s', (_, { privateKey, publicKey }, alg) => {
  it('signs, and the public key opens what was signed', async () => {
    const jws = await sign(BYTES, privatePem(privateKey), 'key.pem');
    const [header = ''] = jws.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg });
    for (const pem of [publicPem(publicKey), privatePem(privateKey)])
      expect(Buffer.from((await openSigned(jws, pem, 'pub.pem')) ?? [])).toEqual(BYTES);
  });

  it('opens nothing that another key has signed', async () => {
    const jws = await sign(BYTES, privatePem(privateKey), 'key.pem');
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    expect(await openSigned(jws, publicPem(stranger), 'pub')).toBeNull();
  });

  it('opens nothing of which any byte was changed, dropped or added', async () => {
    const jws = await sign(BYTES, privatePem(privateKey), 'key.pem');
    const pem = publicPem(publicKey);
    const place = fc.nat({ max: jws.length - 1 });
    const other = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(place, fc.oneof(other, fc.constant('')), fc.boolean(), async (at, byte, isAdded) => {
        const changed = `${jws.slice(0, at)}${byte}${jws.slice(isAdded ? at : at + 1)}`;
        fc.pre(changed !== jws);
        expect(await openSigned(changed, pem, 'pub')).toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});

describe('a signature', () => {
  it.each([
    ['nothing', ''],
    ['words', 'not a signature'],
    ['no algorithm', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.\n`],
    ['too many parts', 'a.b.c.d.e\n'],
  ])('of %s opens nothing', async (_, jws) => {
    expect(await openSigned(jws, publicPem(KEYS[1][1].publicKey), 'pub')).toBeNull();
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
    await expect(sign(BYTES, pem, 'key.pem')).rejects.toThrow(/^key\.pem is not a /);
  });
});
