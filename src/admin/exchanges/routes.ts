/** `/api/exchanges`: what was recorded, as a list and one by one. */
import * as z from 'zod';
import {
  compareAnswers,
  compareRequests,
  DIFFERENCE_CLASSES,
  type Difference,
} from '../../exchange/index.js';
import { curlLine, fetchCode, renderTicket, vitestCode } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import { type FilterTree, parseFilter, type RecordedExchange } from '../../store/index.js';
import { route } from '../api/route.js';
import { named, resend, type Shown, session, wholeNumber } from '../api/schemas.js';
import { findExchanges } from '../find-exchanges.js';
import { type Detail, detail, showExchange } from './detail.js';
import { mended, mendRequest } from './mend.js';
import { type ExchangesPort, list, summarise } from './summary.js';

const CODES = {
  curl: ({ exchange }) => `${curlLine(exchange.call)}\n`,
  fetch: ({ exchange }) => fetchCode(exchange),
  vitest: ({ exchange }) => vitestCode(exchange),
} as const satisfies Record<string, (record: RecordedExchange) => string>;
const CODE_NAMES = Object.keys(CODES) as (keyof typeof CODES)[];

const LAST_GOOD = 'last-good';

const difference = z.object({
  class: z.enum(DIFFERENCE_CLASSES).describe('The worst first; `noise` differs from call to call.'),
  what: z.enum(['status', 'gone', 'added', 'type', 'value', 'body']),
  place: z.string(),
  was: z.string().describe('Of the other exchange; empty where nothing stood there.'),
  now: z.string().describe('Of this one.'),
});

const comparison = named(
  'Comparison',
  z.object({
    with: z.string().describe('The other exchange.'),
    request: z.array(difference),
    answer: z.array(difference).nullable().describe('null where one of them has none.'),
  }),
);

export type Comparison = Shown<typeof comparison>;

function compare({ exchange: was }: RecordedExchange, { exchange: now }: RecordedExchange) {
  const answer: Difference[] | null =
    was.answer === null || now.answer === null ? null : compareAnswers(was.answer, now.answer);
  return { with: was.call.id, request: compareRequests(was.call.request, now.call.request), answer };
}

const itself = (record: RecordedExchange): RecordedExchange => record;

async function lastGood(
  port: ExchangesPort,
  { exchange: { call } }: RecordedExchange,
): Promise<RecordedExchange> {
  const { session, operation } = call;
  const where: FilterTree = {
    and: [
      { field: 'operation', operator: '=', value: operation ?? 'none' },
      { field: 'status', operator: '>=', value: '200' },
      { field: 'status', operator: '<', value: '400' },
      { not: { field: 'severity', operator: '=', value: 'must' } },
      { not: { field: 'id', operator: '=', value: call.id } },
    ],
  };
  for (const before of [call.id, undefined]) {
    const [found] = (await findExchanges(port, { session, where, before, limit: 1 }, itself)).records;
    if (found !== undefined) return found;
  }
  throw new SandgateError('exchange.none-good', { operation: operation ?? 'of no known operation' });
}

async function recordOf({ store }: Pick<ExchangesPort, 'store'>, id: string): Promise<RecordedExchange> {
  const record = await store.find(id);
  if (record === null)
    throw new SandgateError('exchange.unknown', { where: 'The store', id: id.slice(0, 100) });
  return record;
}

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
      const { records, ...found } = await findExchanges(port, wanted, summarise);
      return { ...found, exchanges: records };
    },
  }),
  route('GET /api/exchanges/:id', 'exchanges', {
    says: 'one exchange as recorded, with verdicts, and each finding with statement, reason, remedy, clauses and place',
    answer: detail,
    handle: async (port, { params: { id = '' } }) => {
      const record = await recordOf(port, id);
      return showExchange(record, summarise(record), await neighboursOf(port, record));
    },
  }),
  route('GET /api/exchanges/:id/code', 'exchanges', {
    says: 'code that sends the call again: `?as=curl`, `fetch` or `vitest`; secrets are variables',
    query: z.object({ as: z.enum(CODE_NAMES, { error: `one of ${CODE_NAMES.join(', ')} is expected` }) }),
    answer: { media: 'text/plain' },
    handle: async (port, { params: { id = '' }, query }) => CODES[query.as](await recordOf(port, id)),
  }),
  route('GET /api/exchanges/:id/compare', 'exchanges', {
    says: 'its differences from another exchange: `?with=` an id, or `last-good`, the last successful call of the operation before it without a violated must (else the newest such call)',
    query: z.object({ with: z.string({ error: 'an id, or last-good, is expected' }) }),
    answer: comparison,
    handle: async (port, { params: { id = '' }, query }) => {
      const record = await recordOf(port, id);
      const other =
        query.with === LAST_GOOD ? await lastGood(port, record) : await recordOf(port, query.with);
      return compare(other, record);
    },
  }),
  route('GET /api/exchanges/:id/ticket', 'exchanges', {
    says: 'a ticket for the bank’s support, in Markdown',
    answer: { media: 'text/markdown' },
    handle: async (port, { params: { id = '' } }) => {
      const record = await recordOf(port, id);
      const sessions = await port.store.sessions();
      const session = sessions.find(({ name }) => name === record.exchange.call.session);
      return renderTicket(record, session?.notes ?? []);
    },
  }),
  route('GET /api/exchanges/:id/mend', 'exchanges', {
    says: 'the call with its findings mended, as it may be sent again: what was changed, and what only the TPP can know',
    answer: mended,
    handle: async (port, { params: { id = '' } }) => {
      const record = await recordOf(port, id);
      const { session, tpp } = record.exchange.call;
      const good = await lastGood(port, record).catch(() => null);
      return mendRequest(record, { ...port.mending(session, tpp), lastGood: good?.exchange ?? null });
    },
  }),
  route('POST /api/exchanges/:id/resend', 'resend', {
    says: 'sends the call again through the gateway’s own listener, with a test certificate: `{"certificate"?,"method"?,"target"?,"headers"?:{},"body"?:"text"}` → `{"exchange":"ID"}`',
    body: resend,
    answer: z.object({ exchange: z.string() }),
    handle: async ({ send }, { params: { id = '' }, body }) => ({ exchange: await send(id, body) }),
  }),
  route('POST /api/journeys', 'resend', {
    says: 'makes a journey at the emulator, with the test certificate `tpp`: consent, authorisation by its PSU, token, accounts → {"exchanges":["ID",…]}',
    answer: z.object({ exchanges: z.array(z.string()).describe('In the order of their calls.') }),
    handle: async ({ makeJourney }) => ({ exchanges: [...(await makeJourney())] }),
  }),
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
