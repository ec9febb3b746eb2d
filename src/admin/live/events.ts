/** Server-sent events: what is kept, as it is kept, to every page that follows; written once for all of them. */
import type { RecordedExchange } from '../../store/index.js';
import { summarise } from '../exchanges/summary.js';
import type { Lane } from '../journeys/lane.js';
import { showLane } from '../journeys/lane.js';
import { type Alert, alertsOf } from './alerts.js';
import type { Kept } from './feed.js';
import { missedSince } from './missed.js';
import type { LivePort } from './port.js';
import type { Views } from './views.js';

/** Where events go: a response, as far as it is needed here. */
export interface Sink {
  readonly write: (text: string) => void;
  /** Bytes that the reader has not taken yet. */
  readonly waiting: () => number;
  readonly end: () => void;
  /** Cuts it off; the reader comes back by itself. */
  readonly drop: () => void;
}

export interface Wanted {
  /** undefined: that of calls which name none, whichever it is. */
  readonly session: string | undefined;
  readonly fits: (record: RecordedExchange) => boolean;
  /** The last exchange that was told; undefined: from now on. */
  readonly after: string | undefined;
}

export interface Events {
  /** null: there are too many already. `begin` is called before anything is written; the function given back ends it. */
  readonly open: (wanted: Wanted, sink: Sink, begin: () => void) => (() => void) | null;
  readonly close: () => void;
}

interface Client extends Wanted {
  readonly sink: Sink;
  readonly session: string | undefined;
  /** Told already, out of the store. */
  readonly known: Set<string>;
  /** What comes while it is told what it missed; null when that is done. */
  held: string[] | null;
  /** What is written next. */
  gathered: string;
}

const MOST_CLIENTS = 20;
/** In bytes: a reader that is so far behind is cut off. */
const MOST_BEHIND = 4_194_304;
const MOST_HELD = 2_000;
/** In ms: what comes within it is written at once, since a write costs more than what it says. */
const GATHER_MS = 25;
/** In ms: journeys are told so often at most, and alerts, for which all of them are looked through. */
const TICK_MS = 250;
const ALERTS_MS = 500;
const ALIVE_MS = 15_000;

type EventName = 'exchange' | 'journey' | 'alert' | 'settings';

/** What could not be told, because the store cannot be read, is told with the next change. */
const ignore = (): void => {};

