/** Which changes a store keeps, of which world, and what they move on there. */
import { COMMON_PARTITION, type FactChange, placeOf, type WorldStep } from '../bank/index.js';
import { TRANSIENT_FAMILIES } from '../ledger/index.js';
import type { Move } from './driver.js';
import { COMMON_WORLD, type KeptChange } from './port.js';
import type { NewHeader } from './world-state.js';

/** Changes of a world as they are kept. */
export function changesOf(
  world: string,
  changes: readonly (FactChange | WorldStep)[],
): readonly KeptChange[] {
  return world === COMMON_WORLD ? changes : changes.map((change) => ({ ...change, world }));
}

/**
 * The same with their places, for a store that is shared; `back`: what takes them back. A fact that finds another home is
 * removed from the one before.
 */
export function placedChanges(
  world: string,
  changes: readonly FactChange[],
  back: readonly FactChange[],
): readonly KeptChange[] {
  const placed = changes.flatMap((change, i): readonly KeptChange[] => {
    const { family, key, fact } = change;
    const before = back[i]?.fact ?? null;
    const was = before === null ? null : placeOf(family, key, before);
    if (fact === null) return [{ ...change, ...(was ?? { home: COMMON_PARTITION }) }];
    const { home, tags } = placeOf(family, key, fact);
    const all = was === null ? tags : [...new Set([...tags, ...was.tags])];
    const put: KeptChange = { ...change, home, tags: all };
    return was === null || was.home === home
      ? [put]
      : [{ family, key, fact: null, home: was.home } as KeptChange, put];
  });
  return world === COMMON_WORLD ? placed : placed.map((change) => ({ ...change, world }));
}

/**
 * Without those of families that are not kept; of several for one key the last, in the order of these last ones. What
 * befalls a world as a whole stands between those before it and those after it.
 */
export function* keptChanges(changes: readonly KeptChange[]): IterableIterator<KeptChange> {
  const last = new Map<string, KeptChange>();
  for (const change of changes) {
    if ('step' in change) {
      yield* last.values();
      last.clear();
      yield change;
    } else if (!(TRANSIENT_FAMILIES as ReadonlySet<string>).has(change.family)) {
      const { world = COMMON_WORLD, family, key, home = '' } = change;
      const name = `${world} ${home} ${family} ${key}`;
      // Deleted first: the order is that of the last changes.
      last.delete(name);
      last.set(name, change);
    }
  }
  yield* last.values();
}

/** World by world. */
export function movesOf(changes: readonly KeptChange[], headers: readonly NewHeader[]): Iterable<Move> {
  const moves = new Map<
    string,
    { partitions: Set<string>; header: NewHeader['header'] | null; steps: number }
  >();
  const moveOf = (world: string) => {
    const known = moves.get(world) ?? { partitions: new Set<string>(), header: null, steps: 0 };
    moves.set(world, known);
    return known;
  };
  for (const change of keptChanges(changes)) {
    const move = moveOf(change.world ?? COMMON_WORLD);
    if ('step' in change) move.steps += 1;
    else {
      move.partitions.add(change.home ?? COMMON_PARTITION);
      for (const tag of change.tags ?? []) move.partitions.add(tag);
    }
  }
  for (const { world, header } of headers) moveOf(world).header = header;
  return [...moves].map(([world, move]) => ({ world, ...move }));
}
