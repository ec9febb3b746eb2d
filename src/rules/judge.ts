/** The engine: judges calls and exchanges by the whole catalogue, as configured. */

import { type Call, closeCall, type Fingerprint, placeFrom } from '../exchange/index.js';
import { isTimeZone, openDailyWindow } from '../ledger/index.js';
import { type Dialect, HEADERS, isSlip, SandgateError } from '../spec/index.js';
import { Context } from './context.js';
import type { PlannedRule } from './judge-by-rule.js';
import { createMerge } from './memory.js';
import { findersOf } from './needs.js';
import { createPlan, outcomeOf, type Plan, walkAll } from './plan.js';
import { withReadableBody } from './readable-body.js';
import { buildRefusal, type Refused } from './refusal.js';
import {
  type ExchangeContext,
  type Finding,
  type Judge,
  type Judged,
  type JudgeOptions,
  mildest,
  type RefusalKind,
  type Rule,
  type Violation,
} from './rule.js';
import { cleanFound, cleanWords, secretsOf } from './secrets.js';
import {
  checkOverrides,
  checkWaivers,
  effectiveSeverity,
  type SeverityOverrides,
  type Waiver,
  waiverOf,
} from './waivers.js';
import type { Hit } from './walk.js';

export interface JudgeParts {
  readonly rules: readonly Rule[];
  readonly options: JudgeOptions;
  readonly fingerprint: Fingerprint;
  readonly overrides?: SeverityOverrides;
  readonly waivers?: readonly Waiver[];
  /** YYYY-MM-DD: a waiver that ended before is an error. Only asked where there are waivers. */
  readonly today?: string;
}

/** Throws a SandgateError for an override or waiver that cannot be meant. */
export function createJudge(parts: JudgeParts): Judge {
  const { rules, options, fingerprint, overrides = {}, waivers = [] } = parts;
  checkOverrides(rules, overrides);
  checkWaivers(rules, waivers, parts.today ?? '');
  const window = openDailyWindow(options.dailyWindow, options.dialect.accesses);
  // The bank profile of a recording may name it, too.
  if (window.setting.kind === 'calendar-day' && !isTimeZone(window.setting.timeZone))
    throw new SandgateError('config.time-zone', { zone: window.setting.timeZone });
  const settings = { options, window, fingerprint };
  const merge = createMerge();
  const planned: PlannedRule[] = [];
  const ofConnection = rules.filter(({ scope }) => scope === 'connection');
  for (const rule of [...ofConnection, ...rules.filter(({ scope }) => scope !== 'connection')]) {
    const severity = effectiveSeverity(rule, options.profile, overrides, options.dialect.profile);
    if (severity === 'off' || rule.isAsked?.(options) === false) continue;
    planned.push({
      rule,
      place: planned.length,
      scope: rule.scope,
      needs: findersOf(rule.needs),
      check: rule.check as PlannedRule['check'],
      severity,
      waivers: waivers.filter((waiver) => waiver.rule === rule.id),
      deviations: [],
    });
  }
  const { dialect } = options;
  const callPlanOf = createPlans(
    planned.filter(({ rule }) => rule.scope !== 'exchange'),
    dialect,
  );
  const exchangePlanOf = createPlans(
    planned.filter(({ rule }) => rule.scope === 'exchange'),
    dialect,
  );

  return {
    options,
    window,
    judgeCall(given, ledger) {
      const call = withReadableBody(given, options.dialect);
      return judgeBy(callPlanOf(call), new Context(closeCall(call, null, NO_TIME), ledger, settings));
    },
    judgeExchange(given, ledger, before) {
      const call = withReadableBody(given.call, options.dialect);
      if (given.injected !== undefined && call.direction === 'to-tpp') return before ?? NOTHING_TO_JUDGE;
      // An answer that a fault put in place of the bank's says nothing about the bank.
      const isBanks = given.injected?.did === undefined;
      const exchange =
        call === given.call && isBanks ? given : { ...given, call, ...(isBanks ? {} : { answer: null }) };
      const added = judgeBy(exchangePlanOf(call), new Context(exchange, ledger, settings));
      if (before === undefined) return added;
      return {
        refusal: before.refusal,
        verdicts: merge(before.verdicts, added.verdicts),
        findings: added.findings.length === 0 ? before.findings : [...before.findings, ...added.findings],
      };
    },
  };
}

