/** Looks into the schemas of an OpenAPI document: their members and enumerations, through combinations and references. */
import { isObject } from '../../exchange/index.js';
import type { OpenApiDocument } from './openapi-document.js';

const DEEPEST = 8;
const MOST_SCHEMAS = 5_000;
/** Schemas that one combines. */
const MOST_COMBINED = 100;
const MOST_VALUES = 100;

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST_VALUES) : [];
export const textAt = (value: unknown): string => (typeof value === 'string' ? value : '');
export const oneLine = (text: string, most: number): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, most).trim();
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');

/** The schema, and those that it combines. */
export function* combined(
  document: OpenApiDocument,
  given: unknown,
  deep = DEEPEST,
  seen = new Set<unknown>(),
): Generator<Readonly<Record<string, unknown>>> {
  if (deep === 0 || seen.size === MOST_COMBINED) return;
  const schema = document.resolve(given);
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  for (const word of ['allOf', 'oneOf', 'anyOf'])
    for (const one of listOf(schema[word])) yield* combined(document, one, deep - 1, seen);
}

/** Members of an object by their names, with their schemas. */
export function membersIn(document: OpenApiDocument, schema: unknown): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const one of combined(document, schema)) {
    const properties = document.at(one, 'properties');
    if (isObject(properties))
      for (const [name, member] of Object.entries(properties)) members.set(name, document.resolve(member));
  }
  return members;
}

/** Schemas of a body by their media types: of a request, or of an answer. */
export function contentOf(
  document: OpenApiDocument,
  holder: unknown,
): (readonly [media: string, schema: unknown])[] {
  const content = document.at(holder, 'content');
  if (!isObject(content)) return [];
  return Object.entries(content)
    .slice(0, MOST_VALUES)
    .map(([media, one]) => [media.split(';', 1)[0]?.trim() ?? '', document.at(one, 'schema')]);
}

/** Values of all enumerations of schemas and members that have this name. */
export function enumsNamed(document: OpenApiDocument, name: string): Set<string> {
  const values = new Set<string>();
  for (const [key, schema] of namedSchemas(document)) {
    const own = key === name ? [schema] : [];
    for (const one of [...own, membersIn(document, schema).get(name)])
      for (const value of textsOf(document.at(one, 'enum'))) values.add(value);
  }
  return values;
}

export function namedSchemas({ at, root }: OpenApiDocument): [string, unknown][] {
  const schemas = at(root, 'components', 'schemas');
  return isObject(schemas) ? Object.entries(schemas).slice(0, MOST_SCHEMAS) : [];
}
