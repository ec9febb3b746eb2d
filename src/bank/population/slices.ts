/** Postings in the order of booking, and the part of them that lies between two days. */
import { firstPlace } from '../../spec/index.js';
import type { Posting } from './population.js';

/** Those of the days from `from` to `to`, with both. */
export function sliceOf(postings: readonly Posting[], from: number, to: number): readonly Posting[] {
  return postings.slice(firstFrom(postings, from), firstFrom(postings, to + 1));
}

/** The place of the first that is booked on this day or later. */
export function firstFrom(postings: readonly Posting[], day: number): number {
  return firstPlace(postings.length, (place) => (postings[place] as Posting).bookingDay >= day);
}

export function sumOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { amount }) => sum + amount, 0);
}
