/** Asks an index which exchanges may match. */
import { toSql } from '../filter/to-sql.js';
import type { Database } from '../sqlite/driver.js';
import { LOOKUP } from './lookup-columns.js';
import type { Candidate, Index } from './search.js';

export function createIndexReader(db: Database): Index {
  const session = db.prepare('SELECT id, newest FROM sessions WHERE name = ?');
  const placeOf = db.prepare('SELECT place FROM exchanges WHERE exchange = ? AND session = ?').pluck();
  return {
    session: (name) => {
      const row = session.get(name) as { id: number; newest: string | null } | undefined;
      if (row === undefined || row.newest === null) return null;
      return {
        newest: row.newest,
        placeOf: (exchange) => placeOf.get(exchange, row.id) as number | undefined,
        candidates: (tree, before = Number.MAX_SAFE_INTEGER, limit) => {
          const { sql, values } = toSql(tree, LOOKUP);
          return db
            .prepare(
              `SELECT place, exchange FROM exchanges WHERE session = ? AND place < ? AND ${sql} ORDER BY place DESC LIMIT ?`,
            )
            .all(row.id, before, ...values, limit) as Candidate[];
        },
      };
    },
  };
}
