/**
 * Texts from outside as texts of PostgreSQL, which have neither NUL nor half of a surrogate pair: such a character, and
 * the mark itself, are kept as the mark and a number.
 */
const MARK = '\u0001';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const ODD = /[\0\u0001\p{Surrogate}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const MARKED = /\u0001([0-9a-f]{4})/g;

const marked = (character: string): string => MARK + character.charCodeAt(0).toString(16).padStart(4, '0');

/** Nearly all texts are kept as they are. */
export const keptText = (text: string): string =>
  text.includes('\0') || text.includes(MARK) || !text.isWellFormed() ? text.replace(ODD, marked) : text;

/** The inverse of `keptText`. */
export const givenText = (kept: string): string =>
  kept.includes(MARK)
    ? kept.replace(MARKED, (_, number: string) => String.fromCharCode(Number.parseInt(number, 16)))
    : kept;
