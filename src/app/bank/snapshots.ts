/** Names for what a world was, with the time that its clock showed then. */
import type { ShownSnapshot } from '../../admin/index.js';
import { nearestOf, SandgateError } from '../../spec/index.js';
import { isSessionName, SESSION_NAME_FORM } from '../../store/index.js';
import type { ClockChange, ClockState } from '../clock/clock.js';
import { readSpeed } from '../config/times.js';
import type { RunningWorld } from '../gateway/worlds.js';
import type { Steer } from './steering.js';

export interface Snapshots {
  readonly all: (world: RunningWorld) => readonly ShownSnapshot[];
  readonly take: (world: RunningWorld, name: string) => Promise<ShownSnapshot>;
  readonly restore: (world: RunningWorld, name: string) => Promise<ShownSnapshot>;
  readonly drop: (world: RunningWorld, name: string) => Promise<void>;
}

/** Of one world: those of a whole test suite; each costs what changed since. */
const MOST = 100;

/** `clock`: the machine's, epoch ms. */
export function createSnapshots(steer: Steer, clock: () => number): Snapshots {
  const all: Snapshots['all'] = ({ snapshots }) =>
    [...snapshots].map(([name, { at, clock }]) => ({
      name,
      at: new Date(at).toISOString(),
      now: typeof clock.now === 'string' ? clock.now : null,
    }));
  const known = (world: RunningWorld, name: string): ShownSnapshot => {
    const found = all(world).find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = [...world.snapshots.keys()];
    if (names.length === 0) throw new SandgateError('bank.no-snapshots', { name });
    throw new SandgateError('bank.no-snapshot', { name, nearest: nearestOf(name, names) });
  };
  return {
    all,
    take: async (world, name) => {
      if (!isSessionName(name))
        throw new SandgateError('bank.snapshot-name', { name, form: SESSION_NAME_FORM });
      if (!world.snapshots.has(name) && world.snapshots.size >= MOST)
        throw new SandgateError('bank.many-snapshots', { most: MOST });
      const at = clock();
      await steer(world, { action: 'snapshot', name }, () => [
        { step: 'take', name, at, clock: clockOf(world) },
      ]);
      return known(world, name);
    },
    restore: async (world, name) => {
      const found = known(world, name);
      const clock = world.snapshots.get(name)?.clock ?? {};
      await steer(
        world,
        { action: 'restore', name },
        () => [{ step: 'restore', name }],
        () => setClock(world, clock),
      );
      return found;
    },
    drop: async (world, name) => {
      known(world, name);
      await steer(world, { action: 'drop', name }, () => [{ step: 'drop', name }]);
    },
  };
}

/** Nothing is said of the machine's. */
function clockOf({ clock }: RunningWorld): Readonly<Record<string, unknown>> {
  const { mode, speed } = clock.state();
  return mode === 'real' ? {} : { now: new Date(clock.now()).toISOString(), mode, speed: speed.text };
}

/** As it was at a snapshot; gives what puts it back. */
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
