/** Reads notes; a note that was tampered with must not make the others unreadable. */
import { type Created, type Removed, readCreated, readRemoved } from '../chain-notes.js';
import type { NamedChain, NamedChains, NoteOfChain } from '../records.js';
import { readSettings } from '../tampered.js';
import type { Database } from './driver.js';
import { type FileChain, IN_ORDER } from './rows.js';

/** The order of recording over the chains of a session. */
export const NOTES_IN_ORDER = 'notes.turn IS NULL, notes.turn, notes.session, seq';

export const idsOf = (chains: readonly FileChain[]): string => JSON.stringify(chains.map(({ id }) => id));

export const readNotes = (db: Database, chains: readonly FileChain[], kinds: readonly string[]) =>
  db
    .prepare(
      `SELECT session AS chain, seq, at, kind, settings FROM notes WHERE session IN (SELECT value FROM json_each(?))
         AND kind IN (SELECT value FROM json_each(?)) ORDER BY ${NOTES_IN_ORDER}`,
    )
    .all(idsOf(chains), JSON.stringify(kinds)) as NoteOfChain[];

/** A session whose name is in bytes reads the same as another one, and has no chain. */
export function readNamedChains(db: Database, kinds: readonly string[]): NamedChains {
  const newest = (column: string): string =>
    `(SELECT ${column} FROM exchanges WHERE session = sessions.id ORDER BY seq DESC LIMIT 1)`;
  const rows = db
    .prepare(
      `SELECT id, name AS session, started_at, last_at, exchanges, begun, last, head, turn,
         coalesce(store, (SELECT store FROM identity)) AS storeName, ${newest('hash')} AS link, ${newest('turn')} AS linkTurn
         FROM sessions WHERE typeof(name) = 'text' ORDER BY ${IN_ORDER}`,
    )
    .all() as (Omit<NamedChain, 'newest'> & { readonly link: unknown; readonly linkTurn: number | null })[];
  const notes = db
    .prepare(
      `SELECT name, at, kind, settings FROM sessions JOIN notes ON notes.session = sessions.id
         AND kind IN (SELECT value FROM json_each(?)) AND seq > 0 AND name IS NOT NULL ORDER BY ${NOTES_IN_ORDER}`,
    )
    .raw()
    .all(JSON.stringify(kinds)) as [string, number, string, string][];
  const chains = rows.map(({ link, linkTurn, ...chain }) => ({
    ...chain,
    newest: link === null ? null : { link, turn: linkTurn },
  }));
  return { chains, notes };
}

export function createChainNotes(db: Database) {
  const columns = 'SELECT seq, settings FROM notes WHERE session = ? AND kind';
  const first = db.prepare(`${columns} = 'created' ORDER BY seq LIMIT 1`).raw();
  const newest = db.prepare(`${columns} = 'removed' ORDER BY seq DESC LIMIT 1`).raw();
  type Row = [seq: number, settings: string];
  return {
    created: (chain: number): { readonly seq: number; readonly created: Created } | null => {
      const row = first.get(chain) as Row | undefined;
      const created = row === undefined ? null : readCreated(readSettings(row[1]));
      return row === undefined || created === null ? null : { seq: row[0], created };
    },
    /** The newest one. */
    removed: (chain: number): Removed | null => {
      const row = newest.get(chain) as Row | undefined;
      return row === undefined ? null : readRemoved(readSettings(row[1]));
    },
  };
}
