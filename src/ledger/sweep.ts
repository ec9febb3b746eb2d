/**
 * The order in which calls of a recording arrived and ended. A recording holds exchanges in the order of their ends;
 * their ids tell when they arrived, and in which order.
 */
import { type Exchange, timeOfId } from '../exchange/index.js';

interface Recorded {
  readonly exchange: Exchange;
}

export type Moment<R extends Recorded> =
  | { readonly kind: 'arrival'; readonly record: R }
  | { readonly kind: 'end'; readonly record: R };

/** How far it looks for calls that arrived early and ended late: as many as a busy gateway has under way. */
const MOST_AHEAD = 1_000;
/** Times of calls are whole milliseconds. */
const CLOCK_STEP_MS = 1;

/** Each record twice: as the call that arrives, and as the exchange that ends. Ends come in the order of the records. */
export function* sweep<R extends Recorded>(records: Iterable<R>): Generator<Moment<R>> {
  const iterator = records[Symbol.iterator]();
  const ending: R[] = [];
  /** Not arrived yet, by their ids. */
  const arriving: R[] = [];
  for (;;) {
    while (ending.length < MOST_AHEAD) {
      const { done, value } = iterator.next();
      if (done === true) break;
      ending.push(value);
      insert(arriving, value);
    }
    const next = ending.shift();
    if (next === undefined) return;
    const end = endOf(next);
    for (let first = arriving[0]; first !== undefined; first = arriving[0]) {
      if (idOf(first) > idOf(next) && !(arrivalOf(first) + CLOCK_STEP_MS <= end)) break;
      arriving.shift();
      yield { kind: 'arrival', record: first };
    }
    yield { kind: 'end', record: next };
  }
}

const idOf = ({ exchange }: Recorded): string => exchange.call.id;

/** Epoch ms; NaN where the id does not tell. */
const arrivalOf = (record: Recorded): number => timeOfId(idOf(record)) ?? Number.NaN;

/** Epoch ms. What answers at once lets nothing arrive in between, whatever the clocks say. */
function endOf({ exchange: { call, answer, elapsed } }: Recorded): number {
  const isAtOnce = answer?.source === 'emulator' || answer?.source === 'rule';
  return isAtOnce ? Number.NEGATIVE_INFINITY : call.at + elapsed.total;
}

/** Most come in order: the place is looked for from the back. */
function insert<R extends Recorded>(arriving: R[], record: R): void {
  let at = arriving.length;
  while (at > 0 && idOf(arriving[at - 1] as R) > idOf(record)) at--;
  arriving.splice(at, 0, record);
}
