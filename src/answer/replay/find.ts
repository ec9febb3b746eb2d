/** Finds the recorded call that a call of this run is. */
import type { Call } from '../../exchange/index.js';
import type { Bindings } from './bindings.js';
import { type Field, readFields } from './call-fields.js';
import { presentedCertificate } from './certificate-kind.js';
import { isSameDate } from './dates.js';
import { coarseKey, exactKey, hasDates, isMatched } from './field-keys.js';
import { SECRET_PLACES } from './match-table.js';
import { type Group, groupKey, type Queue, type Recording } from './open-recording.js';

export interface Sought {
  readonly group: Group;
  /** As they came, and with recorded values in the place of those that stand for them. */
  readonly sent: readonly Field[];
  readonly fields: readonly Field[];
}

export interface Finder {
  /** null: the recording has no call of this kind at all. */
  readonly seek: (call: Call) => Sought | null;
  /** null: none of them is this call. */
  readonly find: (sought: Sought, days: number) => Queue | null;
}

export function createFinder(recording: Recording, bindings: Bindings): Finder {
  const { groups, scopes } = recording;

  const translated = (field: Field, byMeaning: boolean): Field => {
    if (field.as !== 'bind') return field;
    const value = bindings.recordedOf(field.value, SECRET_PLACES.has(field.place));
    const read = byMeaning && field.place === 'header authorization' ? (scopes.of(value) ?? value) : value;
    return read === field.value ? field : { ...field, value: read };
  };

  return {
    seek: (call) => {
      const group = groups.get(groupKey({ call }));
      if (group === undefined) return null;
      const certificate = presentedCertificate(call);
      const seen = certificate === 'refused' && !group.hasRefused ? 'accepted' : certificate;
      const sent = readFields(call, group.plan, seen);
      return { group, sent, fields: sent.map((field) => translated(field, group.plan.byMeaning)) };
    },
    find: (sought, days) => {
      const { group, fields } = sought;
      const moves = days !== 0 && hasDates(fields);
      return (
        group.exact.get(exactKey(fields, moves ? days : 0)) ??
        (moves ? group.exact.get(exactKey(fields)) : undefined) ??
        nearest(group, fields, days, bindings)
      );
    },
  };
}

/** The first with the fewest values to bind. */
function nearest(group: Group, fields: readonly Field[], days: number, bindings: Bindings): Queue | null {
  let best: Queue | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  // Without dates, one that needs nothing bound would have been found by its key.
  const least = hasDates(fields) ? 0 : 1;
  const matched = fields.filter(isMatched);
  for (const queue of group.coarse.get(coarseKey(fields)) ?? []) {
    const count = valuesToBind(queue.fields, matched, days, bindings);
    if (count !== null && count < fewest) [best, fewest] = [queue, count];
    if (fewest <= least) break;
  }
  return best;
}

/** null: they cannot be the same call. */
function valuesToBind(
  recorded: readonly Field[],
  sent: readonly Field[],
  days: number,
  bindings: Bindings,
): number | null {
  let count = 0;
  // Both have the same places in the same order: their coarse keys are equal.
  for (const [i, theirs] of recorded.entries()) {
    const { value } = sent[i] as Field;
    if (theirs.value === value) continue;
    if (theirs.as === 'date' ? !isSameDate(theirs.value, value, days) : theirs.as !== 'bind') return null;
    if (theirs.as === 'bind') {
      if (!bindings.mayBind(theirs.value, value)) return null;
      count++;
    }
  }
  return count;
}
