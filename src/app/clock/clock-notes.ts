/** What a session notes of the clock, and how the clock of a store goes on after a restart. */
import type { NoteSettings } from '../../exchange/index.js';
import { COMMON_WORLD, type SessionInfo } from '../../store/index.js';
import { readSpeed } from '../config/times.js';
import { CLOCK_MODES, type ClockMove, type ClockState, REAL } from './clock.js';

const iso = (at: number): string => new Date(at).toISOString();

export function noteMove({ from, to, after: { mode, speed } }: ClockMove): NoteSettings<'clock'> {
  return { from: iso(from), to: iso(to), mode, speed: speed.text };
}

/** undefined: the machine's, of which nothing is noted. */
export function noteClock({ mode, speed, shown, since }: ClockState): NoteSettings<'started'>['clock'] {
  if (mode === 'real') return undefined;
  return { now: iso(shown), mode, speed: speed.text, since: iso(since) };
}

/**
 * The clock of a world, as the newest note of the store's own sessions in it has it. A file that was imported tells of another
 * gateway's.
 */
export function keptClock(sessions: readonly Pick<SessionInfo, 'notes'>[], world: string): ClockState {
  let newest: { readonly at: number; readonly state: ClockState } | undefined;
  for (const { notes } of sessions) {
    if (notes.some(({ kind }) => kind === 'imported')) continue;
    let isOfWorld = false;
    for (const note of notes) {
      const { at } = note;
      if (note.kind === 'started') isOfWorld = (note.settings.world ?? COMMON_WORLD) === world;
      else if (note.kind !== 'clock') continue;
      if (!isOfWorld || at < (newest?.at ?? 0)) continue;
      const state = readState(
        note.kind === 'started'
          ? note.settings.clock
          : { ...note.settings, now: note.settings.to, since: new Date(at).toISOString() },
      );
      newest = { at, state };
    }
  }
  return newest?.state ?? REAL;
}

export function readState(noted: unknown): ClockState {
  const { now, since: when, mode: named, speed: typed } = (noted ?? {}) as Partial<Record<string, unknown>>;
  const shown = Date.parse(String(now));
  const since = Date.parse(String(when));
  const mode = CLOCK_MODES.find((one) => one === named) ?? 'real';
  const speed = readSpeed(String(typed));
  if (mode === 'real' || speed === undefined || Number.isNaN(shown + since)) return REAL;
  return { mode, speed, shown, since };
}
