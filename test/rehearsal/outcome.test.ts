/** Where an action ends is judged by what the plan says, and by what a person would make of the page. */
import { describe, expect, it } from 'vitest';
import { judgeAnswer, judgeWalk, saysSomething } from '../../src/rehearsal/outcome.js';

const APP = 'http://localhost:3000';
const marks = { done: { url: '/accounts' } };
const at = { isLate: false, psuOrigin: 'https://127.0.0.1:8444' };
const end = {
  url: `${APP}/back`,
  status: 200,
  text: 'Your bank was not linked. Please try again later.',
  problem: null,
};

describe('a walk', () => {
  it.each([
    ['at the mark of the plan', { url: `${APP}/accounts?x=1` }, {}, 'done'],
    ['at a page that says what happened', {}, {}, 'told'],
    ['at a page with 4xx that says what happened', { status: 400 }, {}, 'told'],
    ['at an empty page', { text: '' }, {}, 'stranded'],
    ['at an error that says nothing', { text: 'Something went wrong' }, {}, 'stranded'],
    ['at a page of the framework', { status: 404, text: 'Cannot GET /back' }, {}, 'stranded'],
    ['at a 5xx', { status: 500 }, {}, 'crashed'],
    ['at a 5xx of the bank', { url: `${at.psuOrigin}/x`, status: 503 }, {}, 'stranded'],
    ['at a page of the bank', { url: `${at.psuOrigin}/x` }, {}, 'stranded'],
    ['nowhere', { status: null, problem: 'connect ECONNREFUSED' }, {}, 'stranded'],
    ['when the time is over', {}, { isLate: true }, 'hung'],
  ])('that ends %s', async (_, more, place, verdict) => {
    expect((await judgeWalk({ ...end, ...more }, marks, { ...at, ...place }, async () => true)).end).toBe(
      verdict,
    );
  });

  it('fails by its own mark where the plan has one', async () => {
    const failed = { ...marks, failed: { text: 'not linked' } };
    const judge = (text: string) => judgeWalk({ ...end, text }, failed, at, async () => true);
    expect((await judge('Your bank was not linked.')).end).toBe('told');
    expect((await judge('A long text that says something else.')).end).toBe('stranded');
  });

  it('is done by a request where the plan asks one', async () => {
    const asked = { done: { request: 'GET http://localhost:3000/linked' } };
    const judge = (holds: boolean) => judgeWalk(end, asked, at, async () => holds);
    expect([(await judge(true)).end, (await judge(false)).end]).toEqual(['done', 'told']);
  });

  it('tells places without their query, which differs from run to run', async () => {
    const { why } = await judgeWalk(
      { ...end, url: `${APP}/back?code=1#x`, text: '' },
      marks,
      at,
      async () => true,
    );
    expect(why).toBe(`the PSU ended at ${APP}/back, which says nothing of what happened`);
  });
});

describe('a request', () => {
  it.each([
    [{ status: 204, headers: {}, text: '' }, false, 'done'],
    [{ status: 424, headers: {}, text: 'The bank is away.' }, false, 'told'],
    [{ status: 500, headers: {}, text: '' }, false, 'crashed'],
    ['connect ECONNREFUSED', false, 'crashed'],
    ['aborted', true, 'hung'],
  ])('answered %j', (answer, isLate, verdict) => {
    expect(judgeAnswer(answer, isLate).end).toBe(verdict);
  });
});

describe('a text', () => {
  it.each(['Error', 'Internal Server Error', 'Not Found 404', '{}', 'null', 'Oops!', '[object Object]'])(
    '%s says nothing',
    (text) => {
      expect(saysSomething(text)).toBe(false);
    },
  );
});
