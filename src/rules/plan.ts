/** The rules of one kind of call, sorted out at start, and the verdicts that calls of it have had, shared among them. */
import type { Call } from '../exchange/index.js';
import { isAbout } from './applicability.js';
import type { Judged, Rule, Severity, Verdict, Verdicts } from './rule.js';
import type { Waiver } from './waivers.js';

export interface PlannedRule {
  readonly rule: Rule;
  readonly severity: Exclude<Severity, 'off'>;
  readonly waivers: readonly Waiver[];
}

/** A place in the tree of verdicts: one step down for each rule, in order. */
interface VerdictNode {
  readonly parent: VerdictNode | null;
  readonly verdict: Verdict | null;
  readonly next: Map<Verdict, VerdictNode>;
  /** At the last rule: the shared outcome of all calls with these verdicts and no finding. */
  judged: Judged | null;
}

export interface Plan {
  readonly rules: readonly PlannedRule[];
  root: VerdictNode;
  nodes: number;
}

/** Verdicts differ little among calls; should they ever not, the tree is begun anew. */
const MOST_NODES = 20_000;

export function createPlan(
  planned: readonly PlannedRule[],
  operation: Call['operation'],
  listener: Call['listener'],
): Plan {
  return {
    rules: planned.filter(({ rule }) => isAbout(rule, operation, listener)),
    root: newNode(null, null),
    nodes: 1,
  };
}

const newNode = (parent: VerdictNode | null, verdict: Verdict | null): VerdictNode => ({
  parent,
  verdict,
  next: new Map(),
  judged: null,
});

/** Where the walk over a plan's rules begins. */
export function startOf(plan: Plan): VerdictNode {
  if (plan.nodes > MOST_NODES) {
    plan.root = newNode(null, null);
    plan.nodes = 1;
  }
  return plan.root;
}

/** The next place, after one more rule. */
export function step(plan: Plan, node: VerdictNode, verdict: Verdict): VerdictNode {
  const known = node.next.get(verdict);
  if (known !== undefined) return known;
  const made = newNode(node, verdict);
  node.next.set(verdict, made);
  plan.nodes++;
  return made;
}

/** The shared outcome at the end of the walk: its verdicts, without findings. */
export function judgedAt(plan: Plan, node: VerdictNode): Judged {
  node.judged ??= { verdicts: verdictsAt(plan, node), findings: [], refusal: null };
  return node.judged;
}

function verdictsAt(plan: Plan, end: VerdictNode): Verdicts {
  const verdicts: Record<string, Exclude<Verdict, 'not-applicable'>> = {};
  const walked: Verdict[] = [];
  for (let node: VerdictNode | null = end; node?.verdict != null; node = node.parent)
    walked.push(node.verdict);
  for (const [i, { rule }] of plan.rules.entries()) {
    const verdict = walked[walked.length - 1 - i];
    if (verdict !== undefined && verdict !== 'not-applicable') verdicts[rule.id] = verdict;
  }
  return Object.freeze(verdicts);
}
