/** `/api/exchanges`: what was recorded, as a list and one by one. */
import * as z from 'zod';
import { parseFilter, type RecordedExchange } from '../../store/index.js';
import { route } from '../api/route.js';
import { session, wholeNumber } from '../api/schemas.js';
import { findExchanges } from '../find-exchanges.js';
import { type Detail, detail, showExchange } from './detail.js';
import { ONE_EXCHANGE_ROUTES } from './one.js';
import type { ExchangesPort } from './port.js';
import { recordOf } from './record-of.js';
import { list, summarise } from './summary.js';

export const EXCHANGE_ROUTES = [
  route('GET /api/exchanges', 'exchanges', {
    says: 'the exchanges of a session, newest first, without bodies: `?session=`, `?q=` a [filter](filters.md), `?limit=` (100; at most 1,000), `?before=` the `next` of the page before. `behind` says how many are not in the [index](store.md#the-index) yet; they are searched too, 5,000 at a time',
    query: z.object({
      session: session.optional(),
      q: z.string().optional().describe('A filter.'),
      limit: wholeNumber(1_000, 100),
      before: z.string().optional().describe('Goes on from behind this exchange, towards older ones.'),
    }),
    answer: list,
    handle: async (port, { query: { session: name = port.session(), q = '', limit, before } }) => {
      const wanted = { session: name, where: parseFilter(q), limit, before };
      const { records, ...found } = await findExchanges(port, wanted, (record) => summarise(record, port));
      return { ...found, exchanges: records };
    },
  }),
  route('GET /api/exchanges/:id', 'exchanges', {
    says: 'one exchange as recorded, with verdicts, and each finding with statement, reason, remedy, clauses and place',
    answer: detail,
    handle: async (port, { params: { id = '' } }) => {
      const record = await recordOf(port, id);
      return showExchange(record, summarise(record, port), await neighboursOf(port, record));
    },
  }),
  ...ONE_EXCHANGE_ROUTES,
];

async function neighboursOf(
  { store }: ExchangesPort,
  { exchange: { call } }: RecordedExchange,
): Promise<Pick<Detail, 'previous' | 'next'>> {
  const beside = async (backwards: boolean): Promise<string | null> => {
    const options = { after: call.id, limit: 1, onUnreadable: () => {} };
    for await (const { exchange } of store.read(
      call.session,
      backwards ? { ...options, backwards } : options,
    ))
      return exchange.call.id;
    return null;
  };
  return { previous: await beside(true), next: await beside(false) };
}
