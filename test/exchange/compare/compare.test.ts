import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignEntries, compareAnswers, type Difference } from '../../../src/exchange/index.js';
import { type AnswerParts, anAnswer } from '../../builders.js';

interface Case {
  name: string;
  was: AnswerParts;
  now: AnswerParts;
  finds: Partial<Difference>[];
  noise?: string[];
  presence?: string[];
}

const UUIDS = ['99391c7e-ad88-49ec-a2ad-99ddcb1f7721', '018f3a1e-0000-7000-8000-000000000000'];
const cases: Case[] = [
  {
    name: 'equal answers do not differ',
    was: { body: { a: [1, { b: null }] } },
    now: { body: { a: [1, { b: null }] } },
    finds: [],
  },
  {
    name: 'another status breaks',
    was: { status: 200 },
    now: { status: 404 },
    finds: [{ class: 'breaking', place: 'status', was: '200', now: '404' }],
  },
  {
    name: 'a refusal in place of a success is told with what it says, not field by field',
    was: { status: 200, body: { accounts: [] } },
    now: { status: 401, body: { tppMessages: [{ code: 'CONSENT_EXPIRED' }] } },
    finds: [
      { class: 'breaking', place: 'status' },
      { class: 'breaking', place: 'body', now: '{"tppMessages":[{"code":"CONSENT_EXPIRED"}]}' },
    ],
  },
  {
    name: 'another success is compared field by field all the same',
    was: { status: 200, body: { a: 1 } },
    now: { status: 202, body: { a: 1, b: 2 } },
    finds: [
      { class: 'breaking', place: 'status' },
      { class: 'additive', place: 'body b' },
    ],
  },
  {
    name: 'a field that is gone breaks',
    was: { body: { a: { b: 1 } } },
    now: { body: { a: {} } },
    finds: [{ class: 'breaking', what: 'gone', place: 'body a.b' }],
  },
  {
    name: 'an amount that became a number breaks',
    was: { body: { amount: '1.00' } },
    now: { body: { amount: 1 } },
    finds: [{ class: 'breaking', what: 'type', place: 'body amount', was: 'string 1.00', now: 'number 1' }],
  },
  {
    name: 'null is a type of its own',
    was: { body: { a: 'x' } },
    now: { body: { a: null } },
    finds: [{ class: 'breaking', what: 'type' }],
  },
  {
    name: 'a field more is additive',
    was: { body: { a: 1 } },
    now: { body: { a: 1, b: 2 } },
    finds: [{ class: 'additive', place: 'body b' }],
  },
  {
    name: 'another value is only that',
    was: { body: { status: 'RCVD' } },
    now: { body: { status: 'ACSC' } },
    finds: [{ class: 'value', place: 'body status' }],
  },
  {
    name: 'entries of lists share one place',
    was: { body: { l: [{ a: 1 }, { a: 2 }] } },
    now: { body: { l: [{ a: 3 }, { a: 4 }] } },
    finds: [{ class: 'value', place: 'body l[].a' }],
  },
  {
    name: 'a longer list is another value',
    was: { body: [1] },
    now: { body: [1, 2] },
    finds: [{ class: 'value', place: 'body', now: '2 entries' }],
  },
  {
    name: 'an entry before the others is one entry more, and shifts nothing',
    was: { body: { l: [{ resourceId: 'A', _links: { balances: '/a' } }, { resourceId: 'B' }] } },
    now: {
      body: {
        l: [{ resourceId: 'N' }, { resourceId: 'A', _links: { balances: '/a' } }, { resourceId: 'B' }],
      },
    },
    finds: [{ class: 'value', place: 'body l', was: '2 entries', now: '3 entries' }],
  },
  {
    name: 'entries are known by their IBAN where their ids differ',
    was: {
      body: [
        { resourceId: '1', iban: 'BE1' },
        { resourceId: '2', iban: 'BE2', bic: 'X' },
      ],
    },
    now: {
      body: [
        { resourceId: '8', iban: 'BE2', bic: 'X' },
        { resourceId: '9', iban: 'BE1' },
      ],
    },
    finds: [{ class: 'value', place: 'body[].resourceId' }],
  },
  {
    name: 'entries without a name are known by what else they say',
    was: {
      body: [
        { at: '2026-01-01', amount: '1' },
        { at: '2026-01-02', amount: '2', note: 'x' },
      ],
    },
    now: {
      body: [
        { at: '2026-02-02', amount: '2', note: 'x' },
        { at: '2026-02-01', amount: '1' },
      ],
    },
    finds: [{ class: 'noise', place: 'body[].at' }],
  },
  {
    name: 'the worst difference of a place is told',
    was: { body: { l: [{ a: 1 }, { a: 2 }] } },
    now: { body: { l: [{ a: 3 }, {}] } },
    finds: [{ class: 'breaking', what: 'gone', place: 'body l[].a' }],
  },
  {
    name: 'ids, dates and tokens that differ are noise',
    was: { body: { id: UUIDS[0], day: '2026-01-01', at: '2026-01-01T00:00:00Z', t: 'ab'.repeat(48) } },
    now: { body: { id: UUIDS[1], day: '2026-02-01', at: '2026-02-01T10:00:00+01:00', t: 'cd'.repeat(48) } },
    finds: Array(4).fill({ class: 'noise' }),
  },
  {
    name: 'a date that became another text is not noise',
    was: { body: { day: '2026-01-01' } },
    now: { body: { day: 'today' } },
    finds: [{ class: 'value' }],
  },
  {
    name: 'declared places are noise',
    was: { body: { l: [{ ref: 'x' }] } },
    now: { body: { l: [{ ref: 'y' }] } },
    finds: [{ class: 'noise' }],
    noise: ['body l[].*'],
  },
  {
    name: 'a declared place may still break',
    was: { body: { ref: 'x' } },
    now: { body: {} },
    finds: [{ class: 'breaking' }],
    noise: ['body ref'],
  },
  {
    name: 'a header that is gone breaks',
    was: { headers: { Location: '/a' } },
    now: {},
    finds: [{ class: 'breaking', place: 'header location' }],
  },
  {
    name: 'a code that is gone from a redirect breaks, an error in its place is new',
    was: { headers: { Location: 'https://tpp.example/cb?code=C1&state=S1' } },
    now: { headers: { Location: 'https://tpp.example/cb?error=access_denied&state=S1' } },
    finds: [
      { class: 'breaking', what: 'gone', place: 'header location ?code' },
      { class: 'additive', what: 'added', place: 'header location ?error' },
    ],
  },
  {
    name: 'a link that leads elsewhere is another value',
    was: { body: { _links: { self: { href: '/v1/consents/C1' } } } },
    now: { body: { _links: { self: { href: '/v2/consents/C1' } } } },
    finds: [{ class: 'value', place: 'body _links.self.href' }],
  },
  {
    name: 'directives in another order, or another letter case, are the same',
    was: { headers: { 'Cache-Control': 'no-store, no-cache', 'Content-Type': 'text/html;charset=UTF-8' } },
    now: { headers: { 'Cache-Control': 'no-cache, no-store', 'Content-Type': 'text/html; charset=utf-8' } },
    finds: [],
  },
  {
    name: 'how long to wait is noise, that nothing is said of it any more is not',
    was: { headers: { 'Retry-After': '10' } },
    now: { headers: { 'Retry-After': '20' } },
    finds: [{ class: 'noise' }],
  },
  {
    name: 'X-Request-ID that is echoed no more breaks',
    was: { headers: { 'X-Request-ID': 'a' } },
    now: {},
    finds: [{ class: 'breaking', what: 'gone', place: 'header x-request-id' }],
  },
  {
    name: 'places that come and go are noise, there or not',
    was: { body: { a: 1, b: 'x' } },
    now: { body: { a: 1, c: 'y' } },
    presence: ['body b', 'body c'],
    finds: [
      { class: 'noise', place: 'body b' },
      { class: 'noise', place: 'body c' },
    ],
  },
  {
    name: 'a place that comes and goes may not change its type',
    was: { body: { b: 'x' } },
    now: { body: { b: 1 } },
    presence: ['body b'],
    finds: [{ class: 'breaking', what: 'type' }],
  },
  {
    name: 'headers that do not matter are passed over',
    was: { headers: { Server: 'a' } },
    now: { headers: { Server: 'b' } },
    finds: [],
  },
  {
    name: 'a body that is gone breaks',
    was: { body: { a: 1 } },
    now: {},
    finds: [
      { class: 'breaking', place: 'header content-type' },
      { class: 'breaking', place: 'body' },
    ],
  },
];

