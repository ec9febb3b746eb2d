/** A store whose values all come later, as those of a database behind a network do. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Rows, Store } from '../../src/store/index.js';

/** Groups of members. */
const GROUPS: ReadonlySet<string> = new Set(['calls', 'chains', 'worlds', 'place', 'erasures']);
/** Members whose values are there at once, whatever the store. */
const AT_ONCE: ReadonlySet<string> = new Set(['takeUnsigned', 'stamp']);
const ROWS: ReadonlySet<string> = new Set(['read', 'verify', 'remove', 'tidy', 'contents']);

type Member = (...given: unknown[]) => unknown;

const later =
  (work: Member) =>
  async (...given: unknown[]): Promise<unknown> => {
    await nextTurn();
    return work(...given);
  };

const rowsLater = (open: Member) =>
  async function* (...given: unknown[]): AsyncIterableIterator<unknown> {
    await nextTurn();
    for await (const row of open(...given) as Rows<unknown>) {
      yield row;
      await nextTurn();
    }
  };

export const lateStore = (store: Store): Store => late(store);

function late<T extends object>(members: T): T {
  const entries = Object.entries(members).map(([name, member]) => {
    if (GROUPS.has(name)) return [name, late(member)];
    if (AT_ONCE.has(name) || typeof member !== 'function') return [name, member];
    return [name, ROWS.has(name) ? rowsLater(member) : later(member)];
  });
  return Object.fromEntries(entries) as T;
}
