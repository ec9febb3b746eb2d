/** Compares a call with a recorded one, place by place. */

import { type Fingerprint, isFingerprint } from '../../exchange/index.js';
import { sandboxCodeScope } from '../../spec/index.js';
import type { Bindings } from './bindings.js';

import type { Field } from './call-fields.js';
import { isDated, isSameDate, moveDate, type Shift } from './dates.js';
import type { Queue } from './entries.js';
import { isMatched } from './field-keys.js';
import type { Sought } from './find.js';
import { SECRET_PLACES } from './match-table.js';
import type { MissDifference } from './miss.js';
import { isTokenLabel } from './token-scopes.js';

const MOST_DIFFERENCES = 20;
const LONGEST_VALUE = 120;

/** The queue that a call differs from in the fewest places; the first of several. */
export function closestOf(queues: Iterable<Queue>, { fields }: Sought, shift: Shift): Queue | null {
  const ours = new Map(fields.filter(isMatched).map((field) => [field.place, field]));
  let closest: Queue | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const queue of queues) {
    const count = countDifferences(queue, ours, shift, fewest);
    if (count < fewest) [closest, fewest] = [queue, count];
  }
  return closest;
}

function countDifferences(
  { fields, day }: Queue,
  ours: ReadonlyMap<string, Field>,
  shift: Shift,
  most: number,
): number {
  let [count, found] = [0, 0];
  for (const theirs of fields) {
    const own = ours.get(theirs.place);
    if (own !== undefined) found++;
    if (own === undefined || !isSame(theirs, own, shift, day)) count++;
    if (count >= most) return count;
  }
  return count + ours.size - found;
}

/** `places`: the recorded fields that another value was sent for, or none. */
export function compareCalls(
  queue: Queue,
  { sent, fields }: Sought,
  shift: Shift,
  bindings: Bindings,
  fingerprint: Fingerprint | undefined,
): { readonly differences: readonly MissDifference[]; readonly places: readonly Field[] } {
  const ours = new Map(fields.map((field, i) => [field.place, { field, raw: sent[i] as Field }]));
  const differences: MissDifference[] = [];
  const places: Field[] = [];
  for (const theirs of queue.fields) {
    const own = ours.get(theirs.place);
    ours.delete(theirs.place);
    if (own !== undefined && isSame(theirs, own.field, shift, queue.day)) continue;
    const { as, value, place } = theirs;
    // The value that this run would have to send.
    const moved =
      as === 'date' && isDated(value)
        ? moveDate(value, shift.days - queue.day)
        : (bindings.runOf(value) ?? value);
    const got = own === undefined ? 'absent' : shown(own.raw, own.raw.value, fingerprint);
    differences.push({ place, expected: shown(theirs, moved, fingerprint, 'the recorded one'), got });
    places.push(theirs);
  }
  for (const [place, { raw }] of ours)
    if (raw.as !== 'free')
      differences.push({ place, expected: 'absent', got: shown(raw, raw.value, fingerprint) });
  return { differences: differences.slice(0, MOST_DIFFERENCES), places };
}

function isSame(recorded: Field, sent: Field, shift: Shift, day: number): boolean {
  if (recorded.lead !== sent.lead) return false;
  return recorded.as === 'date'
    ? isSameDate(recorded.value, sent.value, shift, day)
    : recorded.value === sent.value;
}

/** Secrets as fingerprints or as what they are, long values cut. */
function shown(
  { place, lead }: Field,
  value: string,
  fingerprint: Fingerprint | undefined,
  hidden = 'another one',
): string {
  if (isTokenLabel(value)) return value;
  const isOpen = !SECRET_PLACES.has(place) || isFingerprint(value) || sandboxCodeScope(value) !== undefined;
  const text = lead + (isOpen ? value : (fingerprint?.(value) ?? hidden));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 3)}...` : text;
}
