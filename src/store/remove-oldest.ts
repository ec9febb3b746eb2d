/**
 * Removes the oldest exchanges of a session that goes on. First the chain notes what will be gone, then it goes, the
 * newest of it first: so the chain is sound at every moment, and what a crash leaves undone goes with the next removal.
 */
import { idOfNumber, numberOfId } from '../exchange/index.js';
import type { Removed } from './chain-notes.js';
import type { RemovalRows } from './driver.js';
import { type Awaitable, after, type RemoveOptions } from './port.js';
import { nextOf, outcome, type Steps, wait } from './steps.js';
import type { NewNote, Tail } from './tails.js';

/** Exchanges that are noted at once: looking for more would hold up others for more than some ten ms. */
const MOST = 20_000;

/** The end of the chain that something is removed from. */
export type ChainTail = Pick<Tail, 'row' | 'last' | 'lastAt'>;

/** Works on the end of a chain, and notes there what comes of it; null notes nothing. */
export type Mark = (work: (tail: ChainTail) => Awaitable<NewNote | null>) => Awaitable<void>;

/** Yields the number of exchanges that each step removed; each step is a commit of its own. */
export function* removeOldest(
  rows: RemovalRows,
  { before, at, by, most = Number.POSITIVE_INFINITY }: RemoveOptions,
  mark: Mark,
): Steps<number> {
  for (let left = most; left > 0; ) {
    let [through, row, isNew] = [0, 0, false];
    const noted = mark((tail) =>
      after(outcome(plan(rows, tail, numberOfId(before) ?? 0, Math.min(left, MOST))), (removed) => {
        row = tail.row;
        ({ through } = removed);
        isNew = removed.note !== null;
        return removed.note === null
          ? null
          : { at, kind: 'removed', settings: { ...removed.note, ...(by && { by }) } };
      }),
    );
    yield* wait(noted);
    const steps = through === 0 ? [].values() : rows.removeThrough(row, through);
    for (let step = yield* nextOf<number>(steps); step.done !== true; step = yield* nextOf<number>(steps)) {
      yield step.value;
      left -= step.value;
    }
    if (!isNew) return;
  }
}

interface Plan {
  readonly through: number;
  readonly note: Removed | null;
}

/** What is to go, besides what went before; nothing new where the rest of an earlier removal is still to go. */
function* plan(rows: RemovalRows, tail: ChainTail, below: number, most: number): Steps<never, Plan> {
  const earlier = yield* wait(rows.removed(tail.row));
  const start = earlier?.through ?? 0;
  let [exchanges, going, through] = [0, 0, start];
  let first: number | null = null;
  let last: number | null = null;
  const found = rows.entries(tail.row, start, tail.last);
  for (let next = yield* nextOf(found); next.done !== true; next = yield* nextOf(found)) {
    const [id, seq, isBegun] = next.value;
    if (id >= below || exchanges >= most) break;
    going += 1;
    through = seq;
    if (isBegun === 1) continue;
    exchanges += 1;
    first ??= id;
    last = id;
  }
  found.return?.();
  if (through === start) return { through, note: null };
  // Entries that an earlier version had removed already.
  const created = start > 0 ? null : yield* wait(rows.created(tail.row));
  const unrecorded = start > 0 ? 0 : (created?.created.earlier?.first ?? 1) - 1;
  const note: Removed = {
    exchanges: (earlier?.exchanges ?? 0) + exchanges,
    from: earlier?.from ?? idOf(first),
    to: last === null ? (earlier?.to ?? '') : idOf(last),
    through,
    gaps: yield* gapsOf(rows, tail.row, through),
    lost: through - start - going - (yield* wait(rows.countNotes(tail.row, start, through))) - unrecorded,
    lastAt: tail.lastAt,
  };
  return { through, note };
}

const idOf = (id: number | null): string => (id === null ? '' : idOfNumber(id));

/** The runs between the notes that stay, each with the link of its last entry. */
function* gapsOf(rows: RemovalRows, chain: number, through: number): Steps<never, Removed['gaps']> {
  const gaps: [number, number, string, string][] = [];
  let from = 1;
  for (const place of [...(yield* wait(rows.stayingNotes(chain, through))), through + 1]) {
    if (place > from) {
      const link = (yield* wait(rows.linkAt(chain, place - 1))) ?? '';
      const before = from === 1 ? '' : ((yield* wait(rows.linkAt(chain, from - 1))) ?? '');
      gaps.push([from, place - 1, link, before]);
    }
    from = place + 1;
  }
  return gaps;
}
