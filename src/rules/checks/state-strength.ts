/** How hard a state is to guess, by its length and alphabet. */

const HEX_AND_HYPHENS = /^(?:[0-9a-f-]+|[0-9A-F-]+)$/;
const DIGITS = /^[0-9]+$/;

/** By the alphabet that a text is written in, as far as it shows: a short text of base64url often has no digit in it. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[a-z]*$|^[A-Z]*$/, 32],
  [/^[a-z0-9]*$|^[A-Z0-9]*$/, 36],
  [/^[A-Za-z0-9]*$/, 62],
];
const LARGEST_ALPHABET = 66;

/** A number of 128 bits has 39 digits, but one in three begins with a zero, which is not written, or with several. */
const UNWRITTEN_DIGITS = 3;

/** The bits that random characters of that alphabet would hold; hyphens between hexadecimal digits hold none. */
export function bitsOf(text: string): number {
  if (DIGITS.test(text)) return text.length * Math.log2(10);
  if (HEX_AND_HYPHENS.test(text)) return text.replaceAll('-', '').length * 4;
  const size = ALPHABETS.find(([alphabet]) => alphabet.test(text))?.[1] ?? LARGEST_ALPHABET;
  return text.length * Math.log2(size);
}

/** Few different characters in a long text: `xxxxxxxx…` is no random value. */
export function isMonotonous(text: string): boolean {
  return new Set(text).size < 6;
}

/** Digits or letters in order, forwards or backwards: of random characters hardly more than a third follow each other so. */
export function isSequence(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++)
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) === 1) steps++;
  return steps * 2 > text.length;
}

const LEAST_BITS = 128;
export function isGuessable(state: string): boolean {
  const unwritten = DIGITS.test(state) ? UNWRITTEN_DIGITS * Math.log2(10) : 0;
  return bitsOf(state) + unwritten < LEAST_BITS || isMonotonous(state) || isSequence(state);
}
