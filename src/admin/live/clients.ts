/** Who follows: what each is still to be told, and when one that is too slow is cut off. */
import type { RecordedExchange } from '../../store/index.js';
import type { LivePort } from './port.js';
import { createThinning, type Thinning } from './thinning.js';

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
  readonly isFiltered: boolean;
  /** The last exchange that was told; undefined: from now on. */
  readonly after: string | undefined;
  /** Exchanges a second: where more come, the newest are told, and how many were left out; 0: all of them. */
  readonly most: number;
}

export interface Client extends Wanted {
  readonly sink: Sink;
  /** Ids that it got from the store already. */
  readonly known: Set<string>;
  /** null: it is told all. */
  readonly thinning: Thinning | null;
}

const MOST_CLIENTS = 20;
/** A reader that is so many bytes behind is cut off. */
const MOST_BEHIND = 4_194_304;
const GATHER_MS = 25;

interface Pending {
  /** Texts that wait until the client has what it missed, with ids of exchanges; null when that is done. */
  held: (readonly [text: string, id: string | null])[] | null;
  heldSize: number;
  gathered: string;
}

export type Clients = ReturnType<typeof createClients>;

/** `onEmpty`: the last client has gone. */
export function createClients({ stopwatch, after, session: current }: LivePort, onEmpty: () => void) {
  const clients = new Map<Client, Pending>();
  let cancelWrite: (() => void) | null = null;

  const drop = (client: Client): void => {
    leave(client);
    client.sink.drop();
  };
  const leave = (client: Client): void => {
    if (!clients.delete(client) || clients.size > 0) return;
    cancelWrite?.();
    cancelWrite = null;
    onEmpty();
  };
  /** False where nothing is held for it any more. */
  const hold = (client: Client, pending: Pending, text: string, id: string | null): boolean => {
    if (pending.held === null) return false;
    pending.held.push([text, id]);
    pending.heldSize += text.length;
    if (pending.heldSize > MOST_BEHIND) drop(client);
    return true;
  };
  const send = (client: Client, text: string): void => {
    const pending = clients.get(client);
    if (pending === undefined || text === '' || hold(client, pending, text, null)) return;
    client.sink.write(text);
    if (client.sink.waiting() > MOST_BEHIND) drop(client);
  };
  const sendGathered = (): void => {
    cancelWrite?.();
    cancelWrite = null;
    for (const [client, pending] of clients) {
      const { gathered } = pending;
      pending.gathered = '';
      send(client, gathered);
    }
  };

  const sessionOf = ({ session = current() }: Client): string => session;
  return {
    sessionOf,
    /** Sends to all clients of a session; null: to all clients. */
    tell: (session: string | null, text: string): void => {
      for (const client of clients.keys())
        if (session === null || sessionOf(client) === session) send(client, text);
    },
    [Symbol.iterator]: () => clients.keys(),
    has: (client: Client) => clients.has(client),
    /** null: there are too many. What it is sent is held until it is released. */
    enter: (wanted: Wanted, sink: Sink): Client | null => {
      if (clients.size >= MOST_CLIENTS) return null;
      const thinning = wanted.most === 0 ? null : createThinning(wanted.most, stopwatch);
      const client: Client = { ...wanted, sink, known: new Set(), thinning };
      clients.set(client, { held: [], heldSize: 0, gathered: '' });
      return client;
    },
    release: (client: Client): void => {
      const pending = clients.get(client);
      if (pending === undefined) return;
      // Exchanges sent from the store may also have arrived live.
      const isNew = ([, id]: readonly [string, string | null]) => id === null || !client.known.has(id);
      const held = (pending.held ?? []).filter(isNew);
      pending.held = null;
      send(client, held.map(([text]) => text).join(''));
    },
    send,
    sendGathered,
    leave,
    drop,
    /** Sends an exchange with what else comes in a moment: a write costs more than what it says. */
    gather: (client: Client, text: string, id: string): void => {
      const pending = clients.get(client);
      if (pending === undefined || hold(client, pending, text, id)) return;
      pending.gathered += text;
      cancelWrite ??= after(GATHER_MS, sendGathered);
    },
    endAll: (): void => {
      for (const client of [...clients.keys()]) {
        leave(client);
        client.sink.end();
      }
    },
  };
}

type EventName = 'exchange' | 'journey' | 'alert' | 'counts' | 'settings';

export const frame = (event: EventName, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
