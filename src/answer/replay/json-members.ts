/** A JSON value as a flat list of its leaves, in an order that does not depend on how it was written. */
import { isObject } from '../../exchange/index.js';

export interface JsonMember {
  /** `access.accounts[0].iban`. */
  readonly path: string;
  /** The name of the nearest member: `iban`. */
  readonly name: string;
  /** Strings as they are, everything else as JSON. */
  readonly text: string;
}

const MOST_MEMBERS = 2_000;
const DEEPEST = 40;

/** Empty for `{}`, which says no more than no body. null: too large or too deep to be taken apart. */
export function readJsonMembers(value: unknown): readonly JsonMember[] | null {
  if (isEmptyObject(value)) return [];
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

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
