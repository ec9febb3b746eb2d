/** Removes sessions in steps small enough that nobody who writes at the same time is held up. */
import { numberOfId } from '../../exchange/index.js';
import type { RemoveOptions } from '../store.js';
import type { Database } from './driver.js';

/** Rows of one step: some ten ms in a large store (performance.md). */
const STEP = 100;

/**
 * Yields the number of exchanges that each step removed; each step is a commit of its own. `onGone` is called as soon
 * as the session's name is free for a new one.
 */
export function* removeSession(
  db: Database,
  session: string,
  { before }: RemoveOptions = {},
  onGone: () => void,
): IterableIterator<number> {
  const id = db.prepare('SELECT id FROM sessions WHERE name = ?').pluck().get(session) as number | undefined;
  if (id === undefined) return;
  // What was removed shall not be found in the free pages of the file.
  db.pragma('secure_delete = ON');
  try {
    if (before !== undefined) {
      yield* removeOldest(db, id, numberOfId(before) ?? 0);
    } else {
      // From here on it is gone for everybody, even if the rest is interrupted: the next removal goes on with it.
      db.prepare('UPDATE sessions SET name = NULL WHERE id = ?').run(id);
      onGone();
      yield* removeNameless(db);
    }
  } finally {
    db.pragma('secure_delete = OFF');
  }
}

/** The rest of the chain stays sound: the session remembers the link before it. */
function* removeOldest(db: Database, session: number, below: number): IterableIterator<number> {
  const oldest = db
    .prepare('SELECT id, seq, hash FROM exchanges WHERE session = ? ORDER BY seq LIMIT ?')
    .raw();
  const drop = db.prepare('DELETE FROM exchanges WHERE session = ? AND seq <= ?');
  const move = db.prepare('UPDATE sessions SET first = ?, base = ?, begun = begun - ? WHERE id = ?');
  const step = db.transaction((): number | null => {
    const rows = oldest.all(session, STEP) as [number, number, string][];
    const end = rows.findIndex(([id]) => Math.abs(id) >= below);
    const gone = end < 0 ? rows : rows.slice(0, end);
    const last = gone.at(-1);
    if (last === undefined) return null;
    const begun = gone.filter(([id]) => id < 0).length;
    drop.run(session, last[1]);
    move.run(last[1] + 1, last[2], begun, session);
    return gone.length - begun;
  });
  for (let gone = step.immediate(); gone !== null; gone = step.immediate()) yield gone;
}

/** Beginnings are no exchanges of their own. */
const ROWS_OF_SESSION = [
  ['exchanges', 'AND id > 0', true],
  ['exchanges', '', false],
  ['parts', '', false],
  ['notes', '', false],
  ['certificates', '', false],
] as const;

function* removeNameless(db: Database): IterableIterator<number> {
  const nameless = db.prepare('SELECT id FROM sessions WHERE name IS NULL').pluck().all() as number[];
  for (const id of nameless) {
    for (const [table, which, counts] of ROWS_OF_SESSION) {
      const step = db.prepare(`DELETE FROM ${table} WHERE session = ? ${which} LIMIT ${STEP}`);
      for (let gone = step.run(id).changes; gone > 0; gone = step.run(id).changes) yield counts ? gone : 0;
    }
    db.prepare('DELETE FROM sessions WHERE id = ? AND name IS NULL').run(id);
  }
}
