/** What time stamps show of checkpoints: that each was made when it says, or what is amiss. */
import { describe, expect, it } from 'vitest';
import { FAR_MS, judgeStamps, type Stamped, type TimedCheckpoint } from '../../src/evidence/coverage.js';
import type { Checkpoint } from '../../src/evidence/index.js';
import type { CheckedTimeStamp } from '../../src/evidence/time-stamp/index.js';
import { NOW } from '../builders.js';

const SECOND = 1_000;
const stamp = (at: number, state: CheckedTimeStamp['state'] = 'trusted'): CheckedTimeStamp => ({
  ...{ state, at, authority: 'CN=TSA' },
});

/** A checkpoint of a minute of exchanges that ends with it; `entries` tells its place. */
function aCheckpoint(entries: number, at: number, ...stamps: CheckedTimeStamp[]): TimedCheckpoint {
  const checkpoint: Checkpoint = {
    ...{ type: 'sandgate-checkpoint', version: 1, session: 'june', store: 'store', head: '00' },
    ...{ entries, runs: [], at: new Date(at).toISOString() },
  };
  return { checkpoint, stamps, first: at - 60 * SECOND, last: at - SECOND };
}

const statesOf = (checkpoints: readonly TimedCheckpoint[], isAsked = true): Stamped['state'][] => {
  const found = judgeStamps(checkpoints, isAsked);
  return checkpoints.map(({ checkpoint }) => found.get(checkpoint)?.state ?? 'absent');
};

describe('a checkpoint', () => {
  it.each([
    ['stamped at once was made when it says', SECOND, 'trusted'],
    ['stamped by a clock that is some minutes behind was', -FAR_MS + SECOND, 'trusted'],
    ['stamped long after it may not have been', FAR_MS, 'late'],
    ['stamped long before it was not', -FAR_MS - SECOND, 'early'],
  ] as const)('%s', (_, after, state) => {
    expect(statesOf([aCheckpoint(9, NOW, stamp(NOW + after))])).toEqual([state]);
  });

  it('that covers an exchange of long ago, or of later, was not made when it says', () => {
    const one = aCheckpoint(9, NOW, stamp(NOW));
    expect(statesOf([{ ...one, first: NOW - FAR_MS - 1 }])).toEqual(['late']);
    expect(statesOf([{ ...one, last: NOW + FAR_MS + 1 }])).toEqual(['early']);
    expect(statesOf([{ ...one, first: null, last: null }])).toEqual(['trusted']);
  });

  it('that the authority was away for is covered by the stamp of the next, if that comes soon', () => {
    const next = aCheckpoint(20, NOW + 60 * SECOND, stamp(NOW + 61 * SECOND));
    expect(statesOf([aCheckpoint(9, NOW), next])).toEqual(['trusted', 'trusted']);
    const late = aCheckpoint(20, NOW + 2 * FAR_MS, stamp(NOW + 2 * FAR_MS));
    expect(statesOf([aCheckpoint(9, NOW), late])).toEqual(['late', 'trusted']);
    expect(statesOf([aCheckpoint(9, NOW, stamp(NOW)), aCheckpoint(20, NOW)])).toEqual(['trusted', 'absent']);
  });

  it('with a stamp that is amiss is told so, whatever else stamps it', () => {
    const next = aCheckpoint(20, NOW, stamp(NOW));
    const forged = aCheckpoint(9, NOW, stamp(NOW), stamp(NOW, 'forged'));
    expect(statesOf([forged, next])).toEqual(['forged', 'trusted']);
  });

  it('is not judged where nobody gave an authority to believe', () => {
    expect(statesOf([aCheckpoint(9, NOW, stamp(NOW, 'unchecked')), aCheckpoint(20, NOW)], false)).toEqual([
      ...['unchecked', 'absent'],
    ]);
  });
});
