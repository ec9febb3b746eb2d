/** What a session notes of the clock, and how the clock of a store goes on after a restart. */
import { COMMON_WORLD, type SessionInfo, type SessionNote } from '../../store/index.js';
import { readSpeed } from '../config/times.js';
import { CLOCK_MODES, type ClockMode, type ClockMove, type ClockState, REAL } from './clock.js';

/** A move, as a note of its own tells it. Times are ISO 8601. */
export type NotedMove = {
  /** What the clock showed before, and after. */
  readonly from: string;
  readonly to: string;
  readonly mode: ClockMode;
  readonly speed: string;
};

/** A clock that is not the machine's, as it stands among the settings that a session began with. */
export type NotedClock = {
  readonly now: string;
  readonly mode: ClockMode;
  readonly speed: string;
  /** By the machine's clock. */
  readonly since: string;
};

const iso = (at: number): string => new Date(at).toISOString();

export function noteMove({ from, to, after: { mode, speed } }: ClockMove): NotedMove {
  return { from: iso(from), to: iso(to), mode, speed: speed.text };
}

/** undefined: the machine's, of which nothing is noted. */
export function noteClock({ mode, speed, shown, since }: ClockState): NotedClock | undefined {
  if (mode === 'real') return undefined;
  return { now: iso(shown), mode, speed: speed.text, since: iso(since) };
}

/**
 * That of a world, as the newest note of the store's own sessions in it has it. A file that was imported tells of the
 * clock of another gateway.
 */
export function keptClock(sessions: readonly Pick<SessionInfo, 'notes'>[], world: string): ClockState {
  let newest: SessionNote | undefined;
  for (const { notes } of sessions) {
    if (notes.some(({ kind }) => kind === 'imported')) continue;
    let isOfWorld = false;
    for (const note of notes) {
      if (note.kind === 'started') isOfWorld = (note.settings.world ?? COMMON_WORLD) === world;
      else if (note.kind !== 'clock') continue;
      if (isOfWorld && note.at >= (newest?.at ?? 0)) newest = note;
    }
  }
  return newest === undefined ? REAL : stateOf(newest);
}

/** The machine's where a note cannot be read: somebody has changed it. */
function stateOf({ at, kind, settings }: SessionNote): ClockState {
  const noted = (kind === 'clock' ? settings : settings.clock) as Partial<NotedMove & NotedClock> | undefined;
  const shown = kind === 'clock' ? noted?.to : noted?.now;
  return readState({
    ...noted,
    now: shown,
    since: kind === 'clock' ? new Date(at).toISOString() : noted?.since,
  });
}

/** As `noteClock` wrote it. */
export function readState(noted: unknown): ClockState {
  const { now, since: when, mode: named, speed: typed } = (noted ?? {}) as Partial<Record<string, unknown>>;
  const shown = Date.parse(String(now));
  const since = Date.parse(String(when));
  const mode = CLOCK_MODES.find((one) => one === named) ?? 'real';
  const speed = readSpeed(String(typed));
  if (mode === 'real' || speed === undefined || Number.isNaN(shown + since)) return REAL;
  return { mode, speed, shown, since };
}
