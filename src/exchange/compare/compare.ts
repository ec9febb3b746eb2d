/** Compares two answers to the same call: what broke, what was added, what only differs in value. */
import { divideLink, isLink, type Link } from '../link.js';
import type { Answer, Request } from '../message.js';
import { memberPlace, type Place } from '../place.js';
import type { HeaderIndex } from '../wire.js';
import { alignEntries } from './align-entries.js';
import {
  type CompareOptions,
  DIFFERENCE_CLASSES,
  type Difference,
  type DifferenceClass,
  HEADERS_THAT_MATTER,
  kindOf,
  quieten,
} from './difference.js';

/** Headers whose parts may stand in any order and letter case. */
const LISTS: ReadonlySet<string> = new Set(['content-type', 'cache-control', 'allow']);

const LONGEST_TEXT = 120;
const MOST_DIFFERENCES = 500;
const DEEPEST = 40;

interface Walk {
  readonly found: Map<string, Difference>;
  readonly translate: (text: string) => string;
}

function openWalk({ translate = (text) => text }: CompareOptions): Walk {
  return { found: new Map(), translate };
}

/** Differences from `was` to `now`, one for each place, breaking ones first; at most 500. */
export function compareAnswers(was: Answer, now: Answer, options: CompareOptions = {}): Difference[] {
  const walk = openWalk(options);
  if (was.status !== now.status) addDifference(walk, 'breaking', 'status', 'status', was.status, now.status);
  if (familyOf(was) !== familyOf(now)) {
    // A success and a refusal have no field in common; what is said now tells why.
    const [before, after] = [was.body?.text ?? '', now.body?.text ?? ''];
    if (before !== after) addDifference(walk, 'breaking', 'body', 'body', before, after);
  } else {
    for (const name of options.headers ?? HEADERS_THAT_MATTER)
      compareHeader(walk, name, was.header, now.header);
    compareBodies(walk, was, now);
  }
  return quieten([...walk.found.values()], options);
}

const familyOf = ({ status }: Answer): number => Math.floor(status / 100);

function compareHeader(walk: Walk, name: string, was: HeaderIndex, now: HeaderIndex): void {
  const [before, after] = [was[name], now[name]];
  if (before === undefined && after === undefined) return;
  const place: Place = `header ${name}`;
  if (before === undefined) addDifference(walk, 'additive', 'added', place, undefined, after);
  else if (after === undefined) addDifference(walk, 'breaking', 'gone', place, before, undefined);
  else if (!LISTS.has(name)) compareTexts(walk, place, before, after);
  else if (partsOf(before) !== partsOf(after)) addDifference(walk, 'value', 'value', place, before, after);
}

function partsOf(value: string): string {
  const parts = value.toLowerCase().split(/[,;]/);
  return parts
    .map((part) => part.trim())
    .sort()
    .join();
}

type Bodied = Pick<Answer, 'body' | 'content'>;

