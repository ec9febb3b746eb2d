/** Follows the events of a session; comes back by itself, and gives up its connection while nobody sees the page. */
import { signal } from '@preact/signals';
import { withQuery } from '../api.js';

export const EVENTS = ['exchange', 'journey', 'alert', 'settings'] as const;
export type EventName = (typeof EVENTS)[number];

/** `joining`: at the beginning. */
export const connection = signal<'joining' | 'live' | 'lost'>('joining');

/** Events are handed on so often at most, all together. */
const BATCH_MS = 100;
/** The browser comes back by itself unless it was refused: then it is asked again after this. */
const RETRY_MS = 3_000;
/** More than that is not told again by the gateway either. */
const MOST_WAITING = 5_000;

/** One after the other as they came, as JSON; null: too many came at once, and the list has to be loaded anew. */
export type Batch = readonly (readonly [event: EventName, data: string])[] | null;

export interface Followed {
  readonly session: string | null;
  readonly q: string;
  /** The exchange behind which it begins; asked each time that a new connection is made. */
  readonly after: () => string | undefined;
}

export function follow({ session, q, after }: Followed, take: (batch: Batch) => void): () => void {
  let source: EventSource | null = null;
  let waiting: [EventName, string][] = [];
  let isOverfull = false;
  let last: string | undefined;
  let flushing: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    flushing = undefined;
    const batch = isOverfull ? null : waiting;
    waiting = [];
    isOverfull = false;
    take(batch);
  };
  const keep = (name: EventName, { data, lastEventId }: MessageEvent<string>): void => {
    connection.value = 'live';
    if (lastEventId !== '') last = lastEventId;
    if (waiting.length >= MOST_WAITING) {
      waiting = [];
      isOverfull = true;
    }
    waiting.push([name, data]);
    flushing ??= setTimeout(flush, BATCH_MS);
  };
  const open = (): void => {
    close();
    source = new EventSource(withQuery('/api/events', { session, q, after: last ?? after() }));
    for (const name of EVENTS)
      source.addEventListener(name, (event) => keep(name, event as MessageEvent<string>));
    source.addEventListener('error', () => {
      connection.value = 'lost';
      if (source?.readyState === EventSource.CLOSED) retrying = setTimeout(open, RETRY_MS);
    });
  };
  const close = (): void => {
    clearTimeout(retrying);
    source?.close();
    source = null;
  };
  /** A browser has few connections to one host: pages in the background leave them to others. */
  const look = (): void => {
    if (document.hidden) close();
    else if (source === null || source.readyState === EventSource.CLOSED) open();
  };

  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(flushing);
    close();
  };
}
