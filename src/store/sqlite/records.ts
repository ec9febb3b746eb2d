/** The rows of a file from which sessions are read. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { Arrived, PlacedStep } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import { type RecordRows, turnOf } from '../records.js';
import { numberOf, readSettings, readTime } from '../tampered.js';
import type { Database } from './driver.js';
import { createChainNotes, idsOf, NOTES_IN_ORDER, readNamedChains, readNotes } from './notes.js';
import { behind, type FileChain, type FileEntry, type Rows } from './rows.js';

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

interface Position {
  readonly store: string;
  /** The last place that was read, by the rows of sessions. */
  readonly places: ReadonlyMap<number, number>;
}

/** Rows of one look: some ten ms of work. */
const MOST = 256;

/** As of one moment. `recordOf` gives undefined for what is not to be told. */
function readArrived(
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

type NoteRow = [chain: number, seq: number, turn: number | null, at: number, kind: string, settings: string];
type Found = readonly [id: number, turn: number | null];

/** What is behind a place: in its own chain, in another one that was copied, or in that of this store, which came after. */
const BEHIND = { own: 'seq > ?', copied: 'turn > ?', later: 'seq > ? AND turn IS NULL' } as const;
type Side = keyof typeof BEHIND;

function readSteps(db: Database, chains: readonly FileChain[]): PlacedStep[] {
  const notes = db
    .prepare(
      `SELECT session, seq, turn, at, kind, settings FROM notes
         WHERE session IN (SELECT value FROM json_each(?)) AND kind IN ('bank', 'started') AND seq > 0
         ORDER BY ${NOTES_IN_ORDER}`,
    )
    .raw()
    .all(idsOf(chains)) as NoteRow[];
  const first = (side: Side) =>
    db
      .prepare(
        `SELECT id, turn FROM exchanges WHERE session = ? AND ${BEHIND[side]} ORDER BY seq, id LIMIT 1`,
      )
      .raw();
  const begun = (side: Side) =>
    db.prepare(`SELECT id FROM beginnings WHERE session = ? AND ${BEHIND[side]} AND id < ?`).pluck();
  const firsts = { own: first('own'), copied: first('copied'), later: first('later') };
  const beginnings = { own: begun('own'), copied: begun('copied'), later: begun('later') };

  return notes.flatMap(([chain, seq, turn, at, kind, settings]) => {
    const [note] = readNote(readTime(at), kind, readSettings(settings)).filter(isStep);
    if (note === undefined) return [];
    const places = chains.flatMap(({ id, store }): [side: Side, chain: number, place: number][] => {
      if (id === chain) return [['own', id, seq]];
      if (store === null) return [['later', id, 0]];
      return turn === null ? [] : [['copied', id, turn]];
    });
    const found = places
      .map(([side, ...place]) => firsts[side].get(...place) as Found | undefined)
      .filter((one) => one !== undefined)
      .reduce<Found | null>(
        (least, one) => (least && turnOf(least[1]) <= turnOf(one[1]) ? least : one),
        null,
      );
    const most = found?.[0] ?? Number.MAX_SAFE_INTEGER;
    const before = places.flatMap(([side, ...place]) => beginnings[side].all(...place, most) as number[]);
    return [{ note, before: [...(found === null ? [] : [found[0]]), ...before].map(idOfNumber) }];
  });
}
