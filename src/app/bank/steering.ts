/** What an operator does to a world: one step after the other, each kept with a note of who did what, or undone. */
import {
  applyFacts,
  applyStep,
  type FactChange,
  factsBack,
  tidySnapshots,
  type WorldStep,
} from '../../bank/index.js';
import type { Recorder } from '../../recorder/index.js';
import { COMMON_WORLD, changesOf } from '../../store/index.js';
import type { RunningWorld } from '../gateway/worlds.js';

export interface SteeringParts {
  readonly recorder: Pick<Recorder, 'change' | 'problem'>;
  /** That of calls which name none. */
  readonly session: () => string;
  /** The machine's, epoch ms. */
  readonly clock: () => number;
}

/** What is done, as the note of the session tells it. */
export interface BankAction {
  readonly action: string;
  readonly [detail: string]: string | number | boolean | null;
}

/**
 * Moves the world on at once, so that calls of the same turn see it. Rejects with a SandgateError where it could not be
 * kept; nothing has changed then. `also` does what goes with it, and gives what takes it back.
 */
export type Steer = (
  world: RunningWorld,
  action: BankAction,
  changes: readonly (FactChange | WorldStep)[],
  also?: () => () => void,
) => Promise<void>;

export function createSteering({ recorder, session, clock }: SteeringParts): Steer {
  return async (world, settings, changes, also) => {
    const problem = recorder.problem();
    if (problem !== null) throw problem;
    const undo = changes.map((change) => apply(world, change));
    if (also !== undefined) undo.push(also());
    const name = world.name === COMMON_WORLD ? session() : world.name;
    const note = { at: clock(), kind: 'bank', settings } as const;
    await recorder.change(name, note, changesOf(world.name, changes), () => {
      for (const step of undo.reverse()) step();
    });
    tidySnapshots(world);
  };
}

function apply(world: RunningWorld, change: FactChange | WorldStep): () => void {
  if ('step' in change) return applyStep(world, change);
  const back = factsBack(world, [change]);
  applyFacts(world, [change]);
  return () => applyFacts(world, back);
}
