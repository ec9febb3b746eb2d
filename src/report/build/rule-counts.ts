/** Counts verdicts and findings by rule, for coverage and verdict. */
import { effectiveSeverity, GRAVITY, RULES, type Rule, type Severity } from '../../rules/index.js';
import type { Judging, Report } from '../model.js';
import type { Collector } from './collector.js';

type RuleRow = Report['coverage']['rules'][number];

export interface RuleCount extends Readonly<Omit<Counts, 'gravest'>> {
  readonly rule: Rule;
  readonly severity: Severity;
  /** Of its gravest finding, where one is no waiver's: a rule may find notes as well. */
  readonly found: Severity;
  readonly outcome: RuleRow['outcome'];
}

interface Counts {
  complied: number;
  violated: number;
  notObserved: number;
  findings: number;
  waived: number;
  /** The gravest of its findings that are not waived. */
  gravest: Severity;
}

/** In the order of the catalogue; of several severities in force the gravest counts. */
export function collectRules(judgings: readonly Judging[]): Collector<readonly RuleCount[]> {
  const counts = new Map<string, Counts>();
  const countsOf = (rule: string): Counts => {
    let known = counts.get(rule);
    if (known === undefined) {
      known = { complied: 0, violated: 0, notObserved: 0, findings: 0, waived: 0, gravest: 'note' };
      counts.set(rule, known);
    }
    return known;
  };
  return {
    take({ record: { verdicts, findings } }) {
      for (const rule in verdicts) {
        const verdict = verdicts[rule];
        if (verdict === 'complied') countsOf(rule).complied++;
        else if (verdict === 'violated') countsOf(rule).violated++;
        else countsOf(rule).notObserved++;
      }
      for (const { rule, severity, waived } of findings) {
        const known = countsOf(rule);
        known.findings++;
        if (waived === undefined) known.gravest = graver(known.gravest, severity);
        if (waived !== undefined) known.waived++;
      }
    },
    finish: () =>
      RULES.map((rule) => {
        const severity = judgings
          .map(({ profile, overrides }) => effectiveSeverity(rule, profile, overrides))
          .reduce(graver);
        const { gravest, ...counts } = countsOf(rule.id);
        const outcome = outcomeOf(severity, counts);
        return { rule, severity, found: gravest, ...counts, outcome };
      }),
  };
}

const graver = (one: Severity, other: Severity): Severity => (GRAVITY[other] < GRAVITY[one] ? other : one);

function outcomeOf(severity: Severity, counts: Omit<Counts, 'gravest'>): RuleRow['outcome'] {
  if (counts.findings > counts.waived) return 'violated';
  if (counts.findings > 0) return 'waived';
  if (severity === 'off') return 'off';
  if (counts.violated > 0) return 'violated';
  if (counts.complied > 0) return 'complied';
  return counts.notObserved > 0 ? 'not-observed' : 'never-exercised';
}

/** What was never put to the test comes before what passed. */
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
