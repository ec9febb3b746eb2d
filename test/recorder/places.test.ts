/** Whatever is secret or personal, in whatever coding and place: it is in no byte that is kept, and in no export. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import {
  type Body,
  createFingerprint,
  createPseudonyms,
  type Exchange,
  isSameAddress,
} from '../../src/exchange/index.js';
import { advance, createLedger } from '../../src/ledger/index.js';
import { createRecorder } from '../../src/recorder/index.js';
import { isSessionName, type KeptChange, type LocalStore } from '../../src/store/index.js';
import { openIndex } from '../../src/store/lookup/index-file.js';
import { createIndexWriter } from '../../src/store/lookup/index-writer.js';
import { type AnswerParts, anExchange, type CallParts, unwatched } from '../builders.js';
import { aPath, aStore, factsIn, recordSource } from '../store/stores.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const encode = encodeURIComponent;

const TOKEN = '7KvWq2nPzRtB84mXcLdY1A';
const JWT = `${base64url('{"alg":"RS256","typ":"JWT"}')}.${base64url('{"sub":"12345"}')}.c2lnbmF0dXJlc2ln`;
const KEY = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVcB/UNPxalR9zDYAjQIf';
const IBAN = 'BE71096123456769';

interface Kind {
  /** What must not be found, however blanks and their like stand in it. */
  readonly secret: string;
  readonly text: string;
}

const SECRETS: Readonly<Record<string, Kind>> = {
  'a named token': { secret: TOKEN, text: `{"access_token":"${TOKEN}","n":1}` },
  'a token in an address': { secret: TOKEN, text: `https://tpp.example/cb?access_token=${TOKEN}&state=s` },
  'a credential': { secret: TOKEN, text: `sent Bearer ${TOKEN} twice` },
  'a JWT in a text': { secret: JWT, text: `the token ${JWT} was refused` },
  'a private key': {
    secret: KEY,
    text: `-----BEGIN PRIVATE KEY-----\n${KEY}\n${KEY}\n-----END PRIVATE KEY-----`,
  },
  'a private key without its armour': { secret: KEY, text: `key: ${KEY}` },
  'a key as JSON': { secret: TOKEN, text: `{"kty":"OKP","crv":"Ed25519","x":"abc","d":"${TOKEN}"}` },
};

const spaced = (separator: string): string => IBAN.replace(/.{4}(?=.)/g, `$&${separator}`);
const PEOPLE: Readonly<Record<string, Kind>> = {
  'an IBAN': { secret: IBAN, text: `to ${IBAN}, today` },
  'an IBAN with blanks': { secret: IBAN, text: spaced(' ') },
  'an IBAN with dashes': { secret: IBAN, text: `to ${spaced('-')}, today` },
  'an IBAN with dots': { secret: IBAN, text: `to ${spaced('.')}, today` },
  'an IBAN with signs of no width': { secret: IBAN, text: `to ${spaced('\u200b')}, today` },
  'an IBAN within JSON': { secret: IBAN, text: `{"iban":"${IBAN}","n":1}` },
};

const CODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encode,
  'percent-encoded twice': (text) => encode(encode(text)),
  base64,
  base64url,
  'base64 twice': (text) => base64(base64(text)),
  'base64 in a path': (text) => `/a/b/${base64url(text)}`,
  hex: (text) => Buffer.from(text).toString('hex'),
  'gzip in base64': (text) => gzipSync(text).toString('base64'),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'entities of HTML': (text) => text.replace(/[^\w]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'JSON in JSON': (text) => JSON.stringify({ inner: text }),
};

interface Parts {
  readonly call?: CallParts;
  readonly answer?: AnswerParts | null;
}
const TEXT = { 'Content-Type': 'text/plain' };
const oneLine = (text: string): string => text.replaceAll('\n', ' ');

