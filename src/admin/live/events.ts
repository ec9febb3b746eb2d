/** Server-sent events: what is kept, as it is kept, to every page that follows; written once for all of them. */
import { after, type RecordedExchange } from '../../store/index.js';
import { summarise } from '../exchanges/summary.js';
import { missedAlert, thinnedAlert } from './alerts.js';
import { createChanges } from './changes.js';
import { type Client, createClients, frame, type Sink, type Wanted } from './clients.js';
import { type Kept, missedSince } from './feed.js';
import type { LivePort } from './port.js';
import type { Thinning } from './thinning.js';
import type { Views } from './views.js';

export type Events = ReturnType<typeof createEvents>;

const ALIVE_MS = 15_000;
const SECOND_MS = 1_000;

export function createEvents(port: LivePort, views: Views, settings: () => Promise<object>) {
  let stop: (() => void) | null = null;
  let cancelAlive: (() => void) | null = null;
  let cancelThinned: (() => void) | null = null;

  const clients = createClients(port, () => {
    changes.stop();
    for (const end of [stop, cancelAlive, cancelThinned]) end?.();
    stop = cancelAlive = cancelThinned = null;
  });
  const { sessionOf } = clients;
  const changes = createChanges(port, views, clients, settings);

  const take = ({ records, notes, changes: changed }: Kept): void => {
    const texts = new Map<string, string>();
    const textOf = (record: RecordedExchange, id: string): string => {
      const text = texts.get(id) ?? frame('exchange', summarise(record), id);
      texts.set(id, text);
      return text;
    };
    for (const client of clients) {
      const session = sessionOf(client);
      const wanted = records.filter(
        (record) =>
          record.exchange.call.session === session &&
          !client.known.has(record.exchange.call.id) &&
          client.fits(record),
      );
      for (const record of thin(client, wanted)) {
        const { id } = record.exchange.call;
        clients.gather(client, textOf(record, id), id);
      }
    }
    if (records.length + notes.length + changed.length > 0) changes.stir(notes.length > 0);
  };
  const thin = (client: Client, records: readonly RecordedExchange[]): readonly RecordedExchange[] => {
    const { thinning } = client;
    if (thinning === null || records.length === 0) return records;
    const wasOver = thinning.isOver();
    const told = thinning.take(records);
    if (!wasOver && thinning.isOver()) tellThinned(client, thinning);
    return told;
  };
  /**
   * How it stands: to one who comes back, when more comes than it wants, and then every second until less does. What is
   * told out of order has no id: who comes back goes on before it.
   */
  const tellThinned = (client: Client, thinning: Thinning): void => {
    clients.sendGathered();
    const thinned = thinning.look();
    const newest = thinned.isOver ? thinned.newest : [];
    const exchanges = newest.map((record) => frame('exchange', summarise(record)));
    const calls = client.isFiltered ? 'matching calls' : 'calls';
    const alert = thinnedAlert(port.now(sessionOf(client)), calls, thinned);
    clients.send(client, [frame('alert', alert), ...exchanges].join(''));
    if (thinned.isOver) cancelThinned ??= port.after(SECOND_MS, tellAllThinned);
  };
  const tellAllThinned = (): void => {
    cancelThinned = null;
    for (const client of clients)
      if (client.thinning?.isOver() === true) tellThinned(client, client.thinning);
  };
  const listen = (): void => {
    stop ??= port.feed.listen({
      take,
      // The exchanges not sent are in the store: clients come back and ask for them.
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

  const catchUp = async (client: Client): Promise<void> => {
    if (client.after === undefined) return;
    const missed = await missedSince(port.store, sessionOf(client), client.after, port.isShared);
    // The missed exchanges may include some that were left out and counted already.
    if (missed === null || client.thinning?.hasLeftOut() === true) {
      client.sink.write(frame('alert', missedAlert(port.now(sessionOf(client)))));
      client.thinning?.begin();
      cancelThinned ??= port.after(SECOND_MS, tellAllThinned);
      return;
    }
    for (const record of missed) client.known.add(record.exchange.call.id);
    const texts = missed
      .filter(client.fits)
      .map((record) => frame('exchange', summarise(record), record.exchange.call.id));
    client.sink.write(texts.join(''));
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
      () => {
        const { thinning } = client;
        // Whether all is told is news to one alone that was told something before.
        if (client.after !== undefined && thinning?.isOver() === false) tellThinned(client, thinning);
        clients.release(client);
      },
      () => clients.drop(client),
    );
    changes.stir(false);
  };

  return {
    /** null: there are too many already. `begin` is called before anything is written; the function given back ends it. */
    open: (wanted: Wanted, sink: Sink, begin: () => void): (() => void) | null => {
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
