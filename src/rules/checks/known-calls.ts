/** Groups of operations that rules on requests are about. */
import type { Call } from '../../exchange/index.js';
import { HEADERS, type HeaderName, type HeaderRow, OPERATION_IDS, operationRow } from '../../spec/index.js';

export const ALL_CALLS = OPERATION_IDS;
export const CALLS_WITH_REQUEST_ID = OPERATION_IDS.filter((id) => operationRow(id).requestId);
export const CALLS_WITH_BODY = OPERATION_IDS.filter((id) => operationRow(id).body !== 'none');
export const CREATIONS = ['consents.create', 'payments.create'] as const;

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
