/** Reads the rows of any driver as a reader asked: what cannot be read or does not match is passed over, and told. */
import { SandgateError } from '../spec/index.js';
import { matches } from './filter/match.js';
import type { ReadOptions } from './port.js';
import type { RecordedExchange } from './recorded.js';

export interface RowReader<R> {
  readonly idOf: (row: R) => string;
  /** Throws a SandgateError of kind `wanting` where the row is not as it was recorded. */
  readonly recordOf: (row: R) => RecordedExchange;
}

type RowOptions = Pick<ReadOptions, 'limit' | 'where' | 'onUnreadable' | 'onPassed'>;

export function* readRows<R>(
  rows: Iterable<R>,
  { idOf, recordOf }: RowReader<R>,
  { limit = Number.POSITIVE_INFINITY, where, onUnreadable, onPassed }: RowOptions,
): IterableIterator<RecordedExchange> {
  const fits = where === undefined ? () => true : matches(where);
  let left = limit;
  for (const row of rows) {
    const record = onUnreadable === undefined ? recordOf(row) : recordIfReadable(row, recordOf);
    if (record === undefined) onUnreadable?.(idOf(row));
    else if (fits(record)) yield record;
    else onPassed?.(idOf(row));
    if (--left === 0) return;
  }
}

/** undefined where it cannot be read. */
export function recordIfReadable<R>(row: R, recordOf: RowReader<R>['recordOf']) {
  try {
    return recordOf(row);
  } catch (error) {
    if (error instanceof SandgateError && error.kind === 'wanting') return undefined;
    throw error;
  }
}
