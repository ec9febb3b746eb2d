/** Changes of a world that follow from the time alone, where no call carries them: made at once, and kept or taken back. */
import { applyFacts, type BankChange, factsBack } from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import { changesOf, placedChanges, StoreMoved } from '../../store/index.js';
import type { RunningWorld } from '../gateway/worlds.js';

/** Resolves to whether they are kept. Where another gateway was faster they follow from what it did, or no more. */
export type Remember = (world: RunningWorld, changes: readonly BankChange[]) => Promise<boolean>;

export function createRemember(recorder: Pick<Recorder, 'remember'>, onUnrecorded: () => void): Remember {
  return async (world, changes) => {
    if (changes.length === 0) return true;
    const { name, known } = world;
    const back = factsBack(world, changes);
    applyFacts(world, changes);
    const isShared = known != null;
    const kept = recorder.remember(
      isShared ? placedChanges(name, changes, back) : changesOf(name, changes),
      () => applyFacts(world, back),
      isShared ? { world: name, partitions: [] } : undefined,
    );
    return kept.then(
      () => true,
      (error) => {
        if (!(error instanceof StoreMoved)) onUnrecorded();
        return false;
      },
    );
  };
}
