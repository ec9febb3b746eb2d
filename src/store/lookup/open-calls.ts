/** Calls that were begun and have no end, by session: looked for in all of it once, then only among the newest. */
import { firstIdAt, timeOfId } from '../../exchange/index.js';
import type { RecordedExchange } from '../recorded.js';
import { readable, type Searchable } from './readable.js';

interface Known {
  /** All up to this id are known. */
  readonly since: string;
  readonly open: readonly RecordedExchange[];
}

const MOST = 1_000;
const MOST_SESSIONS = 8;
/** The beginning of a streamed call is recorded with the head of its answer, and gateways differ in their clocks. */
const LATE_MS = 120_000;

export function createOpenCalls(store: Pick<Searchable, 'calls' | 'find'>) {
  const sessions = new Map<string, Known>();
  const isOpen = async (id: string, session: string): Promise<boolean> => {
    const { call, fault } = (await readable(store, id, { isBrief: true }))?.exchange ?? {};
    return call?.session === session && fault?.kind === 'unfinished';
  };
  return {
    /** Without long bodies, the newest first, no more than a thousand. */
    of: async (session: string) => {
      const known = sessions.get(session);
      const newest = (await store.calls.newest()) ?? '';
      const fresh = await store.calls.unfinished(session, {
        ...{ isBrief: true, onUnreadable: () => {} },
        ...(known === undefined ? {} : { since: known.since }),
      });
      const earlier = (known?.open ?? []).filter((one) => idOf(one) <= (known?.since ?? ''));
      const stay = await Promise.all(earlier.map((one) => isOpen(idOf(one), session)));
      const open = [...earlier.filter((_, i) => stay[i]), ...fresh].sort(byAge).slice(0, MOST);
      sessions.delete(session);
      sessions.set(session, { since: firstIdAt(Math.max(0, (timeOfId(newest) ?? 0) - LATE_MS)), open });
      for (const name of sessions.keys()) if (sessions.size > MOST_SESSIONS) sessions.delete(name);
      return open;
    },
  };
}

const idOf = ({ exchange }: RecordedExchange): string => exchange.call.id;
const byAge = (one: RecordedExchange, other: RecordedExchange): number => (idOf(one) < idOf(other) ? 1 : -1);

export type OpenCalls = ReturnType<typeof createOpenCalls>;
