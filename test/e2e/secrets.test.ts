/** The proof of redaction over the whole program: a journey over real sockets, and no secret of it in anything that is kept. */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { expectNoneIn, formsOf } from '../secret-forms.js';
import { startServing } from './child.js';
import { testCertificates } from './harness.js';

const random = (prefix: string) => `${prefix}-${randomBytes(18).toString('base64url')}7`;
/** Those that the client brings; what the bank gives is added as it is given. */
const secrets: Record<string, string> = {
  verifier: randomBytes(40).toString('base64url'),
  aisVerifier: randomBytes(40).toString('base64url'),
  cookie: random('cookie'),
  password: `${random('Pass')} & "é"`,
  otp: random('otp'),
  basic: random('basic'),
  clientSecret: random('client+/'),
  foreignToken: random('foreign~'),
  apiKey: random('key'),
};
const secret = (name: string): string => secrets[name] ?? '';

const REDIRECT = 'https://tpp.example/back';
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

let certs: string;
let serving: Awaited<ReturnType<typeof startServing>>;
let agents: { tpp: Agent; browser: Agent };

interface Sent {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: unknown;
}

async function call(url: string, { method, headers = {}, form, json }: Sent = {}) {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const answer = await request(url, {
    dispatcher: url.startsWith(serving.ready.psu) ? agents.browser : agents.tpp,
    method: method ?? (body === null ? 'GET' : 'POST'),
    headers: {
      'X-Request-ID': crypto.randomUUID(),
      ...(body === null ? {} : { 'Content-Type': type }),
      ...headers,
    },
    body,
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, location: String(answer.headers.location ?? ''), text };
}

const api = (path: string) => `${serving.ready.api}/stdgroup/v1${path}`;

/** Authorises a scope as the PSU's browser does; gives the code. */
async function authorise(name: string, scope: string, id: string, verifier: string): Promise<void> {
  const query = new URLSearchParams({
    ...{
      scope,
      client_id: 'VALID_CLIENT_ID',
      state: random('state'),
      redirect_uri: REDIRECT,
      response_type: 'code',
    },
    ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256', scenario: 'SCA_OK' },
  });
  const headers = {
    Cookie: `sid=${secret('cookie')}; theme=dark`,
    Authorization: `Basic ${btoa(`psu:${secret('basic')}`)}`,
  };
  const page = `${serving.ready.psu}/stdgroup/authorization/authorize/${id}`;
  const { status, location } = await call(`${page}?${query}`, { headers });
  expect([status, location]).toEqual([302, expect.stringContaining('?code=')]);
  secrets[`${name}Code`] = new URL(location).searchParams.get('code') ?? '';
  await call(page, {
    method: 'POST',
    form: { username: 'psu', password: secret('password'), otp: secret('otp') },
    headers,
  });
}

async function exchange(name: string, verifier: string): Promise<void> {
  const code = secret(`${name}Code`);
  const form = {
    grant_type: 'authorization_code',
    client_id: 'VALID_CLIENT_ID',
    code,
    code_verifier: verifier,
  };
  const answer = await call(api('/token'), { form: { ...form, client_secret: secret('clientSecret') } });
  expect([name, answer.status], answer.text).toEqual([name, 200]);
  const { access_token, refresh_token } = JSON.parse(answer.text);
  Object.assign(secrets, { [`${name}Token`]: access_token, [`${name}Refresh`]: refresh_token });
  // A code that was used, and a verifier of another one: both are errors that speak of what was sent.
  await call(api('/token'), { form });
  await call(api('/token'), { form: { ...form, code_verifier: secret('verifier').slice(0, 50) } });
}

async function walk(): Promise<void> {
  await authorise(
    'pis',
    'PIS:PAYMENT_ID_PATC_SCT',
    '11111111-1111-1111-1111-111111111111',
    secret('verifier'),
  );
  await exchange('pis', secret('verifier'));
  await authorise(
    'ais',
    'AIS:CONSENT_ID_ALL_PSD2',
    '22222222-2222-2222-2222-222222222222',
    secret('aisVerifier'),
  );
  await exchange('ais', secret('aisVerifier'));
  const refreshed = await call(api('/token'), {
    form: { grant_type: 'refresh_token', client_id: 'VALID_CLIENT_ID', refresh_token: secret('aisRefresh') },
  });
  expect(refreshed.status).toBe(200);
  const { access_token, refresh_token } = JSON.parse(refreshed.text);
  Object.assign(secrets, { newToken: access_token, newRefresh: refresh_token });

  const bearer = (token: string) => ({
    Authorization: `Bearer ${token}`,
    'Consent-Id': 'CONSENT_ID_ALL_PSD2',
    'PSU-IP-Address': '192.0.2.1',
    Cookie: `session=${secret('cookie')}`,
  });
  expect((await call(api('/accounts'), { headers: bearer(secret('newToken')) })).status).toBe(200);
  await call(api('/accounts'), {
    headers: { ...bearer(secret('foreignToken')), 'X-API-Key': secret('apiKey') },
  });
  // Where they do not belong: in the query, in the path, in a body of another operation, in other headers.
  const inQuery = new URLSearchParams({
    access_token: secret('newToken'),
    next: `${REDIRECT}?code=${secret('pisCode')}`,
  });
  await call(`${api('/accounts')}?${inQuery}`, { headers: bearer(secret('newToken')) });
  await call(api(`/accounts/${secret('newToken')}`), {
    headers: { ...bearer(secret('newToken')), 'X-Trace': `t=${secret('newToken')}` },
  });
  await call(api('/consents/CONSENT_ID_NO_AUTHORIZATION/authorisations'), {
    json: { psuData: { password: secret('password') }, scaAuthenticationData: secret('otp') },
  });
  await call(api('/token'), {
    form: { grant_type: 'refresh_token', refresh_token: secret('foreignToken'), client_id: 'x' },
  });
  await call(api('/token'), { json: { grant_type: 'refresh_token', refresh_token: secret('newRefresh') } });
  await call(api('/nowhere'), { headers: bearer(secret('newToken')) });
}

beforeAll(async () => {
  certs = await testCertificates();
  serving = await startServing(certs, ['--log-level', 'debug']);
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const ca = file('ca.pem');
  agents = {
    tpp: new Agent({ connect: { ca, cert: file('tpp.pem'), key: file('tpp.key') } }),
    browser: new Agent({ connect: { ca } }),
  };
  await walk();
});

afterAll(async () => {
  await Promise.all([agents.tpp.close(), agents.browser.close()]);
  serving.process.kill('SIGKILL');
});

/** What a command prints of the store, while the gateway runs. */
async function printed(...args: string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const collect = () => new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
  const status = await run([...args, '--store', serving.store], {
    ...{ stdin: new PassThrough(), stdout: collect(), stderr: collect(), env: {}, clock: Date.now },
    signal: new AbortController().signal,
  });
  const all = Buffer.concat(chunks);
  expect([args[0], status, all.length > 1_000]).toEqual([args[0], 0, true]);
  return all;
}

describe('no secret of a journey', () => {
  it('was missing from the journey, and there were many', () => {
    expect(Object.keys(secrets)).toHaveLength(17);
    for (const [name, value] of Object.entries(secrets))
      expect([name, value.length >= 20, formsOf(value).length >= 8]).toEqual([name, true, true]);
    // The two codes are none of those that the document prints.
    expect(`${secret('pisCode')} ${secret('aisCode')}`).not.toContain('VALID');
  });

  it.each([
    ['shown', ['sessions', 'show', 'test']],
    ['shown as JSON', ['sessions', 'show', 'test', '--json']],
    ['exported as a cassette', ['sessions', 'export', 'test', '--format', 'cassette', '--verdicts']],
    ['exported as a HAR', ['sessions', 'export', 'test', '--format', 'har']],
    ['reported as HTML', ['report', 'test', '--format', 'html']],
    ['reported as JSON', ['report', 'test', '--format', 'json']],
  ])('is %s', async (where, args) => {
    const text = await printed(...args);
    expectNoneIn(secrets, text, where);
    // The list of a session shows no header and no body, but findings speak of them.
    expect([where, text.includes('fp_') || where === 'shown']).toEqual([where, true]);
  });

  it('is in the database, its log or its index, while the gateway runs and after it was killed', async () => {
    const folder = join(serving.store, '..');
    // What SQLite keeps for a moment while a file is made may be gone before it is read.
    const names = () =>
      readdirSync(folder).filter((name) => name.startsWith('store.db') && !name.endsWith('-journal'));
    // The index is made in a thread of its own.
    await expect
      .poll(names)
      .toEqual(
        expect.arrayContaining([
          'store.db',
          'store.db-serving',
          'store.db-wal',
          'store.db.index',
          'store.db.index-wal',
          'store.db.key',
        ]),
      );
    for (const name of names()) expectNoneIn(secrets, readFileSync(join(folder, name)), name);
    expect(readFileSync(join(folder, 'store.db-wal')).length).toBeGreaterThan(10_000);
    serving.process.kill('SIGKILL');
    const { stdout, stderr } = await serving.ended;
    for (const name of names())
      expectNoneIn(secrets, readFileSync(join(folder, name)), `${name} after the end`);
    // The next one to open the store takes the log into the database.
    await printed('sessions', 'show', 'test');
    expectNoneIn(secrets, Buffer.from(stdout + stderr), 'what the gateway printed and logged');
    expect(stderr).toContain('The gateway is ready.');
  });
});
