/** Changes of a world that follow from the time alone, where no call carries them: made at once, and kept or taken back. */
import { applyFacts, type BankChange, factsBack } from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import { changesOf } from '../../store/index.js';
import type { RunningWorld } from '../gateway/worlds.js';

export type Remember = (world: RunningWorld, changes: readonly BankChange[]) => void;

export function createRemember(recorder: Pick<Recorder, 'remember'>, onUnrecorded: () => void): Remember {
  return (world, changes) => {
    if (changes.length === 0) return;
    const back = factsBack(world, changes);
    applyFacts(world, changes);
    recorder.remember(changesOf(world.name, changes), () => applyFacts(world, back)).catch(onUnrecorded);
  };
}
