/** A cassette over an older one: values that say nothing are kept, all others are the new ones. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileRecord, recordedAgain, stableCassette } from '../../src/exchange/index.js';
import { buildCassette, readCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { aCertificate } from '../builders.js';
import { records } from './arbitrary-record.js';

const START = '2026-06-15T10:00:00.000Z';
const [A, B] = ['7f3c1d2e-0000-4000-8000-00000000000a', '7f3c1d2e-0000-4000-8000-00000000000b'];

interface Written {
  readonly target?: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly at?: number;
  readonly took?: number;
  readonly certificate?: string;
  readonly firstByte?: number;
}

function cassette(
  exchanges: readonly Written[],
  { recorded = START, certificates = {} }: { recorded?: string; certificates?: object } = {},
): string {
  const file = {
    ...{ format: 'sandgate-cassette', version: 1, session: 's', segment: 'stdgroup', recorded },
    exchanges: exchanges.map(
      ({
        target = '/stdgroup/v1/accounts',
        json = {},
        headers = {},
        at = 0,
        took = 1,
        firstByte,
        certificate,
      }) => ({
        ...{ at, operation: 'accounts.list', certificate: certificate ?? 'absent', tls: null },
        request: { method: 'GET', target, headers },
        answer: { status: 200, source: 'upstream', headers: {}, json },
        ...{ took, bankTook: 0, firstByte },
      }),
    ),
    certificates,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

describe('a cassette that is recorded over an older one', () => {
  it.each<[string, Written, Written]>([
    ['a request id', { headers: { 'X-Request-ID': A } }, { headers: { 'X-Request-ID': B } }],
    [
      'a fingerprint',
      { json: { access_token: `fp_${'A'.repeat(22)}` } },
      { json: { access_token: `fp_${'B'.repeat(22)}` } },
    ],
    [
      'an id behind a percent-encoded character',
      { target: `/a?scope=AIS%3A${A}&x=1` },
      { target: `/a?scope=AIS%3A${B}&x=1` },
    ],
    [
      'a port of this machine',
      { headers: { 'TPP-Redirect-URI': 'http://localhost:40111/back' } },
      { headers: { 'TPP-Redirect-URI': 'http://localhost:51234/back' } },
    ],
    ['the time to a first byte', { firstByte: 2.5 }, { firstByte: 3.1 }],
    ['an id in a link', { json: { href: `/v1/x/${A}?a=1` } }, { json: { href: `/v1/x/${B}?a=1` } }],
    ['a state of a few letters', { target: '/a?state=abc&x=1' }, { target: '/a?state=xyz&x=1' }],
    [
      'a code challenge that happens to have no digit',
      { target: `/a?code_challenge=${'aB'.repeat(21)}c&x=1` },
      { target: `/a?code_challenge=${'xY'.repeat(21)}z&x=1` },
    ],
    ['a duration', { took: 2.5 }, { took: 310.1 }],
    ['how long to wait', { headers: { 'Retry-After': '17' } }, { headers: { 'Retry-After': '4711' } }],
  ])('keeps %s', (_, was, is) => {
    expect(recordedAgain(cassette([is]), cassette([was]))).toBe(cassette([was]));
  });

  it.each<[string, Written, Written]>([
    [
      'an id that the specification prints',
      { json: { id: '11111111-1111-1111-1111-111111111111' } },
      { json: { id: '22222222-2222-2222-2222-222222222222' } },
    ],
    [
      'another consent of the sandbox',
      { json: { id: 'CONSENT_ID_TRANSACTION_90D_KO' } },
      { json: { id: 'CONSENT_ID_AVAILABLE_ACCOUNTS' } },
    ],
    ['an amount', { json: { amount: '1.00' } }, { json: { amount: '2.00' } }],
    [
      'an account number',
      { json: { iban: 'BE67983610020587' } },
      { json: { iban: 'DE89370400440532013000' } },
    ],
    ['another account of the two', { json: { all: [A, B], read: A } }, { json: { all: [A, B], read: B } }],
    ['a day that moved', { json: { on: '2026-06-20' } }, { json: { on: '2026-06-21' } }],
    ['a call that took long', { took: 2 }, { took: 2_500 }],
    ['a member more', { json: { a: A } }, { json: { a: A, b: 1 } }],
  ])('shows %s', (_, was, is) => {
    expect(recordedAgain(cassette([is]), cassette([was]))).toBe(cassette([is]));
  });

  it('names the same thing the same wherever it stands, and nothing else so', () => {
    const of = (a: string, b: string) =>
      cassette([{ json: { id: a } }, { json: { id: b } }, { target: `/stdgroup/v1/accounts/${b}` }]);
    const C = A.replace(/a$/, 'c');
    expect(recordedAgain(of(C, A), of(A, B))).toBe(of(C, A));
    const D = A.replace(/a$/, 'd');
    expect(recordedAgain(of(C, D), of(A, B))).toBe(of(A, B));
  });

  it('moves days with the recording, and leaves those that stand still', () => {
    const of = (recorded: string, until: string, at: string) =>
      cassette([{ json: { until, at, ever: '9999-12-31', fixed: '2025-01-02' } }], { recorded });
    const was = of(START, '2026-09-01', '2026-06-15T12:00:00+02:00');
    const is = of('2026-06-25T21:00:03.000Z', '2026-09-11', '2026-06-25T23:00:04+02:00');
    expect(recordedAgain(is, was)).toBe(was);
  });

  it('keeps a certificate that was renewed, and its own time where the older one was not valid then', () => {
    const facts = aCertificate();
    const of = (more: object, recorded = START) =>
      cassette([{ certificate: 'tpp' }], { recorded, certificates: { tpp: { ...facts, ...more } } });
    const was = of({ notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' });
    const renewed = {
      serialNumber: '77',
      notBefore: '2026-06-20T00:00:00Z',
      notAfter: '2028-01-01T00:00:00Z',
    };
    const later = '2026-07-01T10:00:00.000Z';
    expect(recordedAgain(of(renewed, later), was)).toBe(was);
    const other = of({ ...renewed, organization: 'Another' }, later);
    expect(recordedAgain(other, was)).toBe(other);
  });

  it('stays as it is where the file that was there is no cassette, or of another journey', () => {
    const is = cassette([{ json: { id: A } }]);
    for (const older of ['', 'no JSON', '{}', '[]', '{"format":"sandgate-cassette","version":9}'])
      expect(recordedAgain(is, older)).toBe(is);
    expect(recordedAgain(is, cassette([{ target: '/another', json: { id: B } }]))).toBe(is);
  });

  it('is a cassette of as many calls, whatever stands in both, and over itself the same', () => {
    const write = (all: readonly FileRecord[]) =>
      [...buildCassette(all, { session: 's', dialect: dialectOf() })].join('');
    fc.assert(
      fc.property(records, records, (one, other) => {
        const [is, was] = [write(one), write(other)];
        const again = recordedAgain(is, was);
        expect(readCassette(again).records).toHaveLength(one.length);
        expect(recordedAgain(again, was)).toBe(again);
        expect(recordedAgain(is, is)).toBe(is);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a stable cassette', () => {
  const facts = aCertificate();
  const day = (days: number) => new Date(Date.parse(START) + days * 86_400_000).toISOString();
  const other = (text: string) => stableCassette(text);

  it.each<[string, Written, Written]>([
    ['names', { json: { a: A, b: `x ${B}`, c: A } }, { json: { a: B, b: `x ${A}`, c: B } }],
    ['waits of seconds, and durations', { at: 0, took: 1 }, { at: 20_000, took: 7_000.5, firstByte: 2 }],
    ['how long to wait', { headers: { 'Retry-After': '17' } }, { headers: { 'Retry-After': '4711' } }],
    [
      'moments of the call',
      { json: { at: '2026-06-15T12:00:00.25+02:00' } },
      { json: { at: '2026-06-15T12:00:03.75+02:00' } },
    ],
    [
      'ports',
      { target: '/a?x=http%3A%2F%2Flocalhost%3A40111' },
      { target: '/a?x=http%3A%2F%2Flocalhost%3A51234' },
    ],
  ])('does not tell %s', (_, one, two) => {
    expect(other(cassette([{}, two]))).toBe(other(cassette([{}, one])));
  });

  it.each<[string, Written, Written]>([
    ['one name from two', { json: { a: A, b: A } }, { json: { a: A, b: B } }],
    ['a state that is guessed', { target: '/a?state=abc' }, { target: '/a?state=1' }],
    ['another number', { json: { amount: '1.00' } }, { json: { amount: '2.00' } }],
    ['days of the calendar', { json: { born: '1990-05-05' } }, { json: { born: '1990-05-06' } }],
    ['a wait of minutes', { at: 1 }, { at: 120_000 }],
  ])('tells %s', (_, one, two) => {
    expect(other(cassette([{}, two]))).not.toBe(other(cassette([{}, one])));
  });

  it('is the same on another day, with a certificate of another year that is as valid', () => {
    const [one, two] = [0, 200].map((later) => {
      const own = { notBefore: day(later - 30), notAfter: day(later + 300), serialNumber: `0${later}` };
      return cassette([{ certificate: 'tpp', json: { until: day(later + 5).slice(0, 10) } }], {
        recorded: day(later),
        certificates: { tpp: { ...facts, ...own } },
      });
    });
    expect(other(two as string)).toBe(other(one as string));
    const expired = { ...facts, notBefore: day(-300), notAfter: day(-1) };
    const late = other(cassette([{ certificate: 'tpp' }], { certificates: { tpp: expired } }));
    const { notAfter } = JSON.parse(late).certificates.tpp;
    expect(Date.parse(notAfter)).toBeLessThan(Date.parse(JSON.parse(late).recorded));
  });

  it('stays as it is where it is made stable again, and is read', () => {
    fc.assert(
      fc.property(records, (all) => {
        const text = [...buildCassette(all, { session: 's', dialect: dialectOf() })].join('');
        const stable = stableCassette(text);
        expect(stableCassette(stable)).toBe(stable);
        expect(readCassette(stable).records).toHaveLength(all.length);
      }),
      { numRuns: 50 },
    );
  });
});