/** One for each kind of call, made when the first of them comes: most recordings hold few kinds. */
function createPlans(planned: readonly PlannedRule[], dialect: Dialect): (call: Call) => Plan {
  type Plans = Map<Call['operation'], Plan>;
  const plans: Record<Call['listener'], Plans> = { api: new Map(), psu: new Map(), callback: new Map() };
  return ({ listener, operation }) => {
    const known = plans[listener].get(operation);
    if (known !== undefined) return known;
    const made = createPlan(planned, operation, listener, dialect);
    plans[listener].set(operation, made);
    return made;
  };
}

/** A TPP is not blamed for how it takes a notification that a fault has disturbed. */
const NOTHING_TO_JUDGE: Judged = { refusal: null, verdicts: {}, findings: [] };
const NO_TIME = { total: 0, answerer: 0 } as const;

function judgeBy(plan: Plan, context: ExchangeContext): Judged {
  const walk = walkAll(plan, context);
  const outcome = outcomeOf(plan, walk);
  if (walk.hits === null) return outcome;
  const { findings, refusal } = findingsOf(walk.hits, context);
  return { verdicts: outcome.verdicts, findings, refusal };
}

function findingsOf(hits: readonly Hit[], context: ExchangeContext): Pick<Judged, 'findings' | 'refusal'> {
  const { call, fingerprint, exchange } = context;
  const findings: Finding[] = [];
  const refused: Refused[] = [];
  const secrets = secretsOf(call, exchange.answer);
  for (const { planned, violations } of hits.toSorted((a, b) => a.planned.place - b.planned.place)) {
    const { rule, severity } = planned;
    const waived = waiverOf(planned.waivers, call);
    const refuses =
      severity === 'must' && rule.judges === 'tpp' && rule.scope !== 'exchange' && waived === undefined;
    for (const one of violations) {
      const violation = withMisspelt(one, call);
      const finding = toFinding(planned, violation, waived, secrets, fingerprint);
      findings.push(finding);
      if (!refuses || violation.atMost !== undefined) continue;
      const kind = violation.refusal ?? rule.refusal ?? DEFAULT_REFUSAL;
      refused.push({ rule, finding, kind, publicActual: violation.publicActual ?? finding.actual });
    }
  }
  const refusal = refused.length === 0 ? null : buildRefusal(refused, context);
  return { findings, refusal };
}

/** A rule that only the configuration made a must names no refusal of its own. */
const DEFAULT_REFUSAL: RefusalKind = { code: 'FORMAT_ERROR' };

/** A regular expression with many `.*`, as a file may ask for, would never end. */
export function isPlaceOf(pattern: string, place: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return place === pattern;
  if (!place.startsWith(start)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = place.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return place.length - end.length >= at && place.endsWith(end);
}

/** Written out: a finding with empty evidence would look broken. */
const EMPTY = 'an empty string';

function toFinding(
  { rule, severity, deviations }: PlannedRule,
  { place, expected, actual, atMost: most }: Violation,
  waived: string | undefined,
  secrets: readonly string[],
  fingerprint: Fingerprint,
): Finding {
  const known = deviations.filter((one) => one.place === undefined || isPlaceOf(one.place, place));
  const deviation =
    known.length === 0 ? null : `a known deviation of this bank: ${known.map(({ id }) => id).join(', ')}`;
  const atMost = deviation === null ? most : 'note';
  const found = actual === undefined ? undefined : cleanFound(actual, secrets, fingerprint) || EMPTY;
  return {
    rule: rule.id,
    severity: mildest(severity, atMost),
    judges: rule.judges,
    place: placeFrom(cleanWords(place, secrets, fingerprint)),
    expected: cleanWords(expected, secrets, fingerprint),
    ...(found === undefined && deviation === null
      ? {}
      : { actual: [found, deviation].filter((text) => text != null).join('; ') }),
    ...(waived === undefined ? {} : { waived }),
  };
}

const PLACE = /^header ([\w-]+)$/;

function withMisspelt(violation: Violation, { header, request }: Call): Violation {
  const { place, actual, publicActual } = violation;
  const meant = PLACE.exec(place)?.[1]?.toLowerCase();
  if (meant === undefined || header[meant] !== undefined || publicActual !== undefined) return violation;
  const sent = request.headers.find(
    ([name]) => !Object.hasOwn(HEADERS, name.toLowerCase()) && isSlip(name.toLowerCase(), meant),
  )?.[0];
  if (sent === undefined) return violation;
  return { ...violation, actual: `${actual ?? 'absent'}, but ${sent} was sent (a misspelling?)` };
}
