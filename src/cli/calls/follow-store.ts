/** Follows the calls that other processes record in a store. */
import { briefOf } from '../../admin/exchanges/index.js';
import { gatewayNotes } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { RecordedExchange, SessionInfo, Store } from '../../store/index.js';
import { sessionOf } from '../sessions-store.js';
import { pause, type Watch } from './watch.js';

/** Opens the store, and closes it after the work. */
export type OpenStore = (work: (store: Store, path: string) => Promise<void>) => Promise<void>;

/** A look takes a tenth of the time at most. */
const LOOK_MS = 200;
const SHARE = 10;
/** Back so far, those are looked for that were there before. */
const MOST_SEARCHED = 10_000;

/** How far a session was read. */
interface Position {
  readonly session: SessionInfo;
  /** null: from its beginning. */
  readonly last: string | null;
}

/**
 * One session, or all without a name. Goes on when the store is there again after it could not be read. Throws where it
 * cannot be read at first, and where there is no session of the name.
 */
export async function followStore(open: OpenStore, watch: Watch, clock: () => number): Promise<void> {
  const { signal, say } = watch;
  const positions = new Map<string, Position>();
  let isAway = false;
  let isFirst = true;
  for (;;) {
    try {
      await open(async (store, path) => {
        if (isFirst) await begin(store, path, positions, watch);
        isFirst = false;
        for (;;) {
          const started = clock();
          // Of a file that was deleted there is nothing new to read.
          await store.check(false);
          if (!(await look(store, positions, watch))) return;
          if (isAway) say('The store can be read again.');
          isAway = false;
          await pause(Math.max(LOOK_MS, SHARE * (clock() - started)), signal);
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

/** Where to go on from in each session; shows the newest calls that were there before. */
async function begin(
  store: Store,
  path: string,
  positions: Map<string, Position>,
  watch: Watch,
): Promise<void> {
  const { session: name } = watch;
  const sessions = name === undefined ? await store.sessions() : [await sessionOf(store, name, path)];
  for (const session of sessions)
    positions.set(keyOf(session), { session, last: await newestOf(store, session.name) });
  const newest = sessions.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
  if (newest === undefined) return;
  for (const record of await lastOf(store, newest.name, watch)) await show(record, newest, watch);
}

/** False: nobody reads on. */
async function look(store: Store, positions: Map<string, Position>, watch: Watch): Promise<boolean> {
  for (const session of await store.sessions()) {
    if (watch.session !== undefined && watch.session !== session.name) continue;
    const known = positions.get(keyOf(session)) ?? { session, last: null };
    if (positions.has(keyOf(session)) && known.session.entries === session.entries) continue;
    const last = await readOn(store, session, known.last, watch);
    if (last === false) return false;
    positions.set(keyOf(session), { session, last });
  }
  return !watch.signal.aborted;
}

/** Gives how far it came; false: nobody reads on. */
async function readOn(
  store: Store,
  session: SessionInfo,
  from: string | null,
  watch: Watch,
): Promise<string | null | false> {
  let last = from;
  const passed = (id: string) => {
    last = id;
  };
  const after = from === null ? {} : { after: from };
  const options = { ...after, where: watch.where, onPassed: passed, onUnreadable: passed };
  try {
    for await (const record of store.read(session.name, options)) {
      if (!(await show(record, session, watch))) return false;
      last = record.exchange.call.id;
    }
    return last;
  } catch (error) {
    // Removed meanwhile, and what came before it: that is no longer to be told.
    if (error instanceof SandgateError && error.code === 'exchange.unknown')
      return newestOf(store, session.name);
    throw error;
  }
}

async function newestOf(store: Store, session: string): Promise<string | null> {
  let newest: string | null = null;
  const onUnreadable = (id: string) => {
    newest = id;
  };
  for await (const { exchange } of store.read(session, { backwards: true, limit: 1, onUnreadable }))
    newest = exchange.call.id;
  return newest;
}

/** The oldest of them first. */
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

function show(record: RecordedExchange, { notes }: SessionInfo, watch: Watch): Promise<boolean> {
  const call = briefOf(record);
  const admin = adminOf(notes);
  return watch.show(call, admin === null ? null : `${admin}/exchanges/${call.id}`);
}

/** Where the gateway that recorded last has its pages. */
function adminOf(notes: SessionInfo['notes']): string | null {
  return gatewayNotes(notes).findLast(({ kind }) => kind === 'started')?.settings.urls?.admin ?? null;
}

/** One that was removed, and begun again under its name, is another one. */
const keyOf = ({ name, startedAt }: SessionInfo): string => `${startedAt} ${name}`;
