/** Builds keys from the fields of a call; equal keys mean equal calls. */
import type { Call } from '../../exchange/index.js';
import type { Field } from './call-fields.js';
import { isDated, moveDate } from './dates.js';
import type { MatchPlace } from './match-table.js';

/** `days`: how much later this run is than the recording; its dates are moved back. */
export function exactKey(fields: readonly Field[], days = 0): string {
  let key = '';
  for (const { place, as, lead, value } of fields) {
    if (as === 'free') continue;
    const seen = as === 'date' && days !== 0 && isDated(value) ? moveDate(value, -days) : value;
    key += `${place}=${lead}${seen}\n`;
  }
  return key;
}

export function coarseKey(fields: readonly Field[]): string {
  let key = '';
  for (const { place, as, lead, value } of fields) {
    if (as === 'free') continue;
    key += as === 'bind' || as === 'date' ? `${place}=${lead}?\n` : `${place}=${lead}${value}\n`;
  }
  return key;
}

/** Values of the client's own are carried, not matched. */
export const isMatched = ({ as }: Field): boolean => as !== 'free';

/** New in every run: they tell nothing. */
const NEW: ReadonlySet<MatchPlace> = new Set(['query state', 'query code_challenge', 'form code_verifier']);

/** Who calls, and what the call has of the client's own: both, and each alone. */
export function signsOf({ tpp }: Call, fields: readonly Field[]): readonly string[] {
  const own = fields.flatMap(({ as, place, value }) =>
    as === 'free' && !NEW.has(place) ? [place, value] : [],
  );
  const [by, names] = [`by ${tpp}`, own.join('\n')];
  return own.length === 0 ? [by] : [`${by} ${names}`, names, by];
}

export function hasDates(fields: readonly Field[]): boolean {
  return fields.some(({ as }) => as === 'date');
}
