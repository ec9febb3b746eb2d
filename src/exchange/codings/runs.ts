/** Finds the runs of a text that may be base64 or hex of another text: long words without blanks. */

/** Readable text in base64 hardly ever has a sign in it that is neither letter nor digit. */
const SHORTEST = 20;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NO_DIGIT = 255;

/** The digits of base64 by their code; those of its other alphabet are part of a run too. */
const VALUES = new Uint8Array(128).fill(NO_DIGIT);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

const valueAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (VALUES[code] as number) : NO_DIGIT;
};

/** The start of the next long word of letters and digits, which may be base64, hex or a key; -1: none. */
export function nextWord(text: string, from: number): number {
  let first = from;
  for (let at = from + SHORTEST - 1; at < text.length; ) {
    let begin = at;
    while (begin >= first && valueAt(text, begin) < 62) begin -= 1;
    if (begin < first && mayBegin(text, first)) return first;
    // No word that is long enough goes across the sign found, nor does another one begin in a word.
    if (begin < first) begin = endOfWord(text, at);
    first = begin + 1;
    at = begin + SHORTEST;
  }
  return -1;
}

export function endOfWord(text: string, from: number): number {
  let end = from;
  while (valueAt(text, end) < 62) end += 1;
  return end;
}

/** So far in front of its first long word a run may begin: looking back takes time for each word. */
const FARTHEST = 256;

/** The start of the run that holds the word at a place: a path or a name may precede the word. */
export function beginOfRun(text: string, word: number): number {
  const first = Math.max(0, word - FARTHEST);
  let begin = word;
  while (begin > first && valueAt(text, begin - 1) < 64) begin -= 1;
  return begin;
}

export function endOfRun(text: string, from: number): number {
  let end = from;
  while (valueAt(text, end) < 64) end += 1;
  for (let i = 0; i < 2 && text.charCodeAt(end) === PADDING; i++) end += 1;
  return end;
}

const PADDING = 0x3d;
const DER = 0x4d;

/** Random words and those of a language most often begin as no text does, in UTF-8, UTF-16 or gzip. */
function mayBegin(text: string, word: number): boolean {
  if (text.charCodeAt(word) === DER || beginsText(text, word) || beginsHex(text, word)) return true;
  const begin = beginOfRun(text, word);
  return begin !== word && beginsText(text, begin);
}

const [UTF_16, GZIP_1, GZIP_2] = [0xfe, 0x1f, 0x8b];

export function beginsText(text: string, at: number): boolean {
  const [one, two, three] = [valueAt(text, at), valueAt(text, at + 1), valueAt(text, at + 2)];
  const octet = (one << 2) | (two >> 4);
  const next = ((two & 0x0f) << 4) | (three >> 2);
  if (octet === GZIP_1) return next === GZIP_2;
  if (octet < 0x80) return isSign(octet) && isSign(next);
  return octet >= UTF_16 || (octet >= 0xc2 && octet <= 0xf4 && next >= 0x80 && next < 0xc0);
}

/** Half a letter of UTF-16 may be zero. */
const isSign = (octet: number): boolean =>
  octet >= 0x20 ? octet !== 0x7f : octet === 0 || octet === 0x09 || octet === 0x0a || octet === 0x0d;

const HEX_SIGNS = /(?:[2-7][\da-f]){3}/iy;

export function beginsHex(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x32 || code > 0x37) return false;
  HEX_SIGNS.lastIndex = at;
  return HEX_SIGNS.test(text);
}
