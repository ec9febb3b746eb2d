/** Builds keys from the fields of a call; equal keys mean equal calls. */
import type { Field } from './call-fields.js';
import { isDated, moveDate } from './dates.js';

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

/** Without the values that may be bound, and without dates. */
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

export function hasDates(fields: readonly Field[]): boolean {
  return fields.some(({ as }) => as === 'date');
}
