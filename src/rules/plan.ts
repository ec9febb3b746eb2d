/** The rules of one kind of call, sorted out when the first of them comes. */
import type { Call } from '../exchange/index.js';
import type { Deviation, Dialect } from '../spec/index.js';
import type { PlannedRule } from './judge-by-rule.js';
import { createAnswerMemory, createCallMemory, type WalkMemory } from './memory.js';
import { isAbout } from './needs.js';
import type { ExchangeContext, Judged, Verdict } from './rule.js';
import { textOf, verdictAt, type Walk, walkOn } from './walk.js';

export interface Plan {
  /** Rules in order: those whose verdicts may be remembered come first. */
  readonly rules: readonly PlannedRule[];
  readonly memory: WalkMemory;
  /** The outcomes without findings, by all verdicts. */
  readonly outcomes: Map<string, Judged>;
}

/** Verdicts differ little among calls; should they ever not, they are forgotten and begun anew. */
const MOST_OUTCOMES = 500;

export function createPlan(
  planned: readonly PlannedRule[],
  operation: Call['operation'],
  listener: Call['listener'],
  dialect: Dialect,
): Plan {
  const about = planned
    .filter(({ rule }) => isAbout(rule, operation, listener))
    .flatMap((one) => asDeviating(one, dialect.deviationsOf(one.rule.id, operation)));
  const ofConnection = about.filter(({ scope }) => scope === 'connection');
  const ofHead = about.filter(({ rule }) => rule.looksAt === 'head');
  const ofAnswer = about.filter(({ rule }) => rule.looksAt === 'answer');
  const first = [...ofConnection, ...ofHead, ...ofAnswer];
  return {
    rules: [...first, ...about.filter((one) => !first.includes(one))],
    memory:
      ofAnswer.length > 0
        ? createAnswerMemory(ofAnswer.length)
        : createCallMemory(ofConnection.length, ofHead.length),
    outcomes: new Map(),
  };
}

/** A TPP that follows its bank is not judged by what the bank itself breaks; a finding about the bank names the deviation. */
function asDeviating(planned: PlannedRule, deviations: readonly Deviation[]): readonly PlannedRule[] {
  if (deviations.length === 0) return [planned];
  if (planned.rule.judges === 'tpp') return [];
  return [{ ...planned, deviations }];
}

export function walkAll({ rules, memory }: Plan, context: ExchangeContext): Walk {
  let walk = memory.recall(context);
  for (const end of memory.ends) {
    if (walk.place >= end) continue;
    walk = walkOn(walk, rules, end, context);
    memory.remember(context, walk);
  }
  return walkOn(walk, rules, rules.length, context);
}

export function outcomeOf({ rules, outcomes }: Plan, walk: Walk): Judged {
  const text = textOf(walk);
  const known = outcomes.get(text);
  if (known !== undefined) return known;
  if (outcomes.size >= MOST_OUTCOMES) outcomes.clear();
  const made = { verdicts: verdictsOf(rules, text), findings: [], refusal: null };
  outcomes.set(text, made);
  return made;
}

function verdictsOf(rules: readonly PlannedRule[], text: string): Judged['verdicts'] {
  const had = rules.map(({ rule, place }, i) => ({ id: rule.id, place, verdict: verdictAt(text, i) }));
  const verdicts: Record<string, Exclude<Verdict, 'not-applicable'>> = {};
  for (const { id, verdict } of had.sort((a, b) => a.place - b.place))
    if (verdict !== 'not-applicable') verdicts[id] = verdict;
  return Object.freeze(verdicts);
}
