/** Finds the recorded call that matches a call of this run. */
import { type Call, createRecentCache } from '../../exchange/index.js';
import type { Bindings } from './bindings.js';
import { type Field, readFields } from './call-fields.js';
import { seenCertificate } from './certificate-kind.js';
import { isSameDate, type Shift } from './dates.js';
import type { CandidateIndex, Candidates, Queue } from './entries.js';
import { coarseKey, exactKey, hasDates, isMatched } from './field-keys.js';
import type { MatchPlan } from './match-plan.js';
import { SECRET_PLACES } from './match-table.js';
import { type Group, groupKey, type Recording } from './open-recording.js';

export interface Sought {
  readonly group: Group;
  /** Fields as sent, and with recorded values in place of this run's. */
  readonly sent: readonly Field[];
  readonly fields: readonly Field[];
}

interface Match {
  /** null: the recording has no call of this kind at all. */
  readonly sought: Sought | null;
  /** Queues of this call in the order of recording: several if their dates are equally far from both days. */
  readonly queues: readonly Queue[];
}

const REMEMBERED = 1_048_576;
/** A call with a longer target or body is not remembered. */
const LONGEST = 4_000;
/** A value that no header can hold. */
const ABSENT = '\0';

export function createFinder(recording: Recording, bindings: Bindings) {
  const { groups, scopes, startDay, pseudonymised } = recording;
  /** Matches hold as long as nothing is bound and the day is the same. */
  const recent = createRecentCache<string, Match & { readonly version: number; readonly days: number }>(
    REMEMBERED,
    (_, text) => text.length,
  );

  const translated = (field: Field, byMeaning: boolean): Field => {
    if (field.as !== 'bind') return field;
    const value = bindings.recordedOf(field.value, SECRET_PLACES.has(field.place) ? 'secret' : field.kind);
    const read = byMeaning && field.place === 'header authorization' ? (scopes.of(value) ?? value) : value;
    return read === field.value ? field : { ...field, value: read };
  };

  return {
    find: (call: Call, days: number): Match => {
      const key = groupKey({ call });
      const group = groups.get(key);
      if (group === undefined) return { sought: null, queues: [] };
      const { plan, exact, byDistance } = group;
      const certificate = seenCertificate(call, group);
      const text = callText(call, plan, `${key}\n${certificate}`);
      const known = text === null ? undefined : recent.get(text);
      const version = bindings.version();
      if (known?.version === version && known.days === days) return known;
      const sent = readFields(call, plan, { certificate, pseudonymised });
      const fields = sent.map((field) => translated(field, plan.byMeaning));
      const sought = { group, sent, fields };
      const dated = hasDates(fields) ? byDistance.get(exactKey(fields, days)) : undefined;
      const queues = dated === undefined ? [exact.get(exactKey(fields)) ?? []].flat() : [...dated];
      if (queues.length === 0) {
        const isOther = endsAnother(call, fields, bindings);
        const queue = isOther ? null : nearest(group, fields, { from: startDay, days }, bindings);
        return { sought, queues: queue === null ? [] : [queue] };
      }
      if (text !== null) recent.set(text, { version, sought, days, queues });
      return { sought, queues };
    },
  };
}

/** Calls with equal texts have equal fields, so a repeated call is taken apart only once. null: too long to be remembered. */
function callText({ request, header, listener }: Call, { headers }: MatchPlan, start: string): string | null {
  const { body, target } = request;
  if (target.length > LONGEST || (body !== null && body.text.length > LONGEST)) return null;
  let text = `${start}\n${listener}\n${target}\n${header['content-type'] ?? ABSENT}\n`;
  for (const [name] of headers) text += `${header[name] ?? ABSENT}\n`;
  return body === null ? text : `${text}${body.base64 === true}\n${body.truncated === true}\n${body.text}`;
}

/** A call that ends something only matches ids that this run has seen: a wrong id would be taken for the right one. */
function endsAnother({ request }: Call, fields: readonly Field[], bindings: Bindings): boolean {
  const isOther = ({ place, as, value }: Field) =>
    as === 'bind' && place.startsWith('path ') && !bindings.isKnown(value);
  return request.method === 'DELETE' && fields.some(isOther);
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
  // Both have the same places in the same order: their coarse keys are equal.
  const hasSameDates = ({ fields: recorded, day }: Queue): boolean =>
    recorded.every(
      ({ as, value }, i) => as !== 'date' || isSameDate(value, (matched[i] as Field).value, shift, day),
    );
  for (let i = candidates.from; i < queues.length; i++) {
    const queue = queues[i] as Queue;
    if ((!dated || hasSameDates(queue)) && isOpen(queue)) return queue;
  }
  return null;
}

/** `isNew`: by position of the fields, which are the same places for every call of an index. */
function candidatesOf(
  { queues, byPlaces }: CandidateIndex,
  fields: readonly Field[],
  isNew: readonly boolean[],
): Candidates | undefined {
  const keyOf = (all: readonly Field[]): string =>
    all.map(({ as, value }, i) => (as === 'bind' && !isNew[i] ? `${value}\n` : '')).join('');
  const places = isNew.map(Number).join('');
  let index = byPlaces.get(places);
  if (index === undefined) {
    index = new Map();
    for (const queue of queues) {
      const key = keyOf(queue.fields);
      const candidates = index.get(key);
      if (candidates === undefined) index.set(key, { queues: [queue], from: 0 });
      else candidates.queues.push(queue);
    }
    byPlaces.set(places, index);
  }
  return index.get(keyOf(fields));
}
