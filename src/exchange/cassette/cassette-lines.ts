/** Finds the line of each exchange in the file of a cassette. */

/** As a cassette is written, and as formatters write it: an exchange is the only object that begins a line so. */
const BEGIN = /^(?: {4}|\t\t)\{/gm;
const LINE_BREAK = 10;

/** The line that each of so many exchanges begins in, from 1; none where the file is written in another way. */
export function cassetteLines(text: string, count: number): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const { index } of text.matchAll(BEGIN)) {
    for (; at < index; at++) if (text.charCodeAt(at) === LINE_BREAK) line++;
    lines.push(line);
  }
  return lines.length === count ? lines : [];
}
