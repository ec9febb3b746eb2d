import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Body,
  type Content,
  type Exchange,
  type FileRecord,
  placeFrom,
} from '../../../src/exchange/index.js';
import {
  buildCassette,
  CASSETTE_VERSION,
  type CassetteMeta,
  readCassette,
  readRecording,
} from '../../../src/exchange/recording/index.js';
import { dialectOf, SandgateError } from '../../../src/spec/index.js';
import { aCertificate, anExchange, type CallParts, NOW } from '../../builders.js';
import { records } from '../arbitrary-record.js';

const meta: CassetteMeta = { session: 'a session', dialect: dialectOf() };
const build = (given: Iterable<FileRecord>, more: Partial<CassetteMeta> = {}) =>
  [...buildCassette(given, { ...meta, ...more })].join('');
const SAMPLE = new URL('../../fixtures/format/cassette-v1.json', import.meta.url);

/** What a cassette keeps of an exchange: everything but ids, the session's name and what belongs to a connection. */
function essence({ call, answer, fault, elapsed }: Exchange) {
  const { id: _id, session: _session, header: _header, content, request, ...rest } = call;
  return {
    ...rest,
    request: { ...request, headers: lasting(request.headers), body: bodyEssence(request.body, content) },
    answer: answer && {
      source: answer.source,
      status: answer.status,
      headers: lasting(answer.headers),
      body: bodyEssence(answer.body, answer.content),
    },
    fault,
    elapsed,
  };
}

const lasting = (headers: Exchange['call']['request']['headers']) =>
  headers.filter(
    ([name]) => !/^(?:date|content-length|connection|keep-alive|transfer-encoding|sandgate-.*)$/i.test(name),
  );

/** The meaning where there is one, otherwise the text as it is. */
function bodyEssence(body: Body | null, content: Content) {
  if (body === null) return null;
  const { text, ...rest } = body;
  return content.kind === 'json' || content.kind === 'form' ? { ...rest, content } : { ...rest, text };
}

