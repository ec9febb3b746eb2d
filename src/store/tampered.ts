/** Reads values that somebody may have changed behind the store's back: `verify` tells of it, nothing fails. */
import { isObject } from '../exchange/index.js';

const LATEST = 8.64e15;

/** A place or a count that was changed into something else is 0. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= LATEST ? value : 0;

/** A time that was changed into something else is the beginning of time. */
export const readTime = (value: unknown): number =>
  typeof value === 'number' && Math.abs(value) <= LATEST ? value : 0;

/** Settings that were changed into something else are none. */
export function readSettings(text: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
