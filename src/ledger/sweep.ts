/**
 * The order in which calls of a recording arrived and ended. A recording holds exchanges in the order of their ends;
 * their ids tell when they arrived, and in which order.
 */
import { arrivedAt, CLOCK_STEP_MS, type Exchange, type Stage, timeOfId } from '../exchange/index.js';

interface Recorded {
  readonly exchange: Exchange;
}

export type Moment<R extends Recorded> =
  | { readonly kind: 'arrival'; readonly record: R }
  | { readonly kind: 'end'; readonly record: R };

/** How far it looks for calls that arrived early and ended late: as many as a busy gateway has under way. */
const MOST_AHEAD = 1_000;

/** What the ids of the recording tell before its exchanges are read. */
interface Arriving {
  readonly id: string;
  /** Among the records, from 0. */
  readonly place: number;
}

/**
 * Each record twice: as the call that arrives, and as the exchange that ends. Ends come in the order of the records.
 * Where the ids of all are known, in their order (`calls`), nothing waits for later records but what they come before.
 */
export function sweep<R extends Recorded>(calls?: readonly { readonly id: string }[]): Stage<R, Moment<R>> {
  /** Of `ended` and what follows it. */
  const read: R[] = [];
  let ended = 0;
  let isWhole = false;
  /** Not arrived yet, by their ids. */
  const arriving: Arriving[] = [];
  let seen = 0;

  function* settled(): Generator<Moment<R>> {
    for (; ; ended++) {
      for (; seen < ended + MOST_AHEAD; seen++) {
        const call = calls === undefined ? read[seen - ended]?.exchange.call : calls[seen];
        if (call === undefined) break;
        insert(arriving, { id: call.id, place: seen });
      }
      const [next] = read;
      const knowsAhead = calls !== undefined || isWhole || seen === ended + MOST_AHEAD;
      if (next === undefined || !knowsAhead) return;
      const { id } = next.exchange.call;
      const end = endOf(next);
      for (let first = arriving[0]; first !== undefined; first = arriving[0]) {
        if (first.id > id && !(arrivalOf(first) + CLOCK_STEP_MS <= end)) break;
        const record = read[first.place - ended];
        if (record === undefined) return;
        arriving.shift();
        yield { kind: 'arrival', record };
      }
      yield { kind: 'end', record: next };
      read.shift();
    }
  }

  return {
    take: (record) => {
      read.push(record);
      return settled();
    },
    close: () => {
      isWhole = true;
      return settled();
    },
  };
}

/** Epoch ms; NaN where the id does not tell. */
const arrivalOf = ({ id }: Arriving): number => timeOfId(id) ?? Number.NaN;

/** Epoch ms by the machine's clock, as ids are. What answers at once lets nothing arrive in between, whatever the clocks say. */
function endOf({ exchange: { call, answer, elapsed } }: Recorded): number {
  const isAtOnce = answer?.source === 'emulator' || answer?.source === 'rule';
  return isAtOnce ? Number.NEGATIVE_INFINITY : arrivedAt(call) + elapsed.total;
}

/** Most come in order: the place is looked for from the back. */
function insert(arriving: Arriving[], call: Arriving): void {
  let at = arriving.length;
  while (at > 0 && (arriving[at - 1] as Arriving).id > call.id) at--;
  arriving.splice(at, 0, call);
}
