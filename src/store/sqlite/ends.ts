/** Finds the end of a session's chain from its entries. */
import type { Database } from './driver.js';
import { createChainNotes } from './notes.js';

export interface ChainEnd {
  /** Place of the last entry. */
  readonly last: number;
  /** Its link. */
  readonly head: string;
}

export interface Ends {
  /** The last entry behind `place`; null where there is none. */
  readonly beyond: (session: number, place: number) => ChainEnd | null;
  /** Whether the entry is there with this link, or was removed with it. */
  readonly holds: (session: number, end: ChainEnd) => boolean;
  readonly linkAt: (session: number, place: number) => string | null;
}

/** Places further away are none that counting could have come to: nobody goes on behind them. */
const REACH = 1_000_000;

export function createEnds(db: Database): Ends {
  const notes = createChainNotes(db);
  const tables = ['exchanges', 'beginnings', 'notes'];
  const behind = tables.map((table) =>
    db.prepare(
      `SELECT seq AS last, hash AS head FROM ${table} WHERE session = @session AND seq > @place AND seq < @place + ${REACH} AND typeof(seq) = 'integer' ORDER BY seq DESC LIMIT 1`,
    ),
  );
  const at = tables.map((table) =>
    db.prepare(`SELECT hash FROM ${table} WHERE session = ? AND seq = ?`).pluck(),
  );
  function* linksAt(session: number, place: number): IterableIterator<string> {
    for (const select of at) for (const link of select.all(session, place)) yield String(link);
    for (const [, to, link] of notes.removed(session)?.gaps ?? []) if (to === place) yield link;
  }
  return {
    beyond: (session, place) => {
      const found = behind
        .map((select) => select.get({ session, place }) as ChainEnd | undefined)
        .filter((end) => end !== undefined)
        .sort((a, b) => b.last - a.last)[0];
      return found === undefined ? null : { last: found.last, head: String(found.head) };
    },
    holds: (session, { last, head }) => {
      for (const link of linksAt(session, last)) if (link === head) return true;
      return false;
    },
    linkAt: (session, place) => {
      const { value } = linksAt(session, place).next();
      return (value as string | undefined) ?? null;
    },
  };
}
