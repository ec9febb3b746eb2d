/** Which calls rules on requests are about, and the headers that these carry. */
import type { Call } from '../../exchange/index.js';
import { HEADERS, type HeaderName, type HeaderRow, type OperationRow } from '../../spec/index.js';

export const isKnown = (): boolean => true;

/** Calls that create what the PSU authorises: these name the PSU and its way back. */
export const isCreation = ({ creates }: OperationRow): boolean =>
  creates === 'consent' || creates === 'payment';

/** The headers of the table for which it holds, each with its lower-case name and its row. */
export function headersWhere(holds: (row: HeaderRow) => boolean): readonly (readonly [string, HeaderRow])[] {
  return (Object.keys(HEADERS) as HeaderName[])
    .map((name): [string, HeaderRow] => [name, HEADERS[name]])
    .filter(([, row]) => holds(row));
}

/** How a header stands there: `absent`, or what it holds. */
export function found(call: Call, header: string): string {
  const value = call.header[header];
  if (value === undefined) return 'absent';
  return value === '' ? 'empty' : value;
}
