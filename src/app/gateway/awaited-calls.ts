/** Finds the authorization request that a redirect of the bank's pages ends, whichever gateway showed them. */
import { COMMON_PARTITION } from '../../bank/index.js';
import type { PagesParts } from '../../gateway/index.js';
import { type EndedRequest, requestEndedBy } from '../../ledger/index.js';
import { type Awaitable, after, COMMON_WORLD } from '../../store/index.js';
import type { Recording } from './recording.js';
import type { RunningWorld } from './worlds.js';

/** Of the worlds that are open here. The call comes out of the store, as it was recorded. */
export function createAwaitedCalls(
  recording: Pick<Recording, 'store' | 'worlds' | 'recorder' | 'isShared'>,
): PagesParts['endedBy'] {
  const { store, worlds, recorder, isShared } = recording;
  const known = (location: string): EndedRequest =>
    requestEndedBy(
      [...worlds.open()].map(({ ledger }) => ledger),
      location,
    );

  /** Whether authorization requests began or ended elsewhere: what waits to be kept is taken back for nothing less. */
  function isBehind({ name, known }: RunningWorld): Awaitable<boolean> {
    if (known == null) return false;
    // A notice of what happened in the common one may still be on its way.
    if (name !== COMMON_WORLD && store.stamp(name) === known.stamp) return false;
    return after(
      store.catchUp(name, { ...known.standing, versions: known.versions }),
      ({ isAnew, facts }) => isAnew || facts.some(({ family }) => family === 'authorizes'),
    );
  }

  return async (location) => {
    let { exact, latest } = known(location);
    if (exact === null && isShared) {
      await worlds.catchUp();
      for (const world of worlds.open())
        if (await isBehind(world)) await recorder.catchUp(world.name, COMMON_PARTITION);
      ({ exact, latest } = known(location));
    }
    const id = exact ?? latest;
    return id === null ? null : ((await store.find(id))?.exchange.call ?? null);
  };
}
