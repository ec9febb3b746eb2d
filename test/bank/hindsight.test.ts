/** What was known, step by step, as a recording tells it. */
import { describe, expect, it } from 'vitest';
import { createHindsight, MOST_SNAPSHOTS } from '../../src/bank/index.js';
import type { StepNote } from '../../src/exchange/index.js';
import { anExchange, fingerprint, NOW } from '../builders.js';

let last = 0;
/** An access without the PSU, so many ms after the beginning. */
const access = (after = 1_000) =>
  anExchange({
    call: {
      at: NOW + after,
      operation: 'accounts.list',
      headers: {
        'Consent-Id': 'VALID_CONSENT_ID',
        'X-Request-ID': `99391c7e-ad88-49ec-a2ad-${String(++last).padStart(12, '0')}`,
      },
    },
    answer: { status: 200 },
  });

const note = (action: string, settings: object = { step: 1 }, at = NOW): StepNote => ({
  ...{ at, kind: 'bank', settings: { action, name: 'one', ...settings } },
});

const opened = () => {
  const known = createHindsight(fingerprint);
  const used = () => [...known.ledger.accesses.values()].reduce((sum, { times }) => sum + times.length, 0);
  const isSure = () => known.ledger.isPartial !== true;
  return { ...known, known, used, isSure };
};

describe('what was known', () => {
  it('is nothing that anybody can tell after more snapshots than a world can have', () => {
    const { known, isSure } = opened();
    for (let i = 0; i < MOST_SNAPSHOTS; i++) known.befall(note('snapshot', { name: `s${i}` }));
    known.befall(note('snapshot', { name: 's0' }));
    expect(isSure()).toBe(true);
    known.befall(note('snapshot', { name: 'one more' }));
    expect(isSure()).toBe(false);
  });

  it('is nothing after a reset, and at a snapshot what it was then, however often', () => {
    const { known, used, isSure } = opened();
    known.learn(access());
    known.befall(note('snapshot'));
    known.learn(access());
    known.befall(note('reset'));
    expect([used(), isSure()]).toEqual([0, true]);
    known.learn(access());
    for (let i = 0; i < 2; i++) {
      known.befall(note('restore'));
      expect([used(), isSure()]).toEqual([1, true]);
      known.learn(access());
    }
  });

  it('is not known where a snapshot is not recorded, until a reset', () => {
    const { known, used, isSure } = opened();
    known.learn(access());
    known.befall(note('restore'));
    expect([used(), isSure()]).toEqual([0, false]);
    known.befall(note('reset'));
    expect(isSure()).toBe(true);
    known.befall(note('snapshot'));
    known.befall(note('drop'));
    known.befall(note('restore'));
    expect(isSure()).toBe(false);
  });

  it('is nothing at the start of a replay', () => {
    const { known, used, isSure } = opened();
    known.learn(access());
    known.befall({ at: NOW, kind: 'started', settings: { source: 'replay' } });
    expect([used(), isSure()]).toEqual([0, true]);
  });
});
