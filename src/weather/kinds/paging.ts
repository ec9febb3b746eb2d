/** Lists of transactions whose pages do not lead through them. */
import * as z from 'zod';
import type { Answered } from '../../answer/index.js';
import { answerRefusal } from '../../answer/index.js';
import { type Call, isObject, queryValue, splitTarget } from '../../exchange/index.js';
import { withJson } from '../answers.js';
import { callKind, type Effect, type Kind, type Met } from '../kind.js';

const isPaged = ({ operation }: Call): boolean => operation === 'accounts.transactions';

const pageOf = (call: Call): number =>
  Number(queryValue(call, 'page') ?? queryValue(call, 'pageIndex') ?? 0) || 0;

type Links = Record<string, unknown>;

/** Changes the links of a page of transactions. */
const ofLinks = (says: string, change: (links: Links, call: Call) => Links | undefined): Kind =>
  callKind<object>({
    family: 'paging',
    says,
    takes: z.strictObject({}),
    meets: isPaged,
    after: ({ call }: Met<object>, { answer }: Answered): Effect | undefined => {
      const changed = withJson(answer, (value) => {
        const list = isObject(value) && isObject(value.transactions) ? value.transactions : undefined;
        const links = list !== undefined && isObject(list._links) ? list._links : undefined;
        const other = links === undefined ? undefined : change(links, call);
        return other === undefined
          ? value
          : { ...(value as object), transactions: { ...list, _links: other } };
      });
      return changed === undefined ? undefined : { answer: changed };
    },
  });

/** An address of the list as the bank writes it: whole, or a path alone. */
function addressLike(links: Links, target: string): { readonly href: string } {
  const known = Object.values(links).find((one) => isObject(one) && typeof one.href === 'string');
  const href = isObject(known) ? String(known.href) : '/';
  return { href: /^https?:/.test(href) ? new URL(target, href).href : target };
}

function targetOfPage({ request }: Call, page: number): string {
  const query = new URLSearchParams(splitTarget(request.target).query);
  query.delete('pageIndex');
  query.set('page', String(page));
  return `${request.path}?${query}`;
}

export const PAGING: Readonly<Record<string, Kind>> = {
  'same-page': ofLinks('The link to the next page leads to the same page.', (links, call) =>
    links.next === undefined ? undefined : { ...links, next: addressLike(links, call.request.target) },
  ),
  'moving-window': callKind({
    family: 'paging',
    says: 'Pages after the first are refused with 422, because the period has moved on.',
    takes: z.strictObject({}),
    meets: (call) => isPaged(call) && pageOf(call) > 0,
    instead: ({ call }) => ({
      answer: answerRefusal(
        {
          ...{ kind: 'messages', status: 422, headers: [] },
          messages: [{ code: 'PERIOD_INVALID', text: 'The requested period has moved.' }],
        },
        call,
        'gateway',
      ),
    }),
  }),
  'empty-last-page': ofLinks('The last page links one more page, which is empty.', (links, call) =>
    links.next !== undefined || isBeyond(links, call)
      ? undefined
      : { ...links, next: addressLike(links, targetOfPage(call, pageOf(call) + 1)) },
  ),
  'no-next': ofLinks('A page does not link the next one.', ({ next, ...links }) =>
    next === undefined ? undefined : links,
  ),
};

/** Whether the call reads a page that follows the last one. */
function isBeyond({ last }: Links, call: Call): boolean {
  const href = isObject(last) ? String(last.href) : '';
  const page = new URL(href, 'https://bank.example').searchParams.get('page');
  return page !== null && pageOf(call) > Number(page);
}
