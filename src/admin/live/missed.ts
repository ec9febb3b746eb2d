/** What was recorded since a page was told something last. */
import { SandgateError } from '../../spec/index.js';
import type { RecordedExchange, Store } from '../../store/index.js';
import { createTurns } from '../turns.js';

const MOST = 1_000;
/** In characters of their bodies, which lie in memory meanwhile. */
const MOST_TEXT = 8_000_000;

/** In the order of recording; null where it is more than is told again, or nobody can tell since when. */
export async function missedSince(
  store: Pick<Store, 'read'>,
  session: string,
  after: string,
): Promise<readonly RecordedExchange[] | null> {
  const records: RecordedExchange[] = [];
  const turn = createTurns();
  let text = 0;
  try {
    for await (const record of store.read(session, { after, limit: MOST + 1, onUnreadable: () => {} })) {
      const { call, answer } = record.exchange;
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
