/** Colours, where a terminal has them and its user wants them. */

const CODES = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Colour = keyof typeof CODES;
export type Paint = (text: string, colour: Colour | null) => string;

export const plain: Paint = (text) => text;
const coloured: Paint = (text, colour) =>
  colour === null || text === '' ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;

type Env = Readonly<Record<string, string | undefined>>;

/** NO_COLOR forbids them, FORCE_COLOR asks for them in a pipe too, as help texts have it (commander). */
export function paintFor({ isTTY }: { readonly isTTY?: boolean }, env: Env): Paint {
  return hasColours(isTTY === true, env) ? coloured : plain;
}

function hasColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Env): boolean {
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  return FORCE_COLOR ? true : isTerminal && TERM !== 'dumb';
}
