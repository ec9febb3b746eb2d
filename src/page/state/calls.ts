/** The calls that are shown, as they come. */
import { computed, effect, type Signal, signal, untracked } from '@preact/signals';
import type { Alert, Counts, ExchangeList, Journey, Summary } from '../../admin/index.js';
import { address } from '../address.js';
import { get, messageOf, Unavailable } from '../api.js';
import { createCounts, mustsOf, sessionCounts } from './counts.js';
import { createNewest, gap } from './gap.js';
import { alerts, type InForce, inForce, lastMark, session, takeAlerts, takeInForce } from './in-force.js';
import { setJourneys, takeJourneys } from './journeys.js';
import { createEmptyRows, createRows, type FetchPage, type Rows } from './rows.js';
import { complain, say } from './said.js';
import type { Batch } from './source.js';
import { connection, follow } from './stream.js';
import { createAskTime, filterInForce } from './timeline.js';

export const cursor = signal<string | null>(null);
export const isPaused = signal(false);
export const isAtTop = signal(true);
export const problem = signal<string | null>(null);
/** Moves on whenever the rows differ. */
export const version = signal(0);
/** `seconds`: since the page was opened. */
export const rates = signal({ calls: 0, errors: 0, seconds: 0 });
export const musts = signal(0);

/** New rows wait, so that the one that is read stays where it is. */
export const isHeld = computed(
  () => isPaused.value || !isAtTop.value || cursor.value !== null || address.value.open !== null,
);

const nothing = createEmptyRows();
export const rows = signal<Rows>(nothing);
const newest = signal<Rows>(nothing);
export const isThinned = computed(() => gap.value !== null && rows.value === newest.value);
/** Rows of a list that was whole, kept below the newest calls. */
const SEED = 50;

const seconds = (): number => performance.now() / 1_000;
const counts = createCounts(seconds);
const MOST_COUNTED = 1_000;
const RETRY_MS = 2_000;

export function showNewest(): void {
  cursor.value = null;
  isAtTop.value = true;
  if (gap.peek() === null) rows.value.reveal();
  else skipGap();
}

function skipGap(): void {
  if (gap.peek()?.isOpen === false) {
    reload('Fewer calls come: the list was reloaded.');
    return;
  }
  rows.value = newest.peek();
  rows.peek().reveal();
  bump(version);
}

/** The list as it is now; what comes meanwhile waits. */
export function pauseAndLoad(): void {
  isPaused.value = true;
  reload('Paused: the list was reloaded.');
}

function take(batch: Batch): void {
  if (batch === null) {
    if (gap.peek()?.isOpen !== true) reload('More came at once than could be shown: the list was reloaded.');
    return;
  }
  const before = reloading.peek();
  let came: Summary[] = [];
  const journeys: Journey[] = [];
  const raised: Alert[] = [];
  // In their order: a list that is loaded anew has what comes behind it already.
  for (const [name, data] of batch) {
    const payload = JSON.parse(data);
    if (name === 'exchange') came.push(payload);
    else if (name === 'journey') journeys.push(payload);
    else if (name === 'settings') takeInForce(payload as InForce);
    else if (name === 'counts') sessionCounts.value = payload;
    else if (payload.kind !== 'missed') raised.push(payload);
    else {
      takeCalls(came);
      came = [];
      takeMissed(payload);
      if (reloading.peek() !== before) break;
    }
  }
  takeJourneys(journeys);
  if (raised.length > 0) takeAlerts(raised);
  if (reloading.peek() === before) takeCalls(came);
}

function takeCalls(came: readonly Summary[]): void {
  if (came.length === 0) return;
  // One that is open has been asked for: it was sent from here.
  const isOpen = came.some(({ id }) => id === address.peek().open);
  const thinned = gap.peek();
  if (thinned?.isOpen === true) {
    // They were counted with those that were left out.
    newest.peek().add(came, isHeld.value && isThinned.peek());
    bump(version);
    return;
  }
  const fresh = thinned === null ? rows.value.add(came, isHeld.value && !isOpen) : came;
  counts.add(fresh);
  musts.value += mustsOf(fresh);
  if (thinned !== null) gap.value = { ...thinned, count: thinned.count + came.length };
  bump(version);
}

