/** Compares two requests for the same operation: what one sent that the other did not, or otherwise. */
import type { Request } from '../message.js';
import type { Place } from '../place.js';
import { addDifference, compareBodies, compareTexts, openWalk } from './compare.js';
import type { CompareOptions, Difference } from './difference.js';
import { quieten } from './quieten.js';

/** Of the connection, and of the client’s way to write. */
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
