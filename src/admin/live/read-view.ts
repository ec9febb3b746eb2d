/** The view of a session as its store has it. */
import { setImmediate } from 'node:timers/promises';
import type { RecordedExchange } from '../../store/index.js';
import { createLanes, type Lanes } from '../journeys/lanes.js';
import { type Touch, touchOf } from '../journeys/touch.js';
import { createTurns } from '../turns.js';
import type { LivePort } from './port.js';
import { type Seen, seenOf } from './seen.js';
import { createFigures, type Figures } from './session-view.js';

/** So many of the newest exchanges make a view. */
export const MOST_READ = 10_000;
/** Few ms of work. */
const A_TURN = 500;

export interface ReadView {
  readonly figures: Figures;
  readonly lanes: Lanes;
  /** Ids of those that were read: those that came last may be told once more. */
  readonly known: ReadonlySet<string>;
}

export async function readView(port: LivePort, session: string): Promise<ReadView> {
  const [figures, lanes] = [createFigures(), createLanes()];
  const read: (readonly [Seen, Touch])[] = [];
  const turn = createTurns();
  const options = { backwards: true, limit: MOST_READ, onUnreadable: () => {} } as const;
  for await (const record of port.store.read(session, options) as AsyncIterable<RecordedExchange>) {
    read.push([seenOf(record), touchOf(record, port)]);
    const pause = turn(record);
    if (pause !== undefined) await pause;
  }
  for (const [i, [seen, touch]] of read.toReversed().entries()) {
    figures.count(seen);
    lanes.take(touch);
    if (i % A_TURN === 0) await setImmediate();
  }
  return { figures, lanes, known: new Set(read.map(([{ exchange }]) => exchange)) };
}
