/** Reads the access token for a rerun from a file or variable, where the process list does not show it. */

import { readText } from '../app/config/index.js';
import type { LentToken } from '../app/rerun/index.js';
import { SandgateError } from '../spec/index.js';

const VARIABLE = 'SANDGATE_TOKEN';
/** RFC 6750 2.1 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const LONGEST = 16_384;

export interface TokenFlags {
  /** The token, or `@FILE`. */
  readonly token?: string;
  readonly consent?: string;
}

/** undefined where there is none. What is wrong with it is said without it. */
export function readLentToken(
  { token: flag, consent }: TokenFlags,
  env: Readonly<Record<string, string | undefined>>,
): LentToken | undefined {
  const from = flag ?? env[VARIABLE];
  if (from === undefined || from === '') {
    if (consent === undefined) return undefined;
    throw new SandgateError('rerun.consent-alone', { variable: VARIABLE });
  }
  const token = flag?.startsWith('@') ? readText(flag.slice(1)).trim() : from;
  if (token.length > LONGEST || !TOKEN.test(token)) throw new SandgateError('rerun.token', {});
  return { token, consent: consent ?? null };
}
