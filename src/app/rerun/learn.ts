/** Learns bindings from an answer: at each place, the value of this run for the recorded one. */
import { type Answer, alignEntries, divideLink, isLink, isObject, kindOf } from '../../exchange/index.js';
import {
  isSandboxResource,
  parseScope,
  type Recognise,
  SANDBOX,
  SANDBOX_AUTHORISATIONS,
  sandboxCodeScope,
} from '../../spec/index.js';
import type { Bindings } from './bindings.js';

/** Members that name something of the bank's, or open it. */
const GIVEN_MEMBERS: ReadonlySet<string> = new Set([
  'consentId',
  'paymentId',
  'payment-ID',
  'authorisationId',
  'authorisationIds',
  'cancellationIds',
  'authenticationMethodId',
  'resourceId',
  'accountId',
  'transactionId',
  'entryReference',
  'access_token',
  'refresh_token',
  'id_token',
]);
const GIVEN_PARAMETERS: ReadonlySet<string> = new Set([
  'code',
  'authorizationId',
  'authorisationId',
  'entryReferenceFrom',
]);
/** The standard fixes these, not the bank. */
const FIXED_PARAMS: ReadonlySet<string> = new Set(['segment', 'paymentService', 'paymentProduct']);
const MOST_VALUES = 20_000;
const DEEPEST = 40;

/** A value that stands in both answers at the same place, and where this run's browser goes for its links. */
export interface LearnParts {
  readonly bindings: Bindings;
  readonly recognise: Recognise;
  readonly onPsuSite?: (site: string) => void;
}

export function learnAnswer(parts: LearnParts, was: Answer, now: Answer): void {
  const [before, after] = [was.header.location, now.header.location];
  if (before !== undefined && after !== undefined) learnLink(parts, before, after, 'location');
  if (was.content.kind !== 'json' || now.content.kind !== 'json') return;
  learnValue(parts, '', was.content.value, now.content.value, 0);
}

function learnValue(parts: LearnParts, name: string, was: unknown, now: unknown, depth: number): void {
  if (depth > DEEPEST) return;
  if (typeof was === 'string' && typeof now === 'string') learnText(parts, name, was, now);
  else if (Array.isArray(was) && Array.isArray(now)) {
    const pairs = alignEntries(was, now, parts.bindings.translate);
    for (const [before, after] of pairs) learnValue(parts, name, before, after, depth + 1);
  } else if (isObject(was) && isObject(now)) {
    for (const member of Object.keys(was)) {
      if (Object.hasOwn(now, member)) learnValue(parts, member, was[member], now[member], depth + 1);
    }
  }
}

function learnText(parts: LearnParts, name: string, was: string, now: string): void {
  if (isLink(was) && isLink(now)) {
    learnLink(parts, was, now, 'body');
    return;
  }
  if (name === 'scope') {
    const [before, after] = [parseScope(was)?.id, parseScope(now)?.id];
    if (before !== undefined && after !== undefined) parts.bindings.learn(before, after);
  } else if (GIVEN_MEMBERS.has(name) || isSameId(was, now)) parts.bindings.learn(was, now);
}

function isSameId(was: string, now: string): boolean {
  const kind = kindOf(was);
  return (kind === 'uuid' || kind === 'token') && kind === kindOf(now);
}

/** A redirect may lead to the TPP, whose address is the same in every run: only known paths tell a site of the bank. */
function learnLink(parts: LearnParts, was: string, now: string, from: 'location' | 'body'): void {
  const [before, after] = [divideLink(was), divideLink(now)];
  for (const [name, value] of before.parameters) {
    const other = after.parameters.get(name);
    if (other === undefined) continue;
    if (GIVEN_PARAMETERS.has(name) || isSameId(value, other)) parts.bindings.learn(value, other);
    else if (name === 'scope') learnText(parts, name, value, other);
  }
  const { site, path } = divideAddress(before.base);
  const other = divideAddress(after.base);
  parts.bindings.learnLink(path, after.base);
  const recognition = parts.recognise('GET', path);
  const found = locate(parts.recognise, other.path);
  if (recognition.kind === 'path-unknown' || found === null) {
    if (from === 'body' && site !== '' && other.site !== '') parts.bindings.learnSite(site, other.site);
    learnSegments(parts, path, other.path);
    return;
  }
  if (site !== '' && other.site !== '') parts.bindings.learnSite(site, other.site + found.prefix);
  for (const [name, value] of Object.entries(recognition.params)) {
    const param = found.params[name];
    if (!FIXED_PARAMS.has(name) && param !== undefined) parts.bindings.learn(value, param);
  }
  if (found.operation === 'oauth.authorize' && other.site !== '')
    parts.onPsuSite?.(other.site + found.prefix);
}

const ADDRESS = /^(https?:\/\/[^/?#]+)?(.*)$/is;

function divideAddress(base: string): { readonly site: string; readonly path: string } {
  const [, site = '', path = ''] = ADDRESS.exec(base) ?? [];
  return { site, path };
}

interface Located {
  /** What the bank has before the paths of the interface. */
  readonly prefix: string;
  readonly params: Readonly<Record<string, string>>;
  readonly operation: string | null;
}

const LONGEST_PREFIX = 8;

function locate(recognise: Recognise, path: string): Located | null {
  let at = 0;
  for (let i = 0; i < LONGEST_PREFIX && at >= 0; i++) {
    const recognition = recognise('GET', path.slice(at));
    if (recognition.kind !== 'path-unknown') {
      const operation = recognition.kind === 'operation' ? recognition.operation : null;
      return { prefix: path.slice(0, at), params: recognition.params, operation };
    }
    at = path.indexOf('/', at + 1);
  }
  return null;
}

/** Paths of the bank's own: what differs in form only is an id. */
function learnSegments({ bindings }: LearnParts, was: string, now: string): void {
  const [before, after] = [was.split('/'), now.split('/')];
  if (before.length !== after.length) return;
  for (const [i, part] of before.entries()) {
    const other = after[i] ?? '';
    if (isSameId(part, other)) bindings.learn(part, other);
  }
}

/** Ids, tokens and codes that a recorded answer gave: later calls may need them. What the document prints, nobody needs. */
export function valuesGivenBy({ header, content }: Answer): string[] {
  const values = new Set<string>();
  if (header.location !== undefined) collectOfLink(values, header.location);
  if (content.kind === 'json') collect(values, '', content.value, 0);
  return [...values].filter((value) => !isPrinted(value));
}

function collectOfLink(values: Set<string>, link: string): void {
  const { base, parameters } = divideLink(link);
  for (const [name, value] of parameters) if (GIVEN_PARAMETERS.has(name)) values.add(value);
  for (const part of base.split('/'))
    if (kindOf(part) === 'uuid' || kindOf(part) === 'token') values.add(part);
}

function isPrinted(value: string): boolean {
  return (
    isSandboxResource(value) ||
    sandboxCodeScope(value) !== undefined ||
    value === SANDBOX.accountId ||
    Object.hasOwn(SANDBOX_AUTHORISATIONS, value)
  );
}

function collect(values: Set<string>, name: string, value: unknown, depth: number): void {
  if (depth > DEEPEST || values.size >= MOST_VALUES) return;
  if (typeof value === 'string') {
    if (isLink(value)) collectOfLink(values, value);
    else if (GIVEN_MEMBERS.has(name)) values.add(value);
  } else if (Array.isArray(value)) for (const entry of value) collect(values, name, entry, depth + 1);
  else if (isObject(value))
    for (const [inner, one] of Object.entries(value)) collect(values, inner, one, depth + 1);
}
