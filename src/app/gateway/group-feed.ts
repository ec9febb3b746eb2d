/** Tells what all gateways on a store keep: its own at once, that of others as it finds it in the store. */
import { createFeed, type Feed } from '../../admin/index.js';
import type { Arrived, Awaitable, Store } from '../../store/index.js';

export interface GroupFeedParts {
  readonly store: Pick<Store, 'calls'>;
  /** What others changed counts from then on. */
  readonly catchUp: () => Awaitable<unknown>;
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
}

/** How often others are looked after, in ms, while somebody listens. */
const LOOK_MS = 200;

export function createGroupFeed({ store, catchUp, timer }: GroupFeedParts): Feed {
  const feed = createFeed();
  let listening = 0;
  /** Of each time that somebody begins to listen: what was under way for the one before comes to nothing. */
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
    const take = (arrived: Arrived): number => {
      if (isOver()) return LOOK_MS;
      ({ position } = arrived);
      if (arrived.records.length > 0) feed.kept({ records: arrived.records, changes: [], notes: [] });
      if (arrived.hasNotes) feed.stir();
      return arrived.isMore ? 0 : LOOK_MS;
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
    const start = (arrived: Arrived): void => {
      if (isOver()) return;
      ({ position } = arrived);
      next(LOOK_MS);
    };
    position = undefined;
    begun = undefined;
    // Until it is known from where on others are followed, nobody is told that they are.
    const started = (async () => start(await store.calls.arrived()))();
    begun = started;
    started.catch(() => next(LOOK_MS));
  }

  function end(): void {
    round += 1;
    cancel();
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
        if (--listening === 0) end();
      };
    },
  };
}
