/** Proposals for paths: calls that a profile does not know, and that look like operations of the standard. */
import { memberOf, parseJsonText } from '../../exchange/index.js';
import {
  type BankProfile,
  type Dialect,
  dialectOf,
  operationRow,
  resolvedProfile,
} from '../../spec/index.js';
import { findCalls, proposePaths } from './openapi-paths.js';
import type { Proposal } from './proposal.js';

export interface SeenCall {
  readonly method: string;
  readonly path: string;
}

const MOST_FURTHER = 20;

/** All calls of a HAR, those too that lie outside the interface; none where the text is no HAR. */
export function callsInHar(text: string, name: string): SeenCall[] {
  const entries = memberOf(memberOf(parseJsonText(text, name), 'log'), 'entries');
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const request = memberOf(entry, 'request');
    const [method, url] = [memberOf(request, 'method'), memberOf(request, 'url')];
    if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return [];
    return [{ method, path: new URL(url).pathname }];
  });
}

function isRecognised(
  { method, path }: SeenCall,
  { startOf, recognise, isBesideStandard }: Dialect,
): boolean {
  const start = startOf(path);
  const below = start < 0 ? path : path.slice(start);
  return (
    recognise(method, below).kind === 'operation' ||
    isBesideStandard(method, below) ||
    isBesideStandard(method, path)
  );
}

type Make = (id: string, says: string, seen: number, change: BankProfile['paths']) => Proposal;

export function proposeSeenPaths(calls: readonly SeenCall[], dialect: Dialect): Proposal[] {
  const strange = calls.filter((call) => !isRecognised(call, dialect));
  const make: Make = (id, says, seen, change) => ({
    ...{ id, part: 'paths', says, seen, of: calls.length, operations: [], sample: null },
    change: { paths: change },
  });
  const found = findCalls(strange);
  const { base = '', version = '', bases } = proposePaths(found);
  const front = { base, version, ...(bases === undefined ? {} : { bases }) };
  const isNew = found.length > 0 && strange.length === calls.length;
  const known = isNew ? dialectOf(below(dialect.profile, front)) : dialect;
  const proposals = isNew
    ? [
        make(
          'base',
          `Paths begin with ${base || 'nothing'}, in version ${version || 'none'}.`,
          found.length,
          front,
        ),
      ]
    : [];
  for (const [id, { path }] of new Map(found.map((each) => [each.id, each]))) {
    const seen = found.filter((each) => each.id === id).length;
    const { method } = operationRow(id);
    const offering = dialectOf(
      below(known.profile, { offers: [...(known.profile?.paths?.offers ?? []), id] }),
    );
    if (offering.recognise(method, path.replace('{paymentService}', 'payments')).kind !== 'operation')
      proposals.push(
        make(`path-${slug(id)}`, `${id} is ${method} ${path}.`, seen, { operations: { [id]: path } }),
      );
    else if (!known.offers(id))
      proposals.push(
        make(`offers-${slug(id)}`, `The bank offers ${id}: ${method} ${path}.`, seen, { offers: [id] }),
      );
  }
  const others = strange.filter((call) => findCalls([call]).length === 0 && !isRecognised(call, known));
  return [...proposals, ...oauthPaths(others, make), ...furtherPaths(others, make)];
}

const below = (profile: BankProfile | undefined, paths: NonNullable<BankProfile['paths']>): BankProfile => ({
  ...resolvedProfile(profile),
  paths: { ...profile?.paths, ...paths },
});

/** OAuth stands elsewhere at each bank; the ends of its paths are those of RFC 8414 and of habit. */
const OAUTH = [
  { id: 'oauth.token', method: 'POST', end: /\/token$/ },
  {
    id: 'oauth.discovery',
    method: 'GET',
    end: /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)$/,
  },
] as const;

const oauthOf = (call: SeenCall) =>
  OAUTH.find(({ method, end }) => method === call.method && end.test(call.path));

function oauthPaths(others: readonly SeenCall[], make: Make): Proposal[] {
  return OAUTH.flatMap(({ id }) => {
    const calls = others.filter((call) => oauthOf(call)?.id === id);
    const [first] = calls;
    return first === undefined
      ? []
      : [
          make(`path-${slug(id)}`, `${id} is ${first.method} ${first.path}.`, calls.length, {
            operations: { [id]: first.path },
          }),
        ];
  });
}

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .split('-')
    .filter(Boolean)
    .join('-')
    .slice(0, 60);

function furtherPaths(others: readonly SeenCall[], make: Make): Proposal[] {
  const rows = new Map<string, { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; seen: number }>();
  for (const { method, path } of others.filter((call) => oauthOf(call) === undefined)) {
    const known = (['GET', 'POST', 'PUT', 'DELETE'] as const).find((one) => one === method);
    const template = path
      .split('/')
      .map((part) => (isId(part) ? '{id}' : part))
      .join('/');
    const isPath = /^(?:\/(?:[\w.~-]+|\{id\}))+$/.test(template) && template.length <= 300;
    const key = `${method} ${template}`;
    const row = rows.get(key);
    if (row !== undefined) row.seen++;
    else if (known !== undefined && isPath && rows.size < MOST_FURTHER)
      rows.set(key, { method: known, path: template, seen: 1 });
  }
  return [...rows].map(([key, { method, path, seen }]) =>
    make(`further-${slug(key)}`, `The bank offers ${key} beside the standard.`, seen, {
      further: [{ path, methods: [method], says: 'Seen in recordings.' }],
    }),
  );
}

/** Three digits or more in one part of a path: an id, and not the name of something. */
const isId = (part: string): boolean => /(?:\d.*){3}/.test(part);
