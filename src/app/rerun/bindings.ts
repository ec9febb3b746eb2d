/** Bindings of a rerun: which id, token or link of this run replaces which recorded one. */

import { isDated, moveDate } from '../../answer/index.js';
import { decodedPart, isLink } from '../../exchange/index.js';
import type { Recognise } from '../../spec/index.js';

export type Bindings = ReturnType<typeof createBindings>;

/** A shorter value is put in only where an id must stand: elsewhere it may mean anything. */
const SHORTEST_WORD = 6;
const WORD = /[^\s:,;'"<>()[\]{}|]{6,}/g;
const STOPS = new Set<string | undefined>(['.', '!', '?']);
const SITE = /^https?:\/\/[^/?#]+/i;
/** "As long as you can", which no day moves. */
const END_OF_TIME = '9999';

/** `recognise` knows the paths of the recording. */
export function createBindings(recognise: Recognise) {
  const values = new Map<string, string>();
  const links = new Map<string, string>();
  const sites = new Map<string, string>();
  let days = 0;

  const translateWord = (word: string): string => {
    const bare = withoutStop(word);
    const known = values.get(bare);
    if (known !== undefined) return known + word.slice(bare.length);
    return isLink(word) ? translateLink(word) : word;
  };
  /** A path without query, percent-encoded. */
  const translatePath = (path: string): string => {
    if (values.size === 0) return path;
    const recognition = recognise('GET', path);
    const ids = recognition.kind === 'path-unknown' ? [] : Object.values(recognition.params);
    const parts = path.split('/').map((part) => {
      const value = decodedPart(part);
      const known = values.get(value);
      const fits = value.length >= SHORTEST_WORD || ids.includes(value);
      return known === undefined || !fits ? part : encodeURIComponent(known);
    });
    return parts.join('/');
  };
  /** A query without its question mark; one in which nothing changes keeps its spelling. */
  const translateQuery = (query: string): string => {
    let changed = false;
    const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
      const now = translate(value);
      changed ||= now !== value;
      return [name, now];
    });
    return changed ? new URLSearchParams(pairs).toString() : query;
  };
  const translateLink = (link: string): string => {
    const mark = link.indexOf('?');
    const address = mark < 0 ? link : link.slice(0, mark);
    const origin = SITE.exec(address)?.[0] ?? '';
    const site = sites.get(origin.toLowerCase()) ?? origin;
    const query = mark < 0 ? '' : `?${translateQuery(link.slice(mark + 1))}`;
    return site + translatePath(address.slice(origin.length)) + query;
  };
  /** A recorded text as this run has it: a value, a date, a link, or a sentence with any of them in it. */
  const translate = (text: string): string => {
    if (text.length < SHORTEST_WORD) return text;
    const known = values.get(text);
    if (known !== undefined) return known;
    if (isDated(text)) return text.startsWith(END_OF_TIME) ? text : moveDate(text, days);
    if (isLink(text)) return translateLink(text);
    return values.size === 0 ? text : text.replace(WORD, translateWord);
  };

  return {
    translate,
    translatePath,
    translateQuery,
    /** The newest counts: a recorded value stands for what its last appearance stands for. */
    learn: (recorded: string, now: string): void => {
      if (recorded !== '' && now !== '') values.set(recorded, now);
    },
    /** `recorded` is a path without query; `now` the whole address that stands in its place. */
    learnLink: (recorded: string, now: string) => void links.set(recorded, now),
    /** `recorded` is what stands before the path of the interface, `https://bank.example`. */
    learnSite: (recorded: string, now: string) => void sites.set(recorded.toLowerCase(), now),
    valueOf: (recorded: string) => values.get(recorded),
    linkOf: (path: string) => links.get(path),
    /** How many whole days the recording is old; dates move by them. */
    setDays: (count: number): void => {
      days = count;
    },
  };
}

function withoutStop(word: string): string {
  let end = word.length;
  while (STOPS.has(word[end - 1])) end--;
  return word.slice(0, end);
}
