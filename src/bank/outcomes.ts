/** Outcomes set ahead: how the next SCA ends that somebody walks through without choosing its end. */
import type { ScaScenario } from '../spec/index.js';
import type { BankChange, BankOutcome } from './facts.js';
import type { BankView } from './state.js';

/** What an outcome is for; null: any. */
export type OutcomeAim = Pick<BankOutcome, 'scope' | 'psu'>;

/** It takes the place of one with the same aim. */
export function setNextOutcome(scenario: ScaScenario, { scope, psu }: OutcomeAim, now: number): BankChange {
  return {
    family: 'bankOutcomes',
    key: keyOf({ scope, psu }),
    fact: { scenario, scope, psu, setAt: now },
  };
}

/**
 * The outcome that waits for such an SCA; the one with the closest aim, a consent or payment before a PSU. `psu` null:
 * nobody has logged in yet.
 */
export function nextOutcome(
  { bankOutcomes }: Pick<BankView, 'bankOutcomes'>,
  { scope, psu }: OutcomeAim,
): BankOutcome | undefined {
  for (const aim of [
    { scope, psu },
    { scope, psu: null },
    { scope: null, psu },
    { scope: null, psu: null },
  ]) {
    const found = bankOutcomes.get(keyOf(aim));
    if (found !== undefined) return found;
  }
  return undefined;
}

export function useOutcome(outcome: BankOutcome): BankChange {
  return { family: 'bankOutcomes', key: keyOf(outcome), fact: null };
}

const keyOf = ({ scope, psu }: OutcomeAim): string => `${scope ?? '*'} ${psu ?? '*'}`;
