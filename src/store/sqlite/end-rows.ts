/** Entries by their places. */
import type { ChainEnd, EndRows } from '../driver.js';
import type { Database } from './driver.js';
import { createChainNotes } from './notes.js';

const TABLES = ['exchanges', 'beginnings', 'notes'];

export function createEndRows(db: Database): EndRows {
  const { removed } = createChainNotes(db);
  const between = TABLES.map((table) =>
    db.prepare(
      `SELECT seq AS last, hash AS head FROM ${table} WHERE session = @session AND seq > @place AND seq < @limit AND typeof(seq) = 'integer' ORDER BY seq DESC LIMIT 1`,
    ),
  );
  const at = TABLES.map((table) =>
    db.prepare(`SELECT hash FROM ${table} WHERE session = ? AND seq = ?`).pluck(),
  );
  return {
    lastBetween: (session, place, limit) => {
      const found = between
        .map((select) => select.get({ session, place, limit }) as ChainEnd | undefined)
        .filter((end) => end !== undefined)
        .sort((a, b) => b.last - a.last)[0];
      return found === undefined ? null : { last: found.last, head: String(found.head) };
    },
    *linksAt(session, place) {
      for (const select of at) for (const link of select.all(session, place)) yield String(link);
    },
    gaps: (session) => removed(session)?.gaps ?? [],
  };
}
