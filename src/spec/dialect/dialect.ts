/** One bank's interface, made of its profile over the built-in one: what calls are recognised, judged and answered by. */
import {
  EVERY_OPERATION_ID,
  type Group,
  isBuiltIn,
  type OperationId,
  operationRow,
  PAYMENT_PRODUCTS,
  PAYMENT_SERVICES,
  type PaymentService,
  type ProductCode,
} from '../operations.js';
import { createPlainPaths, escaped } from '../plain-paths.js';
import { createRecogniser, type Recognise, type Templates } from '../recognise.js';
import { type BankProfile, type Deviation, nameOperation } from './bank-profile.js';
import { approachesOf, type Terms, termsOf } from './terms.js';

export interface ProductRow {
  readonly service: PaymentService;
  readonly code: ProductCode;
  readonly media: readonly string[];
}

export interface Dialect extends Terms {
  /** undefined: the built-in interface. */
  readonly profile: BankProfile | undefined;
  /** The fixed first segment of the built-in interface, as sessions and recordings note it. */
  readonly segment: string;
  readonly templates: Templates;
  readonly recognise: Recognise;
  readonly offers: (operation: OperationId) => boolean;
  /** The path of an operation with its parameters in place, without query. */
  readonly pathOf: (operation: OperationId, params?: Readonly<Record<string, string>>) => string;
  /** The place where the interface begins in a path that lies below a base of the bank's own; -1 if nowhere. */
  readonly startOf: (path: string) => number;
  /** Whether a path, from `startOf` on and without query, is one that clients can follow as it stands. */
  readonly isPlainPath: (path: string) => boolean;
  /** undefined: the bank does not offer it. */
  readonly productOf: (service: string | undefined, product: string | undefined) => ProductRow | undefined;
  /** Names of the products of a service. */
  readonly productsOf: (service: PaymentService) => readonly string[];
  /** Whether the bank offers a call beside the standard, which nobody judges by its body. */
  readonly isBesideStandard: (method: string, path: string) => boolean;
  /** The emulator's answer to such a call; undefined: it has none. */
  readonly answersBeside: (method: string, path: string) => Readonly<Record<string, string>> | undefined;
  readonly deviationsOf: (rule: string, operation: OperationId | null) => readonly Deviation[];
  /** The profile's word on a header in calls of the operation; undefined: none. `name` in any case. */
  readonly headerIs: (name: string, operation: OperationId | null) => HeaderDemand | undefined;
  /** Headers that the profile requires or forbids in calls of the operation. */
  readonly headersOf: (operation: OperationId) => readonly (readonly [name: string, is: HeaderDemand])[];
  /** Whether the bank knows a query parameter beyond the built-in interface, or can do without one of it. */
  readonly queryIs: (name: string, operation: OperationId | null) => 'further' | 'optional' | undefined;
}

export type HeaderDemand = 'required' | 'optional' | 'forbidden';

const JSON_ONLY = ['application/json'];
const BUILT_IN_PRODUCTS = new Map(
  Object.entries(PAYMENT_PRODUCTS).map(([name, code]): [string, ProductRow] => [
    name,
    { service: 'payments', code, media: JSON_ONLY },
  ]),
);

/** By profile and segment. Files name segments as they please, so only a few are kept. */
const made = new WeakMap<object, Map<string, Dialect>>();
const BUILT_IN = {};
const MOST_SEGMENTS = 16;
export const DEFAULT_SEGMENT = 'stdgroup';
/** The paths of the built-in interface, as a profile would say them. */
export const BUILT_IN_PATHS = { base: '/{segment}', version: 'v1' } as const;

/** The dialect of a profile; made once. `segment` is only used by the built-in interface, and by profiles that name it. */
export function dialectOf(profile?: BankProfile, segment = DEFAULT_SEGMENT): Dialect {
  const known = made.get(profile ?? BUILT_IN);
  const before = known?.get(segment);
  if (before !== undefined) return before;
  const dialect = createDialect(profile, segment);
  if (known === undefined) made.set(profile ?? BUILT_IN, new Map([[segment, dialect]]));
  else if (known.size < MOST_SEGMENTS) known.set(segment, dialect);
  return dialect;
}

/** Templates of the operations that a bank offers. */
export function templatesOf(profile: BankProfile | undefined, segment: string): Templates {
  const templates = new Map<OperationId, string>();
  for (const id of EVERY_OPERATION_ID) {
    const { path, group } = operationRow(id);
    const own = profile?.paths?.operations?.[id];
    const isOffered =
      isBuiltIn(id) ||
      profile?.paths?.offers?.includes(id) === true ||
      // The emulator's own page, wherever the bank sends the PSU by redirect alone.
      (id === 'sca.redirect' && approachesOf(profile).has('redirect'));
    if (own === null || (own === undefined && !isOffered)) continue;
    templates.set(id, own ?? templateOf(profile, path, group, segment));
  }
  return templates;
}

function templateOf(profile: BankProfile | undefined, path: string, group: Group, segment: string): string {
  const { base, bases = {}, version } = { ...BUILT_IN_PATHS, ...profile?.paths };
  const below = path
    .replace('/{segment}', bases[group] ?? base)
    .replace('/v1/', version === '' ? '/' : `/${version}/`);
  return below.replace('{segment}', segment);
}

