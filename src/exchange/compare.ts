/** Compares two answers to the same call: what broke, what was added, what only differs in value. */

import type { Answer, HeaderIndex } from './exchange.js';
import { isFingerprint } from './fingerprint.js';

/**
 * `breaking`: a client that relied on the first answer may fail on the second (field gone, type or status changed).
 * `additive`: something came in addition. `value`: same shape, another value. `noise`: differs from run to run.
 */
export type DifferenceClass = 'breaking' | 'additive' | 'value' | 'noise';

export interface Difference {
  readonly class: DifferenceClass;
  readonly what: 'status' | 'gone' | 'added' | 'type' | 'value' | 'body';
  /** `status`, `header location`, `body accounts[].iban`; list positions are left out. */
  readonly place: string;
  /** Short texts of what stood there; empty where nothing did. */
  readonly was: string;
  readonly now: string;
}

export interface CompareOptions {
  /** Places whose values are noise; `*` is any text. */
  readonly noise?: readonly string[];
  /** Headers that matter, lower case. */
  readonly headers?: readonly string[];
  /** Reads a value of the first answer as this run would have it (ids and tokens carried along). */
  readonly translate?: (text: string) => string;
}

export const HEADERS_THAT_MATTER = [
  'content-type',
  'location',
  'aspsp-sca-approach',
  'aspsp-notification-support',
  'cache-control',
  'www-authenticate',
  'allow',
  'retry-after',
] as const;

const LONGEST_TEXT = 120;
const MOST_DIFFERENCES = 500;
const DEEPEST = 40;

interface Walk {
  readonly found: Map<string, Difference>;
  readonly noise: readonly RegExp[];
  readonly translate: (text: string) => string;
}

/** Differences from `was` to `now`, one for each place, breaking ones first; at most 500. */
export function compareAnswers(was: Answer, now: Answer, options: CompareOptions = {}): Difference[] {
  const walk: Walk = {
    found: new Map(),
    noise: (options.noise ?? []).map(placePattern),
    translate: options.translate ?? ((text) => text),
  };
  if (was.status !== now.status) add(walk, 'breaking', 'status', 'status', was.status, now.status);
  for (const name of options.headers ?? HEADERS_THAT_MATTER)
    compareHeader(walk, name, was.header, now.header);
  compareBodies(walk, was, now);
  return [...walk.found.values()].sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class));
}

const ORDER: readonly DifferenceClass[] = ['breaking', 'additive', 'value', 'noise'];

function placePattern(pattern: string): RegExp {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`);
}

function compareHeader(walk: Walk, name: string, was: HeaderIndex, now: HeaderIndex): void {
  const [before, after] = [was[name], now[name]];
  if (before === undefined && after === undefined) return;
  const place = `header ${name}`;
  if (before === undefined) add(walk, 'additive', 'added', place, undefined, after);
  else if (after === undefined) add(walk, 'breaking', 'gone', place, before, undefined);
  else compareTexts(walk, place, before, after);
}

function compareBodies(walk: Walk, was: Answer, now: Answer): void {
  const [before, after] = [was.content, now.content];
  if (before.kind === 'not-observed' || after.kind === 'not-observed') return;
  if (before.kind === 'json' && after.kind === 'json') {
    compareValues(walk, 'body', before.value, after.value, 0);
  } else if (before.kind !== after.kind) {
    add(walk, before.kind === 'none' ? 'additive' : 'breaking', 'body', 'body', before.kind, after.kind);
  } else if (was.body !== null && now.body !== null) {
    compareTexts(walk, 'body', was.body.text, now.body.text);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function compareValues(walk: Walk, place: string, was: unknown, now: unknown, depth: number): void {
  if (walk.found.size >= MOST_DIFFERENCES || depth > DEEPEST) return;
  const [before, after] = [typeOf(was), typeOf(now)];
  if (before !== after)
    add(walk, 'breaking', 'type', place, `${before} ${show(was)}`, `${after} ${show(now)}`);
  else if (Array.isArray(was)) compareLists(walk, place, was, now as unknown[], depth);
  else if (before === 'object') compareObjects(walk, place, was as object, now as object, depth);
  else if (typeof was === 'string') compareTexts(walk, place, was, now as string);
  else if (was !== now) add(walk, 'value', 'value', place, was, now);
}

function compareLists(walk: Walk, place: string, was: unknown[], now: unknown[], depth: number): void {
  const common = Math.min(was.length, now.length);
  for (let i = 0; i < common; i++) compareValues(walk, `${place}[]`, was[i], now[i], depth + 1);
  if (was.length !== now.length) {
    add(walk, 'value', 'value', place, `${was.length} entries`, `${now.length} entries`);
  }
}

function compareObjects(walk: Walk, place: string, was: object, now: object, depth: number): void {
  const before = was as Record<string, unknown>;
  const after = now as Record<string, unknown>;
  for (const name of Object.keys(before)) {
    const here = place === 'body' ? `body ${name}` : `${place}.${name}`;
    if (Object.hasOwn(after, name)) compareValues(walk, here, before[name], after[name], depth + 1);
    else add(walk, 'breaking', 'gone', here, before[name], undefined);
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    add(
      walk,
      'additive',
      'added',
      place === 'body' ? `body ${name}` : `${place}.${name}`,
      undefined,
      after[name],
    );
  }
}

function compareTexts(walk: Walk, place: string, was: string, now: string): void {
  const translated = walk.translate(was);
  if (translated === now) return;
  add(
    walk,
    kindOf(translated) !== null && kindOf(translated) === kindOf(now) ? 'noise' : 'value',
    'value',
    place,
    was,
    now,
  );
}

/** Forms whose values differ from run to run by their nature; null for all others. */
function kindOf(text: string): string | null {
  if (isFingerprint(text) || /^[0-9a-f]{32,}$/i.test(text)) return 'token';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'uuid';
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(text)) return 'date-time';
  return null;
}

function show(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

function add(
  walk: Walk,
  kind: DifferenceClass,
  what: Difference['what'],
  place: string,
  was: unknown,
  now: unknown,
): void {
  const declared = what === 'value' && walk.noise.some((pattern) => pattern.test(place));
  const difference = {
    class: declared ? 'noise' : kind,
    what,
    place,
    was: show(was),
    now: show(now),
  } as const;
  const known = walk.found.get(place);
  if (known === undefined || ORDER.indexOf(difference.class) < ORDER.indexOf(known.class)) {
    walk.found.set(place, difference);
  }
}
