/** Asks an index which exchanges may match, and how far it is behind its store. */
import { numberOfId } from '../../exchange/index.js';
import { hasText } from '../filter/tree.js';
import type { Database } from '../sqlite/driver.js';
import { toSql } from './lookup-columns.js';
import type { Candidate, Index } from './search.js';

interface Row extends Omit<Candidate, 'fits'> {
  readonly fits: 0 | 1;
}

/** `store`: the database that it is of. */
export function createIndexReader(db: Database, store: Database): Index {
  const inStore = store.prepare('SELECT coalesce(sum(exchanges), 0) FROM sessions WHERE name = ?').pluck();
  const placeInStore = store.prepare('SELECT session, seq, turn FROM exchanges WHERE id = ?');
  // Behind those of chains that were copied, by their turns, come those that the store recorded itself.
  const behindPlace = store
    .prepare(
      `SELECT coalesce(sum(CASE
           WHEN id = @session THEN (SELECT count(*) FROM exchanges WHERE session = sessions.id AND seq > @seq)
           WHEN store IS NULL THEN exchanges
           ELSE (SELECT count(*) FROM exchanges WHERE session = sessions.id AND turn > @turn)
         END), 0) FROM sessions WHERE name = @name`,
    )
    .pluck();
  const session = db.prepare('SELECT id, newest FROM sessions WHERE name = ?');
  const placeOf = db.prepare('SELECT place FROM exchanges WHERE exchange = ? AND session = ?').pluck();
  return {
    behind: (name) => {
      const { newest = null } = (session.get(name) ?? {}) as { newest?: string | null };
      const place = newest === null ? undefined : placeInStore.get(numberOfId(newest));
      return (place === undefined ? inStore.get(name) : behindPlace.get({ name, ...place })) as number;
    },
    session: (name) => {
      const row = session.get(name) as { id: number; newest: string | null } | undefined;
      if (row === undefined || row.newest === null) return null;
      return {
        newest: row.newest,
        placeOf: (exchange) => placeOf.get(exchange, row.id) as number | undefined,
        candidates: (tree, before = Number.MAX_SAFE_INTEGER, limit) => {
          const { sql, told, values } = toSql(tree);
          // The index tells for certain where a text is not, and never where it is.
          const isTold = hasText(tree) ? [] : values;
          const rows = db
            .prepare(
              `SELECT place, exchange, ${hasText(tree) ? 'FALSE' : `(${told}) IS TRUE`} AS fits FROM exchanges
                 WHERE session = ? AND place < ? AND ${sql} ORDER BY place DESC LIMIT ?`,
            )
            .all(...isTold, row.id, before, ...values, limit) as Row[];
          return rows.map((one): Candidate => ({ ...one, fits: one.fits === 1 }));
        },
      };
    },
  };
}
