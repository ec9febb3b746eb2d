/** Finds the operation of a method and path, or else the nearest one. */
import { nearestOf } from './nearest.js';
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
  /** `nearest` is the path template that is closest by edit distance, of those with the last segment where there are any. */
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
          const isFixed = (part: string) => paths.every((one) => one.split('/')[1] === part);
          // Who leaves out what stands around it knows the name of what is wanted.
          const last = asked.split('/').findLast((part) => part !== '' && !isFixed(part));
          const named = paths.filter((one) => one.split('/').some((part) => part === last));
          return nearestOf(asked, named.length === 0 ? paths : named);
        },
      };
    }
    const operation = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation !== undefined) return { kind: 'operation', operation, params };
    const allow = [...node.methods.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
    return { kind: 'method-unknown', allow, params };
  };
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
