/** Changes in sessions that somebody follows (journeys, alerts, settings), sent at a limited rate. */
import type { GrownJourney } from '../journeys/journey.js';
import { changesAt, showJourney } from '../journeys/show-journey.js';
import { type Alert, alertsOf } from './alerts.js';
import { type Clients, frame } from './clients.js';
import type { LivePort } from './port.js';
import { surroundingsOf, type Views } from './views.js';

/** In ms; for alerts all journeys are looked through. */
const TICK_MS = 250;
const ALERTS_MS = 500;
/** Both, where more comes than anybody can look at; then so many journeys are told at once, and all when it is quieter. */
const HURRIED_MS = 1_000;
const MOST_TOLD = 10;
/** More than a session shows: some of them are shown no more. */
const MOST_DUE = 1_000;
/** These are no news after some time, though nothing happens. */
const FADING: ReadonlySet<Alert['kind']> = new Set(['finding', 'handshake']);
const FADE_MS = 60_000;

const ignore = (): void => {};

type Followed = ReturnType<typeof followedFrom>;

const followedFrom = (end: () => void, changed: Set<GrownJourney>) => ({
  end,
  changed,
  alerts: new Map<string, Alert>(),
  /** The frame that was sent last. */
  counts: '',
  /** Journeys that the time alone changes, by id, and when. */
  due: new Map<string, { readonly journey: GrownJourney; readonly at: number }>(),
  alarm: Number.POSITIVE_INFINITY,
  cancel: () => {},
});

/** `at`: infinite where it does not change. */
function plan({ due }: Followed, journey: GrownJourney, at: number): void {
  if (at === Number.POSITIVE_INFINITY) due.delete(journey.id);
  else due.set(journey.id, { journey, at });
}

export function createChanges(
  port: LivePort,
  views: Views,
  clients: Clients,
  inForce: () => Promise<object>,
) {
  const { tell } = clients;
  const followed = new Map<string, Followed>();
  let areSettingsNew = false;
  let cancelTick: (() => void) | null = null;
  let cancelAlerts: (() => void) | null = null;
  let cancelFade: (() => void) | null = null;

  const settings = async (): Promise<string> => frame('settings', await inForce());

  const pauseOf = (ms: number): number =>
    [...followed.keys()].some(views.isHurried) ? Math.max(ms, HURRIED_MS) : ms;
  const planTick = (): void => {
    cancelTick ??= port.after(pauseOf(TICK_MS), tick);
  };
  const tick = (): void => {
    cancelTick = null;
    // The exchanges that moved journeys on come before the journeys.
    clients.sendGathered();
    follow();
    if (areSettingsNew) {
      settings().then((text) => tell(null, text), ignore);
      // These changes may include accesses that a new day frees up.
      for (const [session, one] of followed) look(session, one, port.now(session));
    }
    areSettingsNew = false;
    for (const [session, one] of followed) {
      if (one.changed.size === 0) continue;
      const around = surroundingsOf(views, session);
      const journeys = views.isHurried(session) ? [...one.changed].slice(-MOST_TOLD) : [...one.changed];
      one.changed.clear();
      tell(session, journeys.map((journey) => frame('journey', showJourney(journey, around))).join(''));
      for (const journey of journeys) plan(one, journey, changesAt(journey, around));
      if (one.due.size > MOST_DUE) look(session, one, around.now);
      else wake(session, one);
    }
  };

  /** Looks again when the time has come: a consent ends, a token expires, without a call. */
  const wake = (session: string, one: Followed): void => {
    const at = Math.min(...[...one.due.values()].map((due) => due.at));
    if (followed.get(session) !== one || at >= one.alarm) return;
    one.cancel();
    one.alarm = at;
    one.cancel = port.at(session, at, () => {
      one.alarm = Number.POSITIVE_INFINITY;
      for (const [id, due] of one.due) {
        if (due.at > port.now(session)) continue;
        one.due.delete(id);
        one.changed.add(due.journey);
      }
      if (one.changed.size > 0) stir(false);
      wake(session, one);
    });
  };
  /** Looks at all journeys. If the store cannot be read, the session is followed anew with the next change. */
  const look = (session: string, one: Followed, since: number): void => {
    lookAtAll(session, one, since).catch(() => {
      if (followed.get(session) === one) forget(session, one);
    });
  };
  const lookAtAll = async (session: string, one: Followed, since: number): Promise<void> => {
    const { journeys } = await views.of(session);
    if (followed.get(session) !== one) return;
    const around = surroundingsOf(views, session);
    one.due.clear();
    for (const journey of journeys.all()) {
      if (changesAt(journey, { ...around, now: since }) <= around.now) one.changed.add(journey);
      plan(one, journey, changesAt(journey, around));
    }
    if (one.changed.size > 0) stir(false);
    wake(session, one);
  };

  /** Looks at the sessions that are followed, and at no others any more. */
  const follow = (): void => {
    const wanted = new Set([...clients].map(clients.sessionOf));
    for (const [session, one] of followed) if (!wanted.has(session)) forget(session, one);
    for (const session of wanted) {
      if (followed.has(session)) continue;
      const changed = new Set<GrownJourney>();
      const end = views.follow(session, (journey) => {
        changed.add(journey);
        planTick();
      });
      const one = followedFrom(end, changed);
      followed.set(session, one);
      look(session, one, port.now(session));
    }
  };
  const forget = (session: string, { end, cancel }: Followed): void => {
    end();
    cancel();
    followed.delete(session);
  };

  const tellAlertsAndCounts = async (session: string, one: Followed): Promise<void> => {
    const view = await views.of(session);
    const now = new Map((await alertsOf(session, view, port)).map((alert) => [alert.id, alert]));
    const counts = frame('counts', await view.counts(session, port));
    const before = one.alerts;
    const over = [...before.values()].filter(({ id }) => !now.has(id));
    const fresh = [...now.values()].filter(
      (alert) => JSON.stringify(alert) !== JSON.stringify(before.get(alert.id)),
    );
    one.alerts = now;
    if ([...now.values()].some(({ kind }) => FADING.has(kind)))
      cancelFade ??= port.after(FADE_MS, () => {
        cancelFade = null;
        stir(false);
      });
    const all = [...fresh, ...over.map((alert): Alert => ({ ...alert, state: 'cleared' }))];
    const alerts = all.map((alert) => frame('alert', alert)).join('');
    tell(session, counts === one.counts ? alerts : `${alerts}${counts}`);
    one.counts = counts;
  };
  /** Something was kept, or is different; `withSettings`: these too, perhaps. */
  const stir = (withSettings: boolean): void => {
    if (withSettings) areSettingsNew = true;
    planTick();
    cancelAlerts ??= port.after(pauseOf(ALERTS_MS), () => {
      cancelAlerts = null;
      follow();
      for (const [session, one] of followed) tellAlertsAndCounts(session, one).catch(ignore);
    });
  };

  return {
    stir,
    follow,
    settings,
    stop: (): void => {
      for (const cancel of [cancelTick, cancelAlerts, cancelFade]) cancel?.();
      cancelTick = cancelAlerts = cancelFade = null;
      for (const [session, one] of followed) forget(session, one);
    },
  };
}
