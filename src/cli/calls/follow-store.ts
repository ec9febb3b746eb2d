/** Follows the calls that other processes record in a store. */
import { briefOf } from '../../admin/exchanges/index.js';
import { gatewayNotes } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { matches, type RecordedExchange, type SessionInfo, type Store } from '../../store/index.js';
import { sessionOf } from '../sessions-store.js';
import { pause, type Watch } from './watch.js';

export type OpenStore = (work: (store: Store, path: string) => Promise<void>) => Promise<void>;

/** A look takes a tenth of the time at most. */
const LOOK_MS = 200;
const SHARE = 10;
/** How many exchanges back the first lines are looked for. */
const MOST_SEARCHED = 10_000;

/**
 * One session, or all without a name. Goes on when the store is there again after it could not be read. Throws where it
 * cannot be read at first, and where there is no session of the name.
 */
export async function followStore(open: OpenStore, watch: Watch, clock: () => number): Promise<void> {
  const { signal, say } = watch;
  const known = new Set<string>();
  let position: unknown;
  let isAway = false;
  let isFirst = true;
  for (;;) {
    try {
      await open(async (store, path) => {
        if (isFirst) position = await begin(store, path, watch, known);
        isFirst = false;
        for (;;) {
          const started = clock();
          // A deleted file has nothing new to read.
          await store.place.check(false);
          const arrived = await store.calls.arrived(position);
          const records = arrived.records.filter(({ exchange }) => !known.has(exchange.call.id));
          if (!(await tell(store, records, watch))) return;
          ({ position } = arrived);
          if (isAway) say('The store can be read again.');
          isAway = false;
          if (!arrived.isMore) await pause(Math.max(LOOK_MS, SHARE * (clock() - started)), signal);
        }
      });
      return;
    } catch (error) {
      if (isFirst || !(error instanceof SandgateError && error.code.startsWith('store.'))) throw error;
      if (!isAway) say(`${error.message} Trying again.`);
      isAway = true;
      await pause(LOOK_MS, signal);
      if (signal.aborted) return;
    }
  }
}

/** Where to go on from; shows the newest calls that were there before, and `known` are then their ids. */
async function begin(store: Store, path: string, watch: Watch, known: Set<string>): Promise<unknown> {
  const { session: name } = watch;
  // Before all else: what comes meanwhile is found again behind it, and none is missed.
  const { position } = await store.calls.arrived();
  const sessions = name === undefined ? await store.sessions() : [await sessionOf(store, name, path)];
  const newest = sessions.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
  const records = newest === undefined ? [] : await lastOf(store, newest.name, watch);
  await tell(store, records, watch);
  for (const { exchange } of records) known.add(exchange.call.id);
  return position;
}

/** Prints the wanted ones of new calls; false: nobody reads on. */
async function tell(store: Store, records: readonly RecordedExchange[], watch: Watch): Promise<boolean> {
  const fits = matches(watch.where);
  const wanted = records.filter(
    (record) => [undefined, record.exchange.call.session].includes(watch.session) && fits(record),
  );
  const sessions = wanted.length === 0 ? [] : await store.sessions();
  const notes = new Map(sessions.map((one) => [one.name, one.notes]));
  for (const record of wanted) {
    const call = briefOf(record);
    const admin = adminOf(notes.get(call.session) ?? []);
    if (!(await watch.show(call, admin === null ? null : `${admin}/exchanges/${call.id}`))) return false;
  }
  return !watch.signal.aborted;
}

async function lastOf(store: Store, session: string, { where, lines }: Watch): Promise<RecordedExchange[]> {
  const found: RecordedExchange[] = [];
  if (lines === 0) return found;
  const options = { backwards: true, limit: MOST_SEARCHED, where, onUnreadable: () => {} } as const;
  for await (const record of store.read(session, options)) {
    found.push(record);
    if (found.length === lines) break;
  }
  return found.reverse();
}

/** Where the gateway that was started last has its pages; of several processes not each knows that when it starts. */
function adminOf(notes: SessionInfo['notes']): string | null {
  const admins = gatewayNotes(notes).flatMap(({ kind, settings }) =>
    kind === 'started' ? (settings.urls?.admin ?? []) : [],
  );
  return admins.at(-1) ?? null;
}
