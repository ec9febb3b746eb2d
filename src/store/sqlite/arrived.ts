/** What came to a store behind a position: how far each of its sessions was read. */
import type { Arrived } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import { numberOf } from '../tampered.js';
import type { Database } from './driver.js';
import { behind, type FileEntry, type Rows } from './rows.js';

interface Position {
  readonly store: string;
  /** The last place that was read, by the rows of sessions. */
  readonly places: ReadonlyMap<number, number>;
}

/** Rows of one look: some ten ms of work. */
const MOST = 256;

/** As of one moment. `recordOf` gives undefined for what is not to be told. */
export function readArrived(
  db: Database,
  rows: Pick<Rows, 'exchanges'>,
  recordOf: (session: string, entry: FileEntry) => RecordedExchange | undefined,
  position: unknown,
): Arrived {
  const known = position as Position | undefined;
  const sessions = db.prepare('SELECT id, name, last FROM sessions WHERE name IS NOT NULL').raw();
  const store = String(db.prepare('SELECT store FROM identity').pluck().get());
  const noted = db.prepare('SELECT 1 FROM notes WHERE session = ? AND seq > ? LIMIT 1');
  return db.transaction((): Arrived => {
    const found = sessions.all() as [id: number, name: string, last: unknown][];
    const ends = found.map(([id, , last]): [number, number] => [id, numberOf(last)]);
    if (known === undefined)
      return { records: [], hasNotes: false, position: { store, places: new Map(ends) }, isMore: false };
    // What another file holds came all of it.
    const from = known.store === store ? known.places : new Map<number, number>();
    const places = new Map<number, number>();
    const records: RecordedExchange[] = [];
    let hasNotes = false;
    let left = MOST;
    for (const [i, [id, end]] of ends.entries()) {
      let place = from.get(id) ?? 0;
      if (left > 0 && end > place) {
        hasNotes ||= noted.get(id, place) !== undefined;
        for (const entry of rows.exchanges(id, behind(place))) {
          place = entry.seq;
          const record = recordOf(String(found[i]?.[1]), entry);
          if (record !== undefined) records.push(record);
          if (--left === 0) break;
        }
        if (left > 0) place = end;
      }
      places.set(id, place);
    }
    return { records, hasNotes, position: { store, places }, isMore: left === 0 };
  })();
}
