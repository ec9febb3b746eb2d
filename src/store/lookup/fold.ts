/** Texts as an index keeps them: in one letter case, and without what SQLite, or a column, ends a text at. */
export const fold = (text: string): string => text.toLowerCase().replaceAll(/[\0\n\p{Cs}]/gu, UNKNOWN);

/** Stands for signs that are kept as one. */
export const UNKNOWN = '\ufffd';

/** Trigrams of a pattern that are in every text that fits it; no more than are worth asking for. */
export function trigramsOf(pattern: string): string[] {
  const found = new Set<string>();
  for (const piece of fold(pattern).split('*')) {
    const signs = Array.from(piece);
    for (let at = 0; at + 3 <= signs.length && found.size < MOST; at++)
      found.add(signs.slice(at, at + 3).join(''));
  }
  return [...found];
}

const MOST = 64;
