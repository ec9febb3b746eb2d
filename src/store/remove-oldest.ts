/**
 * Removes the oldest exchanges of a session that goes on. First the chain notes what will be gone, then it goes, the
 * newest of it first: so the chain is sound at every moment, and what a crash leaves undone goes with the next removal.
 */
import { idOfNumber, numberOfId } from '../exchange/index.js';
import type { Removed } from './chain-notes.js';
import type { RemovalRows } from './driver.js';
import { linkAt } from './ends.js';
import type { RemoveOptions } from './port.js';
import type { Tail } from './tails.js';
import type { Writer } from './writer.js';

/** Exchanges that are noted at once: looking for more would hold up others for more than some ten ms. */
const MOST = 20_000;

/** Yields the number of exchanges that each step removed; each step is a commit of its own. */
export function* removeOldest(
  rows: RemovalRows,
  session: string,
  { before, at, most = Number.POSITIVE_INFINITY }: RemoveOptions,
  writer: Pick<Writer, 'mark'>,
): IterableIterator<number> {
  for (let left = most; left > 0; ) {
    let [through, row, isNew] = [0, 0, false];
    writer.mark(session, at, (tail) => {
      const removed = plan(rows, tail, numberOfId(before) ?? 0, Math.min(left, MOST));
      row = tail.row;
      ({ through } = removed);
      isNew = removed.note !== null;
      return removed.note === null ? null : { at, kind: 'removed', settings: { ...removed.note } };
    });
    for (const step of through === 0 ? [] : rows.removeThrough(row, through)) {
      yield step;
      left -= step;
    }
    if (!isNew) return;
  }
}

interface Plan {
  readonly through: number;
  readonly note: Removed | null;
}

/** What is to go, besides what went before; nothing new where the rest of an earlier removal is still to go. */
function plan(rows: RemovalRows, tail: Tail, below: number, most: number): Plan {
  const earlier = rows.removed(tail.row);
  const start = earlier?.through ?? 0;
  let [exchanges, going, through] = [0, 0, start];
  let first: number | null = null;
  let last: number | null = null;
  for (const [id, seq, isBegun] of rows.entries(tail.row, start, tail.last)) {
    if (id >= below || exchanges >= most) break;
    going += 1;
    through = seq;
    if (isBegun === 1) continue;
    exchanges += 1;
    first ??= id;
    last = id;
  }
  if (through === start) return { through, note: null };
  // Entries that an earlier version had removed already.
  const unrecorded = start > 0 ? 0 : (rows.created(tail.row)?.created.earlier?.first ?? 1) - 1;
  const note: Removed = {
    exchanges: (earlier?.exchanges ?? 0) + exchanges,
    from: earlier?.from ?? idOf(first),
    to: last === null ? (earlier?.to ?? '') : idOf(last),
    through,
    gaps: gapsOf(rows, tail.row, through),
    lost: through - start - going - rows.countNotes(tail.row, start, through) - unrecorded,
    lastAt: tail.lastAt,
  };
  return { through, note };
}

const idOf = (id: number | null): string => (id === null ? '' : idOfNumber(id));

/** The runs between the notes that stay, each with the link of its last entry. */
function gapsOf(rows: RemovalRows, session: number, through: number): Removed['gaps'] {
  const gaps: [number, number, string][] = [];
  let from = 1;
  for (const place of [...rows.stayingNotes(session, through), through + 1]) {
    if (place > from) gaps.push([from, place - 1, linkAt(rows.ends, session, place - 1) ?? '']);
    from = place + 1;
  }
  return gaps;
}
