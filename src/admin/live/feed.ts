/** Tells listeners what was kept, behind the way of calls, and reads again what a page missed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeOfId } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Awaitable, Batch, RecordedExchange, Store } from '../../store/index.js';
import { createTurns } from '../find-exchanges.js';

/** The content of one commit, redacted as in the store. */
export type Kept = Required<Pick<Batch, 'records' | 'changes' | 'notes'>>;

export interface FeedListener {
  readonly take: (kept: Kept) => void;
  /** More came than could wait: so many exchanges are not told. */
  readonly lost: (exchanges: number) => void;
  /** Something else is different: the store fails, or works again. */
  readonly stirred: () => void;
}

export type Feed = ReturnType<typeof createFeed>;

/** Exchanges that may wait, and that are told in one turn: some ms of work. */
const MOST_WAITING = 5_000;
const A_TURN = 200;
/** After so many at once it pauses, in ms: working after each commit would let fewer calls share the next one. */
const MANY = 8;
const REST_MS = 5;

export function createFeed() {
  const listeners = new Set<FeedListener>();
  let waiting: Kept[] = [];
  let size = 0;
  let isDue = false;
  let isResting = false;

  /** Whatever is wrong with a listener, calls go on: it begins anew. */
  const give = (listener: FeedListener, kept: Kept): void => {
    try {
      listener.take(kept);
    } catch {
      listener.lost(kept.records.length);
    }
  };
  const tell = (): void => {
    isDue = false;
    let sent = 0;
    let taken = 0;
    for (const kept of waiting) {
      if (sent >= A_TURN) break;
      for (const listener of listeners) give(listener, kept);
      sent += kept.records.length;
      taken += 1;
    }
    waiting = waiting.slice(taken);
    size -= sent;
    if (waiting.length > 0) plan();
    else if (sent >= MANY) rest();
  };
  const rest = (): void => {
    isResting = true;
    setTimeout(goOn, REST_MS);
  };
  const goOn = (): void => {
    isResting = false;
    if (isDue) tell();
  };
  const plan = (): void => {
    if (isDue) return;
    isDue = true;
    if (!isResting) setImmediate(tell);
  };

  return {
    kept: (kept: Kept): void => {
      if (listeners.size === 0) return;
      if (size > MOST_WAITING) {
        const lost = size;
        waiting = [];
        size = 0;
        for (const listener of listeners) listener.lost(lost);
      }
      waiting.push(kept);
      size += kept.records.length;
      plan();
    },
    stir: (): void => {
      for (const listener of listeners) listener.stirred();
    },
    /** Resolves when listeners are told all that is kept from then on. */
    begun: (): Awaitable<void> => undefined,
    listen: (listener: FeedListener) => {
      listeners.add(listener);
      return (): void => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        waiting = [];
        size = 0;
      };
    },
    /** Resolves when all that was kept is told. */
    idle: async (): Promise<void> => {
      while (isDue) await nextTurn();
    },
  };
}

const MOST = 1_000;
const MOST_TEXT = 8_000_000;

/** One gateway sees what another records a moment later: so many ms, or exchanges, before `after` are sent again. */
const SLACK_MS = 2_000;
const SLACK = 256;

/**
 * In the order of recording; null where it is more than is told again, or nobody can tell since when. `isShared`: others
 * record in the store as well, and some of what is before `after` may not have been told.
 */
export async function missedSince(
  store: Pick<Store, 'read'>,
  session: string,
  known: string,
  isShared: boolean,
): Promise<readonly RecordedExchange[] | null> {
  const records: RecordedExchange[] = [];
  const turn = createTurns();
  let text = 0;
  try {
    const after = isShared ? await slightlyBefore(store, session, known) : known;
    for await (const record of store.read(session, { after, limit: MOST + 1, onUnreadable: () => {} })) {
      const { call, answer } = record.exchange;
      if (call.id === known) continue;
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

async function slightlyBefore(store: Pick<Store, 'read'>, session: string, known: string): Promise<string> {
  const since = (timeOfId(known) ?? 0) - SLACK_MS;
  let start = known;
  const options = { after: known, backwards: true, limit: SLACK, onUnreadable: () => {} } as const;
  for await (const { exchange } of store.read(session, options)) {
    if ((timeOfId(exchange.call.id) ?? 0) < since) break;
    start = exchange.call.id;
  }
  return start;
}