const PLACES: Readonly<Record<string, (text: string) => Parts>> = {
  'a header': (text) => ({ call: { headers: { 'X-Context': oneLine(text) } } }),
  'a header of the answer': (text) => ({ answer: { headers: { 'X-Context': oneLine(text) } } }),
  'a query': (text) => ({ call: { target: `/x?data=${encode(text)}&n=1` } }),
  'a path': (text) => ({ call: { target: `/x/${encode(text)}/y` } }),
  'a path parameter': (text) => ({
    call: { operation: 'accounts.read', params: { accountId: encode(text) } },
  }),
  'a form': (text) => ({ call: { operation: 'oauth.token', form: { data: text } } }),
  'a member': (text) => ({ call: { operation: 'payments.create', body: { a: [{ note: text }] } } }),
  'the name of a member': (text) => ({ answer: { body: { [text]: 1 } } }),
  'a body of text': (text) => ({ answer: { body: `log: ${text} end`, headers: TEXT } }),
  'a page of an error': (text) => ({ answer: { status: 400, body: `<p>${text}</p>`, headers: TEXT } }),
  'broken JSON': (text) => ({ answer: { body: `{"note":${JSON.stringify(text)},` } }),
  'the description of an error': (text) => ({
    answer: { status: 400, body: { error: 'invalid_grant', error_description: text } },
  }),
  'the text of an error': (text) => ({
    answer: { status: 400, body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text }] } },
  }),
  'the address of a redirect': (text) => ({
    answer: { status: 302, headers: { Location: `https://tpp.example/cb?x=${encode(text)}` } },
  }),
  'TPP-Redirect-URI': (text) => ({
    call: {
      operation: 'consents.create',
      headers: { 'TPP-Redirect-URI': `https://tpp.example/cb?x=${encode(text)}` },
      body: {},
    },
    answer: { status: 201, body: { consentId: 'C', consentStatus: 'received' } },
  }),
  'TPP-Nok-Redirect-URI': (text) => ({
    call: {
      operation: 'payments.create',
      headers: { 'TPP-Nok-Redirect-URI': `https://tpp.example/nok#${encode(text)}` },
      body: {},
    },
    answer: { status: 201, body: { paymentId: 'P', transactionStatus: 'RCVD' } },
  }),
  'a redirect_uri': (text) => ({
    call: {
      operation: 'oauth.authorize',
      query: `scope=AIS:C&state=s&redirect_uri=${encode(`https://tpp.example/cb?x=${encode(text)}`)}`,
    },
    answer: { status: 302, headers: { Location: 'https://tpp.example/cb?state=s' } },
  }),
};

