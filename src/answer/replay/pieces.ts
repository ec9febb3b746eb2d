/** Cuts recorded texts into constant parts and parts that belong to a run: origins, identifiers, dates. */
import { decodedPart, type OwnListener } from '../../exchange/index.js';
import { isDated } from './dates.js';
import type { LinkRewriter } from './links.js';

export type Piece =
  | string
  | { readonly kind: 'origin'; readonly listener: OwnListener }
  /** A recorded value that this run may have another for; `encoded` where it stands in a URL. */
  | { readonly kind: 'value'; readonly value: string; readonly encoded: boolean }
  /** `key` is under which a date that was sent unmoved is known. */
  | { readonly kind: 'date'; readonly text: string; readonly key: string };

export interface PieceCutter {
  /** null where all of it stays. `name` is that of the member or the header. */
  readonly cut: (text: string, name: string) => readonly Piece[] | null;
  /** Text of no known form: XML and the like. */
  readonly cutLoose: (text: string) => readonly Piece[] | null;
}

const LONGEST = 10_000;
const SCOPE = /^((?:AIS|PIS|PIIS):)(.+)$/;
const DELIMITER = /([/?&=#;:,]|%3A)/i;
const WORD = /([\w.~:+-]{4,})/;

/** Under what a date of the client is remembered: dates of other members may have the same day by chance. */
export function dateKey(name: string, text: string): string {
  return `${name} ${text}`;
}

export function createPieceCutter(carried: ReadonlySet<string>, links: LinkRewriter): PieceCutter {
  const value = (text: string, encoded: boolean): Piece => ({ kind: 'value', value: text, encoded });

  const cutUrl = (url: string, name: string): readonly Piece[] | null => {
    const rewritten = links.rewrite(url, name);
    const rest = rewritten?.rest ?? url;
    const pieces: Piece[] =
      rewritten?.listener == null ? [] : [{ kind: 'origin', listener: rewritten.listener }];
    for (const part of rest.split(DELIMITER)) {
      if (isDated(part)) pieces.push({ kind: 'date', text: part, key: '' });
      else if (carried.has(decodedPart(part))) pieces.push(value(decodedPart(part), true));
      else pieces.push(part);
    }
    return pieces.some((piece) => typeof piece !== 'string') || rest !== url ? merged(pieces) : null;
  };

  return {
    cut: (text, name) => {
      if (text.length > LONGEST || text.length < 4) return null;
      if (carried.has(text)) return [value(text, false)];
      if (isDated(text)) return [{ kind: 'date', text, key: dateKey(name, text) }];
      if (/^(?:https?:\/\/|\/)/i.test(text)) return cutUrl(text, name);
      const scope = SCOPE.exec(text);
      return scope !== null && carried.has(scope[2] as string)
        ? [scope[1] as string, value(scope[2] as string, false)]
        : null;
    },
    cutLoose: (text) => {
      const pieces = text.split(WORD).map((word): Piece => {
        if (carried.has(word)) return value(word, false);
        return isDated(word) ? { kind: 'date', text: word, key: '' } : word;
      });
      return pieces.some((piece) => typeof piece !== 'string') ? merged(pieces) : null;
    },
  };
}

/** Neighbouring texts as one. */
export function merged(pieces: readonly Piece[]): Piece[] {
  const made: Piece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') made[made.length - 1] = last + piece;
    else if (piece !== '') made.push(piece);
  }
  return made;
}
