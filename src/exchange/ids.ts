/** Exchange ids: numbers that grow with time, written so that their texts sort by time. */

export type IdSource = () => string;

export interface IdSourceParts {
  /** Epoch ms. */
  readonly clock: () => number;
  /** 0 to 2047: where counting starts within a millisecond; different for gateways that share a store. */
  readonly seed?: number;
  /**
   * One of so many, which no other gateway that lives has: the numbers of all ids leave this remainder, so that those of
   * gateways side by side are never the same. Takes the place of a seed; asked for each id.
   */
  readonly slot?: { readonly number: number; readonly of: number } | undefined;
  /** The newest id that is in use already; the first one given is greater, even if the clock was set back. */
  readonly after?: string | null;
}

const PER_MS = 4096;
const SEEDS = 2048;
const LENGTH = 11;
const LOW = 2 ** 30;
/** Crockford's base 32: no I, L, O, U. */
export const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Values of the characters, by code. Small letters count, and O, I and L for 0 and 1. */
const VALUES: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const digit = String.fromCharCode(code).toUpperCase().replace('O', '0').replace(/[IL]/, '1');
  return BASE_32.includes(digit) ? BASE_32.indexOf(digit) : undefined;
});

export function createIdSource({ clock, seed = 0, slot, after = null }: IdSourceParts): IdSource {
  let last = after === null ? -1 : (numberOfId(after) ?? -1);
  if (slot !== undefined) {
    return () => {
      const { number, of } = slot;
      const first = Math.max(last + 1, Math.trunc(clock()) * PER_MS);
      last = first + ((((number - first) % of) + of) % of);
      return idOfNumber(last);
    };
  }
  const start = Math.abs(Math.trunc(seed)) % SEEDS;
  return () => {
    last = Math.max(last + 1, Math.trunc(clock()) * PER_MS + start);
    return idOfNumber(last);
  };
}

export function idOfNumber(number: number): string {
  const high = Math.floor(number / LOW);
  const low = number % LOW;
  return `${BASE_32[high >> 20]}${pair(high, 10)}${pair(high, 0)}${pair(low, 20)}${pair(low, 10)}${pair(low, 0)}`;
}

const pair = (value: number, shift: number): string =>
  `${BASE_32[(value >> (shift + 5)) & 31]}${BASE_32[(value >> shift) & 31]}`;

/** The number of an id as people may have typed it, null where the text is none. */
export function numberOfId(id: string): number | null {
  if (id.length !== LENGTH) return null;
  let number = 0;
  for (let i = 0; i < LENGTH; i++) {
    const value = VALUES[id.charCodeAt(i)];
    if (value === undefined) return null;
    number = number * 32 + value;
  }
  return Number.isSafeInteger(number) ? number : null;
}

/** The smallest id that may have been given at a time, epoch ms; all that were given before are smaller. */
export function firstIdAt(at: number): string {
  return idOfNumber(Math.trunc(at) * PER_MS);
}

/** When an id was given, epoch ms (one more where a millisecond was full); null where the text is no id. */
export function timeOfId(id: string): number | null {
  const number = numberOfId(id);
  return number === null ? null : Math.floor(number / PER_MS);
}
