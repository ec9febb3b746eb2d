/** The engine: judges calls and exchanges by the whole catalogue, as configured. */

import type { Call, Fingerprint } from '../exchange/index.js';
import { placeFrom } from '../exchange/index.js';
import { isTimeZone, type Ledger } from '../ledger/index.js';
import { OPERATION_IDS, SandgateError } from '../spec/index.js';
import { applyRule, NO_ANSWER } from './judge-by-rule.js';
import { findersOf } from './needs.js';
import {
  behindConnection,
  createPlan,
  judgedAt,
  type Plan,
  type PlannedRule,
  rememberConnection,
  startOf,
  step,
} from './plan.js';
import { withReadableBody } from './readable-body.js';
import { buildRefusal, type Refused } from './refusal.js';
import type {
  ExchangeContext,
  Finding,
  Judge,
  Judged,
  JudgeOptions,
  RefusalKind,
  Rule,
  Violation,
} from './rule.js';
import { cleanText, secretsOf } from './secrets.js';
import {
  checkOverrides,
  checkWaivers,
  effectiveSeverity,
  type SeverityOverrides,
  type Waiver,
  waiverOf,
} from './waivers.js';

export interface JudgeParts {
  readonly rules: readonly Rule[];
  readonly options: JudgeOptions;
  readonly fingerprint: Fingerprint;
  readonly overrides?: SeverityOverrides;
  readonly waivers?: readonly Waiver[];
  /** YYYY-MM-DD: a waiver that ended before is an error. Only asked where there are waivers. */
  readonly today?: string;
}

/** Plans by operation; `null` is a call of no known operation. */
type Plans = Readonly<Record<Call['listener'], ReadonlyMap<Call['operation'], Plan>>>;

/** Throws a SandgateError for an override or waiver that cannot be meant. */
export function createJudge(parts: JudgeParts): Judge {
  const { rules, options, fingerprint, overrides = {}, waivers = [] } = parts;
  checkOverrides(rules, overrides);
  checkWaivers(rules, waivers, parts.today ?? '');
  if (options.dailyWindow.kind === 'calendar-day' && !isTimeZone(options.dailyWindow.timeZone))
    throw new SandgateError('usage', `There is no time zone “${options.dailyWindow.timeZone}”.`);
  const planned: PlannedRule[] = [];
  for (const rule of rules) {
    const severity = effectiveSeverity(rule, options.profile, overrides);
    if (severity === 'off') continue;
    planned.push({
      rule,
      needs: findersOf(rule.needs),
      severity,
      waivers: waivers.filter((waiver) => waiver.rule === rule.id),
    });
  }
  const callPlans = createPlans(planned.filter(({ rule }) => rule.scope !== 'exchange'));
  const exchangePlans = createPlans(planned.filter(({ rule }) => rule.scope === 'exchange'));

  return {
    options,
    judgeCall(given, ledger) {
      const call = withReadableBody(given);
      return run(planOf(callPlans, call), callContext(call, ledger, options, fingerprint));
    },
    judgeExchange(given, ledger) {
      const call = withReadableBody(given.call);
      const exchange = call === given.call ? given : { ...given, call };
      const answer = exchange.answer ?? NO_ANSWER;
      return run(planOf(exchangePlans, call), { call, ledger, options, fingerprint, answer, exchange });
    },
  };
}

function createPlans(planned: readonly PlannedRule[]): Plans {
  const plansOf = (listener: Call['listener']): Map<Call['operation'], Plan> => {
    const plans = new Map<Call['operation'], Plan>();
    for (const operation of [null, ...OPERATION_IDS])
      plans.set(operation, createPlan(planned, operation, listener));
    return plans;
  };
  return { api: plansOf('api'), psu: plansOf('psu'), callback: plansOf('callback') };
}

function planOf(plans: Plans, call: Call): Plan {
  return plans[call.listener].get(call.operation) as Plan;
}

const NO_TIME = { total: 0, answerer: 0 } as const;

/** Call rules do not look at the answer: there is none yet. Written out, as a spread would cost more than a rule. */
function callContext(
  call: Call,
  ledger: Ledger,
  options: JudgeOptions,
  fingerprint: Fingerprint,
): ExchangeContext {
  const exchange = { call, answer: null, fault: null, elapsed: NO_TIME };
  return { call, ledger, options, fingerprint, answer: NO_ANSWER, exchange };
}

interface Hit {
  readonly planned: PlannedRule;
  readonly violations: readonly Violation[];
}

function run(plan: Plan, context: ExchangeContext): Judged {
  const { rules, aboutConnection } = plan;
  let node = startOf(plan);
  let hits: Hit[] | null = null;
  let from = 0;
  const behind = aboutConnection === 0 ? undefined : behindConnection(plan, context.call);
  if (behind !== undefined) [node, from] = [behind, aboutConnection];
  for (let i = from; i < rules.length; i++) {
    const planned = rules[i] as PlannedRule;
    const { verdict, violations } = applyRule(planned.rule, planned.needs, context);
    node = step(plan, node, verdict);
    if (verdict === 'violated') {
      hits ??= [];
      hits.push({ planned, violations });
    }
    // A fault of the connection is told anew each time, with the time of the call.
    if (i + 1 === aboutConnection && hits === null) rememberConnection(plan, context.call, node);
  }
  const judged = judgedAt(plan, node);
  if (hits === null) return judged;
  const { findings, refusal } = findingsOf(hits, context);
  return { verdicts: judged.verdicts, findings, refusal };
}

function findingsOf(
  hits: readonly Hit[],
  { call, ledger, options, fingerprint, exchange }: ExchangeContext,
): Pick<Judged, 'findings' | 'refusal'> {
  const findings: Finding[] = [];
  const refused: Refused[] = [];
  const secrets = secretsOf(call, exchange.answer);
  for (const { planned, violations } of hits) {
    const { rule, severity } = planned;
    const waived = waiverOf(planned.waivers, call);
    const refuses =
      severity === 'must' && rule.judges === 'tpp' && rule.scope !== 'exchange' && waived === undefined;
    for (const violation of violations) {
      const finding = toFinding(planned, violation, waived, secrets, fingerprint);
      findings.push(finding);
      if (!refuses || violation.isNote === true) continue;
      const kind = violation.refusal ?? rule.refusal ?? DEFAULT_REFUSAL;
      refused.push({ rule, finding, kind, told: violation.told ?? finding.actual });
    }
  }
  const refusal = refused.length === 0 ? null : buildRefusal(refused, call, ledger, options);
  return { findings, refusal };
}

/** Of a rule that became a must by configuration only. */
const DEFAULT_REFUSAL: RefusalKind = { code: 'FORMAT_ERROR' };

/** Told in words: nothing at all would look like a finding that lost its evidence. */
const EMPTY = 'an empty string';

function toFinding(
  { rule, severity }: PlannedRule,
  { place, expected, actual, isNote }: Violation,
  waived: string | undefined,
  secrets: readonly string[],
  fingerprint: Fingerprint,
): Finding {
  return {
    rule: rule.id,
    severity: isNote === true ? 'note' : severity,
    judges: rule.judges,
    place: placeFrom(cleanText(place, secrets, fingerprint)),
    expected: cleanText(expected, secrets, fingerprint),
    ...(actual === undefined ? {} : { actual: cleanText(actual, secrets, fingerprint) || EMPTY }),
    ...(waived === undefined ? {} : { waived }),
  };
}
