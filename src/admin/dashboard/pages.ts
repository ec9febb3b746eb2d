/** The pages of the dashboard: rendered on the server, with a bounded search of the store. */
import { SandgateError } from '../../spec/index.js';
import { parseFilter, type RecordedExchange } from '../../store/index.js';
import { type FoundExchanges, findExchanges } from '../find-exchanges.js';
import { problemOf } from '../health.js';
import { renderExchange, renderMissing } from './exchange-page.js';
import { renderExchangeList } from './exchanges-page.js';
import type { Render } from './layout.js';
import { renderLiveOnly } from './live-only-page.js';
import { renderOverview } from './overview-page.js';
import type { DashboardParts } from './port.js';

const LATEST = 20;
const PAGE = 100;
const MOST_SESSIONS = 50;
const MOST_BUDGETS = 50;

const NOTHING: FoundExchanges<RecordedExchange> = {
  records: [],
  examined: 0,
  next: null,
  indexedUpTo: null,
  behind: null,
};

const itself = (record: RecordedExchange): RecordedExchange => record;

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An HTML page, and the status that it is sent with. */
export interface Page {
  readonly status: number;
  readonly html: Render;
}

export async function overview(parts: DashboardParts): Promise<Page> {
  const { store, session: current, checks, settings, budgets } = parts;
  const session = current();
  const { records } = await findExchanges(parts, { session, where: parseFilter(''), limit: LATEST }, itself);
  const sessions = await store.sessions();
  const used = (await budgets?.current()) ?? [];
  const html = renderOverview({
    checks: await Promise.all(
      checks.map(async ({ name, check }) => ({ name, problem: await problemOf(check) })),
    ),
    settings: ((await settings?.current()) ?? {}) as Record<string, unknown>,
    session,
    records,
    sessions: sessions.slice(-MOST_SESSIONS).reverse(),
    omittedSessions: Math.max(0, sessions.length - MOST_SESSIONS),
    budgets: used.slice(0, MOST_BUDGETS),
    omittedBudgets: Math.max(0, used.length - MOST_BUDGETS),
  });
  return { status: 200, html };
}

export async function exchangeList(parts: DashboardParts, query: Query): Promise<Page> {
  const session = textOf(query.session) ?? parts.session();
  const text = textOf(query.q) ?? '';
  const before = textOf(query.before);
  const list = { session, query: text, isFirst: before === undefined };
  try {
    const where = parseFilter(text);
    const found = await findExchanges(parts, { session, where, before, limit: PAGE }, itself);
    return { status: 200, html: renderExchangeList({ ...list, ...found, problem: null }) };
  } catch (error) {
    if (!(error instanceof SandgateError) || error.exitStatus !== 2) throw error;
    return { status: 400, html: renderExchangeList({ ...list, ...NOTHING, problem: error.message }) };
  }
}

export async function oneExchange({ store }: DashboardParts, id: string): Promise<Page> {
  const record = await store.find(id);
  return record === null
    ? { status: 404, html: renderMissing(id) }
    : { status: 200, html: renderExchange(record) };
}

/** A view that only the live page has. */
export const liveOnly = (title: string): Page => ({ status: 200, html: renderLiveOnly(title) });

/** Of a parameter that is given several times, the last one. */
function textOf(value: Query[string]): string | undefined {
  const last = typeof value === 'string' ? value : value?.at(-1);
  return last === '' ? undefined : last;
}