function createDialect(profile: BankProfile | undefined, segment: string): Dialect {
  const templates = templatesOf(profile, segment);
  const { services, paths, deviations = [] } = profile ?? {};
  const products = new Map<string, ReadonlyMap<string, ProductRow>>(
    services === undefined
      ? [['payments', BUILT_IN_PRODUCTS]]
      : PAYMENT_SERVICES.map((service) => [
          service,
          new Map(
            Object.entries(services[service] ?? {}).map(([name, { like, media = JSON_ONLY }]) => [
              name,
              { service, code: like, media },
            ]),
          ),
        ]),
  );
  const values: Readonly<Record<string, string>> = paths?.values ?? {};
  const headers = namesByOperation(profile?.headers ?? {}, ['required', 'optional', 'forbidden']);
  const queries = namesByOperation(profile?.query ?? {}, ['further', 'optional']);
  const byRule = new Map<string, Deviation[]>();
  for (const one of deviations) byRule.set(one.rule, [...(byRule.get(one.rule) ?? []), one]);
  const starts = startsOf(profile, segment, templates);
  /** Names of parameters stand at odd places. */
  const pieces = new Map([...templates].map(([id, template]) => [id, template.split(/[{}]/)]));
  return {
    ...termsOf(profile),
    profile,
    segment,
    templates,
    recognise: createRecogniser(templates),
    offers: (operation) => templates.has(operation),
    pathOf: (operation, params = {}) =>
      (pieces.get(operation) ?? [])
        .map((piece, at) =>
          at % 2 === 0 ? piece : (ownText(params, piece) ?? ownText(values, piece) ?? piece),
        )
        .join(''),
    startOf: (path) => {
      for (const start of starts) {
        const at = typeof start === 'string' ? path.indexOf(start) : path.search(start);
        if (at >= 0) return at;
      }
      return -1;
    },
    isPlainPath: createPlainPaths(templates.values(), [...(products.get('payments')?.keys() ?? [])]),
    productOf: (service = '', product = '') => products.get(service)?.get(product),
    productsOf: (service) => [...(products.get(service)?.keys() ?? [])],
    headerIs: (name, operation) =>
      operation === null ? undefined : headers.get(operation)?.get(name.toLowerCase())?.is,
    headersOf: (operation) =>
      [...(headers.get(operation)?.values() ?? [])].map(({ name, is }) => [name, is] as const),
    queryIs: (name, operation) =>
      operation === null ? undefined : queries.get(operation)?.get(name.toLowerCase())?.is,
    ...besideStandard(paths?.further ?? []),
    deviationsOf: (rule, operation) => {
      const all = byRule.get(rule);
      if (all === undefined) return NONE;
      return all.filter(
        ({ operations }) =>
          operations === undefined || (operation !== null && nameOperation(operations, operation)),
      );
    },
  };
}

/** Names come from files: `constructor` is one that every object inherits. */
const ownText = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** By operation and name in lower case. */
function namesByOperation<K extends string>(
  part: { readonly [kind in K]?: Readonly<Record<string, readonly string[]>> },
  kinds: readonly K[],
): ReadonlyMap<OperationId, ReadonlyMap<string, { readonly name: string; readonly is: K }>> {
  const found = new Map<OperationId, Map<string, { readonly name: string; readonly is: K }>>();
  for (const is of kinds)
    for (const [name, patterns] of Object.entries(part[is] ?? {}))
      for (const id of EVERY_OPERATION_ID) {
        if (!nameOperation(patterns, id)) continue;
        const known = found.get(id) ?? new Map<string, { readonly name: string; readonly is: K }>();
        found.set(id, known.set(name.toLowerCase(), { name, is }));
      }
  return found;
}

type Further = NonNullable<NonNullable<BankProfile['paths']>['further']>;

function besideStandard(further: Further): Pick<Dialect, 'isBesideStandard' | 'answersBeside'> {
  const rows = further.map(({ path, methods, answers }) => ({
    answers,
    methods: new Set<string>(methods),
    pattern: new RegExp(`^${patternOf(path)}/?$`),
  }));
  const rowOf = (method: string, path: string) =>
    rows.find(({ methods, pattern }) => methods.has(method) && pattern.test(path));
  return {
    isBesideStandard: (method, path) => rowOf(method, path) !== undefined,
    answersBeside: (method, path) => rowOf(method, path)?.answers,
  };
}

/** A regular expression of a path in which `{name}` is any part. */
const patternOf = (path: string): string => escaped(path).replaceAll(/\\\{\w+\\\}/g, '[^/]+');

const NONE: readonly Deviation[] = [];

/** Beginnings of the paths of the interface, the longest first: `/internal/stdgroup/`, `/stdgroup/`. */
function startsOf(profile: BankProfile | undefined, segment: string, templates: Templates) {
  const { base, bases = {}, version, operations = {} } = { ...BUILT_IN_PATHS, ...profile?.paths };
  const starts = new Set<string>();
  for (const one of [base, ...Object.values(bases)]) {
    const start = one.replace('{segment}', segment);
    if (start !== '') starts.add(`/internal${start}/`).add(`${start}/`);
    else if (version !== '') starts.add(`/${version}/`);
  }
  // Without base and version, and where a bank has paths of its own, the names themselves begin it.
  for (const [id, template] of templates)
    if (Object.hasOwn(operations, id) || (base === '' && version === ''))
      for (const one of PAYMENT_SERVICES.map((service) => template.replace('{paymentService}', service)))
        starts.add(/^(?:\/[^/{]+)+/.exec(one)?.[0] ?? one);
  return [...starts]
    .sort((a, b) => b.length - a.length)
    .map((start) => (start.includes('{') ? new RegExp(patternOf(start)) : start));
}
