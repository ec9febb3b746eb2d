/** Valid traffic that differs in ways that do not matter has no finding: raw bytes over TLS, under both profiles. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/rules/index.js';
import { bankDateAt } from '../../src/spec/index.js';
import { forgetAll } from '../mutations/play.js';
import { all } from '../rows.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { openRaw, type RawConnection, type RawReply } from './raw-http.js';

type Pairs = readonly (readonly [string, string])[];

/** One way of writing a request; each begins with the plain one. */
interface Writing {
  readonly name: string;
  readonly headers?: (pairs: Pairs) => Pairs;
  readonly json?: (value: Record<string, unknown>) => string;
  readonly form?: (pairs: Pairs) => string;
  readonly query?: (pairs: Pairs) => string;
  readonly types?: Readonly<Record<'json' | 'form', string>>;
  readonly chunks?: (body: string) => readonly string[];
  readonly fresh?: true;
  /** Each byte as a TLS record of its own. */
  readonly slow?: true;
  readonly requestId?: () => string;
  readonly psuAddress?: string;
}

/** Every byte, in small hexadecimal digits. */
const hex = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const mixed = (name: string) =>
  [...name].map((letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');
const plainForm = (pairs: Pairs) =>
  new URLSearchParams(pairs.map(([k, v]): [string, string] => [k, v])).toString();
/** A UUID of that version and a random rest. */
const uuidOf = (version: number) => `${randomUUID().slice(0, 14)}${version}${randomUUID().slice(15)}`;

const WRITINGS: readonly Writing[] = [
  { name: 'plainly' },
  { name: 'with headers in small letters', headers: (pairs) => pairs.map(([k, v]) => [k.toLowerCase(), v]) },
  { name: 'with headers in capitals', headers: (pairs) => pairs.map(([k, v]) => [k.toUpperCase(), v]) },
  { name: 'with headers in mixed letters', headers: (pairs) => pairs.map(([k, v]) => [mixed(k), v]) },
  { name: 'with headers in reverse order', headers: (pairs) => [...pairs].reverse() },
  { name: 'with space around header values', headers: (pairs) => pairs.map(([k, v]) => [k, `  ${v}  `]) },
  {
    name: 'with headers that nobody asked for',
    headers: (pairs) => [
      ...pairs,
      ['User-Agent', 'tpp/1.0 (like curl)'],
      ['Accept', 'application/json, */*;q=0.1'],
      ['Accept-Encoding', 'gzip, br'],
      ['Accept-Language', 'nl-BE'],
      ['Cookie', 'a=b'],
      ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
      ['X-Empty', ''],
      ['PSU-Device-ID', '99435c7e-ad88-49ec-a2ad-99ddcb1f5555'],
      ['PSU-Geo-Location', 'GEO:52.506931;13.144558'],
      ['PSU-User-Agent', 'Mozilla/5.0'],
      ['Date', new Date().toUTCString()],
    ],
  },
  {
    name: 'with JSON members that nobody asked for',
    json: (value) =>
      JSON.stringify({ ...value, 'x-own': { nested: [1, null, 'é', { deep: true }] }, comment: null }),
  },
  {
    name: 'with JSON members in reverse order',
    json: (value) => JSON.stringify(Object.fromEntries(Object.entries(value).reverse())),
  },
  { name: 'with indented JSON', json: (value) => `\r\n\t${JSON.stringify(value, null, '\t')}\r\n` },
  {
    name: 'with JSON escaped',
    json: (value) => JSON.stringify(value).replace(/"[^"]*"/g, (text) => text.replaceAll('a', '\\u0061')),
  },
  {
    name: 'with a charset',
    types: {
      json: 'application/json; charset=UTF-8',
      form: 'application/x-www-form-urlencoded; charset=UTF-8',
    },
  },
  {
    name: 'with a quoted charset, without space, in other letters',
    types: {
      json: 'Application/JSON;Charset="utf-8"',
      form: 'application/X-WWW-Form-Urlencoded;charset=utf-8',
    },
  },
  {
    name: 'with everything in form and query percent-encoded',
    form: (pairs) => pairs.map(([k, v]) => `${k}=${hex(v)}`).join('&'),
    query: (pairs) => pairs.map(([k, v]) => `${k}=${hex(v)}`).join('&'),
  },
  {
    name: 'with names percent-encoded, and capital hexadecimal digits',
    form: (pairs) =>
      pairs.map(([k, v]) => `${hex(k[0] ?? '')}${k.slice(1)}=${encodeURIComponent(v)}`).join('&'),
    query: (pairs) =>
      pairs.map(([k, v]) => `${hex(k[0] ?? '')}${k.slice(1)}=${encodeURIComponent(v)}`).join('&'),
  },
  {
    name: 'with colons and slashes of the query as they are',
    query: (pairs) =>
      pairs
        .map(([k, v]) => `${k}=${encodeURIComponent(v).replace(/%(?:3A|2F)/g, decodeURIComponent)}`)
        .join('&'),
  },
  {
    name: 'with form and query in reverse order',
    form: (pairs) => plainForm([...pairs].reverse()),
    query: (pairs) => plainForm([...pairs].reverse()),
  },
  { name: 'with bodies in one chunk', chunks: (body) => [body] },
  {
    name: 'with bodies in chunks of a byte',
    chunks: (body) => [...Buffer.from(body)].map((byte) => String.fromCharCode(byte)),
  },
  { name: 'on a fresh connection each', fresh: true },
  { name: 'byte by byte', slow: true },
  { name: 'from an IPv6 address', psuAddress: '2001:db8::17' },
  { name: 'from an IPv6 address with an IPv4 one in it', psuAddress: '::ffff:192.0.2.7' },
  {
    name: 'from an IPv6 address in capitals, written out',
    psuAddress: '2001:0DB8:0000:0000:0000:0000:0000:0017',
  },
  ...[1, 2, 3, 4, 5, 6, 7, 8].map(
    (version): Writing => ({ name: `with UUIDs of version ${version}`, requestId: () => uuidOf(version) }),
  ),
  { name: 'with UUIDs in capitals', requestId: () => randomUUID().toUpperCase() },
];

const REDIRECT_URI = 'https://tpp.example/back?to=caf%C3%A9+bar&a=1%2B1';
const CLIENT = 'PSDBE-NBB-0123456789';

describe.each(['sandbox', 'production'] as const satisfies Profile[])('under profile %s', (profile) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ profile, scaLink: 'discovery', stance: 'enforce' });
  });
  beforeEach(() => forgetAll(gateway));
  afterAll(() => gateway.close());

  it.each(WRITINGS)('a journey written $name has no finding', async (writing) => {
    const newest = await gateway.app.store.calls.newest();
    await journey(gateway, writing);
    await gateway.app.recorder.drain();
    const records = await all(gateway.app.store.read('test', newest === null ? {} : { after: newest }));
    const found = records.flatMap(({ exchange, findings }) =>
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ rule, place, actual }) => `${exchange.call.operation}: ${rule}, ${place}: ${actual}`),
    );
    expect(found).toEqual([]);
    expect(records).toHaveLength(11);
  });
});

