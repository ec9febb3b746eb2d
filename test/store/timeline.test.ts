/** What a session met when, in slots of time. */
import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../src/store/index.js';
import { MOST_SLOTS } from '../../src/store/lookup/timeline.js';
import { NOW } from '../builders.js';

const HOUR = 3_600_000;

describe('a timeline', () => {
  it('has slots of a second while a session is short, with the gravest findings and the bank’s times', () => {
    const timeline = createTimeline();
    timeline.add(NOW + 900, 'must', 40);
    timeline.add(NOW + 100, 'should', 60);
    timeline.add(NOW + 999, 'note', null);
    timeline.add(NOW + 1_000, null, null);
    const none = { must: 0, should: 0, asked: 0, bankMs: 0, longestMs: 0 };
    expect(timeline.show()).toEqual({
      width: 1_000,
      slots: [
        { at: NOW, calls: 3, must: 1, should: 1, asked: 2, bankMs: 100, longestMs: 60 },
        { ...none, at: NOW + 1_000, calls: 1 },
      ],
    });
  });

  it.each([
    [299_000, 1_000],
    [300_000, 5_000],
    [5 * HOUR, 300_000],
    [90 * 24 * HOUR, 86_400_000],
    [20_000 * 24 * HOUR, 31_449_600_000],
  ])('of %i ms has at most 300 slots, each of %i ms, and loses no call', (length, width) => {
    const timeline = createTimeline();
    for (let i = 0; i <= 100_000; i++)
      timeline.add(NOW + (length * i) / 100_000, i % 4 === 0 ? 'must' : null, i % 2 === 0 ? i : null);
    const shown = timeline.show();
    expect(shown.width).toBe(width);
    expect(shown.slots.length).toBeLessThanOrEqual(MOST_SLOTS + 1);
    const sum = (of: 'calls' | 'must' | 'asked') => shown.slots.reduce((all, one) => all + one[of], 0);
    expect([sum('calls'), sum('must'), sum('asked')]).toEqual([100_001, 25_001, 50_001]);
    expect(shown.slots.every(({ at }) => at % width === 0)).toBe(true);
    expect(shown.slots.at(-1)?.longestMs).toBe(100_000);
  });

  it('is the same whether it saw all, or took over what another saw', () => {
    const [all, older, newer] = [createTimeline(), createTimeline(), createTimeline()];
    for (let i = 0; i < 2_000; i++) {
      const call = [NOW + i * 60_000, i % 3 === 0 ? 'should' : null, i % 5 === 0 ? 12.5 : null] as const;
      all.add(...call);
      (i < 1_900 ? older : newer).add(...call);
    }
    newer.addAll(older.show());
    expect(newer.show()).toEqual(all.show());
  });
});
