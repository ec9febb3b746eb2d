/** What an operator does to a world: one step after the other, each kept with a note of who did what, or undone. */
import {
  applyFacts,
  applyStep,
  type FactChange,
  factsBack,
  tidySnapshots,
  type WorldStep,
} from '../../bank/index.js';
import type { NoteSettings } from '../../exchange/index.js';
import type { Recorder } from '../../recorder/index.js';
import { COMMON_WORLD, changesOf, placedChanges, StoreMoved } from '../../store/index.js';
import type { Headers } from '../gateway/headers.js';
import type { RunningWorld } from '../gateway/worlds.js';

export interface SteeringParts {
  readonly recorder: Pick<Recorder, 'change' | 'problem'>;
  /** That of calls which name none. */
  readonly session: () => string;
  /** The machine's, epoch ms. */
  readonly clock: () => number;
  readonly headers: Pick<Headers, 'of'>;
}

/** What is done, as the note of the session tells it. */
type BankAction = NoteSettings<'bank'>;

/**
 * Moves the world on at once, so that calls of the same turn see it. Rejects with a SandgateError where it could not be
 * kept, or as `changesNow` does; nothing has changed then. That is asked again where another gateway was faster. `also`
 * does what goes with it, and gives what takes it back.
 */
export type Steer = (
  world: RunningWorld,
  action: BankAction,
  changesNow: () => readonly (FactChange | WorldStep)[],
  also?: () => () => void,
) => Promise<void>;

export function createSteering({ recorder, session, clock, headers }: SteeringParts): Steer {
  async function attempt(
    world: RunningWorld,
    settings: BankAction,
    changes: readonly (FactChange | WorldStep)[],
    also: (() => () => void) | undefined,
  ): Promise<void> {
    const problem = recorder.problem();
    if (problem !== null) throw problem;
    const made = changes.map((change) => apply(world, change));
    const undo = made.map((one) => one.undo);
    if (also !== undefined) undo.push(also());
    const name = world.name === COMMON_WORLD ? session() : world.name;
    const note = { at: clock(), kind: 'bank', settings } as const;
    const takeBack = () => {
      for (const step of undo.reverse()) step();
    };
    if (world.known == null) return recorder.change(name, note, changesOf(world.name, changes), takeBack);
    const placed = changes.flatMap((change, i) =>
      'step' in change
        ? changesOf(world.name, [change])
        : placedChanges(world.name, [change], made[i]?.back ?? []),
    );
    const header = changes.some((change) => 'step' in change) ? { header: headers.of(world) } : {};
    return recorder.change(name, note, placed, takeBack, { world: world.name, partitions: [], ...header });
  }

  return async (world, settings, changesNow, also) => {
    for (;;) {
      try {
        await attempt(world, settings, changesNow(), also);
        return tidySnapshots(world);
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
      }
    }
  };
}

function apply(world: RunningWorld, change: FactChange | WorldStep) {
  if ('step' in change) return { back: [], undo: applyStep(world, change) };
  const back = factsBack(world, [change]);
  applyFacts(world, [change]);
  return { back, undo: () => applyFacts(world, back) };
}
