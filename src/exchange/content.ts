/** Reads a body as its media type says. */
import type { Body, Content } from './exchange.js';

const NONE: Content = { kind: 'none' };
const OPAQUE: Content = { kind: 'opaque' };
const NO_TEXT: Content = { kind: 'unparseable', problem: 'it is not UTF-8' };
const NOT_OBSERVED: Content = { kind: 'not-observed' };
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The media type without parameters, lower case; empty where there is none. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(type: string): boolean {
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

/** The content of a body; a truncated one is not observed, an empty one is none. */
export function readContent(body: Body | null, contentType: string | undefined): Content {
  if (body === null || (body.text === '' && body.truncated !== true)) return NONE;
  if (body.truncated === true) return NOT_OBSERVED;
  const type = mediaType(contentType);
  if (body.base64 === true) return isJsonType(type) || type === FORM_TYPE ? NO_TEXT : OPAQUE;
  if (isJsonType(type)) return readJson(body.text);
  if (type === FORM_TYPE) return { kind: 'form', fields: readForm(body.text) };
  return OPAQUE;
}

function readJson(text: string): Content {
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'unparseable', problem: (error as Error).message };
  }
}

/** Name and value pairs of a form or a query, `+` read as space, in their order. */
export function readForm(text: string): readonly (readonly [string, string])[] {
  return text === '' ? [] : [...new URLSearchParams(text)];
}