function takeMissed({ state, text, leftOut }: Alert): void {
  const { exchanges = 0, errors = 0, musts: found = 0 } = leftOut ?? {};
  counts.addMany(exchanges, errors);
  musts.value += found;
  const before = gap.peek();
  if (before === null) {
    if (state === 'cleared') return;
    say(text);
    const list = rows.peek();
    const shown = Array.from({ length: Math.min(SEED, list.length()) }, (_, i) => list.at(i));
    newest.value = createNewest(isHeld.peek() ? [] : shown.flatMap((call) => call ?? []).reverse());
  }
  gap.value = { isOpen: state === 'raised', text, count: (before?.count ?? 0) + exchanges };
}

const reloading = signal(0);
/** Peeks, so that an effect that counts does not depend on the count. */
const bump = (count: Signal<number>): void => {
  count.value = count.peek() + 1;
};

function reload(why: string): void {
  say(why);
  bump(reloading);
}

/** Loads and follows what the address says, until it says otherwise; the function given back ends it. */
export function followAddress(): () => void {
  const wanted = computed(() => JSON.stringify([address.value.session, filterInForce(), reloading.value]));
  const stopShowing = effect(() => {
    const [name, q] = JSON.parse(wanted.value);
    return untracked(() => begin(name, q));
  });
  const ticking = setInterval(() => {
    rates.value = {
      calls: counts.callsAMinute(),
      errors: counts.errorsAMinute(),
      seconds: Math.floor(seconds()),
    };
  }, 1_000);
  // Whatever session calls that name none go to now, it is another list.
  let current: string | undefined;
  const stopWatching = effect(() => {
    const now = inForce.value?.session;
    if (current !== undefined && now !== current && address.peek().session === null)
      reload(`Calls now go to the session ${now}.`);
    current = now;
  });
  // Rows on the screen stay until they are read.
  const stopSkipping = effect(() => {
    if (gap.value !== null && !isHeld.value && !(gap.value.isOpen && isThinned.peek())) skipGap();
  });
  const stopCounting = effect(() => {
    const mark = lastMark.value;
    musts.value = 0;
    if (mark !== null) void countSince(mark.at).catch(() => {});
  });
  return () => {
    clearInterval(ticking);
    for (const stop of [stopShowing, stopWatching, stopSkipping, stopCounting]) stop();
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
  gap.value = null;
  problem.value = null;
  const join = (): void => {
    if (isOver) return;
    problem.value = null;
    let hasJoined = false;
    const takeOn = (batch: Batch): void => {
      if (isOver) return;
      take(batch);
      // Nobody was told of changes between the first asking and now.
      if (!hasJoined) askSides();
      hasJoined = true;
    };
    const anew = () => {
      if (gap.peek()?.isOpen === true) reload('The list was reloaded.');
    };
    const payload = { take: takeOn, anew, returned: askSides };
    unfollow = follow({ session: name, q, fetchPage, after: list.newest, ...payload });
  };
  /** Counts, journeys and alerts as they are now; what changes of them is told. */
  const askSides = (): void => {
    void get<Counts>('/api/counts', { session: name }).then((counts) => {
      if (!isOver) sessionCounts.value = counts;
    }, complain);
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
      connection.value = error instanceof Unavailable ? 'lost' : 'idle';
      if (error instanceof Unavailable) setTimeout(start, RETRY_MS);
    });
  };
  void start();
  askSides();
  const time = createAskTime(name);
  const stopTiming = effect(() => {
    // It differs with each call, and with what an operator sets.
    sessionCounts.value;
    inForce.value;
    time.ask();
  });
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
    stopTiming();
    time.end();
    list.close();
    unfollow?.();
  };
}

export function togglePause(): void {
  isPaused.value = !isPaused.value;
  if (!isPaused.value && rows.value.waiting() > 0) showNewest();
}
