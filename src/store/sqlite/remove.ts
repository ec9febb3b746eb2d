/** Removes sessions in small steps, so that other writers are not held up. */
import type { Database } from './driver.js';
import { refuseCopying } from './migrations.js';
import { removeLeft } from './tidy-facts.js';
import { forgetWorld } from './world-rows.js';

/** Rows of one step: some ten ms in a large store (performance.md). */
export const STEP = 100;

/**
 * Yields the number of exchanges that each step removed; each step is a commit of its own. `onGone` is called as soon
 * as the session's name is free for a new one.
 */
export function* removeSession(db: Database, session: string, onGone: () => void): IterableIterator<number> {
  refuseCopying(db, db.name);
  const found = db.prepare('SELECT id FROM sessions WHERE name = ?').get(session);
  if (found === undefined) return;
  yield* overwriting(db, function* () {
    // From here on it is gone for everybody, even if the rest is interrupted: the next removal goes on with it.
    db.prepare('UPDATE sessions SET name = NULL WHERE name = ?').run(session);
    db.prepare('UPDATE layers SET world = NULL WHERE world = ?').run(session);
    forgetWorld(db, session);
    onGone();
    yield* removeNameless(db);
  });
}

/** What was removed shall not be found in the free pages of the file. */
export function* overwriting<T>(db: Database, work: () => Iterable<T>): Generator<T, void> {
  db.pragma('secure_delete = ON');
  try {
    yield* work();
  } finally {
    db.pragma('secure_delete = OFF');
  }
}

const TABLES_OF_SESSION = ['exchanges', 'beginnings', 'parts', 'notes', 'certificates'] as const;

function* removeNameless(db: Database): IterableIterator<number> {
  const nameless = db.prepare('SELECT id FROM sessions WHERE name IS NULL').pluck().all() as number[];
  for (const id of nameless) {
    for (const table of TABLES_OF_SESSION) {
      const step = db.prepare(`DELETE FROM ${table} WHERE session = ? LIMIT ${STEP}`);
      for (let gone = step.run(id).changes; gone > 0; gone = step.run(id).changes)
        yield table === 'exchanges' ? gone : 0;
    }
    db.prepare('DELETE FROM sessions WHERE id = ? AND name IS NULL').run(id);
  }
  for (const _ of removeLeft(db)) yield 0;
}
