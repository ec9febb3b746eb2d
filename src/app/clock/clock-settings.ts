/** What may be asked of the clock from outside, what sessions note of it, and how it goes on after a restart. */
import * as z from 'zod';
import type { ClockPort, ShownClock } from '../../admin/index.js';
import type { NoteSettings } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import { COMMON_WORLD, type SessionInfo } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { isWithin, readSpeed } from '../config/times.js';
import { allSourcesOf, readWanted, values } from '../config/values.js';
import type { SystemParts } from '../system/system-parts.js';
import {
  CLOCK_MODES,
  type Clock,
  type ClockChange,
  type ClockMove,
  type ClockState,
  changed,
  createClock,
  REAL,
  shownAt,
} from './clock.js';

const wantedSchema = z
  .strictObject(
    {
      now: values.clockTime.optional(),
      advance: values.advance.optional(),
      mode: values.oneOf(CLOCK_MODES).optional(),
      speed: values.speed.optional(),
    },
    { error: 'an object of now or advance, mode and speed is expected' },
  )
  .refine(({ now, advance }) => now === undefined || advance === undefined, {
    error: 'now and advance are two ways to move the clock: give one of them',
  })
  .refine(({ now, advance, mode, speed }) => [now, advance, mode, speed].some((one) => one !== undefined), {
    error: 'now, advance, mode or speed is expected',
  })
  .refine(
    ({ now, advance, mode, speed }) =>
      (mode !== 'real' && now?.kind !== 'real') ||
      [now, advance, mode, speed].filter((one) => one !== undefined).length === 1,
    { error: 'the machine’s time (real) can be neither moved nor set to another speed: give it alone' },
  );

type Wanted = z.output<typeof wantedSchema>;

/** `asksBank`: whether a bank may answer, whose time cannot be moved. `apply` gives what takes it back. */
export function createClockSettings({
  clockOf,
  share,
  asksBank,
}: {
  readonly clockOf: (session: string | undefined) => Promise<Clock>;
  readonly share: (session: string | undefined, apply: () => () => void) => Promise<void>;
  readonly asksBank: () => boolean;
}): ClockPort {
  return {
    current: async (session) => showClock(await clockOf(session)),
    wanted: wantedSchema,
    change: async (wanted, session) => {
      const clock = await clockOf(session);
      const asked = readWanted(wantedSchema, wanted);
      let move: ClockMove | null = null;
      const apply = (): (() => void) => {
        const change = changeOf(clock.now(), asked);
        if (asksBank() && change.mode !== 'real') throw new SandgateError('clock.bank', {});
        const planned = clock.planned(change);
        move = planned;
        clock.adopt(planned.after);
        return () => clock.adopt(planned.before);
      };
      await share(session, apply);
      if (move !== null) clock.announce(move);
      return showClock(clock);
    },
  };
}

export function showClock(clock: Pick<Clock, 'now' | 'state'>): ShownClock {
  const { mode, speed } = clock.state();
  return { now: new Date(clock.now()).toISOString(), mode, speed: speed.text };
}

function changeOf(shown: number, { now, advance, mode, speed }: Wanted): ClockChange {
  if (now?.kind === 'real' || mode === 'real') return { mode: 'real' };
  const by = now?.kind === 'by' ? now.by : advance;
  const at = now?.kind === 'at' ? now.at : by === undefined ? undefined : shown + by;
  if (at !== undefined && !isWithin(at)) throw new SandgateError('clock.out-of-range', {});
  return {
    ...(now?.kind === 'at' ? { now: now.at } : by === undefined ? {} : { advance: by }),
    ...(mode === undefined ? {} : { mode }),
    ...(speed === undefined ? {} : { speed }),
  };
}

type ClockConfig = Pick<Config, 'clock' | 'clockSpeed' | 'source' | 'sources'>;

export function openClock(
  config: ClockConfig,
  { clock: machine, timer, log }: Pick<SystemParts, 'clock' | 'timer' | 'log'>,
  kept: ClockState,
): Clock {
  const asksBank = allSourcesOf(config).has('upstream');
  if (asksBank && kept.mode !== 'real')
    log.warn({}, 'The clock of this store was moved; with a bank it is that of the machine again.');
  const start = startOf(config, asksBank ? REAL : kept, machine());
  return createClock({ machine, timer, start });
}

/** What the clock will show first, epoch ms, as far as the settings tell. */
export function configuredTime(config: ClockConfig, machine: number): number {
  return shownAt(startOf(config, REAL, machine), machine);
}

function startOf({ clock, clockSpeed: speed }: ClockConfig, kept: ClockState, now: number): ClockState {
  if (clock === undefined && speed === undefined) return kept;
  const base = clock === undefined ? kept : REAL;
  if (clock?.kind === 'real' && speed === undefined) return REAL;
  const move = clock === undefined || clock.kind === 'real' ? {} : changeOf(now, { now: clock });
  return changed(base, { ...move, mode: 'running', ...(speed === undefined ? {} : { speed }) }, now);
}

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
