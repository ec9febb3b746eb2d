/** The verdict for each TPP and for the bank, and whether it lets a pipeline pass. */
import { counted } from '../../spec/index.js';
import type { Answerer, FindingGroup, Outcome, Party, Report, TppVerdict } from '../model.js';
import { type Counted, figuresOf, type RuleCount, type RuleFigures } from './rules.js';

type Tpps = Report['tpps'];

export function buildVerdict(
  figures: RuleFigures,
  findings: Report['findings'],
  tpps: Tpps,
): Report['verdict'] {
  const { all, ofBank, owners } = figures;
  const answerer = answererOf(figures);
  const each = owners
    .flatMap((owner) => tppVerdict(owner, findings, tpps))
    .sort((a, b) => placeIn(tpps, a.tpp) - placeIn(tpps, b.tpp));
  const tpp = buildParty(each.length > 1 ? 'All TPPs together' : 'The TPP', 'tpp', all, findings);
  const bank = buildParty('The bank', 'aspsp', answerer === 'several' ? ofBank : all, findings);
  const aspsp = { ...bank, sentence: answererSentence(answerer, figures, bank) };
  return { sentence: `${sentenceOfAll(tpp, each)} ${aspsp.sentence}`, tpp, tpps: each, aspsp, answerer };
}

/** Nobody known comes last. */
const placeIn = (tpps: Tpps, id: string | null): number =>
  id === null ? tpps.length + 1 : tpps.findIndex((one) => one.id === id);

function tppVerdict(
  { id, exchanges, ...counted }: RuleFigures['owners'][number],
  findings: Report['findings'],
  tpps: Tpps,
): TppVerdict[] {
  const groups = findings.filter(({ judges }) => judges === 'tpp');
  const violated = groups.flatMap(({ rule, severity }) => {
    const counts = counted.byRule.get(rule);
    if (counts === undefined || counts.findings === 0) return [];
    const { findings: count, waived } = counts;
    return [{ rule, severity, count, waived, ...figuresOf(counted, rule) }];
  });
  if (id === null && violated.length === 0) return [];
  const name = tpps.find((tpp) => tpp.id === id)?.name ?? null;
  const party = buildParty(nameIn(tpps, id, name), 'tpp', counted, findings);
  return [{ tpp: id, name, exchanges, ...party, violated }];
}

const LONGEST_NAME = 100;

/** With its id where another TPP has the same name. */
function nameIn(tpps: Tpps, id: string | null, name: string | null): string {
  if (id === null) return 'A caller that is not known';
  if (name === null) return id;
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return tpps.filter((one) => one.name === name).length > 1 ? `${short} (${id})` : short;
}

/** So many have a sentence each. */
const MOST_SENTENCES = 3;

function sentenceOfAll(together: Party, each: readonly TppVerdict[]): string {
  if (each.length < 2) return together.sentence;
  if (each.length <= MOST_SENTENCES) return each.map(({ sentence }) => sentence).join(' ');
  const parts = OUTCOMES.flatMap(([outcome, text]) => {
    const count = each.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return `Of ${each.length} TPPs: ${parts.join('; ')}.`;
}

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['must-violated', 'violated rules of severity must'],
  ['should-violated', 'violated rules of severity should, and none of severity must'],
  ['complied', 'complied with all rules that were tested'],
  ['not-observed', 'cannot be judged'],
  ['not-applicable', 'not tested'],
];

/** A recording of both an emulator and a replay is of the first: neither is a bank. */
export function answererOf({ answered }: RuleFigures): Answerer {
  const [first = 'nobody', ...others] = answered.filter((one) => one !== 'none');
  return first === 'bank' && others.length > 0 ? 'several' : first;
}

const STAND_INS = { emulator: 'the built-in emulator', replay: 'a replayed recording' } as const;

/** Neither an emulator nor a replay is a bank, whatever it answers. */
function answererSentence(answerer: Answerer, { answered }: RuleFigures, bank: Party): string {
  const others = answered.flatMap((one) => (one === 'emulator' || one === 'replay' ? STAND_INS[one] : []));
  if (others.length === 0) return bank.sentence;
  const who = others.join(' and ');
  if (answerer === 'several')
    return `${bank.sentence} Other calls were answered by ${who}, which says nothing of a bank.`;
  const { mustViolated, shouldViolated } = bank.rules;
  const violated = mustViolated + shouldViolated;
  const amiss = `, which violated ${counted(violated, 'rule')} of the interface`;
  return `Answered by ${who}${violated === 0 ? '' : amiss}; says nothing of a bank.`;
}

function buildParty(
  name: string,
  judges: FindingGroup['judges'],
  { rows, byRule }: Counted,
  findings: Report['findings'],
): Party {
  const counts = rows.filter(({ rule }) => rule.judges === judges);
  const violated = (severity: RuleCount['severity']) =>
    counts.filter((count) => count.outcome === 'violated' && count.gravest === severity).length;
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
  const sentence = sentenceOf(name, outcome, rules);
  const figures = { must: 0, should: 0, note: 0, waived: 0 };
  for (const group of findings.filter((one) => one.judges === judges)) {
    const { findings: count = 0, waived = 0 } = byRule.get(group.rule) ?? {};
    figures[group.severity] += count - waived;
    figures.waived += waived;
  }
  return { outcome, sentence, rules, findings: figures };
}

function outcomeOf(rules: Party['rules']): Outcome {
  if (rules.mustViolated > 0) return 'must-violated';
  if (rules.shouldViolated > 0) return 'should-violated';
  if (rules.complied + rules.noteViolated + rules.waived > 0) return 'complied';
  return rules.notObserved > 0 ? 'not-observed' : 'not-applicable';
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