/** From the consent to the accounts, and a payment: every kind of header, body, form and query. */
async function journey(gateway: TestGateway, writing: Writing): Promise<void> {
  const client = createClient(gateway, writing);
  const day = (days: number) => bankDateAt(gateway.now() + days * 86_400_000);
  const creation: Pairs = [
    ['TPP-Redirect-URI', REDIRECT_URI],
    ['TPP-Explicit-Authorisation-Preferred', 'false'],
    ['PSU-IP-Address', writing.psuAddress ?? '192.0.2.7'],
  ];
  const consent = await client.json('POST', '/stdgroup/v1/consents', creation, {
    access: { allPsd2: 'allAccounts', availableAccounts: null },
    recurringIndicator: true,
    validUntil: day(90),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  });
  expect(consent.status, consent.text).toBe(201);
  const id: string = consent.json.consentId;
  const tokens = await authorise(client, consent, `AIS:${id}`);
  const headers: Pairs = [
    ['Consent-Id', id],
    ['Authorization', `Bearer ${tokens.access_token}`],
    ['PSU-IP-Address', writing.psuAddress ?? '192.0.2.7'],
  ];
  const query: Pairs = [
    ['dateFrom', day(-90)],
    ['bookingStatus', 'both'],
    ['withBalance', 'true'],
  ];
  expect((await client.get('/stdgroup/v1/accounts', headers)).status).toBe(200);
  expect((await client.get('/stdgroup/v1/accounts/ACCOUNT_ID/transactions', headers, query)).status).toBe(
    200,
  );
  const refreshed = await client.form('/stdgroup/v1/token', [
    ['grant_type', 'refresh_token'],
    ['client_id', CLIENT],
    ['refresh_token', tokens.refresh_token],
  ]);
  expect(refreshed.status, refreshed.text).toBe(200);
  const payment = await client.json('POST', '/stdgroup/v1/payments/sepa-credit-transfers', creation, {
    instructedAmount: { currency: 'EUR', amount: '123' },
    debtorAccount: { iban: 'BE14983120441783', currency: 'EUR' },
    creditorAccount: { iban: 'BE86986509812450' },
    creditorName: "O'Brien (Ltd.), Paris + Sons",
    endToEndIdentification: null,
  });
  expect(payment.status, payment.text).toBe(201);
  await authorise(client, payment, `PIS:${payment.json.paymentId}`);
  client.close();
}

