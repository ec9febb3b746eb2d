/** Who answers, and how that is chosen: by settings, by operation, and while the gateway runs. */
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/index.js';
import { createFiles, pkcs12 } from '../answer/upstream/certificates.js';
import { REQUEST_ID } from '../builders.js';
import { type BankBehind, bankCertificates, openBankBehind } from './bank-behind.js';
import { startTestGateway, type TestGateway } from './harness.js';

const V1 = '/stdgroup/v1';
const CONSENT = `${V1}/consents/VALID_CONSENT_ID`;
const FUNDS = {
  account: { iban: 'BE67983610020587' },
  instructedAmount: { currency: 'EUR', amount: '123.50' },
};

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function behind(settings: Record<string, unknown> = {}): Promise<BankBehind> {
  const made = await openBankBehind(
    (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': REQUEST_ID })
        .end('{"consentStatus":"valid"}'),
    settings,
  );
  open.push(made);
  return made;
}

const sourceOf = async (gateway: TestGateway, path = CONSENT, json?: unknown) =>
  (await gateway.call(path, json === undefined ? {} : { json })).headers['sandgate-source'];
const put = (gateway: TestGateway, json: unknown) =>
  gateway.call('/api/settings', { side: 'admin', method: 'PUT', json });

describe('sources by operation', () => {
  it('answer what they are for, and the source of the gateway answers all else', async () => {
    const { gateway, seen } = await behind({
      sources: { 'funds-confirmations.*': 'emulator', '*': 'upstream', 'consents.status': 'emulator' },
      source: 'emulator',
    });
    expect(await sourceOf(gateway, `${V1}/funds-confirmations`, FUNDS)).toBe('emulator');
    expect(await sourceOf(gateway, `${CONSENT}/status`)).toBe('emulator');
    expect(await sourceOf(gateway)).toBe('upstream');
    expect(await sourceOf(gateway, `${V1}/nowhere`)).toBe('rule');
    expect(seen).toHaveLength(1);
  });
});

describe('while the gateway runs', () => {
  it('source, stance and profile are switched, and each change is a note of the session', async () => {
    const { gateway } = await behind({ source: 'emulator', stance: 'enforce' });
    const start = {
      source: 'emulator',
      stance: 'enforce',
      profile: 'sandbox',
      bank: 'sandbox',
      scaLink: 'by-profile',
      stances: [],
    };
    expect((await gateway.call('/api/settings', { side: 'admin' })).json).toEqual(start);
    expect(await sourceOf(gateway)).toBe('emulator');

    expect((await put(gateway, { source: 'upstream', stance: 'observe' })).json).toEqual({
      source: 'upstream',
      stance: 'observe',
      profile: 'sandbox',
      bank: 'sandbox',
      scaLink: 'by-profile',
      stances: [],
    });
    expect(await sourceOf(gateway)).toBe('upstream');
    expect((await gateway.call(CONSENT, { headers: { 'X-Request-ID': undefined } })).status).toBe(200);

    expect(gateway.app.judge.options.profile).toBe('sandbox');
    expect((await put(gateway, { profile: 'production' })).status).toBe(200);
    expect(gateway.app.judge.options.profile).toBe('production');

    // What is so already is no change.
    await put(gateway, { profile: 'production' });
    expect((await put(gateway, { bank: 'living' })).json.bank).toBe('living');
    await gateway.app.recorder.drain();
    const [session] = await gateway.app.store.sessions();
    expect(session?.notes.map(({ kind, settings }) => [kind, settings]).slice(1)).toEqual([
      ['changed', { source: 'upstream', stance: 'observe' }],
      ['changed', { profile: 'production' }],
      ['changed', { bank: 'living' }],
    ]);
  });

  it.each([
    [{ source: 'bank' }, /one of emulator, upstream, replay is expected/],
    [{ source: 'replay' }, /A replay has a ledger of its own/],
    [{ stance: 'sleepy' }, /stance: one of enforce, observe/],
    [{ bank: 'piggy' }, /bank: one of sandbox, living/],
    [{ limits: {} }, /stances, profile and scaLink can be changed/],
    [[], /stances, profile and scaLink can be changed/],
  ])('%j is refused, and nothing changes', async (wanted, words) => {
    const { gateway } = await behind({ source: 'emulator' });
    const answer = await put(gateway, wanted);
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringMatching(words)]);
    expect((await gateway.call('/api/settings', { side: 'admin' })).json.source).toBe('emulator');
  });

  it('a bank that was not named cannot be switched to', async () => {
    const gateway = await startTestGateway();
    open.push(gateway);
    const answer = await put(gateway, { source: 'upstream' });
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining('--upstream URL')]);
  });
});

