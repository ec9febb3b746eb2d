/** Text as the font can show it: what it cannot show, and what could deceive, is replaced by a visible sign and named. */

/** Widths in points of texts in the two weights of the font, and which code points it has. */
export interface Measure {
  readonly has: (codePoint: number) => boolean;
  readonly width: (text: string, size: number, weight: Weight) => number;
}

export type Weight = 'regular' | 'semibold';

/** WHITE SQUARE, which the font has. */
export const SUBSTITUTE = '□';

/** Control and format characters and halves of surrogate pairs hide, reorder or end text; private ones mean nothing. */
const DECEIVING = /[\p{C}\p{Zl}\p{Zp}]/u;
/** More than two marks on one letter reach into the lines above. */
const PILED = /(?<=\p{M}{2})\p{M}+/gu;

/** Takes texts, and remembers the code points that it replaced. */
export function createLetters({ has }: Pick<Measure, 'has'>) {
  const replaced = new Set<number>();
  const letter = (character: string): string => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!DECEIVING.test(character) && has(codePoint)) return character;
    replaced.add(codePoint);
    return SUBSTITUTE;
  };
  return {
    replaced,
    clean: (text: string): string =>
      [
        ...text
          .normalize('NFC')
          .replace(/[\t\r\n ]+/g, ' ')
          .replace(PILED, SUBSTITUTE),
      ]
        .map(letter)
        .join(''),
  };
}

const MOST_NAMED = 12;

/** null where nothing was replaced. */
export function replacedNote(replaced: ReadonlySet<number>): string | null {
  if (replaced.size === 0) return null;
  const points = [...replaced].sort((a, b) => a - b);
  const named = points
    .slice(0, MOST_NAMED)
    .map((one) => `U+${one.toString(16).toUpperCase().padStart(4, '0')}`);
  const more = points.length - named.length;
  return `${SUBSTITUTE} stands for a character that cannot be shown here (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}); the attached report has it.`;
}

/** A line may end behind a blank, and behind these signs. */
const PIECES = /[^ /\-–—_.:;,&=?]*(?:[ /\-–—_.:;,&=?]|$)/gu;

/** Kerning between two pieces may make a line a little wider than they are. */
const SLACK = 0.5;

/** Lines of at most `width` points. A piece that is wider than a line is divided between its letters. */
export function wrap(text: string, width: number, measure: (text: string) => number): string[] {
  const room = width - SLACK;
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const put = (piece: string): void => {
    if (line !== '' && used + measure(piece.trimEnd()) > room) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    line += piece;
    used += measure(piece);
  };
  for (const [piece] of text.matchAll(PIECES))
    if (measure(piece.trimEnd()) <= room) put(piece);
    else for (const letter of piece) put(letter);
  if (line.trimEnd() !== '' || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}

/** The first lines; the last one ends in an ellipsis where some are left out. */
export function cutLines(
  lines: readonly string[],
  most: number,
  width: number,
  measure: (text: string) => number,
) {
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (last !== '' && measure(last) + measure('…') > width - SLACK) last = [...last].slice(0, -1).join('');
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}
