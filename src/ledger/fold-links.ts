/**
 * Folds in links of a bank that the interface itself would find fault with (an unknown path or query), because a
 * client that follows one does as the bank says. All other links need not be remembered.
 */
import { type Answer, type Call, decodedPart, memberOf, membersOf } from '../exchange/index.js';
import {
  DEFAULT_SEGMENT,
  dialectOf,
  isBookingStatus,
  isDate,
  isUuid,
  operationRow,
  PAYMENT_PRODUCTS,
  type Recognition,
} from '../spec/index.js';
import { type ChangeSet, factOf, put, shortMember } from './change-set.js';
import type { Ledger, LedgerState, LinkFact, OddLinks } from './facts.js';
import { keyOf, nameOf, ownerOf } from './keys.js';

/** The end of an ordinary address of transactions, which lacks a bookingStatus. */
const TRANSACTIONS = /\/accounts\/[^/]+\/transactions$/;
const MOST_LINKS = 50;
const LONGEST_LINK = 2_000;
const MOST_REMEMBERED = 256;
const LONGEST_REMEMBERED = 8_192;

type Target = Pick<LinkFact, 'path' | 'query'>;

export function foldLinks(changeSet: ChangeSet, call: Call, answer: Answer, tpp: string): void {
  for (const [key, fact] of oddLinksOf(changeSet.ledger, call, answer, tpp))
    if (factOf(changeSet, 'links', key) === undefined) put(changeSet, 'links', key, fact);
}

/** An answer with the links of the one before it has the same odd ones, whatever else it says. */
function oddLinksOf({ oddLinks }: LedgerState, call: Call, answer: Answer, tpp: string): OddLinks['links'] {
  const hrefs = hrefsOf(call, answer);
  if (hrefs.length === 0) return [];
  const { source } = answer;
  const key = `${tpp} ${call.request.target}`;
  const known = oddLinks.get(key);
  if (known?.source === source && isSameList(known.hrefs, hrefs)) return known.links;
  const links = findOddLinks(hrefs, call, answer, tpp);
  if (hrefs.reduce((length, href) => length + href.length, key.length) > LONGEST_REMEMBERED) return links;
  if (oddLinks.size >= MOST_REMEMBERED) oddLinks.clear();
  oddLinks.set(key, { source, hrefs, links });
  return links;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function findOddLinks(hrefs: readonly string[], call: Call, answer: Answer, tpp: string): OddLinks['links'] {
  const { path } = call.request;
  const segment = segmentOf(path);
  // The emulator's are to be completed (reading `transactions-link`); what a bank gives, it takes as it stands.
  const isOfABank = answer.source !== 'emulator';
  const links: [string, LinkFact][] = [];
  for (const href of hrefs) {
    const isPlainPath = isOrdinary(href, segment);
    if (isPlainPath && !(isOfABank && href.endsWith('/transactions') && TRANSACTIONS.test(href))) continue;
    const target = targetOf(absolute(href, path));
    if (target === null) continue;
    if (!isPlainPath && !isOdd(recognitionOf(target, segment), target, isOfABank)) continue;
    if (links.push([keyOf.link(tpp, target), { tpp, ...target }]) === MOST_LINKS) return links;
  }
  return links;
}

function recognitionOf({ path }: Target, segment: string): Recognition {
  const base = path.indexOf(`/${segment}/`);
  const below = base < 0 ? path : `/${DEFAULT_SEGMENT}${path.slice(base + segment.length + 1)}`;
  return BUILT_IN.recognise('GET', below);
}

/** Links of another interface are all remembered: a client that follows them does as its bank says. */
const BUILT_IN = dialectOf();

/** Recordings hold paths below the base of the bank, so a call begins with the segment. */
function segmentOf(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end);
}

