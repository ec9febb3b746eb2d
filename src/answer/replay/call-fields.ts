/** Takes a call apart into the values that matching compares, each with its place. */
import { hash } from 'node:crypto';
import {
  type Call,
  isObject,
  mediaType,
  PERSONAL_HEADERS,
  type PersonalKind,
  personalKindOf,
} from '../../exchange/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import type { MatchPlan } from './match-plan.js';
import { type MatchPlace, MEANT_WHERE_ABSENT, type PlaceKind } from './match-table.js';
import type { Comparison } from './options.js';

export interface Field {
  readonly place: MatchPlace;
  readonly as: Comparison;
  /** A prefix of the value that is always compared: `AIS:` of a scope, `bearer ` of a credential. */
  readonly lead: string;
  readonly value: string;
  /** The kind of a personal value, in a recording with pseudonyms. */
  readonly kind?: PersonalKind | undefined;
}

const SCOPE = /^(AIS|PIS|PIIS):(.+)$/;
const CREDENTIALS = /^([A-Za-z][A-Za-z0-9-]{0,19}) +([^ ].*)$/;
/** A value of this length or more stands for itself by its digest. */
const LONG = 2_000;
const MOST_MEMBERS = 2_000;
const DEEPEST = 40;

/** In one order however the call was written. `pseudonymised`: clear values of this run may stand for recorded pseudonyms. */
export function readFields(
  call: Call,
  plan: MatchPlan,
  { certificate, pseudonymised }: { readonly certificate: string; readonly pseudonymised: boolean },
): readonly Field[] {
  const { params, request, header } = call;
  const fields: Field[] = [];
  if (call.listener === 'api' && plan.certificate !== 'ignore')
    fields.push({ place: 'certificate', as: plan.certificate, lead: '', value: certificate });
  for (const name of Object.keys(params)) add(fields, plan, 'path', name, params[name] as string);
  for (const [name, value] of grouped(request.query)) add(fields, plan, 'query', name, value);
  for (const [name, place, as] of plan.headers) {
    const raw = header[name] ?? (name === 'accept' && plan.byMeaning ? ACCEPT_WHERE_ABSENT : undefined);
    if (raw !== undefined) push(fields, plan, place, name, as, raw);
  }
  addBody(fields, plan, call);
  return pseudonymised ? fields.map(asPersonal) : fields;
}

/** Personal values are compared like identifiers of the bank. */
function asPersonal(field: Field): Field {
  if (field.as !== 'equal') return field;
  const name = /([^ .[\]]+)(?:\[\d+\])*$/.exec(field.place)?.[1] ?? '';
  const kind = field.place.startsWith('header ') ? PERSONAL_HEADERS.get(name) : personalKindOf(name);
  return kind === undefined ? field : { ...field, as: 'bind', kind };
}

function add(fields: Field[], plan: MatchPlan, kind: PlaceKind, name: string, raw: string, path = name) {
  const withoutPositions = path.includes('[') ? path.replace(/\[\d+\]/g, '') : path;
  const as = plan.comparisonOf(kind, name, withoutPositions);
  if (as !== 'ignore') push(fields, plan, `${kind} ${path}`, name, as, raw);
}

function push(
  fields: Field[],
  plan: MatchPlan,
  place: MatchPlace,
  name: string,
  as: Comparison,
  raw: string,
): void {
  if (as === 'present') {
    fields.push({ place, as, lead: '', value: 'present' });
    return;
  }
  const spelled = plan.byMeaning ? spelledByMeaning(name, raw) : raw;
  if (plan.byMeaning && MEANT_WHERE_ABSENT[place] === spelled) return;
  const [lead, rest] = as === 'bind' || as === 'free' ? divided(place, spelled) : ['', spelled];
  const value = rest.length < LONG ? rest : hash('sha256', rest, 'base64url');
  // The client's own may be any, but what the sandbox says under one of its names it says under no other.
  fields.push({ place, as: as === 'free' && isFixedIdentifier(rest) ? 'bind' : as, lead, value });
}

