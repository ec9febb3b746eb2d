/**
 * Removes the oldest exchanges of a session that goes on. First the chain notes what will be gone, then it goes, the
 * newest of it first: so the chain is sound at every moment, and what a crash leaves undone goes with the next removal.
 */
import { idOfNumber, numberOfId } from '../../exchange/index.js';
import { PASSING_NOTES, type Removed } from '../chain-notes.js';
import type { RemoveOptions } from '../port.js';
import type { Database } from './driver.js';
import { createEnds } from './ends.js';
import { createChainNotes } from './notes.js';
import { overwriting, STEP } from './remove.js';
import type { Tail } from './tails.js';
import type { Writer } from './writer.js';

const PASSING = PASSING_NOTES.map((kind) => `'${kind}'`).join(', ');

/** Exchanges that are noted at once: looking for more would hold up others for more than some ten ms. */
const MOST = 20_000;

/** Yields the number of exchanges that each step removed; each step is a commit of its own. */
export function* removeOldest(
  db: Database,
  session: string,
  { before, at, most = Number.POSITIVE_INFINITY }: RemoveOptions,
  writer: Pick<Writer, 'mark'>,
): IterableIterator<number> {
  for (let left = most; left > 0; ) {
    let [through, row, isNew] = [0, 0, false];
    writer.mark(session, at, (tail) => {
      const removed = plan(db, tail, numberOfId(before) ?? 0, Math.min(left, MOST));
      row = tail.row;
      ({ through } = removed);
      isNew = removed.note !== null;
      return removed.note === null ? null : { at, kind: 'removed', settings: { ...removed.note } };
    });
    for (const step of through === 0 ? [] : overwriting(db, () => removeThrough(db, row, through))) {
      yield step;
      left -= step;
    }
    if (!isNew) return;
  }
}

type EntryRow = readonly [id: number, seq: number, isBegun: 0 | 1];

/** Exchanges and beginnings. */
const entriesWhere = (where: string, order: string): string =>
  `SELECT id, seq, 0 FROM exchanges WHERE ${where} UNION ALL SELECT id, seq, 1 FROM beginnings WHERE ${where} ORDER BY ${order}`;

interface Plan {
  readonly through: number;
  readonly note: Removed | null;
}

/** What is to go, besides what went before; nothing new where the rest of an earlier removal is still to go. */
function plan(db: Database, tail: Tail, below: number, most: number): Plan {
  const notes = createChainNotes(db);
  const earlier = notes.removed(tail.row);
  const start = earlier?.through ?? 0;
  const going = db
    .prepare(entriesWhere('session = @row AND seq > @start AND seq <= @last', 'seq, id'))
    .raw()
    .iterate({ row: tail.row, start, last: tail.last }) as IterableIterator<EntryRow>;
  let [exchanges, rows, through] = [0, 0, start];
  let first: number | null = null;
  let last: number | null = null;
  for (const [id, seq, isBegun] of going) {
    if (id >= below || exchanges >= most) break;
    rows += 1;
    through = seq;
    if (isBegun === 1) continue;
    exchanges += 1;
    first ??= id;
    last = id;
  }
  if (through === start) return { through, note: null };
  const note: Removed = {
    exchanges: (earlier?.exchanges ?? 0) + exchanges,
    from: earlier?.from ?? idOf(first),
    to: last === null ? (earlier?.to ?? '') : idOf(last),
    through,
    gaps: gapsOf(db, tail.row, through),
    lost:
      through - start - rows - countNotes(db, tail.row, start, through) - unrecorded(notes, tail.row, start),
    lastAt: tail.lastAt,
  };
  return { through, note };
}

const idOf = (id: number | null): string => (id === null ? '' : idOfNumber(id));

/** Entries that an earlier version had removed already. */
function unrecorded(notes: ReturnType<typeof createChainNotes>, session: number, start: number): number {
  return start > 0 ? 0 : (notes.created(session)?.created.earlier?.first ?? 1) - 1;
}

function countNotes(db: Database, session: number, after: number, through: number): number {
  return db
    .prepare('SELECT count(*) FROM notes WHERE session = ? AND seq > ? AND seq <= ?')
    .pluck()
    .get(session, after, through) as number;
}

/** The runs between the notes that stay, each with the link of its last entry. */
function gapsOf(db: Database, session: number, through: number): Removed['gaps'] {
  const { linkAt } = createEnds(db);
  const staying = db
    .prepare(`SELECT seq FROM notes WHERE session = ? AND seq <= ? AND kind NOT IN (${PASSING}) ORDER BY seq`)
    .pluck()
    .all(session, through) as number[];
  const gaps: [number, number, string][] = [];
  let from = 1;
  for (const place of [...staying, through + 1]) {
    if (place > from) gaps.push([from, place - 1, linkAt(session, place - 1) ?? '']);
    from = place + 1;
  }
  return gaps;
}

function* removeThrough(db: Database, session: number, through: number): IterableIterator<number> {
  const newest = db
    .prepare(`${entriesWhere('session = @session AND seq <= @through', 'seq DESC, id DESC')} LIMIT ${STEP}`)
    .raw();
  const drops = ['exchanges', 'beginnings'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE session = ? AND seq >= ? AND seq <= ?`),
  );
  const dropNotes = db.prepare(
    `DELETE FROM notes WHERE session = ? AND seq >= ? AND seq <= ? AND kind IN (${PASSING})`,
  );
  const count = db.prepare('UPDATE sessions SET exchanges = exchanges - ?, begun = begun - ? WHERE id = ?');
  const step = db.transaction((): number | null => {
    const rows = newest.all({ session, through }) as EntryRow[];
    const last = rows.at(-1);
    dropNotes.run(session, last?.[1] ?? 0, through);
    if (last === undefined) return null;
    const begun = rows.filter(([, , isBegun]) => isBegun === 1).length;
    for (const drop of drops) drop.run(session, last[1], through);
    count.run(rows.length - begun, begun, session);
    return rows.length - begun;
  });
  for (let gone = step.immediate(); gone !== null; gone = step.immediate()) yield gone;
}
