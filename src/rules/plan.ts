/** The rules that apply to one kind of call, selected at start, with a cache of shared verdicts. */
import type { Call, TlsFacts } from '../exchange/index.js';
import { isAbout } from './applicability.js';
import type { FindLack } from './needs.js';
import type { Judged, Rule, Severity, Verdict, Verdicts } from './rule.js';
import type { Waiver } from './waivers.js';

export interface PlannedRule {
  readonly rule: Rule;
  readonly needs: readonly FindLack[];
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
  /** Those about the connection first. */
  readonly rules: readonly PlannedRule[];
  /** How many are about the connection. */
  readonly aboutConnection: number;
  /** Where the walk stands after those; what is known of its TLS stands for a connection. */
  readonly connections: WeakMap<TlsFacts, KnownConnection>;
  root: VerdictNode;
  nodes: number;
}

/** A connection without fault is judged once a second: certificates begin and end with a second. */
interface KnownConnection {
  readonly second: number;
  readonly certificate: Call['certificate'];
  readonly root: VerdictNode;
  readonly node: VerdictNode;
}

/** Verdicts differ little among calls; should they ever not, the tree is begun anew. */
const MOST_NODES = 20_000;

export function createPlan(
  planned: readonly PlannedRule[],
  operation: Call['operation'],
  listener: Call['listener'],
): Plan {
  const rules = planned.filter(({ rule }) => isAbout(rule, operation, listener));
  const ofConnection = rules.filter(({ rule }) => rule.scope === 'connection');
  return {
    rules: [...ofConnection, ...rules.filter(({ rule }) => rule.scope !== 'connection')],
    aboutConnection: ofConnection.length,
    connections: new WeakMap(),
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

/** Where the walk stands behind the rules about the connection, where this very connection was without fault just now. */
export function behindConnection(plan: Plan, { certificate, connection, at }: Call): VerdictNode | undefined {
  const { tls } = connection;
  if (typeof tls !== 'object' || tls === null) return undefined;
  const known = plan.connections.get(tls);
  if (known === undefined || known.certificate !== certificate || known.root !== plan.root) return undefined;
  return known.second === Math.floor(at / 1000) ? known.node : undefined;
}

export function rememberConnection(
  plan: Plan,
  { certificate, connection, at }: Call,
  node: VerdictNode,
): void {
  const { tls } = connection;
  if (typeof tls !== 'object' || tls === null) return;
  plan.connections.set(tls, { second: Math.floor(at / 1000), certificate, root: plan.root, node });
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
