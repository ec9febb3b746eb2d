/** The values in a recorded call that an earlier answer may have given. */
import { type Call, decodedPart } from '../../exchange/index.js';

const SEPARATORS = /[\s:/?&=]+/;
const SHORTEST = 4;
const MOST = 5_000;

/** Values as they stand, and the parts of those that are put together: the token of `Bearer …`, the id of `AIS:…`. */
export function valuesUsedBy({ request, header, content }: Call): ReadonlySet<string> {
  const values = new Set<string>();
  const add = (text: string | undefined): void => {
    if (text === undefined || values.size >= MOST) return;
    values.add(text);
    for (const part of text.split(SEPARATORS)) if (part.length >= SHORTEST) values.add(part);
  };
  for (const part of request.path.split('/')) add(decodedPart(part));
  for (const [, value] of request.query) add(value);
  add(header.authorization);
  add(header['consent-id']);
  if (content.kind === 'form') for (const [, value] of content.fields) add(value);
  if (content.kind === 'json') addMembers(add, content.value, 0);
  return values;
}

function addMembers(add: (text: string) => void, value: unknown, depth: number): void {
  if (depth > 40) return;
  if (typeof value === 'string') add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addMembers(add, inner, depth + 1);
}
