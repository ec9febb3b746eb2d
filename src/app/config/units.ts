/** Reads durations and sizes as people type them. */
import { DAY_MS } from '../../spec/index.js';

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