function compareBodies(walk: Walk, was: Bodied, now: Bodied): void {
  const [before, after] = [was.content, now.content];
  if (before.kind === 'not-observed' || after.kind === 'not-observed') return;
  if (before.kind === 'json' && after.kind === 'json') {
    compareValues(walk, 'body', before.value, after.value, 0);
  } else if (before.kind !== after.kind) {
    addDifference(
      walk,
      before.kind === 'none' ? 'additive' : 'breaking',
      'body',
      'body',
      before.kind,
      after.kind,
    );
  } else if (was.body !== null && now.body !== null) {
    compareTexts(walk, 'body', was.body.text, now.body.text);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function compareValues(walk: Walk, place: Place, was: unknown, now: unknown, depth: number): void {
  if (walk.found.size >= MOST_DIFFERENCES || depth > DEEPEST) return;
  const [before, after] = [typeOf(was), typeOf(now)];
  if (before !== after)
    addDifference(walk, 'breaking', 'type', place, `${before} ${show(was)}`, `${after} ${show(now)}`);
  else if (Array.isArray(was)) compareLists(walk, place, was, now as unknown[], depth);
  else if (before === 'object') compareObjects(walk, place, was as object, now as object, depth);
  else if (typeof was === 'string') compareTexts(walk, place, was, now as string);
  else if (was !== now) addDifference(walk, 'value', 'value', place, was, now);
}

function compareLists(walk: Walk, place: Place, was: unknown[], now: unknown[], depth: number): void {
  for (const [before, after] of alignEntries(was, now, walk.translate))
    compareValues(walk, `${place}[]` as Place, before, after, depth + 1);
  if (was.length !== now.length) {
    addDifference(walk, 'value', 'value', place, `${was.length} entries`, `${now.length} entries`);
  }
}

function compareObjects(walk: Walk, place: Place, was: object, now: object, depth: number): void {
  const before = was as Record<string, unknown>;
  const after = now as Record<string, unknown>;
  for (const name of Object.keys(before)) {
    const here = memberPlace(place, name);
    if (Object.hasOwn(after, name)) compareValues(walk, here, before[name], after[name], depth + 1);
    else addDifference(walk, 'breaking', 'gone', here, before[name], undefined);
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    addDifference(walk, 'additive', 'added', memberPlace(place, name), undefined, after[name]);
  }
}

function compareTexts(walk: Walk, place: Place, was: string, now: string): void {
  const translated = walk.translate(was);
  if (translated === now) return;
  const kind = kindOf(was);
  // A date may be a fixed one.
  if (was === now && (kind === 'date' || kind === 'date-time')) return;
  if (isLink(translated) && isLink(now)) {
    compareLinks(walk, place, [was, translated, now]);
    return;
  }
  addDifference(walk, classOf(was, now), 'value', place, was, now);
}

function classOf(was: string, now: string): DifferenceClass {
  const kind = kindOf(was);
  return kind !== null && kind === kindOf(now) ? 'noise' : 'value';
}

/** A parameter that is gone is as bad as a field: it may be the code. */
function compareLinks(walk: Walk, place: Place, links: readonly [string, string, string]): void {
  const [was, translated, now] = links.map(divideLink) as [Link, Link, Link];
  if (translated.base !== now.base) addDifference(walk, 'value', 'value', place, was.base, now.base);
  for (const [name, value] of translated.parameters) {
    const here = `${place} ?${name}` as Place;
    const after = now.parameters.get(name);
    if (after === undefined)
      addDifference(walk, 'breaking', 'gone', here, was.parameters.get(name) ?? value, undefined);
    else if (after !== value) addDifference(walk, classOf(value, after), 'value', here, value, after);
  }
  for (const [name, value] of now.parameters) {
    if (!translated.parameters.has(name))
      addDifference(walk, 'additive', 'added', `${place} ?${name}` as Place, undefined, value);
  }
}

function show(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

function addDifference(
  walk: Walk,
  kind: DifferenceClass,
  what: Difference['what'],
  place: Place,
  was: unknown,
  now: unknown,
): void {
  const difference: Difference = { class: kind, what, place, was: show(was), now: show(now) };
  const known = walk.found.get(place);
  if (
    known === undefined ||
    DIFFERENCE_CLASSES.indexOf(difference.class) < DIFFERENCE_CLASSES.indexOf(known.class)
  ) {
    walk.found.set(place, difference);
  }
}

const LEFT_OUT = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'keep-alive',
]);

/** Differences from `was` to `now`, one for each place; at most 500. */
export function compareRequests(was: Request, now: Request, options: CompareOptions = {}): Difference[] {
  const walk = openWalk(options);
  if (was.method !== now.method) addDifference(walk, 'value', 'value', 'method', was.method, now.method);
  if (was.path !== now.path) compareTexts(walk, 'path', was.path, now.path);
  compareNamed(walk, 'query', new Map(was.query), new Map(now.query));
  compareNamed(walk, 'header', fieldsOf(was), fieldsOf(now));
  compareBodies(walk, was, now);
  return quieten([...walk.found.values()], options);
}

const fieldsOf = ({ header }: Request): Map<string, string> =>
  new Map(Object.entries(header).filter(([name]) => !LEFT_OUT.has(name)));

function compareNamed(
  walk: ReturnType<typeof openWalk>,
  part: 'query' | 'header',
  was: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): void {
  for (const name of new Set([...was.keys(), ...now.keys()])) {
    const [before, after] = [was.get(name), now.get(name)];
    const place: Place = `${part} ${name}`;
    if (before === undefined) addDifference(walk, 'additive', 'added', place, undefined, after);
    else if (after === undefined) addDifference(walk, 'breaking', 'gone', place, before, undefined);
    else if (before !== after) compareTexts(walk, place, before, after);
  }
}
