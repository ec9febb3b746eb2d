/** The scan finds what must not be in git, in any text and at its place, and nothing else. */
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSandboxIbans } from '../../src/app/index.js';
import { createPopulation } from '../../src/bank/index.js';
import { createPseudonyms, scanText } from '../../src/exchange/index.js';
import { PRINTED_IBANS } from '../../src/exchange/scan/detectors.js';
import { ibanOf, isIban } from '../../src/spec/index.js';
import { keys } from '../certificate/made.js';
import { codePoint } from '../code-points.js';

const options = { isHarmlessIban: createSandboxIbans() };
const scan = (text: string) => scanText(text, options);

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = keys('rsa-2048');
const ed = generateKeyPairSync('ed25519');
const der = (key: typeof ec.privateKey, type: 'pkcs8' | 'pkcs1' | 'sec1') =>
  key.export({ format: 'der', type: type as 'pkcs8' }).toString('base64');
const encrypted = rsa.privateKey.export({
  ...{ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' },
});
const b64 = (text: string) => Buffer.from(text).toString('base64');
const JWT = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.c2lnbmF0dXJlc2lnbmF0dXJl`;
const TOKEN = '7KvWq2nPzRtB84mXcLdY1A';
/** Of no document, and with check digits that are right. */
const IBAN = ibanOf('DE', '500105175407324931');

/** Kind, the secret itself, and a text with it. */
const planted: readonly (readonly [string, string, (secret: string) => string])[] = [
  ['bearer token', TOKEN, (it) => `Authorization: Bearer ${it}`],
  ['bearer token', TOKEN, (it) => `"Authorization": "Bearer ${it}"`],
  ['password (Basic)', b64('client:s3cr3t-of-it'), (it) => `Authorization: Basic ${it}`],
  ['access_token', TOKEN, (it) => `{"access_token":"${it}","expires_in":3600}`],
  ['refresh_token', TOKEN, (it) => `grant_type=refresh_token&refresh_token=${it}&client_id=x`],
  ['code', 'Sp1xl0BeZQQYbYS6WxSbIA', (it) => `https://tpp.example/back?code=${it}&state=1`],
  ['code_verifier', 'aBkftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjYz', (it) => `code_verifier=${it}`],
  ['client_secret', 'gX1fBat3bV', (it) => `{"client_secret": "${it}"}`],
  ['password', 'Hunter-Two', (it) => `{"password":"${it}"}`],
  ['password', 'hunter2hunter', (it) => `https://bank.example/login?user=a&password=${it}&x=1`],
  ['password in a URL', 'hunter2', (it) => `http://proxy:${it}@proxy.corp:3128/`],
  ['Cookie', 'session=8f3b2a1c9d7e6f5a4b3c', (it) => `{"name":"Cookie","value":"${it}"}`],
  ['Cookie', `sid=${TOKEN}; theme=dark`, (it) => `Cookie: ${it}`],
  ['cookie', `sid=${TOKEN}`, (it) => `{"cookie":"${it}"}`],
  ['Set-Cookie', `sid=${TOKEN}; Path=/; HttpOnly`, (it) => `Set-Cookie: ${it}`],
  ['cookie', TOKEN, (it) => `{"cookies":[{"name":"sid","value":"${it}","path":"/"}]}`],
  ['X-Api-Key', TOKEN, (it) => `X-Api-Key: ${it}`],
  ['X-Api-Key', TOKEN, (it) => `curl -H 'X-Api-Key: ${it}' https://bank.example/`],
  ['x-api-key', TOKEN, (it) => `{"x-api-key":"${it}"}`],
  ['x-api-key', TOKEN, (it) => `["x-api-key","${it}"]`],
  ['JWT', JWT, (it) => `the token ${it} was refused`],
  ['IBAN', IBAN, (it) => `{"iban":"${it}"}`],
  ['IBAN', IBAN.replace(/(.{4})(?=.)/g, '$1 '), (it) => `to ${it}, today`],
  ['IBAN', IBAN.replace(/(.{4})(?=.)/g, '$1-'), (it) => `to ${it}, today`],
  ['IBAN', IBAN.toLowerCase(), (it) => `iban=${it}`],
  ['e-mail address', 'jane.doe+bank@mail.somebank.de', (it) => `Contact: <${it}>.`],
  ['private key (DER)', der(ec.privateKey, 'pkcs8'), (it) => `key: ${it}`],
  ['private key (DER)', der(ec.privateKey, 'sec1'), (it) => `"${it}"`],
  ['private key (DER)', der(rsa.privateKey, 'pkcs1'), (it) => `"${it}"`],
  ['private key (DER)', der(rsa.privateKey, 'pkcs8').replace(/.{64}/g, '$&\n'), (it) => it],
  ['private key (DER)', der(ed.privateKey, 'pkcs8'), (it) => it],
  ['private key (DER)', encrypted.toString('base64'), (it) => it],
];

