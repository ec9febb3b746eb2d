/** The return address that a creation names. */
import type { Call } from '../../exchange/index.js';
import { isReturnAddress } from '../../spec/index.js';

/** TPP-Redirect-URI; undefined where it is missing, or no address, which are rules of their own. */
export function redirectUriOf(call: Call): string | undefined {
  const uri = call.header['tpp-redirect-uri'];
  return uri !== undefined && isReturnAddress(uri) ? uri : undefined;
}
