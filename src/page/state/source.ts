/** The gateway's events, handed on some at a time; comes back by itself. */
import { withQuery } from '../api.js';

const EVENTS = ['exchange', 'journey', 'alert', 'counts', 'settings'] as const;
type EventName = (typeof EVENTS)[number];

/** One after the other as they came, as JSON; null: too many came at once, and the list has to be loaded anew. */
export type Batch = readonly (readonly [event: EventName, data: string])[] | null;

export interface Told {
  readonly batch: Batch;
  readonly state: 'live' | 'lost';
  readonly last: string | undefined;
}

export type Followed = { readonly session: string | null; readonly q: string };

const BATCH_MS = 100;
/** The browser comes back by itself unless it was refused: then it is asked again after this. */
const RETRY_MS = 3_000;
/** Exchanges a second that are shown one by one, more than anybody reads; of what is beyond, the gateway tells the newest. */
const MOST_A_SECOND = 250;
/** More than that is not told again by the gateway either. */
const MOST_WAITING = 5_000;

/** `after`: the exchange behind which it begins. The function given back ends it. */
export function openSource(
  { session, q }: Followed,
  after: string | undefined,
  tell: (told: Told) => void,
): () => void {
  let source: EventSource | null = null;
  let waiting: [EventName, string][] = [];
  let isOverfull = false;
  let last = after;
  let flushing: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    clearTimeout(flushing);
    flushing = undefined;
    const batch = isOverfull ? null : waiting;
    waiting = [];
    isOverfull = false;
    tell({ batch, state: 'live', last });
  };
  const keep = (name: EventName, { data, lastEventId }: MessageEvent<string>): void => {
    if (lastEventId !== '') last = lastEventId;
    if (waiting.length >= MOST_WAITING) {
      waiting = [];
      isOverfull = true;
    }
    waiting.push([name, data]);
    flushing ??= setTimeout(flush, BATCH_MS);
  };
  const open = (): void => {
    source = new EventSource(withQuery('/api/events', { session, q, after: last, most: MOST_A_SECOND }));
    for (const name of EVENTS)
      source.addEventListener(name, (event) => keep(name, event as MessageEvent<string>));
    source.addEventListener('error', () => {
      if (flushing !== undefined) flush();
      tell({ batch: [], state: 'lost', last });
      if (source?.readyState === EventSource.CLOSED) retrying = setTimeout(open, RETRY_MS);
    });
  };

  open();
  return () => {
    clearTimeout(flushing);
    clearTimeout(retrying);
    source?.close();
  };
}
