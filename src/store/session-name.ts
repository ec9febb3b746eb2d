/** The form of session names; names that a store already holds are read as they are. */

const NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

/** The end of a sentence on what a session is called. */
export const SESSION_NAME_FORM =
  'one name of 1 to 64 letters, digits, dots, underscores or dashes, and not of dots alone';

/** Names stand in file names, in addresses of the dashboard and in tables: without blanks, slashes or `..`. */
export function isSessionName(text: string): boolean {
  return NAME.test(text);
}
