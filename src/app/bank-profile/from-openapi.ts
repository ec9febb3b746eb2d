/** Proposes a bank profile out of a bank's OpenAPI document, and lists what the document does not tell. */
import { isObject } from '../../exchange/index.js';
import { type BankProfile, PAYMENT_SERVICES, resourceCreatedBy, STATUSES } from '../../spec/index.js';
import { examineBankProfile } from '../config/bank-profile.js';
import type { OpenApiDocument } from './openapi-document.js';
import { parametersOf, proposeHeaders } from './openapi-headers.js';
import { camel, type FoundOperation, findOperations, groupsOf, proposePaths } from './openapi-paths.js';
import { proposeAccess, proposeSca, type Say } from './openapi-sca.js';
import { contentOf, enumsNamed, oneLine, textAt, textsOf } from './openapi-schemas.js';

export interface Proposal {
  readonly profile: BankProfile;
  /** Open questions: things that the document does not tell, and guesses. */
  readonly unknown: readonly string[];
}

type Draft = Readonly<Record<string, unknown>>;

const MOST_FURTHER = 200;
const MOST_ENTRIES = 100;

export function proposeProfile(document: OpenApiDocument, file: string, date: string): Proposal {
  const unknown: string[] = [];
  const say: Say = (text) => unknown.push(text);
  const head = headOf(document, file, date, say);
  const { found, others } = findOperations(document, prefixOf(document, say));
  if (found.length === 0) say('None of its paths is an operation of the standard.');
  const paths = proposePaths(found);
  const draft: Draft = {
    ...head,
    paths: {
      ...paths,
      operations: { ...paths.operations, ...oauthPaths(document, say) },
      values: baseValues(document, found, paths, say),
      further: furtherPaths(others, say),
    },
    services: proposeServices(document, found, say),
    sca: proposeSca(document, found, say),
    access: proposeAccess(document, found, say),
    headers: proposeHeaders(document, found),
    statuses: statuses(document),
  };
  const told = groupsOf(found);
  for (const group of ['consents', 'accounts', 'payments', 'funds-confirmations'] as const)
    if (!told.has(group)) say(`It has nothing about ${group}: they are left as they are built in.`);
  for (const reference of document.remote) say(`It refers to ${reference}, which was not read.`);
  unknown.push(...NEVER_TOLD);
  return { profile: withoutProblems(draft, say), unknown };
}

const NEVER_TOLD = [
  'How accesses are counted, and how many are allowed (limits).',
  'Which of the optional members of bodies the bank requires (bodies).',
  'Where the bank departs from its own document (deviations): sandgate bank-profile learn finds it in recordings.',
];

function headOf({ at, root }: OpenApiDocument, file: string, date: string, say: Say) {
  const [title, version, description] = ['title', 'version', 'description'].map((name) =>
    textAt(at(root, 'info', name)).slice(0, 100_000),
  );
  const standard = /(?<![\d.])1\.3\.\d{1,2}(?!\d)/.exec(`${title} ${version} ${description}`)?.[0];
  if (standard === undefined) say('Which version of the standard it follows.');
  const name = (title ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  return {
    name: name.split('-').filter(Boolean).join('-') || 'proposed',
    title: oneLine(title ?? '', 120) || 'Proposed profile',
    standard: `Berlin Group ${standard ?? '1.3'}`,
    date,
    sources: [
      {
        where: oneLine(file, 300) || 'an OpenAPI document',
        tells: `All of this: proposed out of the OpenAPI document, version ${oneLine(version ?? '', 60) || 'unknown'}.`,
      },
    ],
  };
}

/** The path of the first server, which stands before all others. */
function prefixOf({ at, root }: OpenApiDocument, say: Say): string {
  const servers = at(root, 'servers');
  if (!Array.isArray(servers) || servers.length === 0) {
    say('The base of its paths: it names no server.');
    return '';
  }
  const [first, ...rest] = new Set(
    servers.slice(0, MOST_ENTRIES).map((server) => {
      const url = textAt(at(server, 'url')).replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        const value = at(server, 'variables', name, 'default');
        return value === undefined ? whole : String(value);
      });
      return pathOf(url);
    }),
  );
  if (rest.length > 0) say(`Which base the paths have: its servers also have ${rest.join(', ')}.`);
  return first ?? '';
}

/** The path of a URL, without a slash at its end. */
function pathOf(url: string): string {
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return path
    .split('/')
    .filter(Boolean)
    .map((part) => `/${part}`)
    .join('');
}

function furtherPaths(others: ReturnType<typeof findOperations>['others'], say: Say) {
  const byPath = new Map<
    string,
    { path: string; methods: (typeof others)[number]['method'][]; says: string }
  >();
  for (const { path, method, operation } of others) {
    const before = byPath.get(path);
    if (before !== undefined) before.methods.push(method);
    else if (byPath.size < MOST_FURTHER) {
      const summary = isObject(operation) ? (operation.summary ?? operation.operationId) : undefined;
      byPath.set(path, { path, methods: [method], says: oneLine(textAt(summary), 200) || 'Not described.' });
    }
  }
  const isPath = (path: string) => /^(?:\/(?:[\w.~-]+|\{[A-Za-z]\w*\}))+$/.test(path) && path.length <= 300;
  const [fit, odd] = [[...byPath.values()], [...byPath.keys()].filter((path) => !isPath(path))];
  if (odd.length > 0) say(`What to do with the paths ${odd.slice(0, 5).join(', ')}.`);
  return fit.filter(({ path }) => isPath(path));
}

