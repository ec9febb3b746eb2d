/** Which requests are none of the interface at all: what a browser loads beside it, at the same host. */
import type { Call } from '../../exchange/index.js';
import { hidesCaller } from '../../ledger/index.js';
import type { CallContext } from '../rule.js';

/** An unknown path that does not even lie below the segment of the interface. */
export function isBesideInterface({ call, options }: Pick<CallContext, 'call' | 'options'>): boolean {
  if (call.operation !== null || call.allow !== undefined) return false;
  return !call.request.path.includes(`/${options.segment}/`);
}

/** Whether a browser loads a page or what belongs to it: a file tells calls of the TPP and of the PSU by nothing else. */
export function isOfBrowser(call: Call): boolean {
  if (!hidesCaller(call)) return false;
  return call.header['sec-fetch-dest'] !== undefined || call.header.accept?.includes('text/html') === true;
}