describe('a client certificate in PKCS#12', () => {
  const passphrase = 'open sesame';

  it.each([
    [
      'a file',
      (files: ReturnType<typeof createFiles>) => ({
        upstreamPassphraseFile: files.write('pass', `${passphrase}\n`),
      }),
    ],
    ['the environment', () => ({ upstreamPassphrase: passphrase })],
  ])('is opened with a passphrase from %s', async (_, given) => {
    const files = createFiles();
    open.push({ close: async () => files.remove() });
    const upstreamCert = files.write('client.p12', pkcs12(bankCertificates.client, passphrase));
    const { gateway } = await behind({ upstreamCert, upstreamKey: undefined, ...given(files) });
    expect(await sourceOf(gateway)).toBe('upstream');
  });

  it('with a wrong passphrase ends the start, with the reason and without the passphrase', async () => {
    const files = createFiles();
    open.push({ close: async () => files.remove() });
    const upstreamCert = files.write('client.p12', pkcs12(bankCertificates.client, passphrase));
    const start = behind({ upstreamCert, upstreamKey: undefined, upstreamPassphrase: 'something-else' });
    await expect(start).rejects.toThrow(/client\.p12 cannot be used: the passphrase is wrong or missing/);
    await expect(start).rejects.not.toThrow(/something-else/);
  });
});

describe('settings of a bank', () => {
  const load = (flags: Record<string, unknown>, env = {}) => loadConfig({ flags, env, file: null });

  it('make it the source, observed, where nothing is said of that', () => {
    const { config } = load({ upstream: 'https://bank.example/api/' });
    expect([config.source, config.stance, config.upstream?.pathname]).toEqual([
      'upstream',
      'observe',
      '/api/',
    ]);
    expect(load({ upstream: 'https://bank.example', source: 'emulator' }).config.stance).toBe('enforce');
  });

  it('take the passphrase from a variable, and print it nowhere', () => {
    const env = { SANDGATE_UPSTREAM_PASSPHRASE: 'open sesame' };
    const { config, effective } = load({ upstream: 'https://bank.example', upstreamCert: 'a.p12' }, env);
    expect(config.upstreamPassphrase).toBe('open sesame');
    const { option } = effective.find(({ from }) => from === 'SANDGATE_UPSTREAM_PASSPHRASE') ?? {};
    expect(option).toMatchObject({ secret: true, noFlag: true });
  });

  it('take a chain as an array too', () => {
    const files = createFiles();
    const settings = {
      upstream: 'https://bank.example',
      source: ['upstream', 'emulator'],
      sources: { 'accounts.*': ['emulator', 'upstream'] },
    };
    const file = files.write('config.json', JSON.stringify(settings));
    const { config } = loadConfig({ file, env: {} });
    expect([config.source, config.stance, config.sources]).toEqual([
      'upstream,emulator',
      'observe',
      { 'accounts.*': 'emulator,upstream' },
    ]);
    files.remove();
  });

  it('say where a certificate of a TPP is wrong, and nothing of what stands beside it', () => {
    const files = createFiles();
    const wrong = { cert: 'a.p12', passphrase: 'open sesame' };
    const file = files.write('config.json', JSON.stringify({ upstreamCertificates: { X: wrong } }));
    const start = () => loadConfig({ file, env: {} });
    expect(start).toThrow(
      /^upstreamCertificates\.X in .*: “passphrase” is not known here; the nearest name is “passphraseFile”\.$/,
    );
    expect(start).not.toThrow(/open sesame/);
    files.remove();
  });

  it.each([
    [{ source: 'upstream' }, /--source upstream needs a bank: add --upstream URL/],
    [{ sources: { 'accounts.*': 'upstream' } }, /needs a bank/],
    [{ upstreamCert: 'a.pem' }, /upstreamCert needs a bank: add --upstream/],
    [{ psuProxy: true }, /--psu-proxy needs a bank/],
    [{ upstream: 'https://bank.example', upstreamKey: 'a.key' }, /add --upstream-cert/],
    [
      { upstream: 'https://bank.example', upstreamPassphraseFile: 'a.txt' },
      /--upstream-passphrase-file a\.txt belongs to a certificate: add --upstream-cert/,
    ],
    [
      { upstream: 'http://bank.example', upstreamCert: 'a.pem' },
      /can only be presented over TLS: give the bank’s https address/,
    ],
    [
      { upstream: 'http://bank.example', upstreamCertificates: { X: { cert: 'a.pem' } } },
      /can only be presented over TLS/,
    ],
    [{ upstream: 'ftp://bank.example' }, /"ftp:\/\/bank.example": a URL is expected/],
    [{ upstream: 'https://user:secret@bank.example' }, /without user, query or fragment/],
    [{ upstream: 'https://bank.example?x=1' }, /without user, query or fragment/],
    [{ sources: { 'account.*': 'emulator' } }, /account\.\* is neither an operation/],
    [{ sources: { 'accounts.list': 'bank' } }, /one of emulator, upstream, replay/],
    [{ source: 'upstream,upstream' }, /one of emulator, upstream, replay/],
    [{ source: ['upstream', 'bank'] }, /\["upstream","bank"\]: one of emulator, upstream, replay/],
    [{ upstreamLimits: { whole: 'long' } }, /a duration with its unit is expected/],
  ])('%j are refused in words', (flags, words) => {
    const files = createFiles();
    const file = files.write('config.json', JSON.stringify(flags));
    expect(() => loadConfig({ file, env: {} })).toThrow(words);
    files.remove();
  });
});