/** Examples that the document gives for parameters of the bases. */
function baseValues(
  document: OpenApiDocument,
  found: readonly FoundOperation[],
  { base = '', bases = {} }: NonNullable<BankProfile['paths']>,
  say: Say,
): Record<string, string> {
  const names = new Set([base, ...Object.values(bases)].join('').match(/(?<=\{)\w+/g));
  const parameters = names.size === 0 ? [] : found.flatMap((one) => parametersOf(document, one));
  const entries = [...names].flatMap((name) => {
    const schemas = parameters.filter((one) => camel(one.name) === name).map(({ schema }) => schema);
    const given = schemas.flatMap((schema) => [
      ...textsOf(document.at(schema, 'enum')),
      textAt(document.at(schema, 'default')),
      textAt(document.at(schema, 'example')),
    ]);
    const value = given.find((one) => /^[\w.~-]{1,64}$/.test(one));
    say(
      `Which values {${name}} of the base has${value === undefined ? '' : `: ${value} is one`} (paths.values).`,
    );
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The path of the token endpoint and of the discovery document, where a security scheme names them. */
function oauthPaths({ at, root, resolve }: OpenApiDocument, say: Say): Record<string, string> {
  const schemes = at(root, 'components', 'securitySchemes');
  const all = isObject(schemes) ? Object.values(schemes).map(resolve) : [];
  const urls = {
    'oauth.token': all.map((one) => at(one, 'flows', 'authorizationCode', 'tokenUrl')),
    'oauth.discovery': all.map((one) => at(one, 'openIdConnectUrl')),
  };
  const paths = Object.entries(urls).flatMap(([id, given]) => {
    const path = pathOf(textAt(given.find((url) => typeof url === 'string')));
    return path === '' ? [] : [[id, path] as const];
  });
  if (paths.length === 0)
    say('Whether tokens are needed, and where they come from (oauth.token, oauth.discovery).');
  return Object.fromEntries(paths);
}

const SERVICE = /service/i;
const PRODUCT = /product|payment-?type/i;

function proposeServices(
  document: OpenApiDocument,
  found: readonly FoundOperation[],
  say: Say,
): BankProfile['services'] {
  const offered: Record<string, Record<string, object>> = {};
  for (const creation of found.filter(({ id }) => resourceCreatedBy(id) === 'payment')) {
    const inPath = parametersOf(document, creation).filter((parameter) => parameter.in === 'path');
    const choices = (name: RegExp, literal: string | undefined) =>
      literal === undefined
        ? textsOf(document.at(inPath.find((one) => name.test(one.name))?.schema, 'enum'))
        : [literal];
    const names = choices(SERVICE, creation.service);
    const products = choices(PRODUCT, creation.product);
    if (names.length === 0) say('Which payment services there are: “payments” was taken.');
    if (products.length === 0) say(`Which products ${names.join(', ') || 'payments'} has.`);
    const media = new Set(
      contentOf(document, document.at(creation.operation, 'requestBody')).map(([type]) => type),
    );
    for (const service of PAYMENT_SERVICES.filter((one) =>
      (names.length === 0 ? ['payments'] : names).includes(one),
    ))
      for (const product of products)
        offered[service] = { ...offered[service], [product]: productLike(product, service, media) };
  }
  if (Object.keys(offered).length === 0) return undefined;
  say('Which products take other accounts than IBANs: guessed by their names.');
  return offered;
}

const productLike = (product: string, service: string, stated: ReadonlySet<string>) => {
  const isXml = product.startsWith('pain.') || (stated.size > 0 && !stated.has('application/json'));
  const xml = service === 'periodic-payments' ? 'multipart/form-data' : 'application/xml';
  return {
    like: /cross|target|swift|foreign|international/i.test(product) ? 'CBP' : 'SCT',
    ...(isXml ? { media: [xml] } : {}),
  };
};

function statuses(document: OpenApiDocument): BankProfile['statuses'] {
  return Object.fromEntries(
    Object.entries(STATUSES).flatMap(([member, { life }]) => {
      const further = [...enumsNamed(document, member)].filter((one) => !Object.hasOwn(life, one));
      return further.length === 0 ? [] : [[member, further.map((one) => oneLine(one, 60) || '-')]];
    }),
  );
}

/** A proposal is valid: a part that would not be is left out, and said. */
function withoutProblems(draft: Draft, say: Say): BankProfile {
  const rest = pruned(draft);
  for (;;) {
    const { profile, problems } = examineBankProfile(JSON.stringify(rest), 'the proposal');
    const [problem] = problems;
    if (profile !== undefined && problem === undefined) return profile;
    const { place = '', says = '' } = problem ?? {};
    const part = place.split(/[.[]/, 1)[0] ?? '';
    if (!Object.hasOwn(rest, part)) throw new Error(`A proposal without ${part}: ${says}`);
    say(`${part} is left out, because it would not be valid (${place}: ${says}).`);
    delete rest[part];
  }
}

/** Without members that say nothing. */
function pruned(draft: Draft): Record<string, unknown> {
  const parts = Object.entries(draft).map(
    ([name, part]) => [name, isObject(part) ? said(part) : part] as const,
  );
  return said(Object.fromEntries(parts));
}

const said = (part: Draft): Record<string, unknown> =>
  Object.fromEntries(Object.entries(part).filter(([, member]) => !isEmpty(member)));
const isEmpty = (member: unknown): boolean =>
  member === undefined || (typeof member === 'object' && member !== null && Object.keys(member).length === 0);