function faultOf(text: string): string {
  try {
    readCassette(text);
  } catch (error) {
    if (error instanceof SandgateError) return `${error.exitStatus} ${error.message}`;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a cassette', () => {
  it('holds a body that is nested as deep as a client likes', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const exchange = anExchange({ call: { operation: 'consents.create', body: deep } });
    const [found] = readCassette(build([{ exchange, findings: [] }])).records;
    expect(found?.exchange.call.request.body?.text).toBe(deep);
  });

  it('brings back everything that matters', () => {
    fc.assert(
      fc.property(records, (given) => {
        const found = readCassette(build(given, { verdicts: true }));
        expect(found.records.map(({ exchange }) => essence(exchange))).toEqual(
          given.map(({ exchange }) => essence(exchange)),
        );
        expect(found.records.map(({ verdicts }) => verdicts)).toEqual(given.map(({ verdicts }) => verdicts));
        expect(found.records.map(({ findings }) => findings)).toEqual(
          given.map(({ findings }) => findings ?? []),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is the same text when it is read and written again', () => {
    fc.assert(
      fc.property(records, (given) => {
        const text = build(given);
        const found = readCassette(text);
        expect(build(found.records)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('reads as a person would write it', async () => {
    const text = build(journey());
    await expect(text).toMatchFileSnapshot(SAMPLE.pathname);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('is the same from run to run, whatever the ports, ids and dates of connections are', () => {
    const run = (port: number, id: string, at: number) =>
      build(
        [
          {
            exchange: anExchange({
              call: { id, at, headers: { host: `localhost:${port}`, 'X-Request-ID': 'r' } },
              answer: {
                headers: {
                  Date: new Date(at).toUTCString(),
                  'Sandgate-Exchange': id,
                  Location: `https://localhost:${port}/stdgroup/v1/consents/C1`,
                },
                body: {
                  _links: {
                    scaOAuth: { href: `https://localhost:${port + 1}/x?u=https%3A%2F%2Flocalhost%3A${port}` },
                  },
                  other: `https://localhost:${port}0/`,
                },
              },
            }),
          },
        ],
        { origins: { api: `https://localhost:${port}`, psu: `https://localhost:${port + 1}` } },
      ).replace(/"recorded": ".*"/, '');
    const text = run(40123, '00000000001', NOW);
    expect(text.replaceAll('401230', '')).not.toContain('4012');
    expect(text).toContain('https://localhost:401230/');
    expect(text.replaceAll('401230', '')).toBe(run(51000, '00000009ZZZ', NOW + 999).replaceAll('510000', ''));
    const back = readCassette(
      `${text.replace('"session"', '"recorded": "2026-06-15T10:00:00Z",\n  "session"').replace(/,\s*,/, ',')}`,
    );
    expect(back.records[0]?.exchange.call.header.host).toBe('localhost:8443');
    expect([...back.origins]).toEqual(['https://localhost:8443', 'https://localhost:8444']);
  });

  it('holds a certificate once, by its name', () => {
    const other = aCertificate({ fingerprint256: 'cd'.repeat(32) });
    const calls: CallParts[] = [{}, {}, { certificate: other }, { certificate: 'absent' }];
    const { certificates, exchanges } = JSON.parse(
      build(calls.map((call) => ({ exchange: anExchange({ call }) }))),
    );
    expect(Object.keys(certificates)).toEqual(['tpp.example', 'tpp.example-2']);
    expect(exchanges.map(({ certificate }: { certificate: string }) => certificate)).toEqual([
      'tpp.example',
      'tpp.example',
      'tpp.example-2',
      'absent',
    ]);
  });

  it.each(['__proto__', 'absent', 'constructor', '…'])('reads back a certificate named %s', (commonName) => {
    const given = anExchange({ call: { certificate: aCertificate({ commonName }) } });
    const [record] = readCassette(build([{ exchange: given }])).records;
    expect(record?.exchange.call.certificate).toEqual(given.call.certificate);
  });

  it('leaves verdicts out unless they are asked for, and findings never', () => {
    const finding = {
      rule: 'oauth/state-fresh',
      severity: 'should',
      judges: 'tpp',
      place: 'query state',
      expected: 'another state',
    } as const;
    const record: FileRecord = {
      exchange: anExchange(),
      verdicts: { 'a/b': 'complied' },
      findings: [finding],
    };
    expect(readCassette(build([record])).records[0]).toEqual({
      exchange: expect.anything(),
      findings: [finding],
    });
    expect(readCassette(build([record], { verdicts: true })).records[0]?.verdicts).toEqual({
      'a/b': 'complied',
    });
  });

  it('of nothing is a cassette too', () => {
    expect(readCassette(build([])).records).toEqual([]);
  });

  it('is told from a HAR by what is in it', () => {
    expect(readRecording(build(journey())).format).toBe('cassette');
    expect(readRecording('{"log":{"entries":[]}}').format).toBe('har');
    expect(() => readRecording('{"x":1}', { name: 'x.json' })).toThrow(
      /^x\.json is neither a HAR nor a cassette/,
    );
    expect(() => readRecording('null')).toThrow(SandgateError);
  });

  it('gives only the calls to one host where it is asked to', () => {
    const found = readCassette(
      build([
        { exchange: anExchange({ call: { headers: { host: 'bank.example:8443' } } }) },
        { exchange: anExchange({ call: { headers: { host: 'other.example' } } }) },
      ]),
      { host: 'bank.example' },
    );
    expect(found.records).toHaveLength(1);
    expect(found.skipped).toEqual({ 'another host': 1 });
  });

  it('that holds no call to the wanted host says which hosts it holds', () => {
    const calls = Array.from({ length: 11 }, (_, i) => ({
      exchange: anExchange({ call: { headers: { host: `bank-${i + 10}.example` } } }),
    }));
    expect(() => readCassette(build(calls), { name: 'x.json', host: 'bank' })).toThrow(
      /^x\.json holds no call to bank: it holds calls to bank-10\.example, .*bank-17\.example and 3 more\.$/,
    );
  });
});

describe('a cassette of version 1', () => {
  it('can be read by this version', () => {
    const found = readCassette(readFileSync(SAMPLE, 'utf8'));
    expect(CASSETTE_VERSION).toBe(1);
    expect(found.records.map(({ exchange }) => exchange.call.operation)).toEqual([
      'consents.create',
      'oauth.token',
      'accounts.list',
      null,
    ]);
    expect(found.records[0]?.exchange.call.tpp).toBe('PSDBE-NBB-0123456789');
    expect(found.records[2]?.findings).toHaveLength(1);
  });
});

describe('a broken cassette', () => {
  const file = (change: Record<string, unknown>) =>
    JSON.stringify({ ...JSON.parse(build(journey())), ...change });

  it.each([
    ['{"format"', '2 The cassette is not JSON: line 1, column 10 cannot be read.'],
    ['{"format":"other"}', '2 The cassette cannot be read at format: "sandgate-cassette" is expected.'],
    [file({ version: 2 }), '2 The cassette has version 2; this Sandgate reads up to 1: update it.'],
    [file({ session: 1 }), '2 The cassette cannot be read at session: a text is expected.'],
    [file({ recorded: 'x' }), '2 The cassette cannot be read at recorded: a date and time is expected.'],
    [
      file({ certificates: {} }),
      '2 The cassette cannot be read at exchanges[0].certificate: there is no certificate named tpp.example.',
    ],
    [
      file({ exchanges: [{ at: 0, request: {} }] }),
      '2 The cassette cannot be read at exchanges[0].certificate: it is missing; a text is expected.',
    ],
  ])('is one sentence with the place', (text, fault) => {
    expect(faultOf(text).replace('Invalid input: ', '')).toBe(fault.replace('Invalid input: ', ''));
  });

  it('is told by its place where a body is nested too deep', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const text = build([{ exchange: anExchange({ call: { body: '"shallow"' } }), findings: [] }]);
    expect(text).toContain('"shallow"');
    expect(faultOf(text.replace('"shallow"', deep))).toBe(
      '2 The cassette cannot be read at exchanges[0]: a body is nested too deep.',
    );
  });

  it('never ends in anything but an error of ours', () => {
    const whole = JSON.parse(build(journey())) as Record<string, unknown>;
    const [one] = whole.exchanges as Record<string, unknown>[];
    const mutated = fc.oneof(
      fc
        .tuple(fc.constantFrom(...Object.keys(whole)), fc.jsonValue())
        .map(([name, value]) => ({ ...whole, [name]: value })),
      fc
        .tuple(fc.constantFrom(...Object.keys(one ?? {})), fc.jsonValue())
        .map(([name, value]) => ({ ...whole, exchanges: [{ ...one, [name]: value }] })),
    );
    fc.assert(
      fc.property(mutated, (given) => {
        try {
          readCassette(JSON.stringify(given));
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** A few calls of every kind, as the sample shows them. */
function journey(): FileRecord[] {
  const consent = anExchange({
    call: {
      operation: 'consents.create',
      headers: {
        'TPP-Redirect-URI': 'https://tpp.example/cb',
        'TPP-Explicit-Authorisation-Preferred': 'false',
      },
      body: { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2026-09-01' },
    },
    answer: {
      status: 201,
      headers: { Location: 'https://localhost:8443/stdgroup/v1/consents/VALID_CONSENT_ID', Date: 'x' },
      body: { consentStatus: 'received', consentId: 'VALID_CONSENT_ID' },
    },
  });
  const token = anExchange({
    call: {
      operation: 'oauth.token',
      at: NOW + 1_234,
      form: { grant_type: 'authorization_code', code: 'AIS_VALID_CODE', client_id: 'VALID_CLIENT_ID' },
    },
    answer: { headers: { 'Cache-Control': 'no-store' }, body: { access_token: 'fp_AAAAAAAAAAAAAAAAAAAAAA' } },
  });
  const accounts = anExchange({
    call: { operation: 'accounts.list', at: NOW + 1_500, headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
    answer: {
      status: 429,
      source: 'rule',
      body: { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] },
    },
  });
  const callback = anExchange({
    call: {
      listener: 'callback',
      method: 'POST',
      target: '/notify',
      at: NOW + 2_000,
      body: { 'payment-ID': 'P1' },
    },
    answer: null,
  });
  const fault = { kind: 'refused', message: 'Nobody listens at tpp.example:443.' } as const;
  return [
    { exchange: consent },
    { exchange: token },
    {
      exchange: accounts,
      findings: [
        {
          rule: 'accounts/within-daily-limit',
          severity: 'must',
          judges: 'tpp',
          place: placeFrom('call'),
          expected: 'at most 4 accesses a day',
          actual: 'the fifth',
        },
      ],
    },
    { exchange: { ...callback, fault } },
  ];
}
