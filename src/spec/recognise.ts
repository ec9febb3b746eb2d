/** Finds the operation of a method and path, or else the nearest one. */
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
  /** `nearest` is the path template that is closest by edit distance. */
  | { readonly kind: 'path-unknown'; readonly nearest: string };

/** `method` in capitals; `path` without query, percent-encoded as it came. HEAD is recognised as GET. */
export type Recognise = (method: string, path: string) => Recognition;

interface Node {
  readonly fixed: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  readonly methods: Map<string, OperationId>;
}

const LONGEST_PATH = 2_000;
const services = new Set<string>(PAYMENT_SERVICES);
const newNode = (): Node => ({ fixed: new Map(), methods: new Map() });

/** Compiles the operations table into a recogniser for one value of the fixed path segment. */
export function createRecogniser(segment = 'stdgroup'): Recognise {
  const root = newNode();
  const templates = OPERATION_IDS.map((id) => OPERATIONS[id].path.replace('{segment}', segment));
  for (const [index, id] of OPERATION_IDS.entries()) {
    let node = root;
    for (const part of (templates[index] as string).split('/').slice(1)) {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      if (name === undefined) {
        const next = node.fixed.get(part) ?? newNode();
        node.fixed.set(part, next);
        node = next;
      } else {
        node.parameter ??= { name, node: newNode() };
        node = node.parameter.node;
      }
    }
    node.methods.set(OPERATIONS[id].method, id);
  }

  return (method, path) => {
    const params: Record<string, string> = {};
    const node = path.length > LONGEST_PATH ? undefined : descend(root, path, params);
    if (node === undefined || node.methods.size === 0) {
      return { kind: 'path-unknown', nearest: nearestOf(path.slice(0, 200), templates) };
    }
    const operation = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (operation !== undefined) return { kind: 'operation', operation, params };
    const allow = [...node.methods.keys()].flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
    return { kind: 'method-unknown', allow, params };
  };
}

function descend(root: Node, path: string, params: Record<string, string>): Node | undefined {
  let node: Node | undefined = root;
  for (const raw of path.split('/').slice(1)) {
    const part = decodePart(raw);
    if (part === undefined) return undefined;
    const fixed: Node | undefined = node.fixed.get(part);
    if (fixed !== undefined) {
      node = fixed;
      continue;
    }
    const { parameter }: Node = node;
    if (parameter === undefined || part === '') return undefined;
    if (parameter.name === 'paymentService' && !services.has(part)) return undefined;
    params[parameter.name] = part;
    node = parameter.node;
  }
  return node;
}

/** Percent-encoded letters are the same path (RFC 3986 6.2.2.2); undefined where the encoding is none. */
function decodePart(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The candidate with the smallest edit distance to the text. */
export function nearestOf(text: string, candidates: readonly string[]): string {
  let best = candidates[0] ?? '';
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(text, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