describe('sandgate scan finds', () => {
  it.each(planted)('a %s at its place: %#', (kind, secret, write) => {
    const text = `one line\n  ${write(secret)}\n`;
    const column = (text.split('\n')[1] ?? '').indexOf(secret.split('\n')[0] ?? '') + 1;
    expect(scan(text)).toEqual([expect.objectContaining({ kind, line: 2, column })]);
  });

  it.each(['pkcs8', 'pkcs1'] as const)('a private key in PEM: %s', (type) => {
    const pem = String(rsa.privateKey.export({ format: 'pem', type }));
    expect(scan(`x\n${pem}`)[0]).toMatchObject({ kind: 'private key (PEM)', line: 2, column: 1, shown: '' });
    expect(scan(JSON.stringify({ key: pem }))[0]?.kind).toBe('private key (PEM)');
  });

  it.each([
    ['EC', ec.privateKey.export({ format: 'jwk' })],
    ['RSA', rsa.privateKey.export({ format: 'jwk' })],
    ['symmetric', { kty: 'oct', k: 'GawgguFyGrWKav7AX4VKUg' }],
    ['symmetric, the other way round', { k: 'GawgguFyGrWKav7AX4VKUg', kty: 'oct' }],
  ])('a private key as JWK: %s', (_, jwk) => {
    expect(scan(JSON.stringify({ keys: [jwk] }, null, 2)).map(({ kind }) => kind)).toContain(
      'private key (JWK)',
    );
  });

  it('each of them under what it is wrapped in: JSON in JSON, percent-encoding, base64, hex, entities', () => {
    const wraps: readonly ((text: string) => string)[] = [
      (text) => JSON.stringify({ text }),
      (text) => JSON.stringify({ body: JSON.stringify({ text }) }),
      (text) => `x=${encodeURIComponent(text)}`,
      (text) => `x=${encodeURIComponent(encodeURIComponent(text))}`,
      (text) => JSON.stringify({ url: `/x?y=${encodeURIComponent(text)}` }),
      (text) => JSON.stringify({ encoding: 'base64', text: b64(`{"a":"${'.'.repeat(9)}"} ${text}`) }),
      (text) => b64(b64(text)),
      (text) => `x: ${gzipSync(text).toString('base64')}`,
      (text) => Buffer.from(text, 'utf16le').toString('base64'),
      (text) => `x=${Buffer.from(text).toString('hex')}`,
      (text) => `<p>${text.replace(/[^\w ]/g, (sign) => `&#${sign.codePointAt(0)};`)}</p>`,
      (text) => `<p>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</p>`,
    ];
    const missed = planted.flatMap(([kind, secret, write], i) =>
      wraps.flatMap((wrap, j) =>
        scan(`\n${wrap(write(secret))}`).some((one) => one.line === 2) ? [] : [`${kind} ${i} in wrap ${j}`],
      ),
    );
    expect(missed).toEqual([]);
  });

  it('all of many, whatever stands between them, at their lines, and shows none of them whole', () => {
    const between = fc
      .string({ unit: codePoint, maxLength: 40 })
      .map((text) => text.replace(/[\n"'\\%@:=&<>{}]/g, ' '));
    const one = fc.record({ which: fc.nat(planted.length - 1), before: between });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), (ones) => {
        const lines = ones.map(({ which, before }) => {
          const [, secret, write] = planted[which] as (typeof planted)[number];
          return `${before} \t${write(secret.replaceAll('\n', ''))}`;
        });
        const found = scan(lines.join('\n'));
        const at = new Set(found.map(({ line }) => line));
        expect(lines.map((_, i) => at.has(i + 1))).toEqual(lines.map(() => true));
        const shown = found.map((finding) => finding.shown).join('\n');
        for (const { which } of ones)
          expect(shown).not.toContain((planted[which] as (typeof planted)[number])[1]);
      }),
      { numRuns: 60 },
    );
  });

  it('no place outside of the text, whatever it is, and never throws', () => {
    const pieces = fc.constantFrom(
      '%',
      '\\',
      '\\u00',
      '%2',
      '"',
      'eyJ',
      'Bearer ',
      '://a:b@',
      '{"kty"',
      'MII',
      'DE',
      '@x.de',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: codePoint, maxLength: 12 })), { maxLength: 30 }),
        (parts) => {
          const text = parts.join('');
          const lines = text.split('\n');
          for (const { line, column } of scan(text)) {
            expect(line).toBeLessThanOrEqual(lines.length);
            expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
          }
        },
      ),
    );
  });
});

