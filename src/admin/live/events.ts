/** Server-sent events: what is kept, as it is kept, to every page that follows; written once for all of them. */
import { after } from '../../store/index.js';
import { summarise } from '../exchanges/summary.js';
import type { Alert } from './alerts.js';
import { createChanges } from './changes.js';
import { type Client, createClients, type Sink, type Wanted } from './clients.js';
import type { Kept } from './feed.js';
import { frame } from './frame.js';
import { missedSince } from './missed.js';
import type { LivePort } from './port.js';
import type { Views } from './views.js';

export interface Events {
  /** null: there are too many already. `begin` is called before anything is written; the function given back ends it. */
  readonly open: (wanted: Wanted, sink: Sink, begin: () => void) => (() => void) | null;
  readonly close: () => void;
}

const ALIVE_MS = 15_000;

export function createEvents(port: LivePort, views: Views, settings: () => Promise<object>): Events {
  let stop: (() => void) | null = null;
  let cancelAlive: (() => void) | null = null;

  const clients = createClients({
    after: port.after,
    onEmpty: () => {
      changes.stop();
      stop?.();
      cancelAlive?.();
      stop = cancelAlive = null;
    },
  });
  const sessionOf = ({ session }: Client): string => session ?? port.session();
  const changes = createChanges({
    ...{ port, views, settings, before: clients.sendGathered },
    sessions: () => new Set([...clients].map(sessionOf)),
    tell: (session, text) => {
      for (const client of clients)
        if (session === null || sessionOf(client) === session) clients.send(client, text);
    },
  });

  const take = ({ records, notes, changes: changed }: Kept): void => {
    for (const record of records) {
      const { id, session } = record.exchange.call;
      let text: string | undefined;
      for (const client of clients) {
        if (sessionOf(client) !== session || client.known.has(id) || !client.fits(record)) continue;
        text ??= frame('exchange', summarise(record, port), id);
        clients.gather(client, text, id);
      }
    }
    if (records.length + notes.length + changed.length > 0) changes.stir(notes.length > 0);
  };
  const listen = (): void => {
    stop ??= port.feed.listen({
      take,
      // What was not told is in the store: they come back and ask for it.
      lost: () => {
        for (const client of clients) clients.drop(client);
      },
      stirred: () => changes.stir(true),
    });
    cancelAlive ??= port.after(ALIVE_MS, stayAlive);
  };
  const stayAlive = (): void => {
    cancelAlive = port.after(ALIVE_MS, stayAlive);
    for (const client of clients) clients.send(client, ':\n\n');
  };

  /** What it missed first, then what came meanwhile. */
  const catchUp = async (client: Client): Promise<void> => {
    if (client.after === undefined) return;
    const missed = await missedSince(port.store, sessionOf(client), client.after, port.isShared);
    for (const record of missed ?? []) client.known.add(record.exchange.call.id);
    const texts = missed
      ?.filter(client.fits)
      .map((record) => frame('exchange', summarise(record, port), record.exchange.call.id));
    client.sink.write(texts?.join('') ?? frame('alert', missedAlert(port.now(sessionOf(client)))));
  };
  const start = (client: Client, begin: () => void): void => {
    if (!clients.has(client)) return;
    begin();
    changes.follow();
    client.sink.write('retry: 1000\n\n');
    changes.settings().then(
      (text) => clients.send(client, text),
      () => {},
    );
    catchUp(client).then(
      () => clients.release(client),
      () => clients.drop(client),
    );
    changes.stir(false);
  };

  return {
    open: (wanted, sink, begin) => {
      const client = clients.enter(wanted, sink);
      if (client === null) return null;
      listen();
      const started = after(port.feed.begun(), () => start(client, begin));
      if (started instanceof Promise) started.catch(() => clients.drop(client));
      return () => clients.leave(client);
    },
    close: clients.endAll,
  };
}

const missedAlert = (at: number): Alert => ({
  ...{ id: 'missed', kind: 'missed', state: 'raised', at: new Date(at).toISOString() },
  ...{ text: 'More was recorded meanwhile than is told again.', remedy: 'Load the list anew.' },
  ...{ count: 1, exchange: null },
});
