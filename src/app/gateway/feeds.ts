/** Who hears of what is kept: the feeds of this gateway and of all gateways on its store, and listeners for the changes of worlds. */
import { createFeed, type Feed } from '../../admin/index.js';
import {
  type Arrived,
  type Awaitable,
  type Batch,
  COMMON_WORLD,
  type KeptChange,
  type Store,
} from '../../store/index.js';
import type { SystemParts } from '../system/system-parts.js';
import type { RunningWorld, Worlds } from './worlds.js';

type OnChanges = (world: RunningWorld, changes: readonly KeptChange[]) => void;

export type Feeds = ReturnType<typeof createFeeds>;

interface Group {
  readonly store: Pick<Store, 'calls'>;
  readonly timer: SystemParts['timer'];
}

/** `liveFeed` tells what all gateways on the store keep; the same one where this gateway is alone, and `group` null. */
export function createFeeds(worlds: Pick<Worlds, 'named' | 'common' | 'catchUp'>, group: Group | null) {
  const feed = createFeed();
  const liveFeed = group === null ? feed : createGroupFeed(group, worlds.catchUp);
  const feeds = new Set([feed, liveFeed]);
  const listeners: OnChanges[] = [];
  const tell: OnChanges = (world, changes) => {
    for (const listener of listeners) listener(world, changes);
  };
  const nameOf = ({ world = COMMON_WORLD }: KeptChange): string => world;
  return {
    feed,
    liveFeed,
    onChanges: (listener: OnChanges): void => void listeners.push(listener),
    kept: ({ records, changes, notes = [] }: Batch): void => {
      for (const one of feeds) one.kept({ records, changes, notes });
      if (listeners.length === 0) return;
      // Not before the recorder is done with the batch: listeners give it more.
      queueMicrotask(() => {
        for (const name of new Set(changes.map(nameOf)))
          tell(
            worlds.named(name) ?? worlds.common,
            changes.filter((change) => nameOf(change) === name),
          );
      });
    },
    keptElsewhere: (world: RunningWorld, changes: readonly KeptChange[]): void => {
      tell(world, changes);
      liveFeed.kept({ records: [], changes, notes: [] });
    },
    stir: (): void => {
      for (const one of feeds) one.stir();
    },
  };
}

/** How often the store is asked what others kept, in ms, while somebody listens. */
const LOOK_MS = 200;

/** Tells what this gateway keeps at once, and what others keep as it finds it in the store. */
function createGroupFeed({ store, timer }: Group, catchUp: () => Promise<void>): Feed {
  const feed = createFeed();
  let listening = 0;
  /** Counts each time that somebody begins to listen: what was under way for the one before comes to nothing. */
  let round = 0;
  let position: unknown;
  let begun: Awaitable<void>;
  let cancel = (): void => {};

  function begin(): void {
    const current = ++round;
    const isOver = (): boolean => current !== round;
    const next = (wait: number): void => {
      if (!isOver()) cancel = timer.after(wait, () => void look());
    };
    const take = ({ records, hasNotes, isMore, position: reached }: Arrived): number => {
      if (isOver()) return LOOK_MS;
      position = reached;
      if (records.length > 0) feed.kept({ records, changes: [], notes: [] });
      if (hasNotes) feed.stir();
      return isMore ? 0 : LOOK_MS;
    };
    /** A store that cannot be read is asked again. */
    const look = async (): Promise<void> => {
      let wait = LOOK_MS;
      try {
        await catchUp();
        const arrived = await store.calls.arrived(position);
        if (!isOver() && position === undefined) begun = undefined;
        wait = take(arrived);
      } catch {}
      next(wait);
    };
    const start = async (): Promise<void> => {
      const arrived = await store.calls.arrived();
      if (isOver()) return;
      ({ position } = arrived);
      next(LOOK_MS);
    };
    position = undefined;
    // Until it is known from where on others are followed, nobody is told that they are.
    const started = start();
    begun = started;
    started.catch(() => next(LOOK_MS));
  }

  return {
    ...feed,
    begun: () => begun,
    listen: (listener) => {
      const stop = feed.listen(listener);
      let isListening = true;
      if (listening++ === 0) begin();
      return () => {
        if (!isListening) return;
        isListening = false;
        stop();
        if (--listening > 0) return;
        round += 1;
        cancel();
      };
    },
  };
}
