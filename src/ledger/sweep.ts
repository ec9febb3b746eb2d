/**
 * The order in which calls of a recording arrived and ended, and in which steps befell their world. A recording holds
 * exchanges and steps in the order of their ends; ids tell when calls arrived, and in which order.
 */
import {
  arrivedAt,
  CLOCK_STEP_MS,
  type FileRecord,
  type RecordedCall,
  type Stage,
  type StepNote,
  timeOfId,
} from '../exchange/index.js';

type Recorded = Pick<FileRecord, 'exchange' | 'steps'>;

export type Moment<R extends Recorded> =
  | { readonly kind: 'arrival'; readonly record: R }
  | { readonly kind: 'end'; readonly record: R }
  | { readonly kind: 'step'; readonly note: StepNote };

/** How far it looks for calls that arrived early and ended late: as many as a busy gateway has under way. */
const MOST_AHEAD = 1_000;

interface Arriving {
  readonly id: string;
  readonly place: number;
  /** So many steps came before it. */
  readonly behind: number;
}

type Ahead = Pick<RecordedCall, 'id' | 'steps' | 'crossed'>;

const aheadOf = ({ exchange: { call, crossed = 0 }, steps = [] }: Recorded): Ahead => ({
  id: call.id,
  steps: steps.length,
  crossed,
});

/**
 * Each record twice: as the call that arrives, and as the exchange that ends. Ends come in the order of the records.
 * Where the ids of all are known, in their order (`calls`), nothing waits for later records but what they come before.
 */
export function sweep<R extends Recorded>(calls?: readonly Ahead[]): Stage<R, Moment<R>> {
  /** Records from number `ended` on. */
  const read: R[] = [];
  let ended = 0;
  let isWhole = false;
  const arriving: Arriving[] = [];
  let seen = 0;
  /** Steps before the calls seen so far. */
  let steps = 0;
  /** Steps given out; `toldHere` of them stand before the next end. */
  let told = 0;
  let toldHere = 0;

  function* settled(): Generator<Moment<R>> {
    for (; ; ended++) {
      for (; seen < ended + MOST_AHEAD; seen++) {
        const record = read[seen - ended];
        const call = calls === undefined ? record && aheadOf(record) : calls[seen];
        if (call === undefined) break;
        steps += call.steps ?? 0;
        insert(arriving, { id: call.id, place: seen, behind: Math.max(0, steps - (call.crossed ?? 0)) });
      }
      const [next] = read;
      const knowsAhead = calls !== undefined || isWhole || seen === ended + MOST_AHEAD;
      if (next === undefined || !knowsAhead) return;
      const { id } = next.exchange.call;
      const end = endOf(next);
      const { steps: inFront = [] } = next;
      for (let first = arriving[0]; first !== undefined; first = arriving[0]) {
        // Before a step all arrive that it came upon, and none of the others.
        while (first.behind > told && toldHere < inFront.length) {
          yield { kind: 'step', note: inFront[toldHere++] as StepNote };
          told++;
        }
        const isInTime = toldHere < inFront.length || first.behind < told;
        if (first.behind > told) break;
        if (!isInTime && first.id > id && !(arrivalOf(first) + CLOCK_STEP_MS <= end)) break;
        const record = read[first.place - ended];
        if (record === undefined) return;
        arriving.shift();
        yield { kind: 'arrival', record };
      }
      for (; toldHere < inFront.length; told++) yield { kind: 'step', note: inFront[toldHere++] as StepNote };
      yield { kind: 'end', record: next };
      read.shift();
      toldHere = 0;
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

const arrivalOf = ({ id }: Arriving): number => timeOfId(id) ?? Number.NaN;

/** Epoch ms by the machine's clock, as ids are. What answers at once lets nothing arrive in between, whatever the clocks say. */
function endOf({ exchange: { call, answer, elapsed } }: Recorded): number {
  const isAtOnce = answer?.source === 'emulator' || answer?.source === 'rule';
  return isAtOnce ? Number.NEGATIVE_INFINITY : arrivedAt(call) + elapsed.total;
}

/** Most come in order: the place is looked for from the back. */
function insert(arriving: Arriving[], call: Arriving): void {
  let at = arriving.length;
  while (at > 0 && isBefore(call, arriving[at - 1] as Arriving)) at--;
  arriving.splice(at, 0, call);
}

const isBefore = (one: Arriving, other: Arriving): boolean =>
  one.behind === other.behind ? one.id < other.id : one.behind < other.behind;
