import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRecording } from '../../../src/exchange/index.js';
import { dialectOf, SandgateError } from '../../../src/spec/index.js';
import { anExchange, NOW } from '../../builders.js';
import { records } from '../arbitrary-record.js';
import { buildHar, readHar } from './build-har.js';

const meta = { version: '0.1.0', session: 'a session', dialect: dialectOf() };
const BASE = 'https://api.bank.example/stdgroup/v1';

interface EntryParts {
  method?: string;
  url?: string;
  at?: string;
  requestHeaders?: Record<string, string>;
  postData?: unknown;
  requestSize?: number;
  status?: number;
  responseHeaders?: Record<string, string>;
  content?: unknown;
  responseSize?: number;
  rest?: Record<string, unknown>;
}

const pairs = (fields: Record<string, string> = {}) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

/** An entry as a browser or a proxy writes it: only what is given, and what HAR demands. */
function anEntry(parts: EntryParts = {}) {
  return {
    startedDateTime: parts.at ?? new Date(NOW).toISOString(),
    request: {
      method: parts.method ?? 'GET',
      url: parts.url ?? `${BASE}/consents/C1/status`,
      headers: pairs(parts.requestHeaders),
      bodySize: parts.requestSize ?? -1,
      ...(parts.postData === undefined ? {} : { postData: parts.postData }),
    },
    response: {
      status: parts.status ?? 200,
      headers: pairs(parts.responseHeaders),
      content: parts.content ?? { size: 0, mimeType: '' },
      bodySize: parts.responseSize ?? -1,
    },
    ...parts.rest,
  };
}

const read = (...entries: unknown[]): FileRecording =>
  readHar(JSON.stringify({ log: { version: '1.2', entries } }));
const first = (...entries: unknown[]) => {
  const exchange = read(...entries).records[0]?.exchange;
  if (exchange === undefined) throw new Error('the entry was skipped');
  return exchange;
};
function faultOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof SandgateError) return `${error.exitStatus} ${error.message}`;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('our own HAR', () => {
  it('brings back every exchange without loss', () => {
    fc.assert(
      fc.property(records, (given) => {
        const found = readHar(buildHar(given, meta));
        expect(found.records).toEqual(given);
        expect(found.skipped).toEqual({});
        expect(found).toMatchObject({ format: 'har', session: 'a session', dialect: dialectOf() });
      }),
      { numRuns: 200 },
    );
  });

  it('is HAR 1.2 for everybody else', () => {
    const exchange = anExchange({
      call: { operation: 'consents.create', query: 'a=1', body: { access: {} } },
      answer: { status: 201, body: { consentId: 'C1' }, headers: { Location: '/x' } },
    });
    const { log } = JSON.parse([...buildHar([{ exchange }], meta)].join(''));
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Sandgate', version: '0.1.0' } });
    expect(log.entries[0]).toMatchObject({
      startedDateTime: '2026-06-15T10:00:00.000Z',
      time: 2,
      request: {
        method: 'POST',
        url: 'https://localhost:8443/stdgroup/v1/consents?a=1',
        httpVersion: 'HTTP/1.1',
        queryString: [{ name: 'a', value: '1' }],
        postData: { mimeType: 'application/json', text: '{"access":{}}' },
      },
      response: {
        status: 201,
        redirectURL: '/x',
        content: { mimeType: 'application/json', text: '{"consentId":"C1"}', size: 18 },
      },
      timings: { send: 0, wait: 1, receive: 1 },
    });
  });

  it('says where the listeners were', () => {
    const origins = ['https://localhost:40000', 'https://localhost:40001'];
    expect([...readHar(buildHar([], { ...meta, origins })).origins]).toEqual(origins);
  });

  it('writes a certificate once, however many calls came with it', () => {
    const text = [...buildHar(Array(5).fill({ exchange: anExchange() }), meta)].join('');
    expect(text.split('"serialNumber"')).toHaveLength(2);
  });

  it('comes in chunks, an entry each', () => {
    const chunks = [...buildHar(Array(5).fill({ exchange: anExchange() }), meta)];
    expect(chunks).toHaveLength(6);
  });
});

