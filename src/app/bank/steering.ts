/** What an operator does to a world: one step after the other, each kept with a note of who did what, or undone. */
import type { Links } from '../../answer/index.js';
import {
  applyFacts,
  applyStep,
  type BankChange,
  type FactChange,
  factsBack,
  type LivingPopulation,
  tidySnapshots,
  type WorldStep,
} from '../../bank/index.js';
import type { NoteSettings } from '../../exchange/index.js';
import type { Recorder } from '../../recorder/index.js';
import { changesOf, placedChanges, StoreMoved } from '../../store/index.js';
import { type Headers, withStep } from '../gateway/headers.js';
import type { RunningWorld } from '../gateway/worlds.js';

export interface Hands {
  readonly population: LivingPopulation;
  readonly links: Links;
  readonly steer: Steer;
  readonly remember: Remember;
  readonly clock: () => number;
  /** Throws where the living bank is not in force. */
  readonly living: () => void;
}

export interface SteeringParts {
  readonly recorder: Pick<Recorder, 'change' | 'problem'>;
  readonly sessions: (world: string) => readonly string[];
  readonly clock: () => number;
  readonly headers: Pick<Headers, 'of'>;
}

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

export function createSteering({ recorder, sessions, clock, headers }: SteeringParts): Steer {
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
    const names = sessions(world.name);
    const isStep = changes.some((change) => 'step' in change);
    const told = isStep ? { ...settings, step: world.steps } : settings;
    const note = { at: clock(), kind: 'bank', settings: told } as const;
    const takeBack = () => {
      for (const step of undo.reverse()) step();
    };
    if (world.known == null) return recorder.change(names, note, changesOf(world.name, changes), takeBack);
    const placed = changes.flatMap((change, i) =>
      'step' in change
        ? changesOf(world.name, [change])
        : placedChanges(world.name, [change], made[i]?.back ?? []),
    );
    const header = isStep ? { header: withStep(headers.of(world), { note, sessions: names }) } : {};
    return recorder.change(names, note, placed, takeBack, { world: world.name, partitions: [], ...header });
  }

  const steer: Steer = async (world, settings, changesNow, also) => {
    for (;;) {
      try {
        await attempt(world, settings, changesNow(), also);
        return tidySnapshots(world);
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
      }
    }
  };
  const latest = new WeakMap<RunningWorld, Promise<void>>();
  return (world, ...what) => {
    if (world.known == null) return steer(world, ...what);
    // What others are told of a step stands with what they were told of those before.
    const next = () => steer(world, ...what);
    const done = (latest.get(world) ?? Promise.resolve()).then(next, next);
    latest.set(world, done);
    return done;
  };
}

function apply(world: RunningWorld, change: FactChange | WorldStep) {
  if ('step' in change) return { back: [], undo: applyStep(world, change) };
  const back = factsBack(world, [change]);
  applyFacts(world, [change]);
  return { back, undo: () => applyFacts(world, back) };
}

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
