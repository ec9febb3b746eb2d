/** Names for what a world was, with the time that its clock showed then. */
import type { BankView, ShownSnapshot } from '../../admin/index.js';
import { MOST_SNAPSHOTS } from '../../bank/index.js';
import { SandgateError, slipOf } from '../../spec/index.js';
import { isSessionName, SESSION_NAME_FORM } from '../../store/index.js';
import type { ClockChange, ClockState } from '../clock/clock.js';
import { readSpeed } from '../config/times.js';
import type { RunningWorld } from '../gateway/worlds.js';
import type { Hands } from './steering.js';

export function snapshotsOf(
  world: RunningWorld,
  { steer, clock, living }: Pick<Hands, 'steer' | 'clock' | 'living'>,
): Pick<BankView, 'snapshots' | 'takeSnapshot' | 'restoreSnapshot' | 'dropSnapshot'> {
  const all: BankView['snapshots'] = () =>
    [...world.snapshots].map(([name, { at, clock }]) => ({
      name,
      at: new Date(at).toISOString(),
      now: typeof clock.now === 'string' ? clock.now : null,
    }));
  const snapshot = (name: string): ShownSnapshot => {
    const kept = all().find((one) => one.name === name);
    if (kept !== undefined) return kept;
    const names = [...world.snapshots.keys()];
    if (names.length === 0) throw new SandgateError('bank.no-snapshots', { name });
    throw new SandgateError('bank.no-snapshot', { name, nearest: slipOf(name, names) });
  };
  return {
    snapshots: all,
    takeSnapshot: async (name) => {
      living();
      if (!isSessionName(name))
        throw new SandgateError('bank.snapshot-name', { name, form: SESSION_NAME_FORM });
      if (!world.snapshots.has(name) && world.snapshots.size >= MOST_SNAPSHOTS)
        throw new SandgateError('bank.many-snapshots', { most: MOST_SNAPSHOTS });
      const at = clock();
      await steer(world, { action: 'snapshot', name }, () => [
        { step: 'take', name, at, clock: clockOf(world) },
      ]);
      return snapshot(name);
    },
    restoreSnapshot: async (name) => {
      living();
      const restored = snapshot(name);
      const clock = world.snapshots.get(name)?.clock ?? {};
      await steer(
        world,
        { action: 'restore', name },
        () => [{ step: 'restore', name }],
        () => setClock(world, clock),
      );
      return restored;
    },
    dropSnapshot: async (name) => {
      living();
      snapshot(name);
      await steer(world, { action: 'drop', name }, () => [{ step: 'drop', name }]);
    },
  };
}

function clockOf({ clock }: RunningWorld): Readonly<Record<string, unknown>> {
  const { mode, speed } = clock.state();
  return mode === 'real' ? {} : { now: new Date(clock.now()).toISOString(), mode, speed: speed.text };
}

/** Sets the clock as it was at a snapshot; gives what puts it back. */
function setClock({ clock }: RunningWorld, kept: Readonly<Record<string, unknown>>): () => void {
  const [now, { mode, speed }] = [clock.now(), clock.state()];
  if (mode === 'real' && kept.mode === undefined) return () => {};
  clock.change(changeTo(Date.parse(String(kept.now)), kept.mode, readSpeed(String(kept.speed))));
  return () => clock.change(changeTo(now, mode, speed));
}

function changeTo(now: number, mode: unknown, speed: ClockState['speed'] | undefined): ClockChange {
  if ((mode !== 'frozen' && mode !== 'running') || speed === undefined || Number.isNaN(now))
    return { mode: 'real' };
  return { now, mode, speed };
}
