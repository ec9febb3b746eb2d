/** Cuts recorded texts into constant parts and parts that belong to a run: origins, identifiers, dates. */
import { decodedPart, type OwnListener } from '../../exchange/index.js';
import { isDated } from './dates.js';
import type { LinkRewriter } from './links.js';

export type Piece =
  | string
  | { readonly kind: 'origin'; readonly listener: OwnListener }
  /** A recorded value that this run may have another for; `encoded` where it stands in a URL. */
  | { readonly kind: 'value'; readonly value: string; readonly encoded: boolean }
  | { readonly kind: 'date'; readonly text: string; readonly key: string };

const LONGEST = 10_000;
const SCOPE = /^((?:AIS|PIS|PIIS):)(.+)$/;
const DELIMITER = /([/?&=#;:,]|%3A)/i;
const WORD = /([\w.~:+-]{4,})/;

/** Under what a date of the client is remembered: dates of other members may have the same day by chance. */
export function dateKey(name: string, text: string): string {
  return `${name} ${text}`;
}

export type PieceCutter = ReturnType<typeof createPieceCutter>;

export function createPieceCutter(carried: ReadonlySet<string>, rewriteLink: LinkRewriter) {
  const pieceOf = (text: string, value: string, encoded: boolean): Piece => {
    if (carried.has(value)) return { kind: 'value', value, encoded };
    return isDated(text) ? { kind: 'date', text, key: '' } : text;
  };

  const cutUrl = (url: string, name: string): readonly Piece[] | null => {
    const rewritten = rewriteLink(url, name);
    const rest = rewritten?.rest ?? url;
    const pieces = rest.split(DELIMITER).map((part) => pieceOf(part, decodedPart(part), true));
    if (rewritten?.listener != null) pieces.unshift({ kind: 'origin', listener: rewritten.listener });
    return rest === url ? cutOrNull(pieces) : merged(pieces);
  };

  return {
    cut: (text: string, name: string): readonly Piece[] | null => {
      if (text.length > LONGEST || text.length < 4) return null;
      if (carried.has(text)) return [{ kind: 'value', value: text, encoded: false }];
      if (isDated(text)) return [{ kind: 'date', text, key: dateKey(name, text) }];
      if (/^(?:https?:\/\/|\/)/i.test(text)) return cutUrl(text, name);
      const [, service = '', id = ''] = SCOPE.exec(text) ?? [];
      return carried.has(id) ? [service, { kind: 'value', value: id, encoded: false }] : null;
    },
    cutLoose: (text: string): readonly Piece[] | null =>
      cutOrNull(text.split(WORD).map((word) => pieceOf(word, word, false))),
  };
}

function cutOrNull(pieces: readonly Piece[]): Piece[] | null {
  return pieces.some((piece) => typeof piece !== 'string') ? merged(pieces) : null;
}

export function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece;
    else if (piece !== '') all.push(piece);
  }
  return all;
}
