/** The verdict for the TPP and for the bank, and whether it lets a pipeline pass. */
import {
  effectiveSeverity,
  type Finding,
  GRAVITY,
  isOwnRule,
  RULES,
  type Rule,
  type Severity,
} from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { FindingGroup, Judging, Outcome, Party, Report } from '../model.js';
import type { Seen } from './collector.js';
import { NOT_AT_HAND } from './rule-text.js';

type RuleRow = Report['coverage']['rules'][number];

type Told = Pick<Rule, 'id' | 'statement' | 'judges'>;
type RuleCount = ReturnType<ReturnType<typeof collectRules>['finish']>[number];
type Counts = Record<'complied' | 'violated' | 'notObserved' | 'findings' | 'waived', number> & {
  gravest: Severity;
};

/** In the order of the catalogue, own rules behind it; of several severities in force the gravest counts. */
export function collectRules(judgings: readonly Judging[], own: readonly Rule[]) {
  const counts = new Map<string, Counts>();
  const rules: readonly Rule[] = [...RULES, ...own];
  const loaded = new Set(rules.map(({ id }) => id));
  /** Own rules whose files are not at hand, by what they found. */
  const missing = new Map<string, Pick<Finding, 'judges' | 'severity'>>();
  const countsOf = (rule: string): Counts => {
    let known = counts.get(rule);
    if (known === undefined) {
      known = { complied: 0, violated: 0, notObserved: 0, findings: 0, waived: 0, gravest: 'note' };
      counts.set(rule, known);
    }
    return known;
  };
  return {
    take({ record: { verdicts, findings } }: Seen): void {
      for (const rule in verdicts) {
        const verdict = verdicts[rule];
        if (verdict === 'complied') countsOf(rule).complied++;
        else if (verdict === 'violated') countsOf(rule).violated++;
        else countsOf(rule).notObserved++;
      }
      for (const { rule, severity, judges, waived } of findings) {
        if (isOwnRule(rule) && !loaded.has(rule)) missing.set(rule, { judges, severity });
        const known = countsOf(rule);
        known.findings++;
        if (waived === undefined) known.gravest = graver(known.gravest, severity);
        if (waived !== undefined) known.waived++;
      }
    },
    finish: () => {
      const row = (rule: Told, severity: Severity) => {
        const { gravest, ...counts } = countsOf(rule.id);
        return { rule, severity, found: gravest, ...counts, outcome: ruleOutcomeOf(severity, counts) };
      };
      return [
        ...rules.map((rule) =>
          row(
            rule,
            judgings
              .map(({ profile, overrides, bankProfile }) =>
                effectiveSeverity(rule, profile, overrides, bankProfile),
              )
              .reduce(graver),
          ),
        ),
        ...[...missing].map(([id, { judges, severity }]) =>
          row({ id, statement: NOT_AT_HAND, judges }, severity),
        ),
      ];
    },
  };
}

const graver = (one: Severity, other: Severity): Severity => (GRAVITY[other] < GRAVITY[one] ? other : one);

function ruleOutcomeOf(severity: Severity, counts: Omit<Counts, 'gravest'>): RuleRow['outcome'] {
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

const PARTIES = { tpp: 'The TPP', aspsp: 'The bank' } as const;

export function buildVerdict(counts: readonly RuleCount[], findings: Report['findings']): Report['verdict'] {
  const partyOf = (judges: 'tpp' | 'aspsp') =>
    buildParty(
      PARTIES[judges],
      counts.filter(({ rule }) => rule.judges === judges),
      findings.filter((group) => group.judges === judges),
    );
  const tpp = partyOf('tpp');
  const aspsp = partyOf('aspsp');
  return { sentence: `${tpp.sentence} ${aspsp.sentence}`, tpp, aspsp };
}

function buildParty(name: string, counts: readonly RuleCount[], findings: Report['findings']): Party {
  const violated = (severity: RuleCount['severity']) =>
    counts.filter((count) => count.outcome === 'violated' && count.found === severity).length;
  const with_ = (outcome: RuleCount['outcome']) => counts.filter((count) => count.outcome === outcome).length;
  const rules: Party['rules'] = {
    mustViolated: violated('must'),
    shouldViolated: violated('should'),
    noteViolated: violated('note'),
    waived: with_('waived'),
    complied: with_('complied'),
    notObserved: with_('not-observed'),
    notApplicable: with_('never-exercised'),
    off: with_('off'),
  };
  const outcome = outcomeOf(rules);
  return { outcome, sentence: sentenceOf(name, outcome, rules), rules, findings: countFindings(findings) };
}

function outcomeOf(rules: Party['rules']): Outcome {
  if (rules.mustViolated > 0) return 'must-violated';
  if (rules.shouldViolated > 0) return 'should-violated';
  if (rules.complied + rules.noteViolated + rules.waived > 0) return 'complied';
  return rules.notObserved > 0 ? 'not-observed' : 'not-applicable';
}

function countFindings(findings: Report['findings']): Party['findings'] {
  const figures = { must: 0, should: 0, note: 0, waived: 0 };
  for (const { severity, count, waived } of findings) {
    figures[severity] += count - waived;
    figures.waived += waived;
  }
  return figures;
}

function sentenceOf(name: string, outcome: Outcome, rules: Party['rules']): string {
  const { mustViolated, shouldViolated, complied, notObserved, waived } = rules;
  const besides = waived === 0 ? '' : `, with ${counted(waived, 'rule')} more by waiver only`;
  if (outcome === 'must-violated') {
    const should = shouldViolated === 0 ? '' : ` and ${shouldViolated} of severity should`;
    return `${name} violated ${counted(mustViolated, 'rule')} of severity must${should}, and complied with ${complied}${besides}.`;
  }
  if (outcome === 'should-violated')
    return `${name} violated ${counted(shouldViolated, 'rule')} of severity should, none of severity must, and complied with ${complied}${besides}.`;
  if (outcome === 'complied')
    return `${name} complied with all rules that were tested: ${complied}${besides}.`;
  if (outcome === 'not-observed')
    return `${name} cannot be judged: the recording does not contain what its rules need (${counted(notObserved, 'rule')}).`;
  return `${name} was not tested.`;
}

interface GateOptions {
  readonly failOn: 'must' | 'should';
  readonly of?: 'tpp' | 'aspsp' | undefined;
  /** Only what a baseline did not hold; without one everything is new. */
  readonly newOnly?: boolean;
}

/** A gate that judges nothing would always be open: where only connections failed, say, or a file holds no call. */
export function isUntested({ verdict }: Report, of?: GateOptions['of']): boolean {
  const parties = of === undefined ? [verdict.tpp, verdict.aspsp] : [verdict[of]];
  return parties.every(({ outcome }) => outcome === 'not-applicable' || outcome === 'not-observed');
}

/** Findings that stop a pipeline; waived ones do not count. */
export function findingsAtGate(report: Report, { failOn, of, newOnly = false }: GateOptions): number {
  const counts = ({ severity, judges }: Pick<FindingGroup, 'severity' | 'judges'>): boolean =>
    (severity === 'must' || severity === failOn) && (of === undefined || judges === of);
  const rows =
    newOnly && report.baseline !== null
      ? report.baseline.new
      : report.findings.map((group) => ({ ...group, count: group.count - group.waived }));
  return rows.filter(counts).reduce((sum, { count }) => sum + count, 0);
}
