/** Opens the clock as configured, or as it was when the gateway stopped. */
import type { Config } from '../config/config.js';
import { allSourcesOf } from '../config/values.js';
import type { SystemParts } from '../system/system-parts.js';
import { type Clock, type ClockState, changed, createClock, REAL, shownAt } from './clock.js';
import { changeOf } from './clock-settings.js';

type ClockConfig = Pick<Config, 'clock' | 'clockSpeed' | 'source' | 'sources'>;

/** `kept`: as the store's notes have it. */
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
