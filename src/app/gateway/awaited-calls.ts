/** Finds the authorization request that a redirect of the bank's pages ends, whichever gateway showed them. */
import { COMMON_PARTITION } from '../../bank/index.js';
import type { PagesParts } from '../../gateway/index.js';
import { type EndedRequest, requestEndedBy } from '../../ledger/index.js';
import { type Awaitable, after, COMMON_WORLD } from '../../store/index.js';
import type { Recording } from './recording.js';
import type { RunningWorld } from './worlds.js';

/** The call comes out of the store, as it was recorded; its world is open then. */
export function createAwaitedCalls(
  recording: Pick<Recording, 'store' | 'worlds' | 'recorder' | 'sessions' | 'isShared'>,
): PagesParts['endedBy'] {
  const { store, worlds, recorder, sessions, isShared } = recording;
  const endedHere = (location: string): EndedRequest =>
    requestEndedBy(
      [...worlds.open()].flatMap(({ ledger }) => [...ledger.authorizes.values()]),
      location,
    );

  /** Whether authorization requests began or ended elsewhere: what waits to be kept is taken back for nothing less. */
  function isBehind({ name, known }: RunningWorld): Awaitable<boolean> {
    if (known == null) return false;
    // A notice of what happened in the common one may still be on its way.
    if (name !== COMMON_WORLD && store.worlds.stamp(name) === known.stamp) return false;
    return after(
      store.worlds.catchUp(name, { ...known.state, versions: known.versions }),
      ({ isAnew, facts }) => isAnew || facts.some(({ family }) => family === 'authorizes'),
    );
  }

  /** Where no call has reached a world since this gateway began, it is opened. */
  async function elsewhere(location: string): Promise<string | null> {
    const others = (await store.worlds.awaited()).filter(({ world }) => worlds.named(world) === undefined);
    const { exact } = requestEndedBy(
      others.map(({ fact }) => fact),
      location,
    );
    const request = others.find(({ fact }) => exact !== null && fact.awaited === exact);
    return request !== undefined && 'session' in (await sessions.named(request.world, 'link')) ? exact : null;
  }

  return async (location) => {
    let { exact, latest } = endedHere(location);
    if (exact === null && isShared) {
      await worlds.catchUp();
      for (const world of worlds.open())
        if (await isBehind(world)) await recorder.catchUp(world.name, COMMON_PARTITION);
      ({ exact, latest } = endedHere(location));
    }
    if (exact === null && worlds.isolated) exact = await elsewhere(location);
    const id = exact ?? latest;
    return id === null ? null : ((await store.find(id))?.exchange.call ?? null);
  };
}
