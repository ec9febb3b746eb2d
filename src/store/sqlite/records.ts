/** The rows of a file from which sessions are read. */
import type { RecordRows } from '../records.js';
import { readArrived } from './arrived.js';
import type { Database } from './driver.js';
import { createChainNotes, readNamedChains, readNotes } from './notes.js';
import type { FileChain, FileEntry, Rows } from './rows.js';
import { readSteps } from './steps.js';

/** `isOwn`: tells an exchange that this process recorded, by the number of its id. */
export function createRecordRows(
  db: Database,
  rows: Rows,
  isOwn: (id: number) => boolean,
): RecordRows<FileEntry, FileChain> {
  const newest = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`SELECT coalesce(max(id), -1) FROM ${table} WHERE id <= ?`).pluck(),
  );
  return {
    ...rows,
    ...createChainNotes(db),
    sessions: db.transaction((kinds) => readNamedChains(db, kinds)),
    newest: (most) => Math.max(...newest.map((select) => select.get(most) as number)),
    notes: (chains, kinds) => readNotes(db, chains, kinds),
    steps: (chains) => readSteps(db, chains),
    arrived: (position, recordOf) =>
      readArrived(
        db,
        rows,
        (session, entry) => (isOwn(entry.id) ? undefined : recordOf(session, entry)),
        position,
      ),
  };
}
