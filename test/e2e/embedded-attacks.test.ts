/** Attacks on an embedded SCA over TLS: codes guessed at once, other TPPs, replays, and secrets in anything that is kept. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aProfile } from '../builders.js';
import { expectNoneIn } from '../secret-forms.js';
import { temporaryFolder } from './child.js';
import { type CallOptions, startTestGateway, type TestGateway } from './harness.js';

const PROFILE = aProfile({
  paths: { base: '', offers: ['consents.authorisations.update', 'payments.authorisations.update'] },
  access: { bearer: 'none' },
  sca: { approaches: ['embedded'] },
});
const HEADERS = { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' };

/** Planted by the client; no PSU has them. */
const PLANTED = { password: 'Geheim-Wachtwoord-7731', code: '918273645546', encrypted: 'eyJlbmNy-9917-Qz7' };

describe.each([
  ['the sandbox bank', {}, 'PSU_ID', 'PSU_PASSWORD'],
  ['the living bank', { bank: 'living' }, '', ''],
])('%s', (_, bank, login, known) => {
  const folder = temporaryFolder();
  let gateway: TestGateway;
  let [psu, password] = [login, known];
  beforeAll(async () => {
    const bankProfile = join(folder, 'bank.json');
    writeFileSync(bankProfile, JSON.stringify(PROFILE));
    gateway = await startTestGateway({ ...bank, bankProfile, store: join(folder, 'kept.db') });
    if (login !== '') return;
    const { json } = await gateway.call('/api/bank/psus?limit=1', { side: 'admin' });
    [psu, password] = [json[0].login, json[0].password];
  });
  afterAll(() => gateway.close());

  const ask = (target: string, options: CallOptions = {}) =>
    gateway.call(`/v1${target}`, {
      ...options,
      headers: { 'X-Request-ID': crypto.randomUUID(), ...HEADERS, ...options.headers },
    });
  const created = async (cert: string) => {
    const json = {
      access: { allPsd2: 'allAccounts' },
      ...{ recurringIndicator: true, frequencyPerDay: 4, combinedServiceIndicator: false },
      validUntil: new Date(gateway.now() + 86_400_000).toISOString().slice(0, 10),
    };
    const { json: consent, text } = await ask('/consents', { json, cert });
    expect(consent?.consentId, text).toBeDefined();
    return `/consents/${consent.consentId}/authorisations`;
  };
  /** The path of an authorisation that waits for the code. */
  const opened = async () => {
    const start = await created('tpp');
    const started = await ask(start, {
      json: { psuData: { password } },
      headers: { 'PSU-ID': psu },
    });
    expect(started.json, started.text).toMatchObject({ scaStatus: 'scaMethodSelected' });
    return `${start}/${started.json.authorisationId}`;
  };
  const enter = (path: string, code: string, options: CallOptions = {}) =>
    ask(path, { method: 'PUT', json: { scaAuthenticationData: code }, ...options });

  it('takes no more than three of a hundred codes that come at once', async () => {
    const path = await opened();
    const codes = Array.from({ length: 100 }, (_, i) => `${900_000 + i}`);
    const answers = await Promise.all(codes.map((code) => enter(path, code)));
    const wrong = answers.filter((answer) => answer.codes.includes('SCA_INVALID')).length;
    expect(wrong).toBe(3);
    expect((await ask(path)).json).toEqual({ scaStatus: 'failed' });
    expect((await enter(path, '123456')).codes).toEqual(['STATUS_INVALID']);
  });

  it('tries three of a hundred passwords that come at once, each with the start of an authorisation', async () => {
    const path = await created('tpp-other');
    const start = (word: string) =>
      ask(path, { cert: 'tpp-other', headers: { 'PSU-ID': psu }, json: { psuData: { password: word } } });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => start(`wrong-${i}`)));
    expect(answers.every(({ codes }) => codes.includes('PSU_CREDENTIALS_INVALID'))).toBe(true);
    expect(answers.filter(({ text }) => text.includes('The password is wrong.'))).toHaveLength(3);
    expect((await start(password)).text).toContain('There were too many wrong passwords. Try again in 10');
    // Another TPP is not locked out by it.
    await opened();
  });

  it('counts passwords over all authorisations of a PSU, and takes them again ten minutes later', async () => {
    gateway.move(600_000);
    const tried: string[] = [];
    const own = { cert: 'tpp-other', headers: { 'PSU-ID': psu } };
    for (let nth = 0; nth < 4; nth++) {
      const start = await created('tpp-other');
      const { json } = await ask(start, { json: {}, ...own });
      const wrong = { method: 'PUT', json: { psuData: { password: `wrong-${nth}` } }, cert: 'tpp-other' };
      const { text } = await ask(`${start}/${json.authorisationId}`, wrong);
      tried.push(text.includes('The password is wrong.') ? 'tried' : 'not tried');
    }
    expect(tried).toEqual(['tried', 'tried', 'tried', 'not tried']);
    gateway.move(600_000);
    const right = { json: { psuData: { password } }, ...own };
    expect((await ask(await created('tpp-other'), right)).status).toBe(201);
  });

  it('ends once, however often the right code comes', async () => {
    const path = await opened();
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(path, '123456')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('lets no other TPP take a step', async () => {
    const path = await opened();
    const stranger = await enter(path, '123456', { cert: 'tpp-other' });
    expect(stranger.status).toBeGreaterThanOrEqual(400);
    expect((await ask(path)).json).toEqual({ scaStatus: 'scaMethodSelected' });
  });

  it('keeps nothing of what a PSU enters, in whichever form it comes', async () => {
    const path = await opened();
    const secret = { psuData: { password: PLANTED.password, encryptedPassword: PLANTED.encrypted } };
    const both = { ...secret, scaAuthenticationData: PLANTED.code };
    const type = (value: string) => ({ 'Content-Type': value, 'PSU-ID': psu });
    const whole = JSON.stringify(both);
    const bodies: readonly (readonly [string, string])[] = [
      ['application/json', whole],
      ['application/json', JSON.stringify({ scaAuthenticationData: Number(PLANTED.code) })],
      [
        'application/json',
        JSON.stringify({ scaAuthenticationData: [PLANTED.code], psuData: PLANTED.password }),
      ],
      ['application/json', JSON.stringify({ PSUDATA: { PassWord: PLANTED.password } })],
      ['application/json', whole.slice(0, -4)],
      ['application/json', `${whole}}`],
      ['application/json', whole.replaceAll('"', "'")],
      ['text/plain', whole],
      [
        'application/x-www-form-urlencoded',
        `password=${PLANTED.password}&scaAuthenticationData=${PLANTED.code}`,
      ],
      ['application/json', `psuData.password=${PLANTED.password}&scaAuthenticationData=${PLANTED.code}`],
      [
        'application/xml',
        `<a><password>${PLANTED.password}</password><scaAuthenticationData>${PLANTED.code}</scaAuthenticationData></a>`,
      ],
      ['application/xml', `<a password="${PLANTED.password}" scaAuthenticationData='${PLANTED.code}'/>`],
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${PLANTED.password}\r\n--x--`,
      ],
    ];
    for (const [media, body] of bodies) await ask(path, { method: 'PUT', body, headers: type(media) });
    await ask(path, { method: 'PUT', json: { scaAuthenticationData: PLANTED.code } });
    await ask(`${path}?scaAuthenticationData=${PLANTED.code}&password=${PLANTED.password}`);
    const records = await gateway.records();
    expect(records.length).toBeGreaterThan(bodies.length);
    for (const [nth, record] of records.entries())
      expectNoneIn(PLANTED, Buffer.from(JSON.stringify(record)), `exchange ${nth}`);
    expectNoneIn(PLANTED, Buffer.from(JSON.stringify(gateway.logged())), 'the log');
    for (const name of readdirSync(folder)) expectNoneIn(PLANTED, readFileSync(join(folder, name)), name);
  });
});