/** A body of bytes, as it comes off a wire. */
const BODIES: Readonly<Record<string, (text: string) => Body>> = {
  'UTF-16': (text) => bytesAsBody(Buffer.from(text, 'utf16le')),
  'UTF-16 with a mark': (text) => bytesAsBody(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'UTF-16, the other way round': (text) => bytesAsBody(Buffer.from(text, 'utf16le').swap16()),
  gzip: (text) => bytesAsBody(gzipSync(text)),
  'bytes around it': (text) => bytesAsBody(Buffer.from(`\u0000\u0001 ${text} \u00ff`, 'latin1')),
};

function bytesAsBody(bytes: Buffer): Body {
  const isText = bytes.equals(Buffer.from(bytes.toString('utf8')));
  const text = bytes.toString(isText ? 'utf8' : 'base64');
  return { text, size: bytes.length, ...(isText ? {} : { base64: true }) };
}

function* planted(kinds: Readonly<Record<string, Kind>>): Generator<[name: string, Exchange]> {
  for (const [kind, { text }] of Object.entries(kinds)) {
    for (const [coding, code] of Object.entries(CODINGS))
      for (const [place, plant] of Object.entries(PLACES))
        yield [`${kind}, ${coding}, in ${place}`, anExchange(plant(code(text)))];
    for (const [coding, code] of Object.entries(BODIES))
      for (const type of ['application/json', 'text/plain']) {
        const made = anExchange({ answer: { body: 'x', headers: { 'Content-Type': type } } });
        const answer = made.answer?.with(made.answer.headers, code(text)) ?? null;
        yield [`${kind}, ${coding}, as a body of ${type}`, { ...made, answer }];
      }
  }
}

/** Through the real recorder; the store is left open, so that its log is still there. */
async function record(path: string, exchanges: Iterable<[string, Exchange]>, isPseudonymous: boolean) {
  const store = aStore({ path });
  const fingerprint = createFingerprint(store.fingerprintKey);
  const pseudonyms = isPseudonymous ? createPseudonyms(store.fingerprintKey) : undefined;
  const recorder = createRecorder({ store, fingerprint, pseudonyms, ...unwatched });
  const next = recordSource();
  const names: string[] = [];
  for (const [name, exchange] of exchanges) {
    names.push(name);
    const { id, at, session } = next().exchange.call;
    const given = { ...exchange, call: exchange.call.with({ id, at, session }) };
    const changes: KeptChange[] = advance(createLedger(), given, fingerprint);
    await recorder.take(given, { verdicts: {}, findings: [] }, changes);
  }
  return { store, names };
}

/** A text, and all that it says in any coding, as a reader of the file could find out. */
function unwrapped(text: string, deepest = 4): string {
  if (deepest === 0) return text;
  const inner: string[] = [];
  for (const [run] of text.matchAll(/[\w+/-]{16,}={0,2}/g))
    for (const piece of piecesOf(run))
      inner.push(readBytes(Buffer.from(piece, 'base64')), readBytes(Buffer.from(piece, 'hex')));
  inner.push(
    text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    text.replace(/\\+u([\da-f]{4})/gi, (_, hex) => signs(String.fromCharCode(Number.parseInt(hex, 16)))),
  );
  const others = [...new Set(inner)].filter((one) => one.length >= 12 && one !== text);
  return [text, ...others.map((one) => unwrapped(one, deepest - 1))].join('\n');
}

/** A run may stand in a path, and have slashes of its own. */
function piecesOf(run: string): Set<string> {
  const slashes = [...run.matchAll(/[/]/g)].map(({ index }) => index);
  return new Set(
    [-1, ...slashes].flatMap((from) => [run.slice(from + 1), run.slice(from + 1).replace(/[/]\w$/, '')]),
  );
}

function readBytes(bytes: Buffer): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return signs(bytes.toString('latin1'));
  try {
    return readBytes(gunzipSync(bytes));
  } catch {
    return '';
  }
}

const signs = (text: string): string => text.replace(/[^\t\n\r\x20-\x7e]/g, '');
const bare = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '');

/** What a command prints of the store. */
async function exported(path: string, format: string): Promise<string> {
  const chunks: Buffer[] = [];
  const stdout = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
  const context = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, clock: Date.now };
  const args = ['sessions', 'export', 'test', '--format', format, '--store', path];
  expect(await run(args, { ...context, signal: new AbortController().signal })).toBe(0);
  return Buffer.concat(chunks).toString();
}

function indexOf(store: LocalStore, path: string): void {
  const db = openIndex(`${path}.index`, 'a store');
  const { step } = createIndexWriter(db, store);
  while (step());
  db.close();
}

describe.each([
  ['secret', SECRETS, false],
  ['personal, with pseudonyms,', PEOPLE, true],
])('nothing %s', (_, kinds, isPseudonymous) => {
  const secrets = [...new Set(Object.values(kinds).map(({ secret }) => secret))];
  const all = [...planted(kinds)];
  const holdsAny = (text: string): boolean => {
    const said = bare(unwrapped(text));
    return secrets.some((secret) => said.includes(bare(secret)));
  };

  it('is missing where it was planted', () => {
    for (const [name, exchange] of all)
      expect([name, holdsAny(JSON.stringify(exchange))]).toEqual([name, true]);
  });

  it('is in an exchange that is read back, a fact, a byte of the store, its log, its index, or an export', async () => {
    const path = aPath();
    const { store, names } = await record(path, all, isPseudonymous);
    const found = [...store.read('test')].flatMap(({ exchange }, i) =>
      holdsAny(JSON.stringify(exchange)) ? [names[i]] : [],
    );
    expect(found).toEqual([]);
    const facts = await factsIn(store);
    expect(facts.length).toBeGreaterThan(50);
    expect(facts.filter((fact) => holdsAny(JSON.stringify(fact)))).toEqual([]);
    indexOf(store, path);
    const folder = dirname(path);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const text of [...files, await exported(path, 'har'), await exported(path, 'cassette')])
      for (const secret of secrets)
        expect([text.length, bare(text).includes(bare(secret))]).toEqual([text.length, false]);
  });
});

