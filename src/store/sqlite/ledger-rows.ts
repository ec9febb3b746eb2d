/** The ledger as rows, one for each fact. */
import type { LedgerChange, LedgerFamilies, LedgerFamily } from '../../ledger/index.js';
import type { Database } from './driver.js';

/** Without a fact its row goes. */
export function createLedgerWriter(db: Database): (change: LedgerChange) => void {
  const upsert = db.prepare(
    'INSERT INTO ledger (family, key, turn, fact) VALUES (?, ?, ?, ?) ON CONFLICT (family, key) DO UPDATE SET turn = excluded.turn, fact = excluded.fact',
  );
  const remove = db.prepare('DELETE FROM ledger WHERE family = ? AND key = ?');
  const newest = db.prepare('SELECT coalesce(max(turn), 0) FROM ledger').pluck();
  let turn: number | null = null;
  return ({ family, key, fact }) => {
    if (fact === null) {
      remove.run(family, key);
      return;
    }
    turn = (turn ?? (newest.get() as number)) + 1;
    upsert.run(family, key, turn, JSON.stringify(fact));
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
