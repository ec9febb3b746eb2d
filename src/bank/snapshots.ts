/**
 * Snapshots of a world: names for what it was. Facts are values, so a snapshot holds only what changed from the one
 * before it, in both directions; going back costs as much as there is to change, however much is known.
 */
import {
  type ByFamily,
  createLine,
  type Difference,
  type FactChange,
  type Held,
  heldIn,
  inFamily,
  type Line,
  putHeld,
  type Snapshot,
} from './line.js';
import type { World } from './world.js';

export interface SnapshotTaken {
  readonly name: string;
  readonly at: number;
  /** Of the clock, as whoever takes it has it. */
  readonly clock: Readonly<Record<string, unknown>>;
}

/** One world holds the snapshots of a whole test suite; each costs what changed since. */
export const MOST_SNAPSHOTS = 100;

export type WorldStep =
  /** In the place of a snapshot with the same name. */
  | ({ readonly step: 'take' } & SnapshotTaken)
  | { readonly step: 'restore'; readonly name: string }
  | { readonly step: 'drop'; readonly name: string }
  /** Nothing is known any more, but snapshots. */
  | { readonly step: 'reset' };

/** Takes a step back, where it could not be kept; what came after it has been taken back before. */
export type Undo = () => void;

/** In place. A snapshot that is not there is none to go back to. */
export function applyStep(world: World, step: WorldStep): Undo {
  const undo = taken(world, step);
  world.steps += 1;
  return () => {
    world.steps -= 1;
    undo();
  };
}

function taken(world: World, step: WorldStep): Undo {
  if (step.step === 'take') return take(world, step);
  if (step.step === 'drop') return drop(world, step.name);
  if (step.step === 'reset') return reset(world);
  const snapshot = world.snapshots.get(step.name);
  return snapshot === undefined ? () => {} : restoreSnapshot(world, snapshot);
}

function take({ line, snapshots }: World, { name, at, clock }: Extract<WorldStep, { step: 'take' }>): Undo {
  const { base, changed } = line;
  const older = [...snapshots];
  snapshots.delete(name);
  const taken = { line, at, clock, parent: base, differs: base === null ? null : differencesOf(line) };
  snapshots.set(name, taken);
  line.base = taken;
  line.changed = new Map();
  return () => {
    line.base = base;
    line.changed = changed;
    putBack(snapshots, older);
  };
}

function drop({ snapshots }: World, name: string): Undo {
  const older = [...snapshots];
  snapshots.delete(name);
  return () => putBack(snapshots, older);
}

function putBack<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

function reset(world: World): Undo {
  const before = world.line;
  world.line = createLine(before.ledger.underWay, before.reads);
  return () => {
    world.line = before;
  };
}

export function restoreSnapshot(world: World, snapshot: Snapshot): Undo {
  const before = world.line;
  const { line } = snapshot;
  const { base, changed } = line;
  const back: (readonly [family: FactChange['family'], key: string, held: Held])[] = [];
  for (const [family, facts] of wayTo(line, snapshot)) {
    for (const [key, fact] of facts) {
      back.push([family, key, heldIn(line, family, key)]);
      putHeld(line, family, key, fact);
    }
  }
  line.base = snapshot;
  line.changed = new Map();
  world.line = line;
  return () => {
    for (const [family, key, held] of back) putHeld(line, family, key, held);
    line.base = base;
    line.changed = changed;
    world.line = before;
  };
}

/** The facts that are not as they were at a snapshot, as they were then. */
function wayTo({ base, changed }: Line, to: Snapshot): ByFamily<Held> {
  if (base === to) return changed;
  const below = new Set<Snapshot | null>();
  for (let one: Snapshot | null = to; one !== null; one = one.parent) below.add(one);
  const way: ByFamily<Held> = new Map();
  for (const [family, facts] of changed) way.set(family, new Map(facts));
  let at = base;
  for (; at !== null && !below.has(at); at = at.parent) lead(way, at, 0);
  const down: Snapshot[] = [];
  for (let one: Snapshot | null = to; one !== null && one !== at; one = one.parent) down.unshift(one);
  for (const one of down) lead(way, one, 1);
  return way;
}

/** Over what a snapshot changes: to its parent (0), or from there to it (1). */
function lead(way: ByFamily<Held>, { differs }: Snapshot, side: 0 | 1): void {
  for (const [family, facts] of differs ?? []) {
    const found = inFamily(way, family);
    for (const [key, difference] of facts) found.set(key, difference[side]);
  }
}

function differencesOf(line: Line): ByFamily<Difference> {
  const differs: ByFamily<Difference> = new Map();
  for (const [family, facts] of line.changed) {
    const found = inFamily(differs, family);
    for (const [key, before] of facts) found.set(key, [before, heldIn(line, family, key)]);
  }
  return differs;
}

/**
 * Forgets what no snapshot needs: one without a name that leads to one other alone becomes part of that one. To be
 * called when nothing is to be undone any more.
 */
export function tidySnapshots(world: World): void {
  for (let found = needless(world); found !== undefined; found = needless(world)) join(...found);
}

type Follower = Snapshot | Line;

function needless({ line, snapshots }: World): [Snapshot, Follower] | undefined {
  const named = new Set(snapshots.values());
  const followers = new Map<Snapshot, Set<Follower>>();
  const ends: Follower[] = [line, ...named, ...[...named].map((snapshot) => snapshot.line)];
  for (const end of ends)
    for (
      let one: Follower = end, parent = parentOf(end);
      parent !== null;
      one = parent, parent = parentOf(one)
    )
      followers.set(parent, (followers.get(parent) ?? new Set()).add(one));
  for (const [snapshot, [only, ...others]] of followers)
    if (!named.has(snapshot) && only !== undefined && others.length === 0) return [snapshot, only];
  return undefined;
}

const parentOf = (one: Follower): Snapshot | null => ('base' in one ? one.base : one.parent);

/** What the one changed, the other changes from now on. */
function join({ parent, differs }: Snapshot, follower: Follower): void {
  if ('base' in follower) {
    follower.base = parent;
    if (differs === null) follower.changed = new Map();
    for (const [family, facts] of differs ?? []) {
      const found = inFamily(follower.changed, family);
      for (const [key, [before]] of facts) found.set(key, before);
    }
    return;
  }
  follower.parent = parent;
  if (differs === null) follower.differs = null;
  if (follower.differs === null || differs === null) return;
  for (const [family, facts] of differs) {
    const found = inFamily(follower.differs, family);
    for (const [key, difference] of facts) {
      const later = found.get(key);
      found.set(key, later === undefined ? difference : [difference[0], later[1]]);
    }
  }
}
