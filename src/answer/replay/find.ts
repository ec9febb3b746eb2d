/** Finds the recorded call that matches a call of this run. */
import { type Call, createRecentCache } from '../../exchange/index.js';
import type { Bindings } from './bindings.js';
import type { Shift } from './calendar.js';
import { type Field, readFields } from './call-fields.js';
import { callText } from './call-text.js';
import { presentedCertificate, seenAs } from './certificate-kind.js';
import { isSameDate } from './dates.js';
import type { CandidateIndex, Candidates, Queue } from './entries.js';
import { coarseKey, exactKey, hasDates, isMatched } from './field-keys.js';
import { SECRET_PLACES } from './match-table.js';
import { type Group, groupKey, type Recording } from './open-recording.js';

export interface Sought {
  readonly group: Group;
  /** As they came, and with recorded values in the place of those that stand for them. */
  readonly sent: readonly Field[];
  readonly fields: readonly Field[];
}

/** What was found of a call, as long as nothing is bound and the day is the same. */
interface Remembered {
  readonly version: number;
  readonly sought: Sought;
  readonly days: number;
  readonly queue: Queue;
}

/** In characters of their texts. */
const REMEMBERED = 1_048_576;

export interface Finder {
  /** `sought` null: the recording has no call of this kind at all; `queue` null: none of them is this call. */
  readonly find: (
    call: Call,
    days: number,
  ) => { readonly sought: Sought | null; readonly queue: Queue | null };
}

const NOTHING = { sought: null, queue: null } as const;

export function createFinder(recording: Recording, bindings: Bindings): Finder {
  const { groups, scopes, startDay, pseudonymised } = recording;
  const recent = createRecentCache<string, Remembered>(REMEMBERED, (_, text) => text.length);

  const translated = (field: Field, byMeaning: boolean): Field => {
    if (field.as !== 'bind') return field;
    const value = bindings.recordedOf(field.value, SECRET_PLACES.has(field.place) ? 'secret' : field.kind);
    const read = byMeaning && field.place === 'header authorization' ? (scopes.of(value) ?? value) : value;
    return read === field.value ? field : { ...field, value: read };
  };

  const queueOf = ({ group, fields }: Sought, days: number): Queue | undefined => {
    const moves = days !== 0 && hasDates(fields);
    return (
      group.exact.get(exactKey(fields, moves ? days : 0)) ??
      (moves ? group.exact.get(exactKey(fields)) : undefined)
    );
  };

  return {
    find: (call, days) => {
      const key = groupKey({ call });
      const group = groups.get(key);
      if (group === undefined) return NOTHING;
      const { plan } = group;
      const seen = seenAs(presentedCertificate(call), group);
      const text = callText(call, plan, key, seen);
      const known = text === null ? undefined : recent.get(text);
      if (known?.version === bindings.version() && known.days === days) return known;
      const sent = readFields(call, plan, { certificate: seen, pseudonymised });
      const fields = sent.map((field) => translated(field, plan.byMeaning));
      const sought = { group, sent, fields };
      const queue = queueOf(sought, days);
      if (queue === undefined) {
        const isOther = endsAnother(call, fields, bindings);
        return { sought, queue: isOther ? null : nearest(group, fields, { from: startDay, days }, bindings) };
      }
      if (text !== null) recent.set(text, { version: bindings.version(), sought, days, queue });
      return { sought, queue };
    },
  };
}

/** What ends something never does so to what this run has not named before: a wrong id would be taken for the right one. */
function endsAnother({ request }: Call, fields: readonly Field[], bindings: Bindings): boolean {
  return (
    request.method === 'DELETE' &&
    fields.some(
      ({ place, as, value }) => as === 'bind' && place.startsWith('path ') && !bindings.isKnown(value),
    )
  );
}

/** The first that has, in the place of each value that nobody has seen, one that this run was not given. */
function nearest(group: Group, fields: readonly Field[], shift: Shift, bindings: Bindings): Queue | null {
  const coarse = group.coarse.get(coarseKey(fields));
  if (coarse === undefined) return null;
  const matched = fields.filter(isMatched);
  const isNew = matched.map(({ as, value }) => as === 'bind' && !bindings.isKnown(value));
  const dated = hasDates(matched);
  // Without either, one that is this call would have been found by its key.
  if (!dated && !isNew.includes(true)) return null;
  const candidates = candidatesOf(coarse, matched, isNew);
  if (candidates === undefined) return null;
  const { queues } = candidates;
  const isOpen = ({ fields: recorded }: Queue): boolean =>
    recorded.every((field, i) => !isNew[i] || bindings.isOpen(field.value, field.kind));
  // Whatever this run was given once stays given.
  while (candidates.from < queues.length && !isOpen(queues[candidates.from] as Queue)) candidates.from++;
  for (let i = candidates.from; i < queues.length; i++) {
    const queue = queues[i] as Queue;
    if ((!dated || haveSameDates(queue.fields, matched, shift)) && isOpen(queue)) return queue;
  }
  return null;
}

/** Both have the same places in the same order: their coarse keys are equal. */
function haveSameDates(recorded: readonly Field[], sent: readonly Field[], shift: Shift): boolean {
  return recorded.every(
    ({ as, value }, i) => as !== 'date' || isSameDate(value, (sent[i] as Field).value, shift),
  );
}

/** `isNew`: by position of the fields, which are the same places for every call of an index. */
function candidatesOf(
  { queues, byPlaces }: CandidateIndex,
  fields: readonly Field[],
  isNew: readonly boolean[],
): Candidates | undefined {
  const places = isNew.map(Number).join('');
  let index = byPlaces.get(places);
  if (index === undefined) {
    index = indexOf(queues, isNew);
    byPlaces.set(places, index);
  }
  return index.get(keyOf(fields, isNew));
}

function indexOf(queues: readonly Queue[], isNew: readonly boolean[]): Map<string, Candidates> {
  const index = new Map<string, Candidates>();
  for (const queue of queues) {
    const key = keyOf(queue.fields, isNew);
    const known = index.get(key);
    if (known === undefined) index.set(key, { queues: [queue], from: 0 });
    else known.queues.push(queue);
  }
  return index;
}

function keyOf(fields: readonly Field[], isNew: readonly boolean[]): string {
  let key = '';
  for (const [i, { as, value }] of fields.entries()) if (as === 'bind' && !isNew[i]) key += `${value}\n`;
  return key;
}
