/** Which calls rules on requests are about, and the headers that these carry. */
import type { Call } from '../../exchange/index.js';
import {
  HEADERS,
  type HeaderName,
  type HeaderRow,
  isReturnAddress,
  type OperationRow,
} from '../../spec/index.js';

export const isKnown = (): boolean => true;

/** Calls that create what the PSU authorises: these name the PSU and its way back. */
export const isCreation = ({ creates }: OperationRow): boolean =>
  creates === 'consent' || creates === 'payment';

export function headersWhere(holds: (row: HeaderRow) => boolean): readonly (readonly [string, HeaderRow])[] {
  return (Object.keys(HEADERS) as HeaderName[])
    .map((name): [string, HeaderRow] => [name, HEADERS[name]])
    .filter(([, row]) => holds(row));
}

export function found(call: Call, header: string): string {
  const value = call.header[header];
  if (value === undefined) return 'absent';
  return value === '' ? 'empty' : value;
}

/** TPP-Redirect-URI; undefined where it is missing, or no address, which are rules of their own. */
export function redirectUriOf(call: Call): string | undefined {
  const uri = call.header['tpp-redirect-uri'];
  return uri !== undefined && isReturnAddress(uri) ? uri : undefined;
}
