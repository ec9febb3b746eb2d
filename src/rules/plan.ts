/** The rules of one kind of call, sorted out at start. */
import type { Call } from '../exchange/index.js';
import { isAbout } from './applicability.js';
import { createPlanMemory, type PlanMemory } from './memory.js';
import type { FindLack } from './needs.js';
import type { ExchangeContext, Judged, Outcome, Rule, Severity, Verdict } from './rule.js';
import type { Waiver } from './waivers.js';
import { verdictAt } from './walk.js';

export interface PlannedRule {
  readonly rule: Rule;
  /** Of the rule. Rules have many shapes, and what is read of each of them at every call stands here, in one. */
  readonly scope: Rule['scope'];
  readonly needs: readonly FindLack[];
  readonly check: (context: ExchangeContext) => Outcome;
  readonly severity: Exclude<Severity, 'off'>;
  readonly waivers: readonly Waiver[];
}

export interface Plan {
  /** Those about the connection first. */
  readonly rules: readonly PlannedRule[];
  /** How many are about the connection. */
  readonly aboutConnection: number;
  readonly memory: PlanMemory;
}

export function createPlan(
  planned: readonly PlannedRule[],
  operation: Call['operation'],
  listener: Call['listener'],
): Plan {
  const rules = planned.filter(({ rule }) => isAbout(rule, operation, listener));
  const ofConnection = rules.filter(({ rule }) => rule.scope === 'connection');
  return {
    rules: [...ofConnection, ...rules.filter(({ rule }) => rule.scope !== 'connection')],
    aboutConnection: ofConnection.length,
    memory: createPlanMemory(),
  };
}

/** The outcome of all calls with these verdicts and no finding. */
export function outcomeOf({ rules, memory }: Plan, walked: string): Judged {
  return memory.outcome(walked, () => {
    const verdicts: Record<string, Exclude<Verdict, 'not-applicable'>> = {};
    for (const [i, { rule }] of rules.entries()) {
      const verdict = verdictAt(walked, i);
      if (verdict !== 'not-applicable') verdicts[rule.id] = verdict;
    }
    return { verdicts: Object.freeze(verdicts), findings: [], refusal: null };
  });
}
