/** Which changes a store keeps, and of which world. */
import type { FactChange, WorldStep } from '../bank/index.js';
import { TRANSIENT_FAMILIES } from '../ledger/index.js';
import { COMMON_WORLD, type KeptChange } from './port.js';

/** Changes of a world as they are kept. */
export function changesOf(
  world: string,
  changes: readonly (FactChange | WorldStep)[],
): readonly KeptChange[] {
  return world === COMMON_WORLD ? changes : changes.map((change) => ({ ...change, world }));
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
      const { world = COMMON_WORLD, family, key } = change;
      const name = `${world} ${family} ${key}`;
      // Deleted first: the order is that of the last changes.
      last.delete(name);
      last.set(name, change);
    }
  }
  yield* last.values();
}
