/** Puts calls without end among the exchanges that a search finds, each where its beginning is recorded. */
import { matches } from '../filter/match.js';
import type { FilterTree } from '../filter/tree.js';
import { hasText } from '../filter/tree.js';
import type { Store } from '../port.js';
import type { OpenCalls } from './open-calls.js';
import { readable } from './readable.js';

/** Ids of calls, the newest first, by the first exchange that was recorded behind their beginning; null: none was yet. */
export type Unfinished = ReadonlyMap<string | null, readonly string[]>;

export async function findUnfinished(
  store: Pick<Store, 'read' | 'find'>,
  calls: OpenCalls,
  session: string,
  tree: FilterTree,
): Promise<Unfinished> {
  const found = new Map<string | null, string[]>();
  const fits = matches(tree);
  for (const brief of await calls.of(session)) {
    const { id } = brief.exchange.call;
    const record = hasText(tree) ? await readable(store, id, {}) : brief;
    if (record === null || !fits(record)) continue;
    const next = await nextOf(store, session, id);
    found.set(next, [...(found.get(next) ?? []), id]);
  }
  return found;
}

async function nextOf(store: Pick<Store, 'read'>, session: string, id: string): Promise<string | null> {
  let next: string | null = null;
  const onUnreadable = (one: string): void => {
    next = one;
  };
  const options = { after: id, limit: 1, isBrief: true, onUnreadable };
  for await (const { exchange } of store.read(session, options)) return exchange.call.id;
  return next;
}
