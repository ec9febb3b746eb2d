/** Formats values for a page: numbers, times, and recorded text that cannot disguise itself. */
import { plural } from '../../spec/index.js';

export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export const groupedOrNone = (value: number): string => (value === 0 ? '–' : grouped(value));

/** `200 × 12, 404 × 1`, of recorded values. */
export const tallied = (tallies: readonly { readonly value: string; readonly count: number }[]): string =>
  tallies.map(({ value, count }) => `${visible(value)} × ${grouped(count)}`).join(', ');

/** `1 call`, `2 calls`; `many` for words that take more than an s. */
export function counted(value: number, one: string, many?: string): string {
  return `${grouped(value)} ${plural(value, one, many)}`;
}

/** With a capital: `Bank`, of `bank`. */
export const titled = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `15 June 2026`, of an ISO time or date. */
export const day = (iso: string): string => DAY.format(Date.parse(iso));

/** `10:00:07`, UTC. */
export const clock = (iso: string): string => iso.slice(11, 19);

/** `2026-06-15 10:00:07`, UTC. */
export const stamp = (iso: string): string => `${iso.slice(0, 10)} ${clock(iso)}`;

/** `15 June 2026, 10:00:00 to 10:01:10 UTC`. */
export function span(from: string, to: string): string {
  const start = `${day(from)}, ${clock(from)}`;
  if (from.slice(0, 10) === to.slice(0, 10)) return `${start} to ${clock(to)} UTC`;
  return `${start} to ${day(to)}, ${clock(to)} UTC`;
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** `350 ms`, `12 s`, `3 min`, `2 d`: the greatest unit alone. */
export function lasting(ms: number): string {
  const seconds = ms / 1000;
  for (const [size, unit] of UNITS) if (seconds >= size) return `${Math.round(seconds / size)} ${unit}`;
  return `${Math.round(ms)} ms`;
}

/** One decimal below 100; `–` where nothing was measured. */
export function millis(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 100 ? ms.toFixed(1) : grouped(Math.round(ms));
}

export function bytes(size: number): string {
  if (size < 1024) return counted(size, 'byte');
  return size < 1_048_576 ? `${(size / 1024).toFixed(1)} KiB` : `${(size / 1_048_576).toFixed(1)} MiB`;
}

/** Control and format characters and halves of surrogate pairs could hide, reorder or end recorded text. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Recorded text with such characters written out, as `\u202e`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\r' ? '\\r' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

export function anchor(prefix: string, name: string): string {
  return `${prefix}-${name.replace(/[^A-Za-z0-9-]/g, (c) => (c === '/' || c === '.' ? '-' : `_${c.charCodeAt(0).toString(16)}`))}`;
}
