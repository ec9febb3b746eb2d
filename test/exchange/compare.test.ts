import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAnswers, type Difference } from '../../src/exchange/compare.js';
import { type AnswerParts, anAnswer } from '../builders.js';

interface Case {
  name: string;
  was: AnswerParts;
  now: AnswerParts;
  finds: Partial<Difference>[];
  noise?: string[];
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
  it.each(cases)('$name', ({ was, now, finds, noise }) => {
    const found = compareAnswers(anAnswer(was), anAnswer(now), noise ? { noise } : {});
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
