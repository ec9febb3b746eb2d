/** The proof of redaction: a journey full of known secrets, and none of them in any byte that is kept. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFingerprint } from '../../src/exchange/index.js';
import { createRecorder } from '../../src/recorder/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { LocalStore } from '../../src/store/index.js';
import { type AnswerParts, anExchange, aProfile, type CallParts, unwatched } from '../builders.js';
import { expectNoneIn, formsOf } from '../secret-forms.js';
import { aPath, aStore, recordSource } from '../store/stores.js';

const SECRETS = {
  token: 'atok-1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b',
  refresh: 'rtok+/9f8e7d6c5b4a39281706f5e4d3c2b1a0==',
  code: 'code~77aa88bb99cc00dd11ee22ff33',
  verifier: 'ver1fier.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  session: 's%3Aession-cookie-5f4dcc3b5aa765d61d8327deb882cf99',
  password: 'Gr0en!& "zeep" in de tuin',
  client: 'client-s3cret-0123456789',
} as const;

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const callback = `https://tpp.example/cb?${form({ code: SECRETS.code, state: 'the-state' })}`;
const bearer = { Authorization: `Bearer ${SECRETS.token}` };
const long = 'words '.repeat(3_000);

const JOURNEY: readonly { call?: CallParts; answer?: AnswerParts | null }[] = [
  {
    call: { operation: 'oauth.authorize', body: form({ password: SECRETS.password }) },
    answer: {
      status: 302,
      headers: { Location: callback, 'Set-Cookie': `sid=${SECRETS.session}; HttpOnly` },
    },
  },
  {
    call: { operation: 'oauth.authorize', headers: { Cookie: `a=b; sid=${SECRETS.session}` } },
    answer: { body: `<p>${SECRETS.password}</p>`, headers: { 'Content-Type': 'text/html' } },
  },
  {
    call: {
      operation: 'oauth.token',
      form: {
        grant_type: 'authorization_code',
        code: SECRETS.code,
        code_verifier: SECRETS.verifier,
        client_secret: SECRETS.client,
      },
    },
    answer: {
      body: {
        access_token: SECRETS.token,
        refresh_token: SECRETS.refresh,
        token_type: 'Bearer',
        scope: 'AIS:x',
      },
    },
  },
  {
    call: { operation: 'oauth.token', form: { grant_type: 'refresh_token', refresh_token: SECRETS.refresh } },
    answer: {
      status: 400,
      body: { error: 'invalid_grant', error_description: `${SECRETS.refresh} is not known` },
    },
  },
  {
    call: { operation: 'oauth.token', body: { code: SECRETS.code, code_verifier: SECRETS.verifier } },
    answer: { status: 415 },
  },
  {
    call: { operation: 'oauth.token', body: `{"code_verifier": "${SECRETS.verifier}", ` },
    answer: { status: 400 },
  },
  {
    call: {
      operation: 'oauth.token',
      body: form({ code: SECRETS.code, code_verifier: SECRETS.verifier }),
      headers: { 'Content-Type': 'text/plain' },
    },
  },
  {
    call: { operation: 'accounts.list', headers: { ...bearer, Referer: callback } },
    answer: { body: { accounts: [], note: long } },
  },
  { call: { operation: 'accounts.list', headers: bearer }, answer: { body: { accounts: [], note: long } } },
  {
    call: { operation: 'accounts.read', params: { accountId: SECRETS.token }, headers: bearer },
    answer: { status: 403 },
  },
  {
    call: {
      target: `/x?access_token=${SECRETS.token}&next=${encodeURIComponent(encodeURIComponent(callback))}`,
    },
    answer: null,
  },
  {
    call: {
      operation: 'consents.authorisations.create',
      body: { psuData: { password: SECRETS.password }, scaAuthenticationData: SECRETS.client },
    },
    answer: { status: 201, body: { _links: { next: { href: callback } } } },
  },
  {
    call: {
      operation: 'consents.authorisations.update',
      dialect: dialectOf(aProfile({ paths: { offers: ['consents.authorisations.update'] } })),
      body: {
        psuData: { password: SECRETS.password, encryptedPassword: SECRETS.client },
        scaAuthenticationData: SECRETS.token,
        confirmationCode: SECRETS.password,
      },
    },
    answer: { body: { scaStatus: 'finalised', echo: { scaAuthenticationData: SECRETS.token } } },
  },
  { call: { headers: { Authorization: `Basic ${Buffer.from(`me:${SECRETS.client}`).toString('base64')}` } } },
];

/** The store is left open, so that its log is still there. */
async function recordJourney(path: string): Promise<LocalStore> {
  const store = aStore({ path });
  const recorder = createRecorder({
    store,
    fingerprint: createFingerprint(store.fingerprintKey),
    ...unwatched,
  });
  const next = recordSource();
  for (const parts of JOURNEY) {
    const { id, at, session } = next().exchange.call;
    const made = anExchange({ ...parts, call: { ...parts.call, id, at } });
    await recorder.take({ ...made, call: made.call.with({ session }) }, { verdicts: {}, findings: [] });
  }
  return store;
}

describe('no secret of a journey', () => {
  it('is missing from the journey itself', () => {
    const clear = Buffer.from(JSON.stringify(JOURNEY.map((parts) => anExchange(parts))));
    for (const [what, secret] of Object.entries(SECRETS)) {
      expect([what, formsOf(secret).some((form) => clear.includes(form))]).toEqual([what, true]);
    }
  });

  it('is in a file of the store, in the clear, percent-encoded or as base64', async () => {
    const path = aPath();
    const store = await recordJourney(path);
    const names = readdirSync(dirname(path)).sort();
    expect(names).toEqual(['sandgate.db', 'sandgate.db-shm', 'sandgate.db-wal', 'sandgate.db.key']);
    for (const name of names) expectNoneIn(SECRETS, readFileSync(join(dirname(path), name)), name);
    store.close();
    expectNoneIn(SECRETS, readFileSync(path), 'the closed store');
  });

  it('is in what is read back, compressed texts included', async () => {
    const store = await recordJourney(aPath());
    const text = JSON.stringify([...store.read('test')]);
    expect(text.length).toBeGreaterThan(40_000);
    expectNoneIn(SECRETS, Buffer.from(text), 'what is read');
    for (const kept of ['the-state', 'PSDBE-NBB-0123456789', 'invalid_grant']) expect(text).toContain(kept);
  });

  it('loses its equality: wherever it was sent stands the same fingerprint', async () => {
    const store = await recordJourney(aPath());
    const made = createFingerprint(store.fingerprintKey)(SECRETS.code);
    const holders = [...store.read('test')].filter((record) => JSON.stringify(record).includes(made));
    expect(holders.length).toBeGreaterThanOrEqual(6);
  });
});
