/** Tells of a header that is absent whether another one was sent in its place, with a slip in its name. */
import type { Call } from '../exchange/index.js';
import { HEADERS, isSlip } from '../spec/index.js';
import type { Violation } from './rule.js';

const PLACE = /^header ([\w-]+)$/;

export function withMisspelt(violation: Violation, { header, request }: Call): Violation {
  const { place, actual, publicActual } = violation;
  const meant = PLACE.exec(place)?.[1]?.toLowerCase();
  if (meant === undefined || header[meant] !== undefined || publicActual !== undefined) return violation;
  const sent = request.headers.find(
    ([name]) => !Object.hasOwn(HEADERS, name.toLowerCase()) && isSlip(name.toLowerCase(), meant),
  )?.[0];
  if (sent === undefined) return violation;
  return { ...violation, actual: `${actual ?? 'absent'}, but ${sent} was sent (a misspelling?)` };
}
