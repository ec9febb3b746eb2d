/** Reads times and speeds of the clock as people type them. */
import { DAY_MS } from '../../spec/index.js';

/** A time to set the clock to: of its own, so far from what it shows (in ms), or back to that of the machine. */
export type ClockTime =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'by'; readonly by: number }
  | { readonly kind: 'real' };

/** How much emulated time passes in a time of the machine. */
export interface Speed {
  readonly text: string;
  /** 86400 of `1d/1s`. */
  readonly factor: number;
}

export const REAL_SPEED: Speed = { text: '1', factor: 1 };

/** Four digits are all that years of ISO 8601 and of certificates have. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
const FASTEST = 31_536_000;
const SLOWEST = 0.001;

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i;
const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/i;

/** `2026-01-31T09:00Z`, a date, `+90d`, `-12h` or `real`; undefined for anything else. Without a zone it is UTC. */
export function readClockTime(text: string): ClockTime | undefined {
  const typed = text.trim();
  if (typed === 'real') return { kind: 'real' };
  const by = /^[+-]/.test(typed) ? readSignedDuration(typed) : undefined;
  if (by !== undefined) return { kind: 'by', by };
  const at = readTime(typed);
  return at === undefined ? undefined : { kind: 'at', at };
}

function readTime(text: string): number | undefined {
  if (!TIME.test(text)) return undefined;
  const at = Date.parse(text.includes('T') && !ZONE.test(text) ? `${text}Z` : text);
  // 31 February is none, though Date takes it for a day in March.
  const isDay = new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  return isDay && isWithin(at) ? at : undefined;
}

export const isWithin = (at: number): boolean => at >= 0 && at <= LATEST;

/** Ms of `90d`, `+90d` or `-12h`; undefined for anything else. */
export function readSignedDuration(text: string): number | undefined {
  const [, sign, rest = ''] = /^([+-]?)(.*)$/.exec(text.trim()) ?? [];
  const ms = readDuration(rest);
  return sign === '-' && ms !== undefined ? -ms : ms;
}

/** `2`, `0.5`, `1d/1s` or `1h/1m`; undefined for anything else, and for what is slower or faster than any use of it. */
export function readSpeed(typed: string): Speed | undefined {
  const text = typed.trim();
  const [emulated = '', real, ...more] = text.split('/');
  const factor =
    real === undefined
      ? Number(/^\d{1,8}(?:\.\d{1,3})?$/.exec(emulated)?.[0] ?? Number.NaN)
      : (readDuration(emulated) ?? Number.NaN) / (readDuration(real) ?? Number.NaN);
  return more.length === 0 && factor >= SLOWEST && factor <= FASTEST ? { text, factor } : undefined;
}

const SIZES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kib: 1024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};
const DURATIONS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 604_800_000,
};

/** Ms of `500ms`, `10s`, `5m`, `2h`, `1d` or `1w`; undefined for anything else, a number without unit too. */
export function readDuration(text: string): number | undefined {
  return readUnit(text, DURATIONS);
}

/** Bytes of `65536`, `16KiB`, `1MiB` or `1GiB`; undefined for anything else. */
export function readSize(text: string): number | undefined {
  return readUnit(text, SIZES);
}

function readUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const parts = /^(\d{1,12}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = (parts?.[2] ?? '').toLowerCase();
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  const value = Math.round(Number(parts?.[1]) * (factor ?? Number.NaN));
  return Number.isSafeInteger(value) ? value : undefined;
}
