/** Removes sessions of a file. */
import { removeSession } from '../rows/removal.js';
import { atOnce } from '../steps.js';
import { createDatabase } from './database.js';
import type { Database } from './driver.js';
import { refuseCopying } from './migrations.js';
import { removeLeft } from './tidy-facts.js';

export function* removeSessionOf(
  db: Database,
  session: string,
  onGone: () => void,
): IterableIterator<number> {
  refuseCopying(db, db.name);
  yield* overwriting(db, function* () {
    yield* atOnce(removeSession(createDatabase(db), session, onGone));
    for (const _ of removeLeft(db)) yield 0;
  });
}

/** Removed values must not remain in the free pages of the file. */
export function* overwriting<T>(db: Database, work: () => Iterable<T>): Generator<T, void> {
  db.pragma('secure_delete = ON');
  try {
    yield* work();
  } finally {
    db.pragma('secure_delete = OFF');
  }
}
