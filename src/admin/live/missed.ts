/** What was recorded since a page was told something last. */
import { timeOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { RecordedExchange, Store } from '../../store/index.js';
import { createTurns } from '../turns.js';

const MOST = 1_000;
/** In characters of their bodies, which lie in memory meanwhile. */
const MOST_TEXT = 8_000_000;

/** What one gateway records shows at another a moment later: what came before by so many ms, or exchanges, is told again. */
const SLACK_MS = 2_000;
const SLACK = 256;

/**
 * In the order of recording; null where it is more than is told again, or nobody can tell since when. `isShared`: others
 * record in the store as well, and some of what is before `after` may not have been told.
 */
export async function missedSince(
  store: Pick<Store, 'read'>,
  session: string,
  told: string,
  isShared: boolean,
): Promise<readonly RecordedExchange[] | null> {
  const records: RecordedExchange[] = [];
  const turn = createTurns();
  let text = 0;
  try {
    const after = isShared ? await slightlyBefore(store, session, told) : told;
    for await (const record of store.read(session, { after, limit: MOST + 1, onUnreadable: () => {} })) {
      const { call, answer } = record.exchange;
      if (call.id === told) continue;
      text += (call.request.body?.text.length ?? 0) + (answer?.body?.text.length ?? 0);
      records.push(record);
      if (records.length > MOST || text > MOST_TEXT) return null;
      const pause = turn(record);
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    if (error instanceof SandgateError && error.kind === 'input') return null;
    throw error;
  }
  return records;
}

async function slightlyBefore(store: Pick<Store, 'read'>, session: string, told: string): Promise<string> {
  const since = (timeOfId(told) ?? 0) - SLACK_MS;
  let start = told;
  const options = { after: told, backwards: true, limit: SLACK, onUnreadable: () => {} } as const;
  for await (const { exchange } of store.read(session, options)) {
    if ((timeOfId(exchange.call.id) ?? 0) < since) break;
    start = exchange.call.id;
  }
  return start;
}
