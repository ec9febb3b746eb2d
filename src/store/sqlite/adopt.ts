/** Upgrades sessions of earlier versions, whose chains held exchanges only. */
import { noteLink } from '../chain.js';
import type { Created } from '../chain-notes.js';
import type { Database } from './driver.js';

type Row = [
  id: number,
  name: string,
  startedAt: number,
  lastAt: number,
  first: number,
  last: number,
  base: string,
  head: string,
];
type OldNote = [id: number, at: number, kind: string, settings: string];

/**
 * Behind the last exchange come the record, which says where the kept entries begin, and the notes so far: from now on
 * they cannot be changed unnoticed. That nothing was changed before, nobody can prove.
 */
export function adoptSessions(db: Database): void {
  const store = db.prepare('SELECT store FROM identity').pluck().get() as string;
  const sessions = db
    .prepare(
      'SELECT id, name, started_at, last_at, first, last, base, head FROM sessions WHERE name IS NOT NULL',
    )
    .raw()
    .all() as Row[];
  const notesOf = db.prepare('SELECT id, at, kind, settings FROM notes WHERE session = ? ORDER BY id').raw();
  const insert = db.prepare("INSERT INTO notes (session, at, kind, settings) VALUES (?, ?, 'created', ?)");
  const link = db.prepare('UPDATE notes SET seq = ?, hash = ? WHERE id = ?');
  const end = db.prepare('UPDATE sessions SET last = ?, head = ? WHERE id = ?');
  for (const [id, name, startedAt, lastAt, first, last, base, head] of sessions) {
    const notes = notesOf.all(id) as OldNote[];
    const origin = notes.some(([, , kind]) => kind === 'imported') ? 'file' : 'gateway';
    const earlier = { first, previous: base, lastAt };
    const created: Created = { session: name, store, startedAt, origin, earlier };
    const settings = JSON.stringify(created);
    const record: OldNote = [
      Number(insert.run(id, lastAt, settings).lastInsertRowid),
      lastAt,
      'created',
      settings,
    ];
    let place = last;
    let hash = head;
    for (const [note, at, kind, text] of [record, ...notes]) {
      place += 1;
      hash = noteLink(hash, place, { session: name, at, kind, settings: text });
      link.run(place, hash, note);
    }
    end.run(place, hash, id);
  }
}