describe('the HAR of a browser or a proxy', () => {
  it('holds neither certificate nor TLS facts', () => {
    const { call, answer } = first(anEntry());
    expect(call).toMatchObject({
      certificate: 'not-observed',
      connection: { tls: 'not-observed' },
      tpp: null,
      operation: 'consents.status',
      params: { consentId: 'C1' },
      listener: 'api',
      at: NOW,
    });
    expect(answer?.source).toBe('upstream');
  });

  it('takes the host from the URL where HTTP/2 has none, and drops pseudo headers', () => {
    const entry = anEntry({ requestHeaders: { ':method': 'GET', ':path': '/x', Accept: '*/*' } });
    expect(first(entry).call.request.headers).toEqual([
      ['host', 'api.bank.example'],
      ['Accept', '*/*'],
    ]);
    const withAuthority = anEntry({ requestHeaders: { ':authority': 'other.example' } });
    expect(first(withAuthority).call.header.host).toBe('other.example');
  });

  it('keeps the letter case of headers, and finds them in any', () => {
    const entry = anEntry({
      requestHeaders: { 'x-REQUEST-id': 'a' },
      responseHeaders: { 'X-Request-Id': 'a' },
    });
    const { call, answer } = first(entry);
    expect(call.header['x-request-id']).toBe('a');
    expect(call.request.headers.at(-1)).toEqual(['x-REQUEST-id', 'a']);
    expect(answer?.header['x-request-id']).toBe('a');
  });

  it('reads times, and puts calls in the order in which they began', () => {
    const found = read(
      anEntry({ at: '2026-06-15T12:00:02+02:00', rest: { time: 30, timings: { wait: 20 } } }),
      anEntry({
        at: '2026-06-15T10:00:01Z',
        url: `${BASE}/accounts`,
        rest: { time: 5, timings: { wait: -1 } },
      }),
    );
    const [one, two] = found.records.map(({ exchange }) => exchange);
    expect([one?.call.operation, two?.call.operation]).toEqual(['accounts.list', 'consents.status']);
    expect(one?.elapsed).toEqual({ total: 5, answerer: 5 });
    expect(two?.elapsed).toEqual({ total: 30, answerer: 20, firstByte: 20 });
    expect((one?.call.id ?? '') < (two?.call.id ?? '')).toBe(true);
  });

  it('knows status 0 as a call without answer', () => {
    expect(first(anEntry({ status: 0 })).answer).toBeNull();
  });

  it('skips and counts what is not of the interface', () => {
    const found = readHar(
      JSON.stringify({
        log: {
          entries: [
            anEntry(),
            anEntry({ url: 'https://api.bank.example/favicon.ico' }),
            anEntry({ url: 'https://other.example/stdgroup/v1/consents/C1' }),
            { request: { method: 'GET', url: 'data:text/plain,x' }, anything: 1 },
            { request: { method: 'GET', url: 'wss://api.bank.example/socket' } },
            anEntry({ url: `${BASE}/acounts` }),
            anEntry({ method: 'PUT', url: `${BASE}/consents` }),
          ],
        },
      }),
      { host: 'api.bank.example' },
    );
    expect(found.skipped).toEqual({ 'another path': 1, 'another host': 1, 'not HTTP': 2 });
    expect(found.records.map(({ exchange }) => exchange.call.operation)).toEqual([
      'consents.status',
      null,
      null,
    ]);
    expect([...found.origins]).toEqual(['https://api.bank.example']);
  });

  it('that holds no call to the wanted host says which hosts it holds', () => {
    const text = JSON.stringify({
      log: {
        entries: [
          anEntry(),
          anEntry({ url: 'https://OTHER.example:8443/stdgroup/v1/consents/C1' }),
          { request: { method: 'GET', url: 'data:text/plain,x' }, anything: 1 },
        ],
      },
    });
    for (const host of ['bank.example', 'other.example:443', '']) {
      expect(() => readHar(text, { name: 'x.har', host })).toThrow(
        `x.har holds no call to ${host}: it holds calls to api.bank.example, other.example:8443.`,
      );
    }
    expect(readHar(text, { host: 'other.example' }).records).toHaveLength(1);
    expect(() => readHar('{"log":{"entries":[]}}', { host: 'a' })).toThrow(/it holds calls to no host/);
  });

  it('finds the interface below a path of the bank, and what is unknown of it there only', () => {
    const below = 'https://api.bank.example/sandbox/stdgroup';
    const found = read(
      anEntry({ url: `${below}/v1/acounts` }),
      anEntry({ url: `${below}/v1/consents/C1/status?x=/stdgroup/v1/` }),
      anEntry({
        method: 'POST',
        url: 'https://api.bank.example/sandbox/internal/stdgroup/authorization/v1/tpp/notify',
      }),
      anEntry({ url: 'https://docs.bank.example/help/stdgroup/v1/intro' }),
    );
    expect(found.records.map(({ exchange: { call } }) => [call.operation, call.request.target])).toEqual([
      [null, '/stdgroup/v1/acounts'],
      ['consents.status', '/stdgroup/v1/consents/C1/status?x=/stdgroup/v1/'],
      ['notifications.simulate', '/internal/stdgroup/authorization/v1/tpp/notify'],
    ]);
    expect(found.skipped).toEqual({ 'another path': 1 });
  });

  it('takes what begins with the segment and lacks the version, but nothing that a browser fetches for a page', () => {
    const root = 'https://api.bank.example/stdgroup';
    const found = read(
      anEntry({ url: `${root}/accounts` }),
      anEntry({ method: 'POST', url: `${root}/token` }),
      anEntry({ url: `${root}/v2/consents/C1` }),
      anEntry({ url: 'https://api.bank.example/sandbox/stdgroup/v1/consents/C1' }),
      anEntry({ url: 'https://api.bank.example/sandbox/stdgroup/acounts' }),
      anEntry({ url: 'https://docs.bank.example/help/stdgroup/intro' }),
      anEntry({ url: `${root}/login`, requestHeaders: { Accept: 'text/html,application/xhtml+xml' } }),
      anEntry({ url: `${root}/login/session`, requestHeaders: { 'Sec-Fetch-Dest': 'empty' } }),
      anEntry({ url: `${root}/login/logo.png`, requestHeaders: { referer: `${root}/login` } }),
    );
    expect(found.records.map(({ exchange: { call } }) => [call.operation, call.request.path])).toEqual([
      [null, '/stdgroup/accounts'],
      [null, '/stdgroup/token'],
      [null, '/stdgroup/v2/consents/C1'],
      ['consents.read', '/stdgroup/v1/consents/C1'],
      [null, '/stdgroup/acounts'],
    ]);
    expect(found.skipped).toEqual({ 'another path': 4 });
  });

  it('skips what a browser asks before a call from another origin', () => {
    expect(read(anEntry({ method: 'OPTIONS' }), anEntry()).skipped).toEqual({ 'CORS preflight': 1 });
  });

  it('finds authorize, which a browser called', () => {
    const url = 'https://bank.example/stdgroup/authorization/authorize/1?scope=AIS:C1#top';
    expect(first(anEntry({ url })).call).toMatchObject({
      operation: 'oauth.authorize',
      listener: 'psu',
      request: { target: '/stdgroup/authorization/authorize/1?scope=AIS:C1' },
    });
  });

  it('reads another path segment where it is told', () => {
    const har = JSON.stringify({
      log: { entries: [anEntry({ url: 'https://b.example/bank/v1/accounts' })] },
    });
    expect(readHar(har, { dialect: dialectOf(undefined, 'bank') }).records[0]?.exchange.call.operation).toBe(
      'accounts.list',
    );
    expect(readHar(har).skipped).toEqual({ 'another path': 1 });
  });
});

