/** What is to happen at times of a clock: one timer of the machine, for the first of them. */

export interface AlarmsParts {
  /** Of the clock, epoch ms. */
  readonly now: () => number;
  readonly timer: { readonly after: (ms: number, run: () => void) => () => void };
  /** Ms of the machine until the clock has gone so many ms further; null: it stands still. */
  readonly waitFor: (ms: number) => number | null;
}

export interface Alarms {
  /** Runs once when the clock has reached a time, never at once; the function given back cancels it. */
  readonly add: (time: number, run: () => void) => () => void;
  /** The clock was moved, or goes at another pace. */
  readonly rearm: () => void;
  readonly close: () => void;
}

interface Alarm {
  readonly time: number;
  readonly run: () => void;
}

/** Timers of Node wait no longer, in ms. */
const LONGEST_WAIT = 2 ** 31 - 1;

export function createAlarms({ now, timer, waitFor }: AlarmsParts): Alarms {
  /** By their times; of the same time, the one that was added first. */
  const waiting: Alarm[] = [];
  let cancel = (): void => {};

  function rearm(): void {
    cancel();
    cancel = () => {};
    const first = waiting[0];
    if (first === undefined) return;
    const left = first.time - now();
    const wait = left <= 0 ? 0 : waitFor(left);
    // Rounded up, so that what woke too early does not go round and round.
    if (wait !== null) cancel = timer.after(Math.min(Math.ceil(wait), LONGEST_WAIT), ring);
  }

  function ring(): void {
    const reached = now();
    const due = waiting.filter(({ time }) => time <= reached);
    try {
      for (const alarm of due) {
        // One of them may cancel the next, or all of them.
        if (remove(alarm)) alarm.run();
      }
    } finally {
      rearm();
    }
  }

  function remove(alarm: Alarm): boolean {
    const place = waiting.indexOf(alarm);
    if (place >= 0) waiting.splice(place, 1);
    return place >= 0;
  }

  return {
    add: (time, run) => {
      const alarm: Alarm = { time, run };
      const later = waiting.findIndex((other) => other.time > time);
      const place = later < 0 ? waiting.length : later;
      waiting.splice(place, 0, alarm);
      if (place === 0) rearm();
      return () => {
        const wasFirst = waiting[0] === alarm;
        if (remove(alarm) && wasFirst) rearm();
      };
    },
    rearm,
    close: () => {
      waiting.length = 0;
      cancel();
    },
  };
}