describe('comparing answers', () => {
  it.each(cases)('$name', ({ was, now, finds, noise = [], presence = [] }) => {
    const found = compareAnswers(anAnswer(was), anAnswer(now), { noise, presence });
    expect(found).toHaveLength(finds.length);
    for (const [i, find] of finds.entries()) expect(found[i]).toMatchObject(find);
  });
  it('carries ids of the first run over before it compares', () => {
    const translate = (text: string) => text.replace('CONSENT-1', 'CONSENT-2');
    const [was, now] = ['CONSENT-1', 'CONSENT-2'].map((id) =>
      anAnswer({ body: { href: `/consents/${id}` } }),
    );
    expect(compareAnswers(was as never, now as never, { translate })).toEqual([]);
  });
  it('takes a date that is moved by the age of the recording, or is not, for the same', () => {
    const translate = (text: string) => text.replace('2026-01-', '2026-02-');
    for (const day of ['2026-02-07', '2026-01-07']) {
      const [was, now] = ['2026-01-07', day].map((text) => anAnswer({ body: { day: text } }));
      expect(compareAnswers(was as never, now as never, { translate })).toEqual([]);
    }
  });
  it('finds nothing between an answer and itself, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(compareAnswers(anAnswer({ body }), anAnswer({ body }))).toEqual([]);
      }),
    );
  });
  it('is bounded for any two bodies', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(compareAnswers(anAnswer({ body: a }), anAnswer({ body: b })).length).toBeLessThanOrEqual(502);
      }),
    );
  });
});

describe('entries of two lists', () => {
  const entry = fc.record(
    { resourceId: fc.constantFrom('a', 'b', 'c'), iban: fc.constantFrom('x', 'y'), n: fc.nat(3) },
    { requiredKeys: [] },
  );
  it('are in one pair each at most, and none is left over on both sides', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.jsonValue())), fc.array(entry), (was, now) => {
        const pairs = alignEntries(
          was.map((value) => ({ value })),
          now.map((value) => ({ value })),
        );
        expect(pairs).toHaveLength(Math.min(was.length, now.length));
        expect(new Set(pairs.map(([one]) => one)).size).toBe(pairs.length);
        expect(new Set(pairs.map(([, one]) => one)).size).toBe(pairs.length);
      }),
    );
  });
  it('are paired with themselves, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: (one) => JSON.stringify(one) }), (list) => {
        for (const [was, now] of alignEntries(list, [...list].reverse())) expect(now).toBe(was);
      }),
    );
  });
});