async function authorise(client: Client, creation: RawReply, scope: string) {
  const verifier = `${randomBytes(31).toString('base64url')}.~`;
  const link = new URL(creation.json._links.scaOAuth.href);
  const document = await client.get(link.pathname, [], [...link.searchParams]);
  expect(document.status, document.text).toBe(200);
  const { pathname } = new URL(document.json.authorization_endpoint);
  const query: Pairs = [
    ['scope', scope],
    ['client_id', CLIENT],
    // Every sign that an encoder may treat in its own way.
    ['state', `${randomBytes(16).toString('base64')} +%/?&=é~`],
    ['redirect_uri', REDIRECT_URI],
    ['code_challenge', createHash('sha256').update(verifier).digest('base64url')],
    ['code_challenge_method', 'S256'],
    ['response_type', 'code'],
  ];
  const redirect = await client.browse(pathname, [...query, ['scenario', 'SCA_OK']]);
  expect(redirect.status, redirect.text).toBe(302);
  const back = new URL(redirect.headers.location ?? '').searchParams;
  expect([back.get('state'), back.get('to'), back.get('a')]).toEqual([query[2]?.[1], 'café bar', '1+1']);
  const token = await client.form('/stdgroup/v1/token', [
    ['grant_type', 'authorization_code'],
    ['client_id', CLIENT],
    ['code', back.get('code') ?? ''],
    ['code_verifier', verifier],
    ['redirect_uri', REDIRECT_URI],
  ]);
  expect(token.status, token.text).toBe(200);
  return token.json;
}

type Client = ReturnType<typeof createClient>;

function createClient(gateway: TestGateway, writing: Writing) {
  const open = new Map<string, RawConnection>();
  const connection = async (side: 'api' | 'psu'): Promise<RawConnection> => {
    const known = open.get(side);
    if (known !== undefined && writing.fresh !== true) return known;
    known?.close();
    const made = await openRaw(gateway, { side });
    open.set(side, made);
    return made;
  };
  const send = async (
    side: 'api' | 'psu',
    method: string,
    target: string,
    headers: Pairs,
    body: string | null,
  ): Promise<RawReply> => {
    const all: Pairs = [
      ['Host', new URL(gateway.urls[side]).host],
      ...(side === 'api' ? ([['X-Request-ID', (writing.requestId ?? randomUUID)()]] as Pairs) : []),
      ...headers,
      ...lengthOf(body, writing),
    ];
    const lines = (writing.headers ?? ((pairs) => pairs))(all).map(([name, value]) => `${name}: ${value}`);
    const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const whole = Buffer.concat([Buffer.from(head), bodyBytes(body, writing)]);
    const { send: write } = await connection(side);
    return writing.slow === true ? write(...[...whole].map((byte) => Uint8Array.of(byte))) : write(whole);
  };
  const typeOf = (kind: 'json' | 'form') =>
    writing.types?.[kind] ?? (kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded');
  const withQuery = (path: string, query: Pairs) =>
    query.length === 0 ? path : `${path}?${(writing.query ?? plainForm)(query)}`;
  return {
    get: (path: string, headers: Pairs, query: Pairs = []) =>
      send('api', 'GET', withQuery(path, query), headers, null),
    browse: (path: string, query: Pairs) => send('psu', 'GET', withQuery(path, query), [], null),
    json: (method: string, path: string, headers: Pairs, value: Record<string, unknown>) =>
      send(
        'api',
        method,
        path,
        [...headers, ['Content-Type', typeOf('json')]],
        (writing.json ?? JSON.stringify)(value),
      ),
    form: (path: string, pairs: Pairs) =>
      send('api', 'POST', path, [['Content-Type', typeOf('form')]], (writing.form ?? plainForm)(pairs)),
    close: () => {
      for (const one of open.values()) one.close();
    },
  };
}

function lengthOf(body: string | null, { chunks }: Writing): Pairs {
  if (body === null) return [];
  return chunks === undefined
    ? [['Content-Length', String(Buffer.byteLength(body))]]
    : [['Transfer-Encoding', 'chunked']];
}

function bodyBytes(body: string | null, { chunks }: Writing): Buffer {
  if (body === null) return Buffer.alloc(0);
  if (chunks === undefined) return Buffer.from(body);
  // A piece is a text of single bytes, so that a chunk may end within a character.
  const pieces = chunks(body).map((piece) => Buffer.from(piece, piece.length === 1 ? 'latin1' : 'utf8'));
  const framed = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}
