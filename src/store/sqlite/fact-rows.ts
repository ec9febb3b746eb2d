/** Facts of the ledger and of the living bank as rows, one for each. */
import type { FactChange } from '../../bank/index.js';
import type { Database } from './driver.js';

/** Without a fact its row goes. */
export function createFactWriter(db: Database): (change: FactChange) => void {
  const upsert = db.prepare(
    'INSERT INTO facts (family, key, turn, fact) VALUES (?, ?, ?, ?) ON CONFLICT (family, key) DO UPDATE SET turn = excluded.turn, fact = excluded.fact',
  );
  const remove = db.prepare('DELETE FROM facts WHERE family = ? AND key = ?');
  const newest = db.prepare('SELECT coalesce(max(turn), 0) FROM facts').pluck();
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

/** All facts, those that changed longest ago first, so that a world made of them ages as the live one did. */
export function* readFacts(db: Database): IterableIterator<FactChange> {
  const select = db.prepare('SELECT family, key, fact FROM facts ORDER BY turn').raw();
  // A store in memory has one connection only, which could not write while it is read from.
  const rows = db.memory ? select.all() : select.iterate();
  for (const row of rows) {
    const [family, key, fact] = row as [FactChange['family'], string, string];
    yield { family, key, fact: JSON.parse(fact) } as FactChange;
  }
}
