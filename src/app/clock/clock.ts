/**
 * The clock by which calls are judged and answered: the machine's, or one that was moved away from it. Log lines, ids,
 * sessions and evidence keep to the machine's.
 */
import type { CallTime } from '../../exchange/index.js';
import { LATEST, REAL_SPEED, type Speed } from '../config/times.js';
import type { SystemParts } from '../system/system-parts.js';

export const CLOCK_MODES = ['real', 'frozen', 'running'] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];

/** All that is known of a clock: what it showed at a time of the machine, and how it goes on from there. */
export interface ClockState {
  readonly mode: ClockMode;
  readonly speed: Speed;
  /** Epoch ms; not whole where it ran slowly. */
  readonly shown: number;
  /** Epoch ms by the machine's clock. */
  readonly since: number;
}

/** What a clock is told: any of it together, but for `real`, which stands alone. */
export interface ClockChange {
  /** Epoch ms, in place of what it shows. */
  readonly now?: number;
  /** In ms, backwards too. */
  readonly advance?: number;
  readonly mode?: ClockMode;
  readonly speed?: Speed;
}

export interface ClockMove {
  readonly before: ClockState;
  /** What the clock showed just before, and just after, epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly after: ClockState;
}

export type Clock = ReturnType<typeof createClock>;

type Timer = SystemParts['timer'];

export const REAL: ClockState = { mode: 'real', speed: REAL_SPEED, shown: 0, since: 0 };

/** What a clock in this state shows at a time of the machine, epoch ms. */
export function shownAt(state: ClockState, machine: number): number {
  return Math.floor(exactlyShownAt(state, machine));
}

function exactlyShownAt({ mode, speed, shown, since }: ClockState, machine: number): number {
  if (mode === 'real') return machine;
  const passed = mode === 'running' ? Math.max(0, machine - since) * speed.factor : 0;
  return within(shown + passed);
}

const within = (at: number): number => Math.min(Math.max(at, 0), LATEST);

/** The state that a change at a time of the machine leads to. A clock that is set goes on as it went, if not told otherwise. */
export function changed(state: ClockState, wanted: ClockChange, machine: number): ClockState {
  const { mode = state.mode === 'frozen' ? 'frozen' : 'running', speed = state.speed } = wanted;
  if (mode === 'real') return REAL;
  const base = wanted.now ?? exactlyShownAt(state, machine);
  return { mode, speed, shown: within(base + (wanted.advance ?? 0)), since: machine };
}

/** `machine` is the machine's clock, epoch ms; without `start` the clock shows that. */
export function createClock({
  machine,
  timer,
  start = REAL,
}: {
  readonly machine: () => number;
  readonly timer: Timer;
  readonly start?: ClockState | undefined;
}) {
  let state = start;
  const listeners = new Set<(move: ClockMove) => void>();
  const now = (): number => shownAt(state, machine());
  const timeAt = (at: number): CallTime => {
    if (state.mode === 'real') return { at, ahead: 0 };
    const shown = shownAt(state, at);
    return { at: shown, ahead: shown - at };
  };
  const alarms = createAlarms(now, timer, (ms) =>
    state.mode === 'frozen' ? null : ms / (state.mode === 'real' ? 1 : state.speed.factor),
  );
  const planned = (wanted: ClockChange): ClockMove => {
    const at = machine();
    const next = changed(state, wanted, at);
    return { before: state, from: shownAt(state, at), to: shownAt(next, at), after: next };
  };
  const adopt = (next: ClockState): void => {
    state = next;
    alarms.rearm();
  };
  const announce = (move: ClockMove): void => {
    if (move.before.mode === 'real' && move.after.mode === 'real') return;
    for (const listener of [...listeners]) listener(move);
  };
  return {
    now,
    /** The time now, and how far that is from the machine's. */
    time: (): CallTime => timeAt(machine()),
    timeAt,
    state: (): ClockState => state,
    change: (wanted: ClockChange): void => {
      const move = planned(wanted);
      adopt(move.after);
      announce(move);
    },
    /** A change in three steps: what it would be now, its state, and telling of it. */
    planned,
    adopt,
    announce,
    /** Runs once when the clock has reached a time, never at once; the function given back cancels it. */
    at: alarms.add,
    /** `listener` hears of each change; the function given back ends it. */
    onChange: (listener: (move: ClockMove) => void) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
    close: alarms.close,
  };
}

interface Alarm {
  readonly time: number;
  readonly run: () => void;
}

/** Timers of Node wait no longer, in ms. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * What is to happen at times of a clock: one timer of the machine, for the first of them. `waitFor`: ms of the machine until
 * the clock has gone so many ms further; null: it stands still.
 */
function createAlarms(now: () => number, timer: Timer, waitFor: (ms: number) => number | null) {
  /** In the order of their times, then of being added. */
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
    add: (time: number, run: () => void) => {
      const alarm: Alarm = { time, run };
      const later = waiting.findIndex((other) => other.time > time);
      const place = later < 0 ? waiting.length : later;
      waiting.splice(place, 0, alarm);
      if (place === 0) rearm();
      return (): void => {
        const wasFirst = waiting[0] === alarm;
        if (remove(alarm) && wasFirst) rearm();
      };
    },
    rearm,
    close: (): void => {
      waiting.length = 0;
      cancel();
    },
  };
}
