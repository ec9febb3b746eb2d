/** Retention: removes what is too old or too much, in small steps between calls. */
import { stat } from 'node:fs/promises';
import { SPARED_MS } from '../../evidence/index.js';
import { firstIdAt, gatewayNotes } from '../../exchange/index.js';
import { DAY_MS } from '../../spec/index.js';
import { indexPath, type SessionInfo, type Store } from '../../store/index.js';
import type { Config } from '../config/config.js';
import type { Recording } from '../gateway/recording.js';
import { errorFacts, type SystemParts } from '../system/system-parts.js';
import { keepSizeOf } from './session-notes.js';

const FIRST_MS = 1_000;
const EVERY_MS = 60_000;
/** Between two steps: calls come first. */
const PAUSE_MS = 20;
const HOUR_MS = 3_600_000;
/** Another gateway may still record in a session that changed so lately. */
const RECENT_MS = SPARED_MS;

export function startRetention(
  config: Pick<Config, 'keepDays' | 'keepSize' | 'store'>,
  { store, sessions, isFirst }: Pick<Recording, 'store' | 'sessions' | 'isFirst'>,
  { timer, clock, log }: Pick<SystemParts, 'timer' | 'clock' | 'log'>,
) {
  const { keepDays } = config;
  const keepSize = keepSizeOf(config);
  let steps: AsyncGenerator<void> | null = null;
  let isClosed = false;
  let cancel = timer.after(FIRST_MS, step);
  const parts: PruneParts = {
    store,
    clock,
    isOpen: sessions.isOpen,
    keepDays,
    keepSize,
    indexSize: () => sizeOfIndex(store.place.file),
    onRemoved: (session, why) => log.info({ session }, `A session was removed: ${why}.`),
    onShortened: (session) =>
      log.warn(
        { session, keepSize },
        'The oldest exchanges of a running session were removed: the store held more than --keep-size.',
      ),
    onTooLarge: () =>
      log.warn({ keepSize }, 'The recordings of the last ten minutes alone exceed --keep-size.'),
  };

  async function step(): Promise<void> {
    let done = true;
    try {
      // Of several gateways one alone, and another one where that has ended.
      if (steps === null && (await isFirst()) && !isClosed) steps = prune(parts);
      done = (await steps?.next())?.done !== false;
    } catch (error) {
      log.error(errorFacts(error), 'Old sessions could not be removed.');
    }
    if (done) steps = null;
    if (!isClosed) cancel = timer.after(done ? EVERY_MS : PAUSE_MS, step);
  }

  return {
    close: async (): Promise<void> => {
      isClosed = true;
      cancel();
      await steps?.return(undefined);
    },
  };
}

export interface PruneParts {
  readonly store: Pick<Store, 'sessions' | 'remove' | 'place' | 'worlds'>;
  readonly clock: () => number;
  readonly isOpen: (session: string) => boolean;
  readonly keepDays: number | undefined;
  /** In bytes; undefined: any number. */
  readonly keepSize: number | undefined;
  readonly indexSize: () => Promise<number>;
  readonly onRemoved: (session: string, why: string) => void;
  /** The oldest exchanges of a running session were removed, for want of others. */
  readonly onShortened: (session: string) => void;
  readonly onTooLarge: () => void;
}

/** Yields after each small step. */
export async function* prune(parts: PruneParts): AsyncGenerator<void> {
  if (parts.keepDays !== undefined) yield* pruneByAge(parts, parts.keepDays);
  if (parts.keepSize !== undefined) yield* pruneBySize(parts, await shareOfStore(parts, parts.keepSize));
  yield* steps(parts.store.worlds.tidy());
}

/** The index follows what is removed a while later: of what may be kept, each has the share that it has now. */
async function shareOfStore({ store, indexSize }: PruneParts, keepSize: number): Promise<number> {
  const size = await store.place.size();
  return size === 0 ? keepSize : (keepSize * size) / (size + (await indexSize()));
}

async function sizeOfIndex(file: string | null): Promise<number> {
  if (file === null) return 0;
  return stat(indexPath(file)).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Each removal is noted in the chain of its session, so that there are not more of them than one an hour. */
const hourOf = (at: number): number => at - (at % HOUR_MS);

/** Whole sessions where nothing in them is young enough; of those that go on, what is too old. */
async function* pruneByAge(
  { store, clock, isOpen, onRemoved }: PruneParts,
  keepDays: number,
): AsyncGenerator<void> {
  const end = hourOf(clock() - keepDays * DAY_MS);
  for (const session of await store.sessions()) {
    const { name, startedAt } = session;
    if (isOpen(name)) {
      if (startedAt < end)
        yield* steps(store.remove(name, { before: firstIdAt(end), at: clock(), by: { keepDays } }));
    } else if (changedAt(session) < end) {
      yield* steps(store.remove(name));
      onRemoved(name, 'it is older than --keep-days');
    }
  }
}

/** The one that began first goes first; where none may go, the oldest exchanges of those that go on. */
async function* pruneBySize(parts: PruneParts, keepSize: number): AsyncGenerator<void> {
  const { store, clock, isOpen, onRemoved } = parts;
  const mayGo = (session: SessionInfo) => !isOpen(session.name) && changedAt(session) < clock() - RECENT_MS;
  while ((await store.place.size()) > keepSize) {
    const oldest = (await store.sessions()).find(mayGo);
    if (oldest === undefined) return yield* shortenOpen(parts, keepSize);
    yield* steps(store.remove(oldest.name));
    onRemoved(oldest.name, 'the store held more than --keep-size');
  }
}

/** A recording that was imported is kept as long as if it had been made then: its calls may be years old. */
function changedAt({ lastAt, notes }: SessionInfo): number {
  const imported = gatewayNotes(notes).map(({ settings }) => Date.parse(settings.importedAt ?? '') || 0);
  return Math.max(lastAt, ...imported);
}

async function* shortenOpen(
  { store, clock, isOpen, onShortened, onTooLarge, keepSize: whole = 0 }: PruneParts,
  keepSize: number,
): AsyncGenerator<void> {
  const before = firstIdAt(clock() - RECENT_MS);
  for (const { name, exchanges } of await store.sessions()) {
    if (!isOpen(name)) continue;
    const most = Math.max(LEAST_SHARE, Math.ceil(exchanges * SHARE));
    let isShorter = false;
    for (let removed = -1; removed !== 0; ) {
      const size = await store.place.size();
      if (size <= keepSize) break;
      removed = 0;
      // With the index, of which the store may keep its share only.
      const by = { keepSize: whole, size: Math.ceil((size * whole) / keepSize) };
      for await (const step of store.remove(name, { before, at: clock(), most, by })) {
        yield;
        removed += step;
      }
      isShorter ||= removed > 0;
    }
    if (isShorter) onShortened(name);
    if ((await store.place.size()) <= keepSize) return;
  }
  onTooLarge();
}

/** Each removal is noted in the chain: of a session that goes on for years these notes must stay few. */
const SHARE = 0.05;
const LEAST_SHARE = 50;

async function* steps(removal: ReturnType<Store['remove']>): AsyncGenerator<void> {
  for await (const _ of removal) yield;
}
