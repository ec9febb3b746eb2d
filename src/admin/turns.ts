/** Divides work on many exchanges into short turns, so that calls are answered in between. */
import { setImmediate } from 'node:timers/promises';
import type { RecordedExchange } from '../store/index.js';

/** Some ms of work: so many exchanges, or so many characters of their bodies. */
const A_TURN = 20;
const A_TURN_OF_TEXT = 500_000;

/** Gives what is to be waited for before the next one, if anything is. */
export function createTurns(): (record: RecordedExchange) => Promise<void> | undefined {
  let exchanges = 0;
  let text = 0;
  return ({ exchange: { call, answer } }) => {
    exchanges += 1;
    text += (call.request.body?.text.length ?? 0) + (answer?.body?.text.length ?? 0);
    if (exchanges < A_TURN && text < A_TURN_OF_TEXT) return undefined;
    exchanges = 0;
    text = 0;
    return setImmediate();
  };
}
