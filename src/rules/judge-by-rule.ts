/** Judges one exchange by one rule: what the engine does with each of its rules, and what the tests of rules do. */
import type { Exchange, Fingerprint } from '../exchange/index.js';
import { type Ledger, openDailyWindow } from '../ledger/index.js';
import type { Deviation } from '../spec/index.js';
import { Context } from './context.js';
import { type FindLack, findersOf, isAbout, lackOfAny } from './needs.js';
import type { ExchangeContext, JudgeOptions, Outcome, Rule, Severity, Verdict, Violation } from './rule.js';
import type { Waiver } from './waivers.js';

/** A rule as the engine asks it. */
export interface PlannedRule {
  readonly rule: Rule;
  /** In what is told of a call: those about the connection first, the rest as the catalogue has them. */
  readonly place: number;
  /** The parts of a rule that every call reads, in one shape, because rules have many. */
  readonly scope: Rule['scope'];
  readonly needs: readonly FindLack[];
  readonly check: (context: ExchangeContext) => Outcome;
  readonly severity: Exclude<Severity, 'off'>;
  readonly waivers: readonly Waiver[];
  /** Known deviations of the bank from what the rule asks of it. */
  readonly deviations: readonly Deviation[];
}

export interface RuleResult {
  readonly verdict: Verdict;
  /** Not empty exactly where the verdict is `violated`. */
  readonly violations: readonly Violation[];
}

const NONE: readonly Violation[] = [];
const COMPLIED: RuleResult = { verdict: 'complied', violations: NONE };
const NOT_APPLICABLE: RuleResult = { verdict: 'not-applicable', violations: NONE };
const NOT_OBSERVED: RuleResult = { verdict: 'not-observed', violations: NONE };

export function judgeByRule(
  rule: Rule,
  exchange: Exchange,
  ledger: Ledger,
  options: JudgeOptions,
  fingerprint: Fingerprint,
): RuleResult {
  const { operation, listener } = exchange.call;
  if (!isAbout(rule, operation, listener) || rule.isAsked?.(options) === false) return NOT_APPLICABLE;
  const settings = {
    options,
    window: openDailyWindow(options.dailyWindow, options.dialect.accesses),
    fingerprint,
  };
  const context = new Context(exchange, ledger, settings);
  const check = rule.check as PlannedRule['check'];
  return applyRule({ scope: rule.scope, needs: findersOf(rule.needs), check }, context);
}

/** Like `judgeByRule`, for a rule that is about the call. Only exchange rules may read `exchange`. */
export function applyRule(
  { scope, needs, check }: Pick<PlannedRule, 'scope' | 'needs' | 'check'>,
  context: ExchangeContext,
): RuleResult {
  // A callback that nobody answers is the TPP's fault and can be judged; any other missing answer says nothing.
  if (scope === 'exchange' && context.exchange.answer === null && context.call.direction === 'to-bank')
    return NOT_OBSERVED;
  const lack = lackOfAny(needs, context);
  if (lack !== null) return lack === 'not-observed' ? NOT_OBSERVED : NOT_APPLICABLE;
  return readOutcome(check(context));
}

function readOutcome(outcome: Outcome): RuleResult {
  if (outcome === true) return COMPLIED;
  if (outcome === 'not-applicable') return NOT_APPLICABLE;
  if (outcome === 'not-observed') return NOT_OBSERVED;
  if (isList(outcome)) return outcome.length === 0 ? COMPLIED : { verdict: 'violated', violations: outcome };
  return { verdict: 'violated', violations: [outcome] };
}

const isList = (outcome: Violation | readonly Violation[]): outcome is readonly Violation[] =>
  Array.isArray(outcome);
