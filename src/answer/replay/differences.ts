/** What differs between a call and a recorded one, place by place. */

import { type Fingerprint, isFingerprint } from '../../exchange/index.js';
import { sandboxCodeScope } from '../../spec/index.js';
import type { Bindings } from './bindings.js';
import type { Shift } from './calendar.js';
import type { Field } from './call-fields.js';
import { isDated, isSameDate, moveDate } from './dates.js';
import type { Queue } from './entries.js';
import { isMatched } from './field-keys.js';
import type { Sought } from './find.js';
import type { MatchPlace } from './match-table.js';
import { SECRET_PLACES } from './match-table.js';
import type { MissDifference } from './miss.js';
import { isTokenLabel } from './token-scopes.js';

export interface ShowParts {
  readonly bindings: Bindings;
  readonly fingerprint: Fingerprint | undefined;
}

const MOST_DIFFERENCES = 20;
const LONGEST_VALUE = 120;

export interface Compared {
  readonly differences: readonly MissDifference[];
  /** The recorded fields that another value was sent for, or none. */
  readonly places: readonly Field[];
}

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

/** Left off where there are as many as `most`. */
function countDifferences(
  { fields }: Queue,
  ours: ReadonlyMap<string, Field>,
  shift: Shift,
  most: number,
): number {
  let [count, found] = [0, 0];
  for (const theirs of fields) {
    const own = ours.get(theirs.place);
    if (own !== undefined) found++;
    if (own === undefined || !isSame(theirs, own, shift)) count++;
    if (count >= most) return count;
  }
  return count + ours.size - found;
}

export function compareCalls(
  queue: Queue,
  { sent, fields }: Sought,
  shift: Shift,
  parts: ShowParts,
): Compared {
  const ours = new Map(fields.map((field, i) => [field.place, { field, raw: sent[i] as Field }]));
  const differences: MissDifference[] = [];
  const places: Field[] = [];
  const note = (place: MatchPlace, expected: string, got: string, recorded?: Field) => {
    if (differences.length < MOST_DIFFERENCES) differences.push({ place, expected, got });
    if (recorded !== undefined) places.push(recorded);
  };
  for (const theirs of queue.fields) {
    const own = ours.get(theirs.place);
    ours.delete(theirs.place);
    if (own === undefined) note(theirs.place, expectation(theirs, parts, shift.days), 'absent', theirs);
    else if (!isSame(theirs, own.field, shift))
      note(
        theirs.place,
        expectation(theirs, parts, shift.days),
        shown(own.raw, own.raw.value, parts),
        theirs,
      );
  }
  for (const [place, { raw }] of ours)
    if (raw.as !== 'free') note(place, 'absent', shown(raw, raw.value, parts));
  return { differences, places };
}

function isSame(recorded: Field, sent: Field, shift: Shift): boolean {
  if (recorded.lead !== sent.lead) return false;
  return recorded.as === 'date'
    ? isSameDate(recorded.value, sent.value, shift)
    : recorded.value === sent.value;
}

/** As this run would have to send it. */
function expectation(field: Field, parts: ShowParts, days: number): string {
  const { as, value } = field;
  return shown(
    field,
    as === 'date' && isDated(value) ? moveDate(value, days) : (parts.bindings.runOf(value) ?? value),
    parts,
    'the recorded one',
  );
}

/** Secrets as fingerprints or as what they are, long values cut. */
function shown(
  { place, lead }: Field,
  value: string,
  { fingerprint }: ShowParts,
  hidden = 'another one',
): string {
  if (isTokenLabel(value)) return value;
  const isOpen = !SECRET_PLACES.has(place) || isFingerprint(value) || sandboxCodeScope(value) !== undefined;
  const text = lead + (isOpen ? value : (fingerprint?.(value) ?? hidden));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 3)}...` : text;
}
