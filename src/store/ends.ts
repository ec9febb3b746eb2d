/** Finds the end of a session's chain from its entries. */
import type { ChainEnd, EndRows } from './driver.js';

/** Places further away are none that counting could have come to: nobody goes on behind them. */
const REACH = 1_000_000;

/** The last entry behind `place`; null where there is none. */
export const endBeyond = (rows: EndRows, session: number, place: number): ChainEnd | null =>
  rows.lastBetween(session, place, place + REACH);

/** Whether the entry is there with this link, or was removed with it. */
export function holdsEnd(rows: EndRows, session: number, { last, head }: ChainEnd): boolean {
  for (const link of linksAt(rows, session, last)) if (link === head) return true;
  return false;
}

/** Link of the entry at a place, also where it was removed; null where nobody knows it. */
export function linkAt(rows: EndRows, session: number, place: number): string | null {
  const { value } = linksAt(rows, session, place).next();
  return (value as string | undefined) ?? null;
}

function* linksAt(rows: EndRows, session: number, place: number): IterableIterator<string> {
  yield* rows.linksAt(session, place);
  for (const [, to, link] of rows.gaps(session)) if (to === place) yield link;
}
