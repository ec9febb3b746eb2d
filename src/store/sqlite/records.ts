/** Reads of sessions that depend on a file's order of entries. */
import { idOfNumber, isStep, readNote } from '../../exchange/index.js';
import type { Arrived, PlacedStep } from '../port.js';
import type { RecordedExchange } from '../recorded.js';
import { turnOf } from '../records.js';
import { type Chain, idsOf } from '../rows/chains.js';
import type { Entry } from '../rows/entries.js';
import { numberOf, readSettings, readTime } from '../tampered.js';
import type { Database } from './driver.js';
import { type createPages, each } from './pages.js';

interface Position {
  readonly store: string;
  /** The last place that was read, by the rows of sessions. */
  readonly places: ReadonlyMap<number, number>;
}

/** Rows of one look: some ten ms of work. */
const MOST = 256;

/** Arrived records at one moment. `recordOf` gives undefined for records to leave out. */
export function readArrived(
  db: Database,
  { walk }: ReturnType<typeof createPages>,
  recordOf: (session: string, entry: Entry) => RecordedExchange | undefined,
  position: unknown,
): Arrived {
  const known = position as Position | undefined;
  const sessions = db.prepare('SELECT id, session, last FROM chains WHERE session IS NOT NULL').raw();
  const store = String(db.prepare('SELECT store FROM identity').pluck().get());
  const noted = db.prepare('SELECT 1 FROM notes WHERE chain = ? AND seq > ? LIMIT 1');
  return db.transaction((): Arrived => {
    const found = sessions.all() as [id: number, name: string, last: unknown][];
    const ends = found.map(([id, , last]): [number, number] => [id, numberOf(last)]);
    if (known === undefined)
      return { records: [], hasNotes: false, position: { store, places: new Map(ends) }, isMore: false };
    // Entries copied from another file arrived complete.
    const from = known.store === store ? known.places : new Map<number, number>();
    const places = new Map<number, number>();
    const records: RecordedExchange[] = [];
    let hasNotes = false;
    let left = MOST;
    for (const [i, [id, end]] of ends.entries()) {
      let place = from.get(id) ?? 0;
      if (left > 0 && end > place) {
        hasNotes ||= noted.get(id, place) !== undefined;
        for (const entry of each(walk('exchanges', id, place + 1))) {
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

/** Entries after a place: in its own chain, in another copied one, or in this store's, which came later. */
const BEHIND = { own: 'seq > ?', copied: 'turn > ?', later: 'seq > ? AND turn IS NULL' } as const;
type Side = keyof typeof BEHIND;

/** Places the steps of a session among its entries, over its chains. */
export function readSteps(db: Database, chains: readonly Chain[]): PlacedStep[] {
  const notes = db
    .prepare(
      `SELECT chain, seq, turn, at, kind, settings FROM notes
         WHERE chain IN (SELECT value FROM json_each(?)) AND kind IN ('bank', 'started') AND seq > 0
         ORDER BY turn IS NULL, turn, chain, seq`,
    )
    .raw()
    .all(JSON.stringify(idsOf(chains))) as NoteRow[];
  const first = (side: Side) =>
    db
      .prepare(`SELECT id, turn FROM exchanges WHERE chain = ? AND ${BEHIND[side]} ORDER BY seq, id LIMIT 1`)
      .raw();
  const begun = (side: Side) =>
    db.prepare(`SELECT id FROM beginnings WHERE chain = ? AND ${BEHIND[side]} AND id < ?`).pluck();
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
