/** A world out of what a store keeps of it. */
import { createLine, type Snapshot, type StoredFact } from './line.js';
import { applyStep, restoreSnapshot, type SnapshotTaken, tidySnapshots } from './snapshots.js';
import { applyStored, createWorld, type World } from './world.js';

export interface StoredLayer {
  readonly id: number;
  /** null: it begins with nothing. */
  readonly parent: number | null;
  /** What it is a snapshot of; null where it is none. */
  readonly snapshot: SnapshotTaken | null;
  /** Those first that changed longest ago; without a fact: it is none any more. */
  readonly facts: Iterable<StoredFact>;
}

/** The same world as a store has it now, where it is another one, after so many steps; what is under way stays so. */
export function reloadWorld(world: World, layers: readonly StoredLayer[], steps = world.steps): void {
  const { ledger, reads } = world.line;
  for (const use of ledger.uses.values()) ledger.underWay.leave(use);
  const { line, snapshots } = openWorld(layers, world.name, createLine(ledger.underWay, reads));
  world.line = line;
  world.steps = steps;
  world.snapshots.clear();
  for (const [name, snapshot] of snapshots) world.snapshots.set(name, snapshot);
}

/** `layers`: in the order in which they began; the last one is what the world is now. `line`: it begins with this one. */
export function openWorld(layers: readonly StoredLayer[], name = '', line = createLine()): World {
  const world = createWorld([], name, line);
  const places = new Map<number, Snapshot>();
  const parents = new Set(layers.map(({ parent }) => parent));
  for (const { id, parent, snapshot, facts } of layers) {
    const isLast = id === layers.at(-1)?.id;
    if (!isLast && snapshot === null && !parents.has(id)) continue;
    const base = places.get(parent ?? -1);
    if (base === undefined) applyStep(world, { step: 'reset' });
    else restoreSnapshot(world, base);
    applyStored(world, facts);
    if (isLast) break;
    applyStep(world, { step: 'take', ...(snapshot ?? { name: ` ${id}`, at: 0, clock: {} }) });
    if (world.line.base !== null) places.set(id, world.line.base);
  }
  for (const taken of [...world.snapshots.keys()])
    if (taken.startsWith(' ')) applyStep(world, { step: 'drop', name: taken });
  tidySnapshots(world);
  world.steps = 0;
  return world;
}
