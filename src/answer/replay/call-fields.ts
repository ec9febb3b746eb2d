/** Takes a call apart into the values that matching compares, each with its place. */
import { hash } from 'node:crypto';
import { type Call, PERSONAL_HEADERS, type PersonalKind, personalKindOf } from '../../exchange/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import { ACCEPT_WHERE_ABSENT, spelledByMeaning } from './by-meaning.js';
import { readJsonMembers } from './json-members.js';
import type { MatchPlan } from './match-plan.js';
import { type MatchPlace, MEANT_WHERE_ABSENT, type PlaceKind } from './match-table.js';
import type { Comparison } from './options.js';

export interface Field {
  readonly place: MatchPlace;
  readonly as: Comparison;
  /** What stands before the value and is always compared: `AIS:` of a scope, `bearer ` of a credential. */
  readonly lead: string;
  readonly value: string;
  /** Of a value that is personal, in a recording that holds pseudonyms. */
  readonly kind?: PersonalKind | undefined;
}

export interface ReadAs {
  /** See `certificate-kind.ts`. */
  readonly certificate: string;
  /** Pseudonyms stand in the recording: clear values of this run may take their place. */
  readonly pseudonymised: boolean;
}

const SCOPE = /^(AIS|PIS|PIIS):(.+)$/;
const CREDENTIALS = /^([A-Za-z][A-Za-z0-9-]{0,19}) +([^ ].*)$/;
/** A value of this length or more stands for itself by its digest. */
const LONG = 2_000;

/** In an order that is the same for the same call, however it was written. */
export function readFields(
  call: Call,
  plan: MatchPlan,
  { certificate, pseudonymised }: ReadAs,
): readonly Field[] {
  const fields: Field[] = [];
  if (call.listener === 'api' && plan.certificate !== 'ignore')
    fields.push({ place: 'certificate', as: plan.certificate, lead: '', value: certificate });
  for (const name of Object.keys(call.params)) add(fields, plan, 'path', name, call.params[name] as string);
  for (const [name, value] of grouped(call.request.query)) add(fields, plan, 'query', name, value);
  for (const [name, place, as] of plan.headers) addHeader(fields, plan, call, name, place, as);
  addBody(fields, plan, call);
  return pseudonymised ? fields.map(asPersonal) : fields;
}

/** What is personal is compared as what names something of the bank's is. */
function asPersonal(field: Field): Field {
  if (field.as !== 'equal') return field;
  const name = /([^ .[\]]+)(?:\[\d+\])*$/.exec(field.place)?.[1] ?? '';
  const kind = field.place.startsWith('header ') ? PERSONAL_HEADERS.get(name) : personalKindOf(name);
  return kind === undefined ? field : { ...field, as: 'bind', kind };
}

function add(fields: Field[], plan: MatchPlan, kind: PlaceKind, name: string, raw: string, path = name) {
  const as = plan.comparisonOf(kind, name, withoutPositions(path));
  if (as !== 'ignore') push(fields, plan, `${kind} ${path}`, name, as, raw);
}

function addHeader(
  fields: Field[],
  plan: MatchPlan,
  { header }: Call,
  name: string,
  place: MatchPlace,
  as: Comparison,
): void {
  const raw = header[name] ?? (name === 'accept' && plan.byMeaning ? ACCEPT_WHERE_ABSENT : undefined);
  if (raw !== undefined) push(fields, plan, place, name, as, raw);
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
  // The client's own may be any, but what the sandbox says under one of its names it says under no other.
  const meant = as === 'free' && isFixedIdentifier(rest) ? 'bind' : as;
  fields.push({
    place,
    as: meant,
    lead,
    value: rest.length < LONG ? rest : hash('sha256', rest, 'base64url'),
  });
}

/** What stands in front of an identifier, and the identifier. */
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

function addBody(fields: Field[], plan: MatchPlan, call: Call): void {
  const { content, request } = call;
  switch (content.kind) {
    case 'none':
      return;
    case 'form':
      for (const [name, value] of grouped(content.fields)) add(fields, plan, 'form', name, value);
      return;
    case 'json': {
      const members = readJsonMembers(content.value);
      if (members === null) addWhole(fields, plan, JSON.stringify(content.value));
      else for (const { path, name, text } of members) add(fields, plan, 'body', name, text, path);
      return;
    }
    case 'not-observed':
      addWhole(fields, plan, '(recorded in part only)');
      return;
    default:
      addWhole(fields, plan, request.body?.text ?? '');
  }
}

function addWhole(fields: Field[], plan: MatchPlan, text: string): void {
  const as = plan.comparisonOf('body', '*');
  if (as !== 'ignore') push(fields, plan, 'body', 'body', as, text);
}

function withoutPositions(path: string): string {
  return path.includes('[') ? path.replace(/\[\d+\]/g, '') : path;
}