describe('a bank that does not know a token', () => {
  const error = (text: string): Exchange =>
    anExchange({
      call: { operation: 'consents.read', params: { consentId: 'Zk3vQ9wXb71LmN0pRt5' } },
      answer: {
        status: 401,
        headers: {
          'WWW-Authenticate': `Bearer error="invalid_token", error_description="${text}"`,
          Location: `https://tpp.example/cb?error_description=${encode(text)}`,
        },
        body: { error_description: text, tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN', text }] },
      },
    });

  it('says it nowhere in what is kept, though it stands there without a name', async () => {
    for (const token of [TOKEN, 'd41d8cd98f00b204e9800998ecf8427e', 'Ab1-Cd2_Ef3~Gh4IjK5lM6']) {
      const { store } = await record(aPath(), [['', error(`The token ${token} is not known.`)]], false);
      expect(JSON.stringify([...store.read('test')])).not.toContain(token);
    }
  });

  it.each([
    'Zk3vQ9wXb71LmN0pRt5',
    '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    'PAYMENT_ID_PATC_SCT',
    '2026-06-15T10:00:00.000Z',
    'remittanceInformationUnstructured2',
  ])('says on which resource, when and what was wrong: %s', async (word) => {
    const { store } = await record(aPath(), [['', error(`Consent ${word} is expired.`)]], false);
    const [kept] = store.read('test');
    expect(kept?.exchange.answer?.body?.text.split(word)).toHaveLength(3);
  });
});

it('an address keeps its scheme, host and path, and equals the one that was sent', async () => {
  const uri = `https://tpp.example/a/cb?access_token=${TOKEN}&lang=nl`;
  const created = anExchange({
    call: { operation: 'consents.create', headers: { 'TPP-Redirect-URI': uri }, body: {} },
    answer: { status: 201, body: { consentId: 'C', consentStatus: 'received' } },
  });
  const { store } = await record(aPath(), [['', created]], false);
  const fingerprint = createFingerprint(store.fingerprintKey);
  const kept = (await factsIn(store)).find(({ family }) => family === 'consents');
  const redirectUri = `https://tpp.example/a/cb?access_token=${fingerprint(TOKEN)}&lang=nl`;
  expect(kept?.fact).toMatchObject({ redirectUri });
  expect(isSameAddress(uri, redirectUri, fingerprint)).toBe(true);
  expect(isSameAddress(uri.replace('7K', '7L'), redirectUri, fingerprint)).toBe(false);
});

it('where somebody was, and who logs in, is not kept with pseudonyms', async () => {
  const call: CallParts = {
    operation: 'oauth.token',
    headers: { 'PSU-Geo-Location': 'GEO:52.506931;13.144558' },
    form: { grant_type: 'password', username: 'wilhelmina' },
  };
  const { store } = await record(aPath(), [['', anExchange({ call })]], true);
  const [kept] = store.read('test');
  const text = JSON.stringify(kept);
  expect([text.includes('52.5'), text.includes('13.1'), text.includes('wilhelmina')]).toEqual([
    ...[false, false, false],
  ]);
  expect(kept?.exchange.call.header['psu-geo-location']).toMatch(/^GEO:0\.\d{4};0\.\d{4}$/);
});

it.each([IBAN, spaced('-'), spaced('.'), `run-${IBAN}`, JWT.slice(0, 64)])(
  'no session is called %s',
  (name) => {
    expect(isSessionName(name)).toBe(false);
  },
);
