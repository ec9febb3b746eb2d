import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  createBankState,
  nextOutcome,
  setNextOutcome,
  useOutcome,
} from '../../src/bank/index.js';
import type { ScaScenario } from '../../src/spec/index.js';

const NOW = 1_800_000_000_000;
const ANY = { scope: null, psu: null };

function withOutcomes(...set: [ScaScenario, { scope?: string; psu?: string }][]) {
  return createBankState(set.map(([scenario, aim]) => setNextOutcome(scenario, { ...ANY, ...aim }, NOW)));
}

describe('an outcome set ahead', () => {
  it('waits for any SCA where it has no aim', () => {
    const state = withOutcomes(['SCA_NOK', {}]);
    expect(nextOutcome(state, { scope: 'AIS:c', psu: 'psu-1' })?.scenario).toBe('SCA_NOK');
    expect(nextOutcome(createBankState(), { scope: 'AIS:c', psu: 'psu-1' })).toBeUndefined();
  });

  it('waits for its consent or payment, and for its PSU, only', () => {
    const state = withOutcomes(['SCA_NOK', { scope: 'AIS:c' }], ['LOGIN_TIMEOUT', { psu: 'psu-2' }]);
    expect(nextOutcome(state, { scope: 'AIS:c', psu: 'psu-1' })?.scenario).toBe('SCA_NOK');
    expect(nextOutcome(state, { scope: 'AIS:d', psu: 'psu-2' })?.scenario).toBe('LOGIN_TIMEOUT');
    expect(nextOutcome(state, { scope: 'AIS:d', psu: 'psu-1' })).toBeUndefined();
    expect(nextOutcome(state, { scope: 'AIS:d', psu: null })).toBeUndefined();
  });

  it('counts before another with a wider aim, a consent before a PSU', () => {
    const state = withOutcomes(
      ['SCA_TIMEOUT', {}],
      ['SCA_CANCEL', { psu: 'psu-1' }],
      ['SCA_NOK', { scope: 'AIS:c' }],
      ['SCA_EXEMPTED', { scope: 'AIS:c', psu: 'psu-1' }],
    );
    const used: string[] = [];
    for (;;) {
      const next = nextOutcome(state, { scope: 'AIS:c', psu: 'psu-1' });
      if (next === undefined) break;
      used.push(next.scenario);
      applyBankChanges(state, [useOutcome(next)]);
    }
    expect(used).toEqual(['SCA_EXEMPTED', 'SCA_NOK', 'SCA_CANCEL', 'SCA_TIMEOUT']);
  });

  it('takes the place of one with the same aim', () => {
    const state = withOutcomes(['SCA_NOK', { psu: 'psu-1' }], ['SCA_CANCEL', { psu: 'psu-1' }]);
    expect(state.bankOutcomes.size).toBe(1);
    expect(nextOutcome(state, { scope: 'AIS:c', psu: 'psu-1' })?.scenario).toBe('SCA_CANCEL');
  });
});
