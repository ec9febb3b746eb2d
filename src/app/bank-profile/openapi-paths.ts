/** Finds the operations of the standard among the paths of an OpenAPI document, whatever stands before them. */
import { isObject } from '../../exchange/index.js';
import {
  type BankProfile,
  EVERY_OPERATION_ID,
  type Group,
  isBuiltIn,
  type OperationId,
  operationRow,
  PAYMENT_SERVICES,
} from '../../spec/index.js';
import type { OpenApiDocument } from './openapi-document.js';

const MOST_PATHS = 2_000;
const LONGEST_PATH = 2_000;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** An operation of the document that is one of the standard. */
export interface FoundOperation {
  readonly id: OperationId;
  readonly base: string;
  readonly version: string;
  /** The path of the profile, with the names that parameters have here. */
  readonly path: string;
  /** Named by the path itself; undefined where a parameter stands for them. */
  readonly service: string | undefined;
  readonly product: string | undefined;
  readonly operation: unknown;
  readonly item: unknown;
}

interface DocumentedPath {
  readonly path: string;
  readonly method: Method;
  readonly operation: unknown;
  readonly item: unknown;
}

export interface FoundPaths {
  readonly found: readonly FoundOperation[];
  readonly others: readonly DocumentedPath[];
}

export function findOperations(document: OpenApiDocument, prefix: string): FoundPaths {
  const found: FoundOperation[] = [];
  const others: DocumentedPath[] = [];
  for (const one of documentedPaths(document, prefix)) {
    const known = recognised(one);
    if (known === undefined) others.push(one);
    else found.push(known);
  }
  return { found, others };
}

function* documentedPaths(document: OpenApiDocument, prefix: string): Generator<DocumentedPath> {
  const paths = document.at(document.root, 'paths');
  if (!isObject(paths)) return;
  for (const [name, given] of Object.entries(paths).slice(0, MOST_PATHS)) {
    if (name.length > LONGEST_PATH) continue;
    const item = document.resolve(given);
    // Some name the base of the server in every path too.
    const whole = name.startsWith(`${prefix}/`) ? name : `${prefix}${name}`;
    const path = whole.endsWith('/') ? whole.slice(0, -1) : whole;
    for (const method of METHODS) {
      const operation = document.at(item, method.toLowerCase());
      if (isObject(operation)) yield { path: inOurNames(path), method, operation, item };
    }
  }
}

/** `{account-id}` as `{accountId}`. */
const inOurNames = (path: string): string =>
  path.replaceAll(/\{([^}/]+)\}/g, (_, name: string) => `{${camel(name)}}`);
export const camel = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** Paths below the version, by their parts. OAuth stands elsewhere at each bank. */
const TAILS = EVERY_OPERATION_ID.flatMap((id) => {
  const { path, method, group } = operationRow(id);
  const [, tail] = path.split('/v1/');
  return tail === undefined || group === 'oauth' || group === 'notifications'
    ? []
    : [{ id, method, tail: tail.split('/') }];
});
const WORDS = new Set([
  ...TAILS.flatMap(({ tail }) => tail.filter((part) => !part.startsWith('{'))),
  ...PAYMENT_SERVICES,
  'signing-baskets',
  'card-accounts',
]);

/** Calls of recordings whose paths end as an operation of the standard does. */
export function findCalls(calls: readonly { readonly method: string; readonly path: string }[]) {
  return calls.flatMap(({ method, path }) => {
    const known = METHODS.find((one) => one === method);
    const found =
      known === undefined
        ? undefined
        : recognised({ method: known, path, operation: null, item: null }, isValue);
    return found === undefined ? [] : [found];
  });
}

function recognised(
  { path, method, operation, item }: DocumentedPath,
  isOpen = isParameter,
): FoundOperation | undefined {
  const parts = path.split('/');
  for (const { id, tail } of TAILS.filter((one) => one.method === method)) {
    const front = parts.slice(0, Math.max(0, parts.length - tail.length));
    const last = parts.slice(front.length);
    if (last.length !== tail.length || front.some((part) => WORDS.has(part)) || !isLike(last, tail, isOpen))
      continue;
    const version = VERSION.test(front.at(-1) ?? '') ? (front.pop() ?? '') : '';
    if (front.some((part) => VERSION.test(part))) continue;
    const base = front.join('/');
    const whole = [base, version, ...tail].filter((part, at) => at === 0 || part !== '').join('/');
    const [service, product] = tail[0] === '{paymentService}' ? last : [];
    return { id, base, version, path: whole, ...literals(service, product), operation, item };
  }
  return undefined;
}

const VERSION = /^v\d+(?:\.\d+)*$/i;
const isParameter = (part: string): boolean => part.startsWith('{');
const literals = (service = '{', product = '{') => ({
  service: isParameter(service) ? undefined : service,
  product: isParameter(product) ? undefined : product,
});

/** The value of a parameter, in the path of a call. */
const isValue = (part: string): boolean => part !== '' && !WORDS.has(part);

function isLike(
  parts: readonly string[],
  tail: readonly string[],
  isOpen: (part: string) => boolean,
): boolean {
  return tail.every((wanted, at) => {
    const part = parts[at] ?? '';
    if (wanted === '{paymentService}')
      return isParameter(part) ? /service/i.test(part) : PAYMENT_SERVICES.some((known) => known === part);
    if (wanted === '{paymentProduct}') return isParameter(part) ? !/id\}$/i.test(part) : part !== '';
    return isParameter(wanted) ? isOpen(part) : part === wanted;
  });
}

type Paths = NonNullable<BankProfile['paths']>;

/** Groups that the document has anything of: banks publish files by service. */
export const groupsOf = (found: readonly FoundOperation[]): ReadonlySet<Group> =>
  new Set(found.map(({ id }) => operationRow(id).group));

/** The part of a profile that says where these operations are; base and version are those of most. */
export function proposePaths(found: readonly FoundOperation[]): Paths {
  if (found.length === 0) return {};
  const fronts = found.map(({ base, version }) => `${base} ${version}`);
  const most = mostFrequent(fronts);
  const [base = '', version = ''] = most?.split(' ') ?? [];
  const chosen = new Map<OperationId, FoundOperation>();
  for (const one of found) {
    const before = chosen.get(one.id);
    if (before === undefined || `${before.base} ${before.version}` !== most) chosen.set(one.id, one);
  }
  const bases: Record<string, string> = {};
  for (const group of new Set([...chosen.keys()].map((id) => operationRow(id).group))) {
    const own = new Set(
      [...chosen.values()]
        .filter(({ id }) => operationRow(id).group === group)
        .map((one) => `${one.base} ${one.version}`),
    );
    const [only = ''] = own;
    const [groupBase = '', groupVersion = ''] = only.split(' ');
    if (own.size === 1 && groupVersion === version && groupBase !== base) bases[group] = groupBase;
  }
  const operations: Record<string, string | null> = {};
  for (const { id, path, base: own, version: at } of chosen.values())
    if (at !== version || own !== (bases[operationRow(id).group] ?? base)) operations[id] = path;
  const told = groupsOf(found);
  for (const { id } of TAILS)
    if (isBuiltIn(id) && !chosen.has(id) && told.has(operationRow(id).group)) operations[id] = null;
  operations['notifications.simulate'] = null;
  return {
    base,
    version,
    ...(Object.keys(bases).length === 0 ? {} : { bases }),
    operations,
    offers: [...chosen.keys()].filter((id) => !isBuiltIn(id)),
  };
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
