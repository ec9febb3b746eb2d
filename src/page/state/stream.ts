/**
 * Follows the events of a session. A browser has six connections to one host, so of all pages that follow the same, one
 * holds the connection and tells the others; pages that nobody sees hold none.
 */
import { signal } from '@preact/signals';
import type { Alert, Summary } from '../../admin/index.js';
import type { FetchPage } from './rows.js';
import { type Batch, type Followed, openSource, type Told } from './source.js';

/**
 * `joining`: at the beginning; `crowded`: pages with other filters hold all connections there are for this; `idle`: the
 * gateway refuses what was asked for, and there is nothing to follow by this filter.
 */
export const connection = signal<'joining' | 'live' | 'lost' | 'crowded' | 'idle'>('joining');

/** Held open at once by pages with different filters; a browser's others are for whatever else is asked. */
const CONNECTIONS = ['1', '2', '3', '4'].map((number) => `sandgate connection ${number}`);
const CROWDED_MS = 1_000;

interface Follower extends Followed {
  readonly fetchPage: FetchPage;
  /** The newest exchange that is known; asked each time that it begins to follow. */
  readonly after: () => string | undefined;
  readonly take: (batch: Batch) => void;
  /** It goes on behind no call: whether all are told, it is not told. */
  readonly anew: () => void;
  /** Somebody looks at the page again. */
  readonly returned: () => void;
}

export function follow(follower: Follower): () => void {
  let leave: (() => void) | null = null;
  const look = (): void => {
    if (!document.hidden) leave ??= join(follower);
    else {
      leave?.();
      leave = null;
    }
  };
  const onChange = (): void => {
    look();
    if (!document.hidden) follower.returned();
  };
  document.addEventListener('visibilitychange', onChange);
  look();
  return () => {
    document.removeEventListener('visibilitychange', onChange);
    leave?.();
  };
}

/** Pages talk like this. A new page asks for the settings, and whether all calls are shown. */
type Said = { readonly asks: string } | { readonly tells: Told; readonly to: string | null };

function join({ session, q, fetchPage, after, take, anew }: Follower): () => void {
  const topic = `sandgate events ${JSON.stringify([session, q])}`;
  const me = crypto.getRandomValues(new Uint32Array(4)).join();
  const channel = new BroadcastChannel(topic);
  const over = new AbortController();
  let isLeading = false;
  let latest: NonNullable<Batch> = [];
  let last: string | undefined;
  let held: Told[] | null = null;

  const hear = (told: Told): void => {
    connection.value = told.state;
    last = told.last ?? last;
    if (told.batch === null || told.batch.length > 0) take(told.batch);
  };
  const receive = (told: Told): void => {
    if (held === null) hear(told);
    else held.push(told);
  };
  const say = (said: Said): void => {
    if (!over.signal.aborted) channel.postMessage(said);
  };
  channel.onmessage = ({ data: said }: MessageEvent<Said>) => {
    if ('asks' in said) {
      const state = connection.value === 'live' ? 'live' : 'lost';
      if (isLeading && connection.value !== 'joining')
        say({ tells: { batch: latest.map(asItStands), state, last: undefined }, to: said.asks });
    } else if (!isLeading && (said.to ?? me) === me) receive(said.tells);
  };

  const catchUp = async (): Promise<void> => {
    held = [];
    const known = last ?? after();
    const missed = await missedSince(fetchPage, known).catch(() => null);
    if (!over.signal.aborted && known === undefined) anew();
    if (over.signal.aborted) return;
    if (missed !== null && missed.length > 0) take(missed);
    for (const told of held) hear(told);
    held = null;
    // By now it is known if some were left out.
    if (missed === null) take(missed);
  };
  const lead = async (): Promise<void> => {
    isLeading = true;
    let wasLost = false;
    const known = last ?? after();
    const close = openSource({ session, q }, known, (tells) => {
      latest = latestAfter(latest, tells.batch);
      if (wasLost && tells.state === 'live' && held === null && (last ?? after()) === undefined)
        void catchUp();
      wasLost = tells.state === 'lost';
      receive(tells);
      say({ tells, to: null });
    });
    // An empty list has no exchange to go on behind.
    if (known === undefined) await catchUp();
    await ending(over.signal);
    close();
  };
  const follow = async (): Promise<void> => {
    const caughtUp = catchUp();
    say({ asks: me });
    await caughtUp;
    await navigator.locks.request(topic, { signal: over.signal }, () => withConnection(over.signal, lead));
  };
  const begin = async (): Promise<void> => {
    // Pages share nothing where the browser does not trust the way to the gateway.
    if (navigator.locks === undefined) return lead();
    const hasLed = await navigator.locks.request(topic, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false;
      await withConnection(over.signal, lead);
      return true;
    });
    if (!hasLed && !over.signal.aborted) await follow();
  };
  // An ended page no longer waits for its turn.
  begin().catch(() => {});
  return () => {
    over.abort();
    channel.close();
  };
}

function latestAfter(before: NonNullable<Batch>, batch: Batch): NonNullable<Batch> {
  const all = [...before, ...(batch ?? [])];
  const settings = all.findLast(([name]) => name === 'settings');
  const missed = all.findLast(([name, data]) => name === 'alert' && data.includes('"kind":"missed"'));
  return [settings, missed].flatMap((one) => (one === undefined ? [] : [one]));
}

/** Drops how many were left out: a page that comes later has not followed those. */
function asItStands([name, data]: NonNullable<Batch>[number]): NonNullable<Batch>[number] {
  if (name !== 'alert') return [name, data];
  const { leftOut, ...alert } = JSON.parse(data) as Alert;
  return [name, JSON.stringify(alert)];
}

async function withConnection(signal: AbortSignal, use: () => Promise<void>): Promise<void> {
  const has = new AbortController();
  const waiting = setTimeout(() => {
    connection.value = 'crowded';
  }, CROWDED_MS);
  const wanted = { signal: AbortSignal.any([signal, has.signal]) };
  await Promise.allSettled(
    CONNECTIONS.map((name) =>
      navigator.locks.request(name, wanted, async () => {
        clearTimeout(waiting);
        if (wanted.signal.aborted) return;
        has.abort();
        await use();
      }),
    ),
  );
  clearTimeout(waiting);
}

const ending = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const PAGES = 5;
const PAGE = 200;

/** The calls since `known`, as events; null if there are too many. Without `known` the newest page. */
export async function missedSince(fetchPage: FetchPage, known: string | undefined): Promise<Batch> {
  const missed: Summary[] = [];
  const most = known === undefined ? 1 : PAGES;
  let before: string | null | undefined;
  for (let pages = 0; pages < most && before !== null; pages++) {
    const page = await fetchPage(before, PAGE);
    const found = page.exchanges.findIndex(({ id }) => id === known);
    missed.push(...page.exchanges.slice(0, found < 0 ? undefined : found));
    before = found < 0 ? page.next : null;
  }
  if (before !== null && known !== undefined) return null;
  return missed.reverse().map((one) => ['exchange', JSON.stringify(one)]);
}
