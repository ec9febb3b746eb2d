/** How hard a state is to guess, by its length and alphabet. */

const HEX_AND_HYPHENS = /^(?:[0-9a-f-]+|[0-9A-F-]+)$/;
const DIGITS = /^[0-9]+$/;
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^A-Za-z0-9]/, 4],
];

/** The bits that random characters of that alphabet would hold; hyphens between hexadecimal digits hold none. */
export function bitsOf(text: string): number {
  if (DIGITS.test(text)) return text.length * Math.log2(10);
  if (HEX_AND_HYPHENS.test(text)) return text.replaceAll('-', '').length * 4;
  let size = 0;
  for (const [pattern, count] of CLASSES) if (pattern.test(text)) size += count;
  return size === 0 ? 0 : text.length * Math.log2(size);
}

/** Few different characters in a long text: `xxxxxxxx…` is no random value. */
export function isMonotonous(text: string): boolean {
  return new Set(text).size < 6;
}

const LEAST_BITS = 128;
export const isGuessable = (state: string): boolean => bitsOf(state) < LEAST_BITS || isMonotonous(state);
