/** Which changes of facts a store keeps. */
import type { FactChange } from '../bank/index.js';
import { TRANSIENT_FAMILIES } from '../ledger/index.js';

/** Without those of families that are not kept; of several for one key the last, in the order of these last ones. */
export function keptChanges(changes: readonly FactChange[]): Iterable<FactChange> {
  if (changes.length === 1) return changes.filter(isKept);
  const last = new Map<string, FactChange>();
  for (const change of changes) {
    if (!isKept(change)) continue;
    const name = `${change.family} ${change.key}`;
    // Deleted first: the order is that of the last changes.
    last.delete(name);
    last.set(name, change);
  }
  return last.values();
}

const isKept = ({ family }: FactChange): boolean => !(TRANSIENT_FAMILIES as ReadonlySet<string>).has(family);
