/** What a fault did to a recorded call, played again. */
import { describe, expect, it } from 'vitest';
import type { Injection } from '../../../src/exchange/index.js';
import type { AnswerParts, CallParts } from '../../builders.js';
import { aReplay, numbered, type Recorded } from './a-replay.js';

const BACK = 'https://tpp.example/back';
const status: CallParts = { operation: 'consents.status', params: { consentId: 'C' } };
const remove: CallParts = { operation: 'consents.delete', params: { consentId: 'C' } };

const did = (injected: Partial<Injection>): Injection => ({ fault: 'f', kind: 'transport/cut', ...injected });
const broken = (injected: Partial<Injection>): Recorded => ({
  call: status,
  answer: null,
  injected: did(injected),
});

const answered = (injected: Partial<Injection>): Recorded => ({
  call: status,
  answer: numbered(1),
  injected: did(injected),
});

interface Row {
  readonly recorded: Recorded;
  readonly plays: Partial<Injection>;
  readonly status: number;
  readonly size?: number;
}

const rows: Readonly<Record<string, Row>> = {
  'a delay': { recorded: answered({ ms: 9_000 }), plays: { ms: 9_000 }, status: 200 },
  'a slow body': { recorded: answered({ bytes: 10 }), plays: { bytes: 10 }, status: 200 },
  'another answer': { recorded: answered({ did: null }), plays: { did: null }, status: 200 },
  'a hang': {
    recorded: broken({ end: 'hang', did: null }),
    plays: { end: 'hang', did: null },
    status: 504,
  },
  'a lost answer': { recorded: broken({ end: 'head', did: 201 }), plays: { end: 'head' }, status: 201 },
  'a body that breaks off': {
    recorded: broken({ end: 'body', did: 200, bytes: 7 }),
    plays: { end: 'body', bytes: 7 },
    status: 200,
    size: 14,
  },
};

describe('what a fault did is played to the same call again', () => {
  it.each(Object.entries(rows))('%s', async (_, { recorded, plays, status: expected, size }) => {
    const { ask, report } = aReplay([recorded, { call: status, answer: numbered(2) }]);
    const seen = await ask(status);
    expect(seen).toMatchObject({ status: expected, miss: null, injected: plays });
    if (size !== undefined) expect(seen?.answer.body?.size).toBe(size);
    expect((await ask(status))?.json).toEqual({ n: 2 });
    expect(report()).toMatchObject({ misses: 0, withoutCall: 0, unused: [] });
  });

  it.each([
    [0, 1_000],
    [1, 1_000],
    [0.5, 500],
    [5_000, 1_200_000],
  ])('a delay, with the pace %d of the replay, lasts %d ms', async (latency, ms) => {
    const after = (_: number, run: () => void) => {
      queueMicrotask(run);
      return () => {};
    };
    const { ask } = aReplay([answered({ ms: 1_000 })], { latency, parts: { timer: { after } } });
    expect((await ask(status))?.injected?.ms).toBe(ms);
  });

  it('a deletion whose answer was lost changes what is read afterwards', async () => {
    const { ask } = aReplay([
      { call: status, answer: numbered(1) },
      { call: remove, answer: null, injected: did({ kind: 'done/lost', end: 'head', did: 204 }) },
      { call: status, answer: numbered(2) },
    ]);
    expect((await ask(status))?.json).toEqual({ n: 1 });
    expect((await ask(status))?.json).toEqual({ n: 1 });
    await ask(remove);
    expect((await ask(status))?.json).toEqual({ n: 2 });
  });

  it('a call that failed without a fault stays one that no call can use', async () => {
    const { ask, report } = aReplay([{ call: status, answer: null }]);
    expect((await ask(status))?.miss).toMatchObject({ kind: 'not-recorded' });
    expect(report().withoutCall).toBe(1);
  });
});

describe('a return of the PSU that a fault changed is played again', () => {
  const authorise: CallParts = {
    operation: 'oauth.authorize',
    query: `scope=AIS:C&state=STATE&redirect_uri=${encodeURIComponent(BACK)}&response_type=code`,
  };
  const back = async (kind: string, answer: AnswerParts) => {
    const seen = await aReplay([{ call: authorise, answer, injected: did({ kind }) }]).ask(authorise);
    return { status: seen?.status, to: seen?.answer.header.location ?? seen?.answer.header.refresh };
  };
  const redirect = (query: string) => ({ status: 302, headers: { Location: `${BACK}?${query}` } });

  it.each([
    ['return/no-state', redirect('code=K'), { status: 302, to: `${BACK}?code=K` }],
    [
      'return/other-state',
      redirect('code=K&state=STAT~'),
      { status: 302, to: `${BACK}?code=K&state=STAT%7E` },
    ],
    ['return/no-error', redirect('state=STATE'), { status: 302, to: `${BACK}?state=STATE` }],
    ['return/never', { status: 200 }, { status: 200, to: undefined }],
  ])('%s', async (kind, answer, seen) => {
    expect(await back(kind, answer)).toEqual(seen);
  });

  it('return/twice', async () => {
    expect(await back('return/twice', { status: 200 })).toMatchObject({
      status: 200,
      to: expect.stringContaining(BACK),
    });
  });
});
