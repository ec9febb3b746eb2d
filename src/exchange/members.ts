/** Reads single members of values, contents and queries of unknown shape, and writes the paths to them. */
import type { Call } from './exchange.js';
import type { Content } from './wire.js';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON object; undefined where the value is no object or has no such member of its own. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

const valueIn = (content: Content | undefined): unknown =>
  content?.kind === 'json' ? content.value : undefined;
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function textMember(content: Content | undefined, name: string): string | undefined {
  return textIn(memberOf(valueIn(content), name));
}

export function linkOf(content: Content | undefined, name: string): string | undefined {
  return textIn(memberOf(memberOf(memberOf(valueIn(content), '_links'), name), 'href'));
}

export function formValue(content: Content, name: string): string | undefined {
  if (content.kind !== 'form') return undefined;
  for (const [known, value] of content.fields) if (known === name) return value;
  return undefined;
}

export function queryValue({ request }: Pick<Call, 'request'>, name: string): string | undefined {
  for (const [known, value] of request.query) if (known === name) return value;
  return undefined;
}

/** A path of zod as JSON path: `log.entries[3].request.method`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}
