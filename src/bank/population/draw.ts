/** What looks like chance and is none: numbers that follow from the seed and from what they are for. */

/** Both ends are possible. */
export type Range = readonly [least: number, most: number];

/** The finaliser of MurmurHash3: every bit of the input moves every bit of the result. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A whole number below 2^32 that follows from whole numbers, in their order. */
export function numberFrom(...parts: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) state = mixed(Math.imul(state, 5) + 0xe6546b64 + part);
  return state;
}

export function within([least, most]: Range, number: number): number {
  return least + (number % (most - least + 1));
}

export function oneOf<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

/** Numbers one after the other, for what is drawn in an order that never changes. */
export function createDraws(...parts: readonly number[]): () => number {
  let state = numberFrom(...parts);
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixed(state);
  };
}

/** What a number is drawn for: two purposes never share one. */
export const FOR = {
  name: 1,
  password: 2,
  payday: 3,
  scale: 4,
  opening: 5,
  closing: 6,
  transfer: 7,
  flow: 8,
  party: 9,
  spending: 10,
  currency: 11,
  firm: 12,
  signatory: 13,
} as const;
