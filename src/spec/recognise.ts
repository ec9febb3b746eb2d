/** Finds the operation of a method and path, or else the nearest one. */
import { nearestOf, slipOf } from './nearest.js';
import { OPERATIONS, type OperationId, PAYMENT_SERVICES } from './operations.js';

export type Recognition =
  | {
      readonly kind: 'operation';
      readonly operation: OperationId;
      readonly params: Readonly<Record<string, string>>;
    }
  /** The path exists, the method does not; `allow` lists those that do. */
  | {
      readonly kind: 'method-unknown';
      readonly allow: readonly string[];
      readonly params: Readonly<Record<string, string>>;
    }
  /** `nearest`: the path template that may have been meant: by its last segment, or by a slip of the hand; '' where none may. */
  | { readonly kind: 'path-unknown'; readonly nearest: string };

/** `method` in capitals; `path` without query, percent-encoded as it came. HEAD is recognised as GET. */
export type Recognise = (method: string, path: string) => Recognition;

interface Node {
  readonly fixed: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  readonly methods: Map<string, OperationId>;
}

/** Path templates by operation: `/stdgroup/v1/accounts/{accountId}`. */
export type Templates = ReadonlyMap<OperationId, string>;

/** Two templates that a path can be of at once. */
export interface Clash {
  readonly one: OperationId;
  readonly other: OperationId;
}

const LONGEST_PATH = 2_000;
const newNode = (): Node => ({ fixed: new Map(), methods: new Map() });

function treeOf(templates: Templates): { readonly tree: Node; readonly clashes: readonly Clash[] } {
  const tree = newNode();
  const clashes: Clash[] = [];
  const firstOf = new Map<Node, OperationId>();
  for (const [id, template] of templates) {
    let node = tree;
    for (const part of template.split('/').slice(1)) {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      const child = childOf(node, part, name);
      const first = firstOf.get(child) ?? id;
      firstOf.set(child, first);
      if (name !== undefined && node.parameter?.name !== name) clashes.push({ one: first, other: id });
      node = child;
    }
    const { method } = OPERATIONS[id];
    const before = node.methods.get(method);
    if (before !== undefined) clashes.push({ one: before, other: id });
    node.methods.set(method, id);
  }
  return { tree, clashes };
}

function childOf(node: Node, part: string, name: string | undefined): Node {
  if (name !== undefined) {
    node.parameter ??= { name, node: newNode() };
    return node.parameter.node;
  }
  const child = node.fixed.get(part) ?? newNode();
  node.fixed.set(part, child);
  return child;
}

/** Pairs of operations whose templates cannot be told apart. */
export const clashesOf = (templates: Templates): readonly Clash[] => treeOf(templates).clashes;

/** A recogniser for the paths of one bank. */
export function createRecogniser(templates: Templates): Recognise {
  const { tree } = treeOf(templates);
  const paths = [...templates.values()];
  return (method, path) => {
    const params: Record<string, string> = {};
    const parts = path.length > LONGEST_PATH ? undefined : path.split('/').map(decodePart);
    const node = parts === undefined ? undefined : descend(tree, parts, 1, params);
    if (node === undefined || node.methods.size === 0) {
      return {
        kind: 'path-unknown',
        // Measuring the distance to every path takes longer than all else: only for whoever asks.
        get nearest() {
          const asked = path.slice(0, 200);
          // Who leaves out what stands around it knows the name of what is wanted; what most paths have names none.
          const last = asked.split('/').findLast((part) => part !== '');
          const having = paths.filter((one) => one.split('/').some((part) => part === last));
          const named = 2 * having.length > paths.length ? [] : having;
          return nearestOf(asked, named.length === 0 ? paths.filter((one) => isSlipOf(asked, one)) : named);
        },
      };
    }
    const operation = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation !== undefined) return { kind: 'operation', operation, params };
    const allow = [...node.methods.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
    return { kind: 'method-unknown', allow, params };
  };
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Whether slips of the hand in segments explain a path; any text stands for a parameter. */
function isSlipOf(path: string, template: string): boolean {
  const asked = partsOf(path);
  const wanted = partsOf(template);
  const isNear = (part: string, typed: string): boolean =>
    typed === part || part.startsWith('{') || slipOf(typed, [part]) !== '';
  return asked.length === wanted.length && wanted.every((part, i) => isNear(part, asked[i] ?? ''));
}

/** The node of the parts from `at` on. */
function descend(
  node: Node,
  parts: readonly (string | undefined)[],
  at: number,
  params: Record<string, string>,
): Node | undefined {
  if (at === parts.length) return node.methods.size === 0 ? undefined : node;
  const part = parts[at];
  if (part === undefined) return undefined;
  const fixed = node.fixed.get(part);
  const found = fixed === undefined ? undefined : descend(fixed, parts, at + 1, params);
  if (found !== undefined) return found;
  const { parameter } = node;
  if (parameter === undefined || part === '') return undefined;
  if (parameter.name === 'paymentService' && !isPaymentService(part)) return undefined;
  const below = descend(parameter.node, parts, at + 1, params);
  if (below !== undefined) params[parameter.name] = part;
  return below;
}

const isPaymentService = (part: string): boolean => PAYMENT_SERVICES.some((known) => known === part);

/** Percent-encoded letters are the same path (RFC 3986 6.2.2.2); undefined where the encoding is none. */
function decodePart(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
