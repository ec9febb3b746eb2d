/** Finds the operation of a method and path, or else the nearest one. */
import { nearestOf } from './nearest.js';
import { OPERATION_IDS, OPERATIONS, type OperationId, PAYMENT_SERVICES } from './operations.js';

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
  /** Behind the fixed segment of a deployment. */
  segment?: Node;
  parameter?: { readonly name: string; readonly node: Node };
  readonly methods: Map<string, OperationId>;
}

const LONGEST_PATH = 2_000;
const newNode = (): Node => ({ fixed: new Map(), methods: new Map() });
const TREE = treeOf(OPERATION_IDS);

function treeOf(ids: readonly OperationId[]): Node {
  const root = newNode();
  for (const id of ids) {
    let node = root;
    for (const part of OPERATIONS[id].path.split('/').slice(1)) node = childOf(node, part);
    node.methods.set(OPERATIONS[id].method, id);
  }
  return root;
}

function childOf(node: Node, part: string): Node {
  if (part === '{segment}') {
    node.segment ??= newNode();
    return node.segment;
  }
  const name = /^\{(.+)\}$/.exec(part)?.[1];
  if (name !== undefined) {
    node.parameter ??= { name, node: newNode() };
    return node.parameter.node;
  }
  const child = node.fixed.get(part) ?? newNode();
  node.fixed.set(part, child);
  return child;
}

/** A recogniser for one value of the fixed path segment; costs nothing to make. */
export function createRecogniser(segment = 'stdgroup'): Recognise {
  return (method, path) => {
    const params: Record<string, string> = {};
    const parts = path.length > LONGEST_PATH ? undefined : path.split('/').map(decodePart);
    const node = parts === undefined ? undefined : descend(TREE, parts, 1, segment, params);
    if (node === undefined || node.methods.size === 0) {
      return {
        kind: 'path-unknown',
        // Measuring the distance to every path takes longer than all else: only for whoever asks.
        get nearest() {
          const asked = path.slice(0, 200);
          const templates = OPERATION_IDS.map((id) => OPERATIONS[id].path.replace('{segment}', segment));
          // Who leaves out what stands around it knows the name of what is wanted.
          const last = asked.split('/').findLast((part) => part !== '' && part !== segment);
          const named = templates.filter((one) => one.split('/').some((part) => part === last));
          return nearestOf(asked, named.length === 0 ? templates : named);
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
  segment: string,
  params: Record<string, string>,
): Node | undefined {
  if (at === parts.length) return node;
  const part = parts[at];
  if (part === undefined) return undefined;
  if (part === segment && node.segment !== undefined) {
    const found = descend(node.segment, parts, at + 1, segment, params);
    if (found !== undefined) return found;
  }
  const fixed = node.fixed.get(part);
  if (fixed !== undefined) return descend(fixed, parts, at + 1, segment, params);
  const { parameter } = node;
  if (parameter === undefined || part === '') return undefined;
  if (parameter.name === 'paymentService' && !isPaymentService(part)) return undefined;
  params[parameter.name] = part;
  return descend(parameter.node, parts, at + 1, segment, params);
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
