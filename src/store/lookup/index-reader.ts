/** Asks an index which exchanges may match. */
import { toSql } from '../filter/to-sql.js';
import type { FilterTree } from '../filter/tree.js';
import type { Database } from '../sqlite/driver.js';
import { LOOKUP } from './lookup-columns.js';

export interface IndexedSession {
  /** Complete up to this exchange. */
  readonly newest: string;
  readonly placeOf: (exchange: string) => number | undefined;
  /** From behind a place back, the newest first: every exchange that matches is among them. */
  readonly candidates: (tree: FilterTree, before: number | undefined, limit: number) => readonly Candidate[];
}

export interface Candidate {
  readonly place: number;
  readonly exchange: string;
}

export interface Index {
  /** null where nothing is known of it. */
  readonly session: (name: string) => IndexedSession | null;
}

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