describe('sandgate scan leaves alone', () => {
  it.each([
    'Authorization: Bearer fp_AAAAAAAAAAAAAAAAAAAAAA',
    'Authorization: Bearer <token>',
    'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    'Authorization: Bearer $ACCESS_TOKEN_1',
    'WWW-Authenticate: Bearer realm="bank", error="invalid_token"',
    'a bearer token is expected',
    '{"code":"AIS_VALID_CODE"}',
    '{"category":"ERROR","code":"CERTIFICATE_INVALID"}',
    '{"access_token":"fp_AAAAAAAAAAAAAAAAAAAAAA"}',
    '{"password":"<your password>"}',
    '{"type":"string","token":"string"}',
    'const token = process.env.TOKEN;',
    'https://user:password@host.example/',
    'https://localhost:8443/stdgroup/v1/consents@2',
    'someone@example.com, somebody@bank.example, x@localhost',
    'npm install vitest@4.1.12 logo@2x.png git@github.com:a/b.git',
    `{"sha256":"${'ab12'.repeat(16)}"}`,
    `{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}`,
    String(rsa.publicKey.export({ format: 'pem', type: 'spki' })),
    rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  ])('%s', (text) => {
    expect(scan(text)).toEqual([]);
  });

  it('pseudonyms, the accounts of the sandbox, and IBANs that are printed in documents', () => {
    const { iban } = createPseudonyms(new Uint8Array(32));
    expect([...PRINTED_IBANS].filter((one) => !isIban(one))).toEqual([]);
    const { accounts } = JSON.parse(readFileSync('data/sandbox/accounts.json', 'utf8'));
    const ofSandbox = accounts.map((account: { iban: string }) => account.iban);
    const ofPopulation = createPopulation({ seed: 1, count: 9 })
      .accountsOf('psu-9')
      .map((one) => one.iban);
    const harmless = [...PRINTED_IBANS, ...ofSandbox, ...ofPopulation, iban(IBAN)];
    expect(scan(harmless.join('\n'))).toEqual([]);
    expect([ofSandbox.length, ofPopulation.length].every((count) => count > 0)).toBe(true);
  });

  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:json|md|crt)$/.test(name))
      .map((name) => join(folder, name));

  it('our own cassettes, samples and documents', () => {
    const all = [...files('examples'), ...files('test/fixtures'), ...files('docs'), 'README.md'];
    const found = all.flatMap((file) => scan(readFileSync(file, 'utf8')).map((one) => ({ file, ...one })));
    expect(found).toEqual([]);
    expect(all.length).toBeGreaterThan(20);
  });

  it('nothing in our HARs of other programs but the clear tokens that they hold', () => {
    const kinds = readdirSync('test/fixtures/har')
      .filter((name) => name.endsWith('.har'))
      .flatMap((name) => scan(readFileSync(join('test/fixtures/har', name), 'utf8')).map(({ kind }) => kind));
    expect([...new Set(kinds)].sort()).toEqual([
      'JWT',
      'access_token',
      'bearer token',
      'otp',
      'refresh_token',
    ]);
  });
});
