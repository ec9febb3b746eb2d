/** The view of a session as its store has it. */
import { setImmediate } from 'node:timers/promises';
import type { RecordedExchange } from '../../store/index.js';
import { type Touch, touchOf } from '../journeys/touch.js';
import { createTurns } from '../turns.js';
import type { LivePort } from './port.js';
import { createSessionView, type SessionView } from './session-view.js';

/** So many of the newest exchanges make a view. */
export const MOST_READ = 10_000;
/** Few ms of work. */
const A_TURN = 500;

export interface ReadView {
  readonly view: SessionView;
  /** Ids of those that were read: those that came last may be told once more. */
  readonly known: ReadonlySet<string>;
}

export async function readView(port: LivePort, session: string): Promise<ReadView> {
  const view = createSessionView();
  const touches: Touch[] = [];
  const turn = createTurns();
  const options = { backwards: true, limit: MOST_READ, onUnreadable: () => {} } as const;
  for await (const record of port.store.read(session, options) as AsyncIterable<RecordedExchange>) {
    touches.push(touchOf(record, port));
    const pause = turn(record);
    if (pause !== undefined) await pause;
  }
  for (const [i, touch] of touches.toReversed().entries()) {
    view.take(touch);
    if (i % A_TURN === 0) await setImmediate();
  }
  return { view, known: new Set(touches.map(({ exchange }) => exchange)) };
}
