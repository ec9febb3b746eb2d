/** A rule as the engine asks it. */
import type { FindLack } from './needs.js';
import type { ExchangeContext, Outcome, Rule, Severity } from './rule.js';
import type { Waiver } from './waivers.js';

export interface PlannedRule {
  readonly rule: Rule;
  /** In what is told of a call: those about the connection first, the rest as the catalogue has them. */
  readonly place: number;
  /** Of the rule. Rules have many shapes, and what is read of each of them at every call stands here, in one. */
  readonly scope: Rule['scope'];
  readonly needs: readonly FindLack[];
  readonly check: (context: ExchangeContext) => Outcome;
  readonly severity: Exclude<Severity, 'off'>;
  readonly waivers: readonly Waiver[];
}