describe('a body of a foreign HAR', () => {
  const form = {
    method: 'POST',
    url: `${BASE}/token`,
    requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
  };
  const json = { responseHeaders: { 'Content-Type': 'application/json' } };
  const text = JSON.stringify({ consentStatus: 'valid', padding: 'é'.repeat(200) });

  it('is read as text', () => {
    const posted = anEntry({ ...form, postData: { mimeType: 'x', text: 'grant_type=refresh_token&a=b+c' } });
    expect(first(posted).call.content).toEqual({
      kind: 'form',
      fields: [
        ['grant_type', 'refresh_token'],
        ['a', 'b c'],
      ],
    });
    expect(first(anEntry({ ...json, content: { size: 9, text } })).answer?.content).toMatchObject({
      kind: 'json',
    });
  });

  it('is put together from parameters', () => {
    const params = [{ name: 'grant_type', value: 'a&b' }, { name: 'empty' }];
    const { call } = first(anEntry({ ...form, postData: { mimeType: 'x', params } }));
    expect(call.content).toEqual({
      kind: 'form',
      fields: [
        ['grant_type', 'a&b'],
        ['empty', ''],
      ],
    });
  });

  it.each([
    ['plain base64', undefined, Buffer.from(text)],
    ['gzip', 'gzip', gzipSync(text)],
    ['deflate', 'deflate', deflateSync(text)],
    ['raw deflate', 'deflate', deflateRawSync(text)],
    ['brotli', 'br', brotliCompressSync(text)],
    ['two codings', 'gzip, br', brotliCompressSync(gzipSync(text))],
    ['base64 of what was decoded already', 'gzip', Buffer.from(text)],
  ])('is decoded: %s', (_, coding, bytes) => {
    const { answer } = first(
      anEntry({
        responseHeaders: {
          'Content-Type': 'application/json',
          ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
        },
        content: {
          size: 1,
          mimeType: 'application/json',
          encoding: 'base64',
          text: bytes.toString('base64'),
        },
      }),
    );
    expect(answer?.body?.text).toBe(text);
    expect(answer?.body?.size).toBe(bytes.length);
    expect(answer?.content.kind).toBe('json');
  });

  it.each(['gzip', 'br'])('that blows up to more than 16 MiB is not observed: %s', (coding) => {
    const zeros = Buffer.alloc(17 * 1024 * 1024);
    // With its best quality brotli takes a second and a half for as small a bomb.
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    const bomb = coding === 'gzip' ? gzipSync(zeros) : brotliCompressSync(zeros, quick);
    const { answer } = first(
      anEntry({
        responseHeaders: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
        content: { size: 1, encoding: 'base64', text: bomb.toString('base64') },
      }),
    );
    expect(answer?.body).toMatchObject({
      text: '',
      truncated: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(answer?.content.kind).toBe('not-observed');
  });

  it('that is not what its coding says is not observed: nobody could find the secrets in it', () => {
    const bytes = gzipSync('{"access_token":"SECRET-TOKEN-123456789"}');
    bytes[bytes.length - 8] = (bytes[bytes.length - 8] ?? 0) ^ 0xff;
    const { answer } = first(
      anEntry({
        responseHeaders: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        content: { size: 1, encoding: 'base64', text: bytes.toString('base64') },
      }),
    );
    expect(answer?.body).toMatchObject({ text: '', truncated: true });
    expect(answer?.content.kind).toBe('not-observed');
  });

  it('stays base64 where it is no text at all', () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
    const content = { size: 6, encoding: 'base64', text: bytes.toString('base64') };
    expect(first(anEntry({ content })).answer?.body).toEqual({
      text: bytes.toString('base64'),
      base64: true,
      size: 6,
    });
  });

  it.each([
    ['left out by the browser', { content: { size: 512, mimeType: 'application/json' } }, 'not-observed'],
    ['of unknown size', { content: { size: -1, mimeType: 'application/json' } }, 'not-observed'],
    ['left out, the size only on the wire', { content: {}, responseSize: 40 }, 'not-observed'],
    ['empty', { content: { size: 0, mimeType: 'application/json', text: '' } }, 'none'],
    ['of a 204', { status: 204, content: { size: -1, mimeType: 'x' } }, 'none'],
    ['of a HEAD', { method: 'HEAD', content: { size: 100, mimeType: 'x' } }, 'none'],
  ] as const)('%s is known for what it is', (_, parts, kind) => {
    expect(first(anEntry({ ...json, ...parts })).answer?.content.kind).toBe(kind);
  });

  it('of a request that was left out is not observed', () => {
    expect(first(anEntry({ ...form, requestSize: 80 })).call.content.kind).toBe('not-observed');
    expect(first(anEntry({ ...form, requestSize: 0 })).call.content.kind).toBe('none');
  });
});

describe('a broken HAR', () => {
  const entries = (...list: unknown[]) => JSON.stringify({ log: { entries: list } });

  it.each([
    ['', '2 The HAR file is empty: give another one.'],
    ['{"log": {\n  "entries": [1,}\n}', '2 The HAR file is not JSON: line 2, column 17 cannot be read.'],
    ['{"log":{"entries":[', '2 The HAR file is not JSON: line 1, column 20 cannot be read.'],
    ['{"log":"a\nb"}', '2 The HAR file is not JSON: line 1, column 8 cannot be read.'],
    ['[]', '2 The HAR file cannot be read: an object in { } is expected.'],
    ['{"log":{}}', '2 The HAR file cannot be read at log.entries: it is missing; a list in [ ] is expected.'],
    [
      entries(anEntry(), { request: { url: 'https://x/stdgroup/v1/accounts' } }),
      '2 The HAR file cannot be read at log.entries[1].request.method: it is missing; a text is expected.',
    ],
    [
      entries({ ...anEntry(), response: { status: '200' } }),
      '2 The HAR file cannot be read at log.entries[0].response.status: a number is expected.',
    ],
    [
      entries(anEntry({ at: 'yesterday' })),
      '2 The HAR file cannot be read at log.entries[0].startedDateTime: a date and time is expected.',
    ],
    [
      entries({ ...anEntry(), _sandgate: { id: 'x' } }),
      '2 The HAR file cannot be read at log.entries[0]._sandgate.session: it is missing; a text is expected.',
    ],
  ])('%j is one sentence with the place', (text, fault) => {
    expect(faultOf(() => readHar(text))).toBe(fault);
  });

  it('is named as the user named it', () => {
    expect(faultOf(() => readHar('x', { name: 'traffic.har' }))).toContain(
      'traffic.har is not JSON: line 1, column 1',
    );
  });

  it('never ends in anything but an error of ours', () => {
    const part = fc.oneof(fc.jsonValue(), fc.constant(anEntry()), fc.constant(null));
    const mutated = fc
      .tuple(fc.constantFrom('startedDateTime', 'request', 'response', '_sandgate', 'time', 'timings'), part)
      .map(([name, value]) => ({ ...anEntry(), [name]: value }));
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.array(fc.oneof(part, mutated), { maxLength: 3 }).map((list) => entries(...list)),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          readHar(given);
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
