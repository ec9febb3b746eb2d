/** Tells of the changes of a world once they are kept, whoever made them. */
import type { Recorder } from '../../recorder/index.js';
import type { KeptChange } from '../../store/index.js';
import type { RunningWorld } from './worlds.js';

export type OnKept = (world: RunningWorld, changes: readonly KeptChange[]) => void;

export interface KeptChanges {
  readonly listen: (listener: OnKept) => void;
  readonly tell: OnKept;
  /** The recorder, of whose changes the listeners are told. */
  readonly told: (recorder: Recorder) => Recorder;
}

/** `worldOf` gives the world of a session's name, and the common one for null. */
export function createKeptChanges(worldOf: (session: string | null) => RunningWorld): KeptChanges {
  const listeners: OnKept[] = [];
  const tell: OnKept = (world, changes) => {
    for (const listener of listeners) listener(world, changes);
  };
  const tellOnce = (
    kept: Promise<void>,
    session: string | null,
    changes: readonly KeptChange[],
  ): Promise<void> => {
    if (listeners.length === 0 || changes.length === 0) return kept;
    kept.then(
      () => tell(worldOf(session), changes),
      () => {},
    );
    return kept;
  };
  const worldIn = (changes: readonly KeptChange[]): string | null => changes[0]?.world ?? null;
  return {
    listen: (listener) => void listeners.push(listener),
    tell,
    told: (recorder) => ({
      ...recorder,
      take: (exchange, judged, changes = [], onLost, resting) =>
        tellOnce(recorder.take(exchange, judged, changes, onLost, resting), exchange.call.session, changes),
      remember: (changes, onLost, resting) =>
        tellOnce(recorder.remember(changes, onLost, resting), worldIn(changes), changes),
      change: (sessions, note, changes, onLost, resting) =>
        tellOnce(recorder.change(sessions, note, changes, onLost, resting), worldIn(changes), changes),
    }),
  };
}
