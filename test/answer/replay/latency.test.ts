/** Recorded times, played. Time is a parameter: nothing here waits. */

import { describe, expect, it } from 'vitest';
import { createReplay } from '../../../src/answer/replay/create-replay.js';
import { createWorld } from '../../../src/bank/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { aCall, type CallParts, NOW } from '../../builders.js';
import { aRecording, numbered } from './a-replay.js';

const status: CallParts = { operation: 'consents.status' };

/** A timer that only notes what it is asked for, and runs what it is told to. */
function aTimer() {
  const waiting: { readonly ms: number; readonly run: () => void; isCancelled: boolean }[] = [];
  return {
    waiting,
    asked: () => waiting.map(({ ms }) => ms),
    after: (ms: number, run: () => void) => {
      const one = { ms, run, isCancelled: false };
      waiting.push(one);
      return () => {
        one.isCancelled = true;
      };
    },
  };
}

function start(latency: number, took: number) {
  const timer = aTimer();
  const client = new AbortController();
  const replay = createReplay({
    records: aRecording([{ call: status, answer: numbered(1), took }]).map((exchange) => ({ exchange })),
    name: 'recording',
    options: { match: 'psd2', dates: 'shift', latency, afterLast: 'repeat' },
    urls: () => ({ api: 'https://localhost:1', psu: 'https://localhost:2' }),
    clock: () => NOW,
    timer,
    dialect: dialectOf(),
    howToRecord: () => '',
  });
  const answer = (call: CallParts = status) =>
    replay.answer(aCall(call), { ...createWorld(), refusal: null, now: NOW, signal: client.signal });
  return { timer, client, replay, answer };
}

describe('a recorded answer', () => {
  it.each([
    ['comes after the recorded time', 1, 250, [250]],
    ['comes after twice the recorded time', 2, 250, [500]],
    ['comes after half the recorded time', 0.5, 250, [125]],
    ['comes at once where no time is wanted', 0, 250, []],
    ['comes at once where it took less than a millisecond', 1, 0.4, []],
    ['comes after five minutes at most, whatever the file says', 10, 1_000_000, [300_000]],
    ['comes at once where the file says nonsense', 1, Number.NaN, []],
  ])('%s', (_, latency, took, asked) => {
    const { timer, answer } = start(latency, took);
    const answered = answer();
    expect(timer.asked()).toEqual(asked);
    expect(answered instanceof Promise).toBe(asked.length > 0);
  });

  it('is there when the time is over', async () => {
    const { timer, answer } = start(1, 250);
    const answered = answer();
    timer.waiting[0]?.run();
    expect(await answered).toMatchObject({ answer: { status: 200, source: 'replay' } });
  });

  it('is waited for no longer when the client goes away', async () => {
    const { timer, client, answer } = start(1, 250);
    const answered = answer();
    client.abort();
    await answered;
    expect(timer.waiting[0]?.isCancelled).toBe(true);
    expect(answer()).not.toBeInstanceOf(Promise);
  });

  it('is waited for no longer when the gateway stops', async () => {
    const { timer, replay, answer } = start(1, 250);
    const answered = [answer(), answer()];
    await replay.close();
    await Promise.all(answered);
    expect(timer.waiting.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
  });

  it('that was not found is told at once', () => {
    const { timer, answer } = start(1, 250);
    expect(answer({ operation: 'payments.status' })).toMatchObject({ answer: { status: 404 } });
    expect(timer.asked()).toEqual([]);
  });
});
