/** The past of a session, up to an exchange: its timeline, and how many exchanges fit filters; by an index, in one pass. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeOfId } from '../../exchange/index.js';
import { FIELDS } from '../filter/fields.js';
import { matches } from '../filter/match.js';
import { type FilterTree, hasText } from '../filter/tree.js';
import { readable, type Searchable } from './readable.js';
import type { IndexedSession } from './search.js';
import { createTimeline, type Timeline } from './timeline.js';

export interface Past {
  readonly timeline: Timeline;
  /** How many fit each filter, in their order. */
  readonly counts: readonly number[];
}

/** Exchanges that are looked at in one turn: some ms of work. */
const TURN = 2_048;

export async function readPast(
  store: Searchable,
  indexed: IndexedSession,
  trees: readonly FilterTree[],
  before: number,
  turn = TURN,
): Promise<Past> {
  const timeline = createTimeline();
  const counts = trees.map(() => 0);
  const fitting = trees.map(matches);
  const isBrief = !trees.some(hasText);
  const add = (exchange: string, worst: string | null, bankMs: number | null, fits: readonly boolean[]) => {
    timeline.add(timeOfId(exchange) ?? 0, worst, bankMs);
    for (const [i, one] of fits.entries()) if (one) counts[i] = (counts[i] ?? 0) + 1;
  };
  for (let place = before; ; ) {
    const rows = indexed.past(trees, place, turn);
    for (const row of rows) {
      place = row.place;
      if (row.isCertain) {
        add(row.exchange, row.worst, row.bankMs, row.fits);
        continue;
      }
      const record = await readable(store, row.exchange, { isBrief });
      if (record === null) continue;
      const { answer, elapsed } = record.exchange;
      const [worst = null] = FIELDS.worst.read(record);
      const bankMs = answer?.source === 'upstream' ? elapsed.total : null;
      add(
        row.exchange,
        worst === null ? null : String(worst),
        bankMs,
        fitting.map((fits) => fits(record)),
      );
    }
    if (rows.length < turn) return { timeline: timeline.show(), counts };
    await nextTurn();
  }
}
