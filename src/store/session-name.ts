/** The form of session names; names that a store already holds are read as they are. */

import { findIbans, holdsSecretValue } from '../exchange/index.js';

const NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

/** The end of a sentence on what a session is called. */
export const SESSION_NAME_FORM =
  'one name of 1 to 64 letters, digits, dots, underscores or dashes, not of dots alone, and without an account number or a token';

/**
 * Names stand in file names, in addresses of the live page and in tables: without blanks, slashes or `..`, nor anything
 * that would have to be redacted there.
 */
export function isSessionName(text: string): boolean {
  return NAME.test(text) && findIbans(text).length === 0 && !holdsSecretValue(text);
}
