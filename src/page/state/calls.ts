/** The calls that are shown, as they come. */
import { computed, effect, type Signal, signal } from '@preact/signals';
import type { Alert, ExchangeList, Journey, Summary } from '../../admin/index.js';
import { address } from '../address.js';
import { get, messageOf, NoAnswer } from '../api.js';
import { createCounts, mustsOf } from './counts.js';
import { setJourneys, takeJourneys } from './journeys.js';
import { createRows, type FetchPage, type Rows } from './rows.js';
import { complain, say } from './said.js';
import type { Batch, EventName } from './source.js';
import { alerts, lastMark, type Standing, session, standing, takeAlerts, takeStanding } from './standing.js';
import { connection, follow } from './stream.js';

/** The row that the keyboard is at. */
export const cursor = signal<string | null>(null);
export const isPaused = signal(false);
export const isAtTop = signal(true);
/** Why the filter cannot be used. */
export const problem = signal<string | null>(null);
/** Moves on whenever the rows differ. */
export const version = signal(0);
export const rates = signal({ calls: 0, errors: 0 });
/** Since the mark, or since the page was opened. */
export const musts = signal(0);

/** New rows wait, so that the one that is read stays where it is. */
export const isHeld = computed(
  () => isPaused.value || !isAtTop.value || cursor.value !== null || address.value.open !== null,
);

const nothing: Rows = createRows(
  async () => ({ exchanges: [], examined: 0, indexedUpTo: null, behind: null, next: null }),
  () => {},
  () => {},
);
export const rows = signal<Rows>(nothing);

const counts = createCounts(() => performance.now() / 1_000);
const MOST_COUNTED = 1_000;
/** What is not as it will be is asked again after this. */
const RETRY_MS = 2_000;

export function showNewest(): void {
  cursor.value = null;
  isAtTop.value = true;
  rows.value.reveal();
}

function take(batch: Batch): void {
  if (batch === null) {
    reload('More came at once than could be shown: the list was loaded anew.');
    return;
  }
  const told = <T>(wanted: EventName): T[] =>
    batch.filter(([name]) => name === wanted).map(([, data]) => JSON.parse(data) as T);
  for (const one of told<Standing>('settings')) takeStanding(one);
  takeJourneys(told<Journey>('journey'));
  const raised = told<Alert>('alert');
  if (raised.length > 0) takeAlerts(raised.filter(({ kind }) => kind !== 'missed'));
  const came = told<Summary>('exchange');
  // One that is open has been asked for: it was sent from here.
  const isOpen = came.some(({ id }) => id === address.peek().open);
  const fresh = rows.value.add(came, isHeld.value && !isOpen);
  if (fresh.length > 0) {
    counts.add(fresh);
    musts.value += mustsOf(fresh);
    bump(version);
  }
  if (raised.some(({ kind }) => kind === 'missed'))
    reload('More was recorded meanwhile than is told again: the list was loaded anew.');
}

const reloading = signal(0);
/** Without looking at it: an effect that does so does not depend on it. */
const bump = (count: Signal<number>): void => {
  count.value = count.peek() + 1;
};
export function reload(why: string): void {
  say(why);
  bump(reloading);
}

/** Loads and follows what the address says, until it says otherwise; the function given back ends it. */
export function followAddress(): () => void {
  const wanted = computed(() => JSON.stringify([address.value.session, address.value.q, reloading.value]));
  const stop = effect(() => {
    wanted.value;
    const { session: name, q } = address.peek();
    return begin(name, q);
  });
  const ticking = setInterval(() => {
    rates.value = { calls: counts.callsAMinute(), errors: counts.errorsAMinute() };
  }, 1_000);
  // Whatever session calls that name none go to now, it is another list.
  let current: string | undefined;
  const stopWatching = effect(() => {
    const now = standing.value?.session;
    if (current !== undefined && now !== current && address.peek().session === null)
      reload(`Calls go to the session ${now} now.`);
    current = now;
  });
  const stopCounting = effect(() => {
    const mark = lastMark.value;
    musts.value = 0;
    if (mark !== null) void countSince(mark.at).catch(() => {});
  });
  return () => {
    stop();
    clearInterval(ticking);
    stopWatching();
    stopCounting();
  };
}

async function countSince(at: string): Promise<void> {
  const q = `severity:must at>=${at}`;
  const { exchanges } = await get<ExchangeList>('/api/exchanges', {
    session: session.peek(),
    q,
    limit: MOST_COUNTED,
  });
  if (lastMark.peek()?.at === at) musts.value = mustsOf(exchanges);
}

function begin(name: string | null, q: string): () => void {
  let unfollow: (() => void) | null = null;
  let isOver = false;
  const fetchPage: FetchPage = (before, limit) =>
    get<ExchangeList>('/api/exchanges', { session: name, q, before, limit });
  const list = createRows(fetchPage, () => bump(version), complain);
  rows.value = list;
  problem.value = null;
  const join = (): void => {
    if (isOver) return;
    problem.value = null;
    unfollow = follow({ session: name, q, fetchPage, after: list.newest, take, returned: askSides });
  };
  /** Journeys and alerts as they are now; what changes of them is told. */
  const askSides = (): void => {
    void get<readonly Journey[]>('/api/journeys', { session: name }).then(setJourneys, () => setJourneys([]));
    void get<readonly Alert[]>('/api/alerts', { session: name }).then((all) => {
      alerts.value = new Map(all.map((one) => [one.id, one]));
    }, complain);
  };
  const start = async (): Promise<void> => {
    if (isOver) return;
    await list.begin().then(join, (error) => {
      if (isOver) return;
      problem.value = messageOf(error);
      connection.value = 'lost';
      if (error instanceof NoAnswer) setTimeout(start, RETRY_MS);
    });
  };
  void start();
  askSides();
  // A search says what the index does not know yet, until it knows it.
  const watching = setInterval(async () => {
    if (q === '' || list.behind() === 0 || document.hidden) return;
    const asked = { session: name, limit: 1 };
    const { behind } = await get<ExchangeList>('/api/exchanges', asked).catch(() => ({ behind: null }));
    if (behind !== null) list.setBehind(behind);
  }, RETRY_MS);
  return () => {
    isOver = true;
    clearInterval(watching);
    list.close();
    unfollow?.();
  };
}
