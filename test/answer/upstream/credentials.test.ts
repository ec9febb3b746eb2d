/** Client certificates come from files of several forms, follow their files, and never stop working for a bad one. */

import { createPrivateKey } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  type CredentialFiles,
  createCredentials,
  createUpstream,
} from '../../../src/answer/upstream/index.js';
import { createWorld } from '../../../src/bank/index.js';
import { SandgateError } from '../../../src/spec/index.js';
import { aCall, NOW } from '../../builders.js';
import { type Bank, GATEWAY, recognise, startBank, TO_ALL, until } from './bank.js';
import { createFiles, mintCertificates, pkcs12 } from './certificates.js';

const certificates = mintCertificates();
const { client, secondClient, ca } = certificates;
const files = createFiles();
const open: { close: () => Promise<void> }[] = [];
const caFile = files.write('ca.pem', ca.cert);

afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});
afterAll(files.remove);

async function namingBank(): Promise<Bank> {
  const bank = await startBank(certificates, (request, response) => {
    response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
  });
  open.push(bank);
  return bank;
}

function openWith(bank: Bank, fallback: CredentialFiles, env: Record<string, string> = {}) {
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const credentials = createCredentials({
    fallback,
    ca: [caFile],
    env,
    log: { info: tell, warn: tell },
    reloadMs: 0,
  });
  const upstream = createUpstream({
    ...TO_ALL,
    target: bank.url,
    rewrite: true,
    credentials,
    recognise,
    urls: () => GATEWAY,
  });
  open.push(upstream);
  const name = async () => {
    const context = { ...createWorld(), refusal: null, now: NOW, signal: new AbortController().signal };
    const answered = await upstream.answer(aCall(), context);
    return answered?.answer.body?.text;
  };
  return { credentials, name, told };
}