function hrefsOf(call: Call, answer: Answer): string[] {
  const hrefs = membersOf(answer).links.map(({ href }) => href);
  if (answer.status === 201 && answer.header.location !== undefined) hrefs.unshift(answer.header.location);
  if (answer.content.kind !== 'json') return hrefs;
  // Ids that the answer names without a link.
  const { value } = answer.content;
  const ids = memberOf(value, 'authorisationIds') ?? memberOf(value, 'cancellationIds');
  if (Array.isArray(ids))
    for (const id of ids)
      if (typeof id === 'string') hrefs.push(`${call.request.path}/${encodeURIComponent(id)}`);
  if (call.operation !== 'oauth.discovery') return hrefs;
  const authorize = shortMember(answer.content, 'authorization_endpoint');
  return authorize === undefined ? hrefs : [...hrefs, authorize];
}

const absolute = (href: string, path: string): string =>
  href.startsWith('/') || /^https?:/i.test(href)
    ? href
    : `${path.slice(0, path.lastIndexOf('/') + 1)}${href}`;

/** Scheme and host of an address in plain characters; nothing of a path alone. */
const ORIGIN = /^(?:https?:\/\/[\w.:-]+)?(?=\/[^/])/;

/** Whether an address, whole or a path, is as the interface has it; told without parsing it. */
function isOrdinary(href: string, segment: string): boolean {
  const origin = ORIGIN.exec(href)?.[0];
  if (origin === undefined) return false;
  const base = href.indexOf(`/${segment}/`, origin.length);
  return (
    base >= 0 &&
    !href.includes('%') &&
    BUILT_IN.isPlainPath(`/${DEFAULT_SEGMENT}${href.slice(base + segment.length + 1)}`)
  );
}

/** An address whose path reads as it stands: what banks give for each account, in answer after answer. */
const PLAIN = /^(?:https?:\/\/[\w.-]+(?::\d{1,4})?)?((?:\/[\w~-][\w.~-]*)+)$/;

function targetOf(href: string): Target | null {
  const plain = href.length > LONGEST_LINK ? undefined : PLAIN.exec(href)?.[1];
  if (plain !== undefined) return { path: plain, query: [] };
  if (href.length > LONGEST_LINK || !URL.canParse(href, 'https://bank.invalid')) return null;
  const { pathname, searchParams } = new URL(href, 'https://bank.invalid');
  return { path: decodedPart(pathname), query: [...searchParams] };
}

function isOdd(recognition: Recognition, { query }: Target, isOfABank: boolean): boolean {
  if (recognition.kind === 'path-unknown') return true;
  const { paymentService = 'payments', paymentProduct, authorisationId } = recognition.params;
  if (paymentService !== 'payments') return true;
  if (paymentProduct !== undefined && !Object.hasOwn(PAYMENT_PRODUCTS, paymentProduct)) return true;
  if (authorisationId !== undefined && !isUuid(authorisationId)) return true;
  const lacksStatus =
    recognition.kind === 'operation' &&
    recognition.operation === 'accounts.transactions' &&
    !query.some(([name]) => name === 'bookingStatus');
  if (query.length === 0) return lacksStatus && isOfABank;
  if (recognition.kind === 'method-unknown') return true;
  const known = operationRow(recognition.operation).query;
  return lacksStatus || query.some(([name, value]) => !known.includes(name) || !hasForm(name, value));
}

function hasForm(name: string, value: string): boolean {
  switch (name) {
    case 'bookingStatus':
      return isBookingStatus(value);
    case 'dateFrom':
    case 'dateTo':
      return isDate(value);
    case 'authorizationId':
      return isUuid(value);
    default:
      return true;
  }
}

/** The remembered link that the call follows, perhaps with parameters of its own behind those of the link. */
export function linkFollowed(ledger: Ledger, call: Call): LinkFact | undefined {
  const path = decodedPart(call.request.path);
  const owner = ownerOf(call);
  let found: LinkFact | undefined;
  // The PSU's browser shows no certificate.
  for (const fact of ledger.links.all(owner === null ? nameOf.end(path) : nameOf.tpp(owner))) {
    // The bank may have the interface below a path of its own.
    if (!fact.path.endsWith(path)) continue;
    if (!fact.query.every((pair) => isAmong(pair, call.request.query))) continue;
    if (found === undefined || fact.query.length > found.query.length) found = fact;
  }
  return found;
}

const isAmong = ([name, value]: readonly [string, string], query: Call['request']['query']): boolean =>
  query.some(([otherName, otherValue]) => otherName === name && otherValue === value);
