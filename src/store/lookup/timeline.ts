/** The timeline of a session: calls, findings and the bank's times, in as many slots of time as a picture shows. */

export interface Slot {
  /** Epoch ms, by the clock of the machine. */
  readonly at: number;
  calls: number;
  /** Calls of which this is the gravest finding. */
  must: number;
  should: number;
  /** Calls that a bank answered, and how long those took, in ms. */
  asked: number;
  bankMs: number;
  longestMs: number;
}

export interface Timeline {
  /** The length of a slot, in ms. */
  readonly width: number;
  /** In their order; one without a call is left out. */
  readonly slots: readonly Readonly<Slot>[];
}

export const MOST_SLOTS = 300;
/** Behind one second; each is of whole ones of those before it. */
const WIDTHS = [5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800, 31_449_600].map((s) => s * 1_000);

/** Slots become wider where there would be too many. */
export function createTimeline() {
  let slots = new Map<number, Slot>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let width = 1_000;

  const slotOf = (at: number): number => Math.floor(at / width);
  const put = (one: Slot): void => {
    const number = slotOf(one.at);
    const known = slots.get(number) ?? {
      ...{ at: number * width, calls: 0, must: 0, should: 0, asked: 0, bankMs: 0, longestMs: 0 },
    };
    known.calls += one.calls;
    known.must += one.must;
    known.should += one.should;
    known.asked += one.asked;
    known.bankMs += one.bankMs;
    known.longestMs = Math.max(known.longestMs, one.longestMs);
    slots.set(number, known);
  };
  const widenTo = (next: number): void => {
    if (next <= width) return;
    width = next;
    const before = slots;
    slots = new Map();
    for (const one of before.values()) put(one);
  };
  const take = (one: Slot): void => {
    first = Math.min(first, one.at);
    last = Math.max(last, one.at);
    while (slotOf(last) - slotOf(first) >= MOST_SLOTS) {
      const next = WIDTHS.find((wider) => wider > width);
      if (next === undefined) break;
      widenTo(next);
    }
    put(one);
  };
  return {
    /** `bankMs`: null where no bank answered. */
    add: (at: number, worst: string | null, bankMs: number | null): void => {
      const [must, should] = [worst === 'must' ? 1 : 0, worst === 'should' ? 1 : 0];
      const ofBank = { asked: bankMs === null ? 0 : 1, bankMs: bankMs ?? 0, longestMs: bankMs ?? 0 };
      take({ at, calls: 1, must, should, ...ofBank });
    },
    addAll: (other: Timeline): void => {
      widenTo(other.width);
      for (const one of other.slots) take(one);
    },
    show: (): Timeline => ({ width, slots: [...slots.values()].sort((a, b) => a.at - b.at) }),
  };
}