/** As OpenSSL sees one where a wrong passphrase fits by chance. */
const unreadable = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n';
const encrypted = () =>
  createPrivateKey(client.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
    .toString();

describe('a client certificate', () => {
  const cases: readonly [string, () => CredentialFiles, Record<string, string>?][] = [
    [
      'PEM in two files',
      () => ({ cert: files.write('a.pem', client.cert), key: files.write('a.key', client.key) }),
    ],
    ['PEM in one file', () => ({ cert: files.write('b.pem', `${client.key}${client.cert}`) })],
    [
      'PEM with a passphrase from a file',
      () => ({
        cert: files.write('c.pem', client.cert),
        key: files.write('c.key', encrypted()),
        passphrase: { file: files.write('c.txt', 'open sesame\n') },
      }),
    ],
    [
      'PKCS#12 with a passphrase from the environment',
      () => ({ cert: files.write('d.p12', pkcs12(client, 'open sesame')), passphrase: { env: 'BANK_PASS' } }),
      { BANK_PASS: 'open sesame' },
    ],
  ];

  it.each(cases)('is taken as %s', async (_, fallback, env = {}) => {
    expect(await openWith(await namingBank(), fallback(), env).name()).toBe('gateway');
  });

  const wrong: readonly [string, () => CredentialFiles, RegExp][] = [
    [
      'a file that is not there',
      () => ({ cert: files.path('none.pem') }),
      /none\.pem cannot be read: there is no such file/,
    ],
    [
      'a key of another',
      () => ({ cert: files.write('e.pem', client.cert), key: files.write('e.key', ca.key) }),
      /the key is not that of the certificate/,
    ],
    [
      'a file without key',
      () => ({ cert: files.write('f.pem', client.cert) }),
      /f\.pem holds no key in PEM: give the file that does/,
    ],
    [
      'a key file that holds none',
      () => ({ cert: files.write('k.pem', client.cert), key: files.write('k.key', client.cert) }),
      /k\.key holds no key in PEM: give the file that does/,
    ],
    [
      'a key file that is cut off',
      () => ({ cert: files.write('l.pem', client.cert), key: files.write('l.key', client.key.slice(0, 90)) }),
      /l\.key cannot be used: it is damaged/,
    ],
    [
      'PKCS#12 and a key beside it',
      () => ({
        cert: files.write('m.p12', pkcs12(client, 'right')),
        key: files.write('m.key', client.key),
        passphrase: { file: files.write('m.txt', 'right') },
      }),
      /m\.p12 is not PEM.* omit .*m\.key/,
    ],
    ['no certificate at all', () => ({ cert: files.write('g.pem', 'hello') }), /neither PEM nor PKCS#12/],
    [
      'a wrong passphrase',
      () => ({
        cert: files.write('h.p12', pkcs12(client, 'right')),
        passphrase: { file: files.write('h.txt', 'wrong') },
      }),
      /passphrase is wrong or missing/,
    ],
    [
      'a missing passphrase',
      () => ({ cert: files.write('i.pem', client.cert), key: files.write('i.key', encrypted()) }),
      /passphrase is (wrong or )?missing/,
    ],
    [
      'an encrypted key of which nothing can be told',
      () => ({ cert: files.write('n.pem', client.cert), key: files.write('n.key', unreadable) }),
      /passphrase is wrong or missing, or the key is damaged/,
    ],
    [
      'a variable that is not set',
      () => ({ cert: files.write('j.p12', pkcs12(client, 'x')), passphrase: { env: 'NO_SUCH' } }),
      /variable NO_SUCH, .* is not set/,
    ],
  ];

  it.each(wrong)('is refused at the start for %s, in words and without the secret', (_, fallback, words) => {
    const make = () =>
      createCredentials({
        fallback: fallback(),
        env: {},
        log: { info: () => {}, warn: () => {} },
        reloadMs: 0,
      });
    expect(make).toThrow(SandgateError);
    expect(make).toThrow(words);
    expect(make).not.toThrow(/sesame|right|BEGIN/);
  });

  it.each([
    ['is none', 'hello', /holds no certificate/],
    ['holds a key only', client.key, /holds no certificate/],
    ['is cut off', ca.cert.slice(0, 200), /holds a certificate that is damaged/],
    ['is cut off in its second certificate', ca.cert + ca.cert.slice(0, 200), /that is damaged/],
    [
      'holds something else as a certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /that is damaged/,
    ],
  ])('is refused where the CA file %s', (_, content, words) => {
    const file = files.write('no-ca.pem', content);
    expect(() =>
      createCredentials({ ca: [file], env: {}, log: { info: () => {}, warn: () => {} }, reloadMs: 0 }),
    ).toThrow(words);
  });

  it('keeps the last good CA where its file is cut off', async () => {
    const bank = await namingBank();
    const cert = files.write('t.pem', client.cert + client.key);
    const { credentials, name } = openWith(bank, { cert });
    files.write('ca.pem', ca.cert.slice(0, 200));
    await credentials.reload();
    expect(credentials.problems()).toEqual([
      expect.stringMatching(/ca\.pem holds a certificate that is damaged.* last good one stays in use/),
    ]);
    expect(await name()).toBe('gateway');
    expect(credentials.authorities()).toEqual([ca.cert]);
    files.write('ca.pem', ca.cert);
  });

  it('follows its files; a bad one keeps the last good one in use and is told of once', async () => {
    const bank = await namingBank();
    const cert = files.write('r.pem', client.cert + client.key);
    const { credentials, name, told } = openWith(bank, { cert });
    expect(await name()).toBe('gateway');
    await credentials.reload();
    expect(told).toEqual([]);

    files.write('r.pem', secondClient.cert + secondClient.key);
    await credentials.reload();
    expect(await name()).toBe('gateway-of-other-tpp');
    await until(() => bank.sockets.size === 1, 'the connection of the old certificate is closed');

    files.write('r.pem', 'half a certific');
    await credentials.reload();
    await credentials.reload();
    expect(await name()).toBe('gateway-of-other-tpp');
    expect(credentials.problems()).toEqual([
      expect.stringMatching(/r\.pem cannot be used: .* last good one stays in use/),
    ]);
    unlinkSync(cert);
    await credentials.reload();
    expect(credentials.problems()).toEqual([expect.stringMatching(/there is no such file/)]);

    files.write('r.pem', client.cert + client.key);
    await credentials.reload();
    expect(await name()).toBe('gateway');
    expect(credentials.problems()).toEqual([]);
    expect(told).toHaveLength(4);
  });

  it('is looked at by itself', async () => {
    const cert = files.write('s.pem', client.cert + client.key);
    const credentials = createCredentials({
      fallback: { cert },
      env: {},
      log: { info: () => {}, warn: () => {} },
      reloadMs: 10,
    });
    open.push({ close: async () => credentials.close() });
    const first = credentials.of(null);
    files.write('s.pem', secondClient.cert + secondClient.key);
    await until(() => credentials.of(null) !== first, 'the new certificate is in use');
  });
});
