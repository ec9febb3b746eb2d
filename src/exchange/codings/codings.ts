/**
 * The one list of codings in which something may stand hidden in a text, for redaction, pseudonyms and the scan: base64 and
 * hex (of UTF-8, UTF-16 or gzip), percent-encoding, and entities of HTML.
 */
import { isPacked, readBytes } from './bytes-as-text.js';
import { beginOfRun, beginsHex, beginsText, endOfRun, endOfWord, nextWord } from './runs.js';

interface Coded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly encode: (text: string) => string;
}

type Coding = (text: string) => Coded[];

/** In the order in which they are undone: a text in entities may hold runs of base64. */
const CODINGS: readonly Coding[] = [(text) => findWords(text), findPercent, findEntities, findWide];

/** All that is coded in a text, once: what it says may hold coded parts again. */
export function findCoded(text: string): Coded[] {
  return CODINGS.flatMap((coding) => coding(text));
}

/** The text with what `change` makes of its coded parts; the same text where that changes none. */
export function changeCoded(text: string, change: (inner: string) => string): string {
  let changed = text;
  for (const coding of CODINGS) {
    let out = '';
    let copied = 0;
    for (const { start, end, text: inner, encode } of coding(changed)) {
      const made = change(inner);
      if (made === inner) continue;
      out += changed.slice(copied, start) + encode(made);
      copied = end;
    }
    if (copied > 0) changed = out + changed.slice(copied);
  }
  return changed;
}

const SIGNS = ['%', '&', '\0', 'PRIVATE'] as const;

/** Whether there may be anything coded, or a key; quick, and true too often rather than too seldom. */
export function mayHoldCoded(text: string): boolean {
  return nextWord(text, 0) >= 0 || SIGNS.some((sign) => text.includes(sign));
}

/** So many words of a run are tried as the beginning of all of it: each takes as long as it is. */
const MOST_TRIED = 4;

/** How much of a text is unpacked: it takes far longer than it takes to send it. */
interface Unpacking {
  readonly longest: number;
  readonly times: number;
}

const ON_THE_WAY: Unpacking = { longest: 32_768, times: 3 };

export function findWords(text: string, { longest, times }: Unpacking = ON_THE_WAY): Coded[] {
  const unpacking = { longest, times };
  const found: Coded[] = [];
  let [end, runEnd, tried] = [0, 0, 0];
  for (let word = nextWord(text, end); word >= 0; word = nextWord(text, end)) {
    const wordEnd = endOfWord(text, word);
    tried = word < runEnd ? tried + 1 : 0;
    if (tried === 0) runEnd = endOfRun(text, wordEnd);
    const places = [[word, wordEnd] as const];
    if (tried < MOST_TRIED)
      places.unshift([Math.max(beginOfRun(text, word), found.at(-1)?.end ?? 0), runEnd], [word, runEnd]);
    const coded = readHex(text, word, wordEnd) ?? readBase64(text, places, unpacking);
    if (coded !== null) found.push(coded);
    end = coded?.end ?? wordEnd;
  }
  return found;
}

const HEX = /^(?:[\da-f]{2})+$/i;

function readHex(text: string, word: number, wordEnd: number): Coded | null {
  if (!beginsHex(text, word)) return null;
  const hex = text.slice(word, wordEnd);
  const read = HEX.test(hex) ? readBytes(Buffer.from(hex, 'hex')) : null;
  if (read === null) return null;
  return { start: word, end: wordEnd, text: read.text, encode: (other) => read.write(other).toString('hex') };
}

function readBase64(
  text: string,
  places: readonly (readonly [from: number, to: number])[],
  unpacking: { readonly longest: number; times: number },
): Coded | null {
  for (const [from, to] of places) {
    if (!beginsText(text, from)) continue;
    const run = text.slice(from, to);
    const bytes = Buffer.from(run, 'base64');
    if (isPacked(bytes) && unpacking.times-- <= 0) continue;
    const read = readBytes(bytes, unpacking.longest);
    if (read === null) continue;
    const isPadded = run.length % 4 === 0;
    const alphabet = /[-_]/.test(run) ? 'base64url' : 'base64';
    const encode = (other: string): string => {
      const made = read.write(other).toString(alphabet);
      return isPadded ? made : made.replaceAll('=', '');
    };
    return { start: from, end: to, text: read.text, encode };
  }
  return null;
}

const PERCENT = /(?<![\w.~%+!*()-])[\w.~+!*()-]*%[\da-f]{2}[\w.~%+!*()-]*/gi;

function findPercent(text: string): Coded[] {
  if (!text.includes('%')) return [];
  return [...text.matchAll(PERCENT)].map(({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
    text: decodePercent(run),
    encode: encodeURIComponent,
  }));
}

export const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|quot|amp|lt|gt|apos|nbsp);/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: '\u00a0' },
};

export function readEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return ENTITIES[name] ?? entity;
  const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

function findEntities(text: string): Coded[] {
  if (!text.includes('&')) return [];
  const read = text.replace(ENTITY, readEntity);
  if (read === text) return [];
  const encode = (other: string): string => other.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return [{ start: 0, end: text.length, text: read, encode }];
}

/** UTF-16 that was taken for UTF-8: each letter has a zero beside it. */
const WIDE = /(?:[^\0]\0){8,}|(?:\0[^\0]){8,}/gu;

function findWide(text: string): Coded[] {
  if (!text.includes('\0')) return [];
  return [...text.matchAll(WIDE)].map(({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
    text: run.replaceAll('\0', ''),
    encode: (other) => other.replace(/[\s\S]/gu, run.startsWith('\0') ? '\0$&' : '$&\0'),
  }));
}

/** Once, `+` read as forms do. What is no UTF-8, or no escape, is read as far as it goes. */
export function decodePercent(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return decodeLoosely(text);
  }
}

function decodeLoosely(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? text;
}
