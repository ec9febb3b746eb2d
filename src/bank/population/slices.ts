/** Postings in the order of booking, and the part of them that lies between two days. */
import type { Posting } from './population.js';

/** Those of the days from `from` to `to`, with both. */
export function sliceOf(postings: readonly Posting[], from: number, to: number): readonly Posting[] {
  return postings.slice(firstFrom(postings, from), firstFrom(postings, to + 1));
}

/** The place of the first that is booked on this day or later. */
export function firstFrom(postings: readonly Posting[], day: number): number {
  let [low, high] = [0, postings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postings[middle] as Posting).bookingDay < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function sumOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { amount }) => sum + amount, 0);
}
