/** How often each rule was complied with and violated: by whose calls they are, and by who answered. */
import {
  effectiveSeverity,
  type Finding,
  GRAVITY,
  isOwnRule,
  RULES,
  type Rule,
  type Severity,
} from '../../rules/index.js';
import type { Caps, FindingGroup, Judging, Report } from '../model.js';
import type { Seen } from './collector.js';
import { NOT_AT_HAND } from './rule-text.js';

type RuleRow = Report['coverage']['rules'][number];

type Told = Pick<Rule, 'id' | 'statement' | 'judges'>;
export type RuleFigures = ReturnType<ReturnType<typeof collectRules>['finish']>;
export type Counted = RuleFigures['all'];
export type RuleCount = Counted['rows'][number];
type Counts = Record<'complied' | 'violated' | 'notObserved' | 'findings' | 'waived', number> & {
  gravest: Severity;
  first: string | null;
  last: string | null;
};
type CountsByRule = Map<string, Counts>;

const noCounts = (): Counts => ({
  ...{ complied: 0, violated: 0, notObserved: 0, findings: 0, waived: 0 },
  ...{ gravest: 'note', first: null, last: null },
});

const ANSWERED = ['bank', 'emulator', 'replay', 'none'] as const;
type Answered = (typeof ANSWERED)[number];

/** An answer of the gateway or the TPP itself is of none of them. */
function answeredBy({ record: { exchange } }: Seen): Answered {
  const source = exchange.call.direction === 'to-tpp' ? undefined : exchange.answer?.source;
  if (source === 'upstream') return 'bank';
  return source === 'emulator' || source === 'replay' ? source : 'none';
}

interface Owner {
  exchanges: number;
  readonly by: Partial<Record<Answered, CountsByRule>>;
}

/** In the order of the catalogue, own rules behind it; of several severities in force the gravest counts. */
export function collectRules(judgings: readonly Judging[], own: readonly Rule[], { rows: most }: Caps) {
  /** By TPP; null: nobody known, undefined: TPPs beyond the limit. */
  const owners = new Map<string | null | undefined, Owner>();
  const rules: readonly Rule[] = [...RULES, ...own];
  const loaded = new Set(rules.map(({ id }) => id));
  /** Own rules whose files are not at hand, by what they found. */
  const missing = new Map<string, Pick<Finding, 'judges' | 'severity'>>();
  const countsFor = (seen: Seen): CountsByRule => {
    const key = owners.has(seen.owner) || owners.size < most ? seen.owner : undefined;
    const owner = owners.get(key) ?? { exchanges: 0, by: {} };
    owners.set(key, owner);
    owner.exchanges++;
    const byRule = owner.by[answeredBy(seen)] ?? new Map();
    owner.by[answeredBy(seen)] = byRule;
    return byRule;
  };
  const told = (): (readonly [Told, Severity])[] => [
    ...rules.map((rule) => [rule, severityOf(rule, judgings)] as const),
    ...[...missing].map(
      ([id, { judges, severity }]) => [{ id, statement: NOT_AT_HAND, judges }, severity] as const,
    ),
  ];
  return {
    take(seen: Seen): void {
      const byRule = countsFor(seen);
      const { verdicts, findings } = seen.record;
      for (const rule in verdicts) {
        const verdict = verdicts[rule];
        const counts = countsIn(byRule, rule);
        if (verdict === 'complied') counts.complied++;
        else if (verdict === 'violated') counts.violated++;
        else counts.notObserved++;
      }
      for (const finding of findings) {
        const { rule, severity, judges } = finding;
        if (isOwnRule(rule) && !loaded.has(rule)) missing.set(rule, { judges, severity });
        countFinding(countsIn(byRule, rule), finding, seen.at);
      }
    },
    finish: () => {
      const rows = told();
      const all = [...owners.values()];
      const counted = (of: readonly Owner[], answered: readonly Answered[] = ANSWERED) => {
        const byRule = merged(of.flatMap(({ by }) => answered.flatMap((one) => by[one] ?? [])));
        return { byRule, rows: rows.map(([rule, severity]) => rowOf(rule, severity, byRule)) };
      };
      return {
        all: counted(all),
        ofBank: counted(all, ['bank']),
        answered: ANSWERED.filter((one) => all.some(({ by }) => by[one] !== undefined)),
        owners: [...owners].flatMap(([id, owner]) =>
          id === undefined ? [] : [{ id, exchanges: owner.exchanges, ...counted([owner]) }],
        ),
      };
    },
  };
}

function countsIn(byRule: CountsByRule, rule: string): Counts {
  const known = byRule.get(rule);
  if (known !== undefined) return known;
  const none = noCounts();
  byRule.set(rule, none);
  return none;
}

function countFinding(counts: Counts, { severity, waived }: Finding, at: string): void {
  counts.findings++;
  if (waived === undefined) counts.gravest = graver(counts.gravest, severity);
  else counts.waived++;
  counts.first = earlier(counts.first, at);
  counts.last = later(counts.last, at);
}

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;
const later = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

function merged(all: readonly CountsByRule[]): CountsByRule {
  const sum: CountsByRule = new Map();
  for (const byRule of all) {
    for (const [rule, one] of byRule) {
      const counts = countsIn(sum, rule);
      for (const key of ['complied', 'violated', 'notObserved', 'findings', 'waived'] as const)
        counts[key] += one[key];
      counts.gravest = graver(counts.gravest, one.gravest);
      counts.first = earlier(counts.first, one.first);
      counts.last = later(counts.last, one.last);
    }
  }
  return sum;
}

const severityOf = (rule: Rule, judgings: readonly Judging[]): Severity =>
  judgings
    .map(({ profile, overrides, bankProfile }) => effectiveSeverity(rule, profile, overrides, bankProfile))
    .reduce(graver);

const graver = (one: Severity, other: Severity): Severity => (GRAVITY[other] < GRAVITY[one] ? other : one);

function rowOf(rule: Told, severity: Severity, byRule: CountsByRule) {
  const counts = byRule.get(rule.id) ?? noCounts();
  return { rule, severity, ...counts, outcome: ruleOutcomeOf(severity, counts) };
}

/** How often a rule was violated, out of how many calls, and when. */
export function figuresOf(
  { byRule }: Pick<Counted, 'byRule'>,
  rule: string,
): Pick<FindingGroup, 'calls' | 'outOf' | 'first' | 'last'> {
  const { complied, violated, first, last } = byRule.get(rule) ?? noCounts();
  return { calls: violated, outOf: complied + violated, first, last };
}

function ruleOutcomeOf(severity: Severity, counts: Counts): RuleRow['outcome'] {
  if (counts.findings > counts.waived) return 'violated';
  if (counts.findings > 0) return 'waived';
  if (severity === 'off') return 'off';
  if (counts.violated > 0) return 'violated';
  if (counts.complied > 0) return 'complied';
  return counts.notObserved > 0 ? 'not-observed' : 'never-exercised';
}

/** Rules that were never tested come before those that passed. */
const PLACE: Readonly<Record<RuleRow['outcome'], number>> = {
  'never-exercised': 0,
  'not-observed': 1,
  violated: 2,
  waived: 3,
  complied: 4,
  off: 5,
};

export function ruleRows(counts: readonly RuleCount[]): RuleRow[] {
  return counts
    .map(({ rule, severity, outcome, complied, violated, notObserved }) => ({
      rule: rule.id,
      statement: rule.statement,
      judges: rule.judges,
      severity,
      outcome,
      complied,
      violated,
      notObserved,
    }))
    .sort((a, b) => PLACE[a.outcome] - PLACE[b.outcome]);
}
