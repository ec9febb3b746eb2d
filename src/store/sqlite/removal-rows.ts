/** What removing the oldest exchanges of a session finds and takes away. */

import { noteLink } from '../chain.js';
import { PASSING_NOTES } from '../chain-notes.js';
import type { EntryRow, RemovalRows } from '../driver.js';
import { linkAt } from '../ends.js';
import type { RemoveOptions } from '../port.js';
import { type Mark, removeOldest } from '../remove-oldest.js';
import { atOnce, type Steps } from '../steps.js';
import type { NewNote } from '../tails.js';
import type { Database } from './driver.js';
import { createEndRows } from './end-rows.js';
import { createChainNotes } from './notes.js';
import { overwriting, STEP } from './remove.js';

const PASSING = PASSING_NOTES.map((kind) => `'${kind}'`).join(', ');

/** Exchanges and beginnings. */
const entriesWhere = (where: string, order: string): string =>
  `SELECT id, seq, 0 FROM exchanges WHERE ${where} UNION ALL SELECT id, seq, 1 FROM beginnings WHERE ${where} ORDER BY ${order}`;

/** Goes along the chains, the oldest one first; `mark` notes in the chain of this store. */
export function* removeOldestOf(
  db: Database,
  session: string,
  options: RemoveOptions,
  mark: Mark,
): IterableIterator<number> {
  const rows = createRemovalRows(db);
  let left = options.most ?? Number.POSITIVE_INFINITY;
  const chains = db
    .prepare(
      'SELECT id, store IS NULL FROM sessions WHERE name = ? ORDER BY first_turn IS NULL, first_turn, id',
    )
    .raw();
  for (const [id, isOwn] of chains.all(session) as [number, 0 | 1][]) {
    const steps = removeOldest(
      rows,
      { ...options, most: left },
      isOwn === 1 ? mark : markOf(db, session, id),
    );
    for (const step of atOnce(steps)) {
      left -= step;
      yield step;
    }
  }
}

/** Notes at the end of a chain that was copied: no writer knows it. */
const markOf =
  (db: Database, session: string, row: number): Mark =>
  (work) =>
    db
      .transaction(() => {
        const end = db.prepare('SELECT last, head, last_at, turn FROM sessions WHERE id = ?').raw().get(row);
        const [last, head, lastAt, turn] = end as [number, string, number, number];
        const note = work({ row, last, lastAt }) as NewNote | null;
        if (note === null) return;
        const { at, kind } = note;
        const settings = JSON.stringify(note.settings);
        const link = noteLink(head, last + 1, { session, at, kind, settings });
        db.prepare(
          'INSERT INTO notes (session, seq, turn, hash, at, kind, settings) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ).run(row, last + 1, turn + 1, link, at, kind, settings);
        db.prepare('UPDATE sessions SET last = last + 1, turn = turn + 1, head = ? WHERE id = ?').run(
          link,
          row,
        );
      })
      .immediate();

/** Prepared when something is to be removed, which is seldom. */
function createRemovalRows(db: Database): RemovalRows {
  const { created, removed } = createChainNotes(db);
  const ends = createEndRows(db);
  return {
    created,
    removed,
    linkAt: (session, place) => linkAt(ends, session, place),
    entries: (row, after, last) =>
      db
        .prepare(entriesWhere('session = @row AND seq > @after AND seq <= @last', 'seq, id'))
        .raw()
        .iterate({ row, after, last }) as IterableIterator<EntryRow>,
    countNotes: (session, after, through) =>
      db
        .prepare('SELECT count(*) FROM notes WHERE session = ? AND seq > ? AND seq <= ?')
        .pluck()
        .get(session, after, through) as number,
    stayingNotes: (session, through) =>
      db
        .prepare(
          `SELECT seq FROM notes WHERE session = ? AND seq <= ? AND kind NOT IN (${PASSING}) ORDER BY seq`,
        )
        .pluck()
        .all(session, through) as number[],
    removeThrough: (session, through) => overwriting(db, () => removeThrough(db, session, through)),
  };
}

function* removeThrough(db: Database, session: number, through: number): Steps<number> {
  const newest = db
    .prepare(`${entriesWhere('session = @session AND seq <= @through', 'seq DESC, id DESC')} LIMIT ${STEP}`)
    .raw();
  const drops = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE session = ? AND seq >= ? AND seq <= ?`),
  );
  const dropNotes = db.prepare(
    `DELETE FROM notes WHERE session = ? AND seq >= ? AND seq <= ? AND kind IN (${PASSING})`,
  );
  const count = db.prepare('UPDATE sessions SET exchanges = exchanges - ?, begun = begun - ? WHERE id = ?');
  const step = db.transaction((): number | null => {
    const rows = newest.all({ session, through }) as EntryRow[];
    const last = rows.at(-1);
    dropNotes.run(session, last?.[1] ?? 0, through);
    if (last === undefined) return null;
    const begun = rows.filter(([, , isBegun]) => isBegun === 1).length;
    for (const drop of drops) drop.run(session, last[1], through);
    count.run(rows.length - begun, begun, session);
    return rows.length - begun;
  });
  for (let gone = step.immediate(); gone !== null; gone = step.immediate()) yield gone;
}
