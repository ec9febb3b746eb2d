/** Reads notes; a note that was tampered with must not make the others unreadable. */
import { NOTE_KINDS, readNote, type SessionNote } from '../../exchange/index.js';
import {
  CHAIN_NOTES,
  type ChainNote,
  type Created,
  type Removed,
  readCreated,
  readRemoved,
} from '../chain-notes.js';
import { readSettings, readTime } from '../tampered.js';
import type { Database } from './driver.js';

const listOf = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** In the order of recording, over the chains of a session. */
const IN_ORDER = 'ORDER BY notes.turn IS NULL, notes.turn, notes.session, seq';

/** Settings and what else belongs to the recording, by session, in order. */
export function readSessionNotes(db: Database): Map<string, SessionNote[]> {
  const rows = db
    .prepare(
      `SELECT name, at, kind, settings FROM sessions JOIN notes ON notes.session = sessions.id AND kind IN (${listOf(
        NOTE_KINDS,
      )}) AND seq > 0 AND name IS NOT NULL ${IN_ORDER}`,
    )
    .raw()
    .all() as [string, number, string, string][];
  const notes = new Map<string, SessionNote[]>();
  for (const [session, at, kind, settings] of rows) {
    const list = notes.get(session) ?? [];
    list.push(...readNote(readTime(at), kind, readSettings(settings)));
    notes.set(session, list);
  }
  return notes;
}

export interface ChainNotes {
  /** Of all chains of a session, in order; of one kind where it is given. `store`: null where it is this one. */
  readonly all: (
    session: string,
    kind?: ChainNote['kind'],
  ) => (Omit<ChainNote, 'store'> & { readonly store: string | null })[];
  readonly created: (session: number) => { readonly seq: number; readonly created: Created } | null;
  /** The newest one. */
  readonly removed: (session: number) => Removed | null;
}

export function createChainNotes(db: Database): ChainNotes {
  const columns = 'SELECT seq, at, kind, settings FROM notes WHERE session = ? AND kind';
  const ofSession = (kinds: string) =>
    db
      .prepare(
        `SELECT seq, at, kind, settings, store FROM sessions JOIN notes ON notes.session = sessions.id
           WHERE name = ? AND kind ${kinds} ${IN_ORDER}`,
      )
      .raw();
  const selectAll = ofSession(`IN (${listOf(CHAIN_NOTES)})`);
  const selectKind = ofSession('= ?');
  const first = db.prepare(`${columns} = 'created' ORDER BY seq LIMIT 1`).raw();
  const newest = db.prepare(`${columns} = 'removed' ORDER BY seq DESC LIMIT 1`).raw();
  type Row = [seq: number, at: number, kind: ChainNote['kind'], settings: string];
  return {
    all: (session, kind) => {
      const rows = (kind === undefined ? selectAll.all(session) : selectKind.all(session, kind)) as [
        ...Row,
        store: string | null,
      ][];
      return rows.map(([seq, at, is, settings, store]) => ({
        store,
        seq,
        at: readTime(at),
        kind: is,
        settings: readSettings(settings),
      }));
    },
    created: (session) => {
      const row = first.get(session) as Row | undefined;
      const created = row === undefined ? null : readCreated(readSettings(row[3]));
      return row === undefined || created === null ? null : { seq: row[0], created };
    },
    removed: (session) => {
      const row = newest.get(session) as Row | undefined;
      return row === undefined ? null : readRemoved(readSettings(row[3]));
    },
  };
}