const frame = (event: EventName, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export function createEvents(port: LivePort, views: Views, settings: () => Promise<object>): Events {
  const clients = new Set<Client>();
  /** What has changed since the last tick, by session. */
  const changed = new Map<string, Set<Lane>>();
  const followed = new Map<string, () => void>();
  const told = new Map<string, Map<string, Alert>>();
  let areSettingsNew = false;
  let stop: (() => void) | null = null;
  let cancelWrite: (() => void) | null = null;
  let cancelTick: (() => void) | null = null;
  let cancelAlerts: (() => void) | null = null;
  let cancelAlive: (() => void) | null = null;

  const sessionOf = ({ session }: Client): string => session ?? port.session();
  const sessionsFollowed = (): Set<string> => new Set([...clients].map(sessionOf));
  const drop = (client: Client): void => {
    leave(client);
    client.sink.drop();
  };
  const send = (client: Client, text: string): void => {
    if (client.held !== null) {
      if (client.held.push(text) > MOST_HELD) drop(client);
      return;
    }
    client.sink.write(text);
    if (client.sink.waiting() > MOST_BEHIND) drop(client);
  };

  const take = ({ records, notes, changes }: Kept): void => {
    for (const record of records) {
      const { id, session } = record.exchange.call;
      let text: string | undefined;
      for (const client of clients) {
        if (sessionOf(client) !== session || client.known.has(id) || !client.fits(record)) continue;
        text ??= frame('exchange', summarise(record, port), id);
        client.gathered += text;
        cancelWrite ??= port.after(GATHER_MS, writeGathered);
      }
    }
    if (notes.length > 0) areSettingsNew = true;
    if (records.length + notes.length + changes.length > 0) plan();
  };

  const writeGathered = (): void => {
    cancelWrite?.();
    cancelWrite = null;
    for (const client of clients) {
      const { gathered } = client;
      client.gathered = '';
      if (gathered !== '') send(client, gathered);
    }
  };
  const plan = (): void => {
    planTick();
    cancelAlerts ??= port.after(ALERTS_MS, () => {
      cancelAlerts = null;
      for (const session of sessionsFollowed()) tellAlerts(session).catch(ignore);
    });
  };

  const planTick = (): void => {
    cancelTick ??= port.after(TICK_MS, tick);
  };
  /** What is the same for all clients of a session. */
  const tick = (): void => {
    cancelTick = null;
    // A journey is told after the exchanges that moved it on.
    writeGathered();
    follow();
    if (areSettingsNew) tellSettings(clients).catch(ignore);
    areSettingsNew = false;
    for (const session of sessionsFollowed()) {
      const lanes = [...(changed.get(session) ?? [])];
      const all = lanes.map((lane) => frame('journey', show(session, lane))).join('');
      if (all !== '') for (const client of clients) if (sessionOf(client) === session) send(client, all);
    }
    changed.clear();
  };
  const show = (session: string, lane: Lane) =>
    showLane(lane, {
      ...{ ledger: port.ledgerOf(session), bank: port.bankOf(session) },
      ...{ now: port.now(session), spanAt: port.spanAt() },
    });
  /** The views of those sessions that somebody listens to. */
  const follow = (): void => {
    const wanted = sessionsFollowed();
    for (const [session, end] of followed) {
      if (wanted.has(session)) continue;
      end();
      followed.delete(session);
      told.delete(session);
    }
    for (const session of wanted) {
      if (followed.has(session)) continue;
      followed.set(
        session,
        views.follow(session, (lane) => {
          const lanes = changed.get(session) ?? new Set();
          changed.set(session, lanes.add(lane));
          planTick();
        }),
      );
    }
  };
  const tellSettings = async (to: Iterable<Client>): Promise<void> => {
    const text = frame('settings', await settings());
    for (const client of to) if (clients.has(client)) send(client, text);
  };
  /** Those that are new or different, and those that are over. */
  const tellAlerts = async (session: string): Promise<void> => {
    const now = new Map(alertsOf(session, await views.of(session), port).map((one) => [one.id, one]));
    const before = told.get(session) ?? new Map<string, Alert>();
    const over = [...before.values()].filter(({ id }) => !now.has(id));
    const fresh = [...now.values()].filter(
      (one) => JSON.stringify(one) !== JSON.stringify(before.get(one.id)),
    );
    told.set(session, now);
    const all = [...fresh, ...over.map((one): Alert => ({ ...one, state: 'cleared' }))];
    const text = all.map((one) => frame('alert', one)).join('');
    if (text !== '') for (const client of clients) if (sessionOf(client) === session) send(client, text);
  };

  const stayAlive = (): void => {
    cancelAlive = port.after(ALIVE_MS, stayAlive);
    for (const client of clients) send(client, ':\n\n');
  };
  const begin = (): void => {
    stop ??= port.feed.listen({
      take,
      // What was not told is in the store: they come back and ask for it.
      lost: () => {
        for (const client of clients) drop(client);
      },
      stirred: plan,
    });
    cancelAlive ??= port.after(ALIVE_MS, stayAlive);
  };
  const leave = (client: Client): void => {
    clients.delete(client);
    if (clients.size > 0) return;
    follow();
    stop?.();
    cancelWrite?.();
    cancelTick?.();
    cancelAlerts?.();
    cancelAlive?.();
    stop = cancelWrite = cancelTick = cancelAlerts = cancelAlive = null;
    changed.clear();
  };

  /** What it missed first, then what came meanwhile. */
  const catchUp = async (client: Client, after: string): Promise<void> => {
    const missed = await missedSince(port.store, sessionOf(client), after);
    const records = missed ?? [];
    for (const record of records) client.known.add(record.exchange.call.id);
    const texts = records
      .filter(client.fits)
      .map((record) => frame('exchange', summarise(record, port), record.exchange.call.id));
    const alert: Alert = {
      ...{
        id: 'missed',
        kind: 'missed',
        state: 'raised',
        at: new Date(port.now(sessionOf(client))).toISOString(),
      },
      ...{ text: 'More was recorded meanwhile than is told again.', remedy: 'Load the list anew.' },
      ...{ count: 1, exchange: null },
    };
    client.sink.write(missed === null ? frame('alert', alert) : texts.join(''));
  };

  return {
    open: (wanted, sink, beginWriting) => {
      if (clients.size >= MOST_CLIENTS) return null;
      const client: Client = { ...wanted, sink, known: new Set(), held: [], gathered: '' };
      clients.add(client);
      beginWriting();
      begin();
      follow();
      sink.write('retry: 1000\n\n');
      tellSettings([client]).catch(ignore);
      const caughtUp = client.after === undefined ? Promise.resolve() : catchUp(client, client.after);
      caughtUp.then(
        () => {
          const held = client.held ?? [];
          client.held = null;
          if (clients.has(client) && held.length > 0) send(client, held.join(''));
        },
        () => drop(client),
      );
      plan();
      return () => leave(client);
    },
    close: () => {
      for (const client of [...clients]) {
        leave(client);
        client.sink.end();
      }
    },
  };
}
