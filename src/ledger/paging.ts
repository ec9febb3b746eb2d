/**
 * Recognises further pages of a query, which belong to the access that began it: the call follows the bank's own link
 * to the next page, or all else in the query is the same and its number is greater than any read before; each page
 * once. `entryReferenceFrom` asks for what is new since: that is a query of its own.
 */
import { type Answer, type Call, memberOf, parametersOf } from '../exchange/index.js';
import { operationRow } from '../spec/index.js';
import type { AccessFact, OpenQuery } from './facts.js';
import { short } from './keys.js';

const PAGING_MS = 3_600_000;
/** More than a limit allows in a day. */
const MOST_QUERIES = 8;
type Query = Call['request']['query'];

const PAGE_NAMES: readonly string[] = ['page', 'pageIndex'];

export function queryContinued(call: Call, known: AccessFact | undefined): OpenQuery | undefined {
  if (known?.queries === undefined || !hasPages(call)) return undefined;
  const { query } = call.request;
  const [asked, page, whole] = [queryOf(query), pageOf(query), textOf(query)];
  return known.queries.find(
    (one) =>
      call.at - one.at <= PAGING_MS &&
      (one.next === whole || (one.query === asked && page > one.page && one.next !== false)),
  );
}

/** The queries of an access fact after one more answer; undefined where the operation has no pages. */
export function queriesAfter(
  call: Call,
  answer: Answer,
  known: AccessFact | undefined,
): readonly OpenQuery[] | undefined {
  if (!hasPages(call)) return undefined;
  const { query } = call.request;
  const begun = queryContinued(call, known);
  const read = {
    query: begun?.query ?? queryOf(query),
    page: pageOf(query),
    next: nextOf(answer),
    at: call.at,
  };
  const others = (known?.queries ?? []).filter((one) => one !== begun && one.query !== read.query);
  return [...others, read].slice(-MOST_QUERIES);
}

export function pageKey({ request: { query } }: Call): string {
  return textOf(query);
}

const hasPages = ({ operation }: Call): boolean =>
  operation !== null && operationRow(operation).query.some((name) => PAGE_NAMES.includes(name));

const isPage = ([name]: readonly [string, string]): boolean => PAGE_NAMES.includes(name);

/** Nobody can tell which of several page numbers the bank reads: that is no further page. */
function pageOf(query: Query): number {
  const [only, ...others] = query.filter(isPage);
  const page = Number(only?.[1] ?? 0);
  return others.length === 0 && Number.isSafeInteger(page) ? page : 0;
}

const queryOf = (query: Query): string => textOf(query.filter((pair) => !isPage(pair)));

/** Equal for the same parameters in another order. */
function textOf(query: Query): string {
  return short(JSON.stringify([...query].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))));
}

/** The query of the bank's link to the next page; null where it gave no links of pages, false where this was the last. */
function nextOf({ content }: Answer): OpenQuery['next'] {
  if (content.kind !== 'json') return null;
  const links = [content.value, memberOf(content.value, 'transactions')].map((one) =>
    memberOf(one, '_links'),
  );
  for (const one of links) {
    const href = memberOf(memberOf(one, 'next'), 'href');
    if (typeof href === 'string') return href.includes('?') ? textOf([...parametersOf(href)]) : null;
  }
  const hasOthers = links.some((one) =>
    ['first', 'previous', 'last'].some((name) => memberOf(one, name) !== undefined),
  );
  return hasOthers ? false : null;
}
