/** Rewrites the links in a JSON text without touching anything else in it. */
import { closingQuote } from '../../exchange/index.js';
import type { Turn, TurnLink } from './link-map.js';

interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export type LinkPlaces =
  /** Below any `_links`: `href`, or the link itself as a string. */
  | 'links'
  /** And every member that is a string, `mtls_endpoint_aliases` (RFC 8705) included: a discovery document. */
  | 'links-and-members';

/** Whether a look is worth while. A key that is spelled with escapes is not found. */
export function mayHoldLinks(text: string, places: LinkPlaces): boolean {
  return places === 'links-and-members' || text.includes('_links');
}

/** null where nothing changed. A text that is not JSON may come back changed in part: check before. */
export function rewriteJsonLinks(text: string, places: LinkPlaces, turnOf: TurnLink): string | null {
  let out = '';
  let last = 0;
  for (const { start, end, name } of findLinks(text, places)) {
    const raw = text.slice(start, end);
    const url = raw.includes('\\') ? unescaped(raw) : raw;
    const turn = url === null ? null : turnOf(url, name);
    if (turn === null) continue;
    out += text.slice(last, start) + spell(turn, raw);
    last = start + rawLength(raw, turn.cut);
  }
  return last === 0 ? null : out + text.slice(last);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** One pass without recursion: depth costs an array entry, no stack. */
function findLinks(text: string, places: LinkPlaces): Found[] {
  const found: Found[] = [];
  const isObject: boolean[] = [];
  let key = '';
  let awaitsKey = false;
  /** Depth of the `_links` that is open, 0 where none is. */
  let links = 0;
  let name = '';
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = closingQuote(text, i);
        if (end === text.length) return found;
        const depth = isObject.length;
        if (awaitsKey) {
          key = keyText(text.slice(i + 1, end));
          if (links > 0 && depth === links) name = key;
        } else if (isObject.at(-1) === true) {
          const inLinks = links > 0 && (depth === links || key === 'href');
          if (inLinks) found.push({ start: i + 1, end, name });
          else if (places === 'links-and-members') found.push({ start: i + 1, end, name: key });
        }
        awaitsKey = false;
        i = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        const opensObject = text.charCodeAt(i) === OPEN_OBJECT;
        isObject.push(opensObject);
        if (links === 0 && key === '_links') {
          links = isObject.length;
          name = '';
        }
        awaitsKey = opensObject;
        key = '';
        break;
      }
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        if (isObject.length === links) links = 0;
        isObject.pop();
        awaitsKey = false;
        key = '';
        break;
      case COMMA:
        awaitsKey = isObject.at(-1) === true;
        key = '';
        break;
    }
  }
  return found;
}

function keyText(raw: string): string {
  return raw.includes('\\') ? (unescaped(raw) ?? raw) : raw;
}

function unescaped(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return null;
  }
}

/** The new beginning in the spelling of the old: with `\/` where that has it. */
function spell({ prefix }: Turn, raw: string): string {
  return raw.includes('\\/') ? prefix.replaceAll('/', '\\/') : prefix;
}

function rawLength(raw: string, length: number): number {
  let at = 0;
  for (let done = 0; done < length; done++) {
    if (raw[at] !== '\\') at++;
    else at += raw[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}