function divided(place: MatchPlace, text: string): readonly [lead: string, value: string] {
  if (place === 'header authorization') {
    const parts = CREDENTIALS.exec(text);
    return parts === null ? ['', text] : [`${parts[1]?.toLowerCase()} `, parts[2] as string];
  }
  if (place !== 'query scope' && place !== 'form scope') return ['', text];
  const parts = SCOPE.exec(text);
  return parts === null ? ['', text] : [`${parts[1]}:`, parts[2] as string];
}

/** Pairs in the order of their names, of those with one name the values in their order. */
function grouped(
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [name: string, value: string])[] {
  if (pairs.length < 2) return pairs;
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1));
}

function addBody(fields: Field[], plan: MatchPlan, { content, request }: Call): void {
  const addWhole = (text: string): void => {
    const as = plan.comparisonOf('body', '*');
    if (as !== 'ignore') push(fields, plan, 'body', 'body', as, text);
  };
  if (content.kind === 'none') return;
  if (content.kind === 'form') {
    for (const [name, value] of grouped(content.fields)) add(fields, plan, 'form', name, value);
  } else if (content.kind === 'json') {
    const members = readJsonMembers(content.value);
    if (members === null) addWhole(JSON.stringify(content.value));
    else for (const { path, name, text } of members) add(fields, plan, 'body', name, text, path);
  } else addWhole(content.kind === 'not-observed' ? '(recorded in part only)' : (request.body?.text ?? ''));
}

interface JsonMember {
  readonly path: string;
  readonly name: string;
  /** Strings as they are, everything else as JSON. */
  readonly text: string;
}

/** The leaves of a value, in an order that does not depend on how it was written. Empty for `{}`, which says no more than no body. null: too large or too deep to be taken apart. */
function readJsonMembers(value: unknown): readonly JsonMember[] | null {
  if (isObject(value) && Object.keys(value).length === 0) return [];
  const members: JsonMember[] = [];
  return collect(members, '', '', value, 0) ? members : null;
}

function collect(members: JsonMember[], path: string, name: string, value: unknown, depth: number): boolean {
  if (depth > DEEPEST || members.length >= MOST_MEMBERS) return false;
  if (typeof value !== 'object' || value === null) {
    members.push({ path, name, text: typeof value === 'string' ? value : JSON.stringify(value) });
    return true;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) members.push({ path, name, text: '[]' });
    return value.every((item, i) => collect(members, `${path}[${i}]`, name, item, depth + 1));
  }
  const object = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(object).sort();
  if (names.length === 0) members.push({ path, name, text: '{}' });
  return names.every((inner) =>
    collect(members, path === '' ? inner : `${path}.${inner}`, inner, object[inner], depth + 1),
  );
}

/** A number as Berlin Group amounts are written: `1.50`, `+1.5` and 1.5 are `1.5`. Other texts stay. */
function amount(text: string): string {
  const parts = /^([+-]?)0*(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim());
  if (parts === null) return text;
  const [, sign = '', whole = '0', rest = ''] = parts;
  const decimals = rest.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

const account = (text: string): string => text.replaceAll(' ', '').toUpperCase();
const flag = (text: string): string => text.trim().toLowerCase();

/** Only the first media type counts: clients differ in how they ask for JSON, or do not ask at all. */
function accepted(text: string): string {
  if (text === ACCEPT_WHERE_ABSENT) return text;
  const type = mediaType(text.split(',', 1)[0]);
  return type === '' || type === '*/*' || type.startsWith('text/html') || type === 'application/*'
    ? 'application/json'
    : type;
}

/** By name of a header, a query parameter or a member of a JSON body. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  amount,
  iban: account,
  currency: account,
  accept: accepted,
  'content-type': mediaType,
  'tpp-explicit-authorisation-preferred': flag,
  withBalance: flag,
};

function spelledByMeaning(name: string, text: string): string {
  return Object.hasOwn(SPELLINGS, name) ? (SPELLINGS[name] as (text: string) => string)(text) : text;
}

const ACCEPT_WHERE_ABSENT = 'application/json';
