/** The verdict for the TPP and for the bank, in figures and in plain words. */
import { counted } from '../../spec/index.js';
import type { Outcome, Party, Report } from '../model.js';
import type { RuleCount } from './rule-counts.js';

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
