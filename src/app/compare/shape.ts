/** Shapes of JSON values: what stood at each place of many answers, in bounded memory. No value is kept but codes. */
import { divideLink, isFingerprint, isObject, kindOf } from '../../exchange/index.js';
import { isAmount, isCurrency, isDateTimeWithOffset, isIban } from '../../spec/index.js';

/** Values seen, by the state that the answer told: a member may belong to some states only. */
export type ByState = number[];

/** All that was seen at one place. */
export interface Shape {
  readonly seen: ByState;
  /** Objects, and links with a query, among them: each could have had the members. */
  readonly objects: ByState;
  readonly types: Map<string, number>;
  readonly formats: Map<string, number>;
  readonly codes: Map<string, number>;
  /** Some texts here are no codes, or they are too many to be a list of codes. */
  isFree: boolean;
  readonly members: Map<string, Shape>;
  entries: Shape | null;
}

/** Fingerprints, which a recording has in the place of secrets: of no known type. */
export const HIDDEN = 'hidden';
export const TEXT = 'text';
/** The name of members whose own names are ids. */
export const ANY_NAME = '*';

const MOST_CODES = 60;
/** An object with more different members is a map. */
const MOST_MEMBERS = 150;
const MOST_SHAPES = 40_000;
const DEEPEST = 40;
const LONGEST = 2_000;

/** How many shapes a recording has; beyond the most, further places are not kept. */
export interface Budget {
  shapes: number;
  isSpent: boolean;
}

export function createShape(): Shape {
  return {
    ...{ seen: [], objects: [], types: new Map(), formats: new Map(), codes: new Map() },
    ...{ isFree: false, members: new Map(), entries: null },
  };
}

export const sumOf = (counts: ByState): number => counts.reduce((sum, count) => sum + (count ?? 0), 0);

export function count(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function countState(counts: ByState, state: number, by = 1): void {
  counts[state] = (counts[state] ?? 0) + by;
}

/** One answer, while its values are taken. */
export interface Taking {
  readonly budget: Budget;
  readonly state: number;
  readonly isError: boolean;
  /** Entries of its longest list. */
  longest: number;
  hasNext: boolean;
}

export function takeValue(shape: Shape, name: string, value: unknown, taking: Taking, depth = 0): void {
  if (depth > DEEPEST) return;
  countState(shape.seen, taking.state);
  if (typeof value === 'string') takeText(shape, name, value, taking);
  else if (Array.isArray(value)) {
    count(shape.types, 'list');
    taking.longest = Math.max(taking.longest, value.length);
    for (const entry of value) {
      shape.entries ??= within(taking.budget);
      if (shape.entries !== null) takeValue(shape.entries, name, entry, taking, depth + 1);
    }
  } else if (isObject(value)) {
    count(shape.types, 'object');
    countState(shape.objects, taking.state);
    if (name === '_links' && Object.hasOwn(value, 'next')) taking.hasNext = true;
    for (const member of Object.keys(value)) {
      const inner = memberShape(shape, member, taking.budget);
      if (inner !== null) takeValue(inner, member, value[member], taking, depth + 1);
    }
  } else count(shape.types, value === null ? 'null' : typeof value);
}

/** A body that is no JSON. */
export function takeOther(shape: Shape, kind: string, { state }: Taking): void {
  countState(shape.seen, state);
  count(shape.types, kind);
}

function within(budget: Budget): Shape | null {
  if (budget.shapes >= MOST_SHAPES) budget.isSpent = true;
  else budget.shapes++;
  return budget.isSpent ? null : createShape();
}

export function memberShape(shape: Shape, member: string, budget: Budget): Shape | null {
  const { members } = shape;
  const name = members.has(ANY_NAME) || isDynamic(member) ? ANY_NAME : member;
  const known = members.get(name);
  if (known !== undefined) return known;
  if (name !== ANY_NAME && members.size >= MOST_MEMBERS) asMap(shape);
  const own = members.get(ANY_NAME) ?? within(budget);
  if (own !== null) members.set(members.has(ANY_NAME) ? ANY_NAME : name, own);
  return own;
}

/** A name that is an id, a date or a currency, or none that a programmer would give. It may tell of a person, and is not kept. */
const isDynamic = (name: string): boolean =>
  !/^[A-Za-z_$@?-][\w.$@:-]{0,63}$/.test(name) ||
  /(?:\d.*){3}/.test(name) ||
  kindOf(name) !== null ||
  isCurrency(name);

/** Makes one shape of the members of an object whose names are ids. */
export function asMap(shape: Shape): void {
  const all = createShape();
  for (const one of shape.members.values()) merge(all, one);
  shape.members.clear();
  shape.members.set(ANY_NAME, all);
}

function merge(into: Shape, from: Shape): void {
  for (const key of ['seen', 'objects'] as const)
    from[key].forEach((by, state) => void countState(into[key], state, by));
  for (const key of ['types', 'formats', 'codes'] as const)
    for (const [name, by] of from[key]) count(into[key], name, by);
  into.isFree ||= from.isFree;
  if (from.entries !== null) {
    into.entries ??= createShape();
    merge(into.entries, from.entries);
  }
  for (const [name, member] of from.members) {
    const own = into.members.get(name) ?? createShape();
    into.members.set(name, own);
    merge(own, member);
  }
}

function takeText(shape: Shape, name: string, text: string, taking: Taking): void {
  if (isFingerprint(text)) {
    count(shape.types, HIDDEN);
    return;
  }
  count(shape.types, 'string');
  const format = formatOf(name, text);
  count(shape.formats, format);
  if (format === ABSOLUTE && text.includes('?')) takeParameters(shape, text, taking);
  if (!hasCodes(name, taking)) return;
  if (CODE.test(text) && shape.codes.size < MOST_CODES) count(shape.codes, text);
  else shape.isFree = true;
}

/** A client follows links as they are; of their query only the names are kept. */
function takeParameters(shape: Shape, link: string, { budget, state }: Taking): void {
  countState(shape.objects, state);
  for (const name of divideLink(link).parameters.keys()) {
    const inner = memberShape(shape, `?${name}`, budget);
    if (inner !== null) countState(inner.seen, state);
  }
}

const ABSOLUTE = 'absolute link';

/** Formats that clients parse. Ids, names and texts are of none. */
function formatOf(name: string, text: string): string {
  if (text.length > LONGEST) return TEXT;
  if (/^https?:\/\//i.test(text)) return ABSOLUTE;
  if ((name === 'href' || name === 'location') && text.startsWith('/')) return 'relative link';
  const kind = kindOf(text);
  if (kind === 'date') return kind;
  if (isDateTimeWithOffset(text)) return 'date-time';
  if (kind === 'date-time') return 'date-time without offset';
  if (name === 'iban' && isIban(text)) return 'IBAN';
  return /amount$/i.test(name) && isAmount(text) ? 'amount' : TEXT;
}

/** A word of a list of codes: no text, no name of a person with a blank in it, no number. */
const CODE = /^(?!(?:.*\d){5})[A-Za-z][\w.:/+-]{0,60}$/;
/** The type of a token may be written in any case. */
const CODE_NAMES =
  /^(?!token_type$).*(?:status|type|category|indicator|frequency|bearer|usage|approach|severity|_supported|content-type|cache-control|^allow)$/i;

/** A `code` is that of an error; elsewhere it may be one that opens something. */
const hasCodes = (name: string, { isError }: Taking): boolean =>
  CODE_NAMES.test(name) || (isError && name === 'code');
