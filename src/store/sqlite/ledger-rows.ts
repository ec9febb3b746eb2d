/** The ledger as rows, one for each fact. */
import {
  type LedgerChange,
  type LedgerFamilies,
  type LedgerFamily,
  TRANSIENT_FAMILIES,
} from '../../ledger/index.js';
import type { Database } from './driver.js';

export interface LedgerWriter {
  /** Of several changes for one key the last is written. */
  readonly write: (changes: readonly LedgerChange[]) => void;
}

export function createLedgerWriter(db: Database): LedgerWriter {
  const upsert = db.prepare(
    'INSERT INTO ledger (family, key, turn, fact) VALUES (?, ?, ?, ?) ON CONFLICT (family, key) DO UPDATE SET turn = excluded.turn, fact = excluded.fact',
  );
  const remove = db.prepare('DELETE FROM ledger WHERE family = ? AND key = ?');
  const newest = db.prepare('SELECT coalesce(max(turn), 0) FROM ledger').pluck();
  let turn: number | null = null;

  function writeOne({ family, key, fact }: LedgerChange): void {
    if (fact === null) {
      remove.run(family, key);
      return;
    }
    turn = (turn ?? (newest.get() as number)) + 1;
    upsert.run(family, key, turn, JSON.stringify(fact));
  }

  return {
    write: (changes) => {
      if (changes.length === 1) {
        const [change] = changes as readonly [LedgerChange];
        if (!TRANSIENT_FAMILIES.has(change.family)) writeOne(change);
        return;
      }
      const last = new Map<string, LedgerChange>();
      for (const change of changes) {
        if (TRANSIENT_FAMILIES.has(change.family)) continue;
        const name = `${change.family} ${change.key}`;
        // Deleted first: the order is that of the last changes.
        last.delete(name);
        last.set(name, change);
      }
      for (const change of last.values()) writeOne(change);
    },
  };
}

/** All facts, those that changed longest ago first, so that a ledger made of them ages as the live one did. */
export function* readLedger(db: Database): IterableIterator<LedgerChange> {
  const select = db.prepare('SELECT family, key, fact FROM ledger ORDER BY turn').raw();
  // A store in memory has one connection only, which could not write while it is read from.
  const rows = db.memory ? select.all() : select.iterate();
  for (const row of rows) {
    const [family, key, fact] = row as [LedgerFamily, string, string];
    yield { family, key, fact: JSON.parse(fact) as LedgerFamilies[LedgerFamily] };
  }
}
