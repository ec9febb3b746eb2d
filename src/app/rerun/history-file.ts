/** The file that keeps the differences of a bank's answers from run to run: when each was first seen, last seen, and gone. */
import * as z from 'zod';
import { MOST_PLACES, placeFile } from './place-file.js';

const text = z.string().max(1_000);
const time = z.iso.datetime();
/** No value of an answer: whoever reads the file need not be allowed to read the recording. */
const historyPlace = z.strictObject({
  operation: text,
  class: z.enum(['breaking', 'additive']),
  what: text,
  place: text,
  /** Statuses or types, before and after. */
  change: text.optional(),
  first: time,
  last: time,
  /** The recorded exchange whose answer was the first to differ. */
  exchange: text,
  gone: time.optional(),
});

export type HistoryPlace = Readonly<z.infer<typeof historyPlace>>;

export interface HistoryReport {
  readonly new: number;
  readonly known: number;
  /** Seen before, and no more in any call of their operation. */
  readonly gone: readonly HistoryPlace[];
}

const historyFile = placeFile('sandgate-rerun-history', historyPlace, 'rerun.history-file');

export const readHistory = historyFile.read;

export const writeHistory = (places: readonly HistoryPlace[]): string =>
  historyFile.write(
    places
      .toSorted((a, b) => (a.last < b.last ? 1 : -1))
      .slice(0, MOST_PLACES)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  );

export const keyOf = ({ operation, class: kind, what, place, change = '' }: Shape): string =>
  `${operation} ${place} ${what} ${change} ${kind}`;

export type Shape = Pick<HistoryPlace, 'operation' | 'class' | 'what' | 'place' | 'change'>;
