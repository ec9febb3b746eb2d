/** Says what two shapes of one place differ in, with the number of values that carries each statement. */
import { STATUSES } from '../../spec/index.js';
import { ANY_NAME, asMap, type ByState, HIDDEN, type Shape, sumOf, TEXT } from './shape.js';

export const CHANGE_CLASSES = ['breaking', 'additive', 'value'] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** One side of a statement: `date`, in 4 of 6 values that stood there. */
export interface Carried {
  readonly says: string;
  readonly seen: number;
  readonly of: number;
}

export interface ShapeChange {
  readonly class: ChangeClass;
  readonly what: 'gone' | 'added' | 'optional' | 'type' | 'null' | 'format' | 'code';
  /** `accounts[].iban`; empty for the whole. */
  readonly place: string;
  readonly was: Carried;
  readonly now: Carried;
}

export interface ShapeDoubt {
  readonly place: string;
  readonly reason: string;
}

export interface CompareShapes {
  /** A reason why a member is there on one side alone that says nothing of the bank. */
  readonly excuse: (place: string, missing: 'was' | 'now') => string | null;
  /** Members of errors are compared whatever the codes are: else another form of all errors had no code in common. */
  readonly isError: boolean;
  /** Names of members that a client does without. */
  readonly minor?: ReadonlySet<string>;
  /** Names of members of which another value breaks a client. */
  readonly strict?: ReadonlySet<string>;
  readonly onChange: (change: ShapeChange) => void;
  readonly onDoubt: (doubt: ShapeDoubt) => void;
}

export function compareShapes(was: Shape, now: Shape, options: CompareShapes, place = '', name = ''): void {
  if (sumOf(was.seen) === 0 || sumOf(now.seen) === 0) return;
  if (!compareTypes(was, now, options, place)) return;
  compareFormats(was, now, options, place);
  compareCodes(was, now, options, place, name);
  compareMembers(was, now, options, place);
  const { entries: before } = was;
  const { entries: after } = now;
  if (before !== null && after !== null) compareShapes(before, after, options, `${place}[]`, name);
  else if (before !== null && now.types.has('list'))
    options.onDoubt({ place: `${place}[]`, reason: 'no entry in the second recording' });
  else if (after !== null && was.types.has('list'))
    options.onDoubt({ place: `${place}[]`, reason: 'no entry in the first recording' });
}

const namesOf = (counts: ReadonlyMap<string, number>): string[] => [...counts.keys()].sort();

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, one) => sum + one, 0);

function carried(counts: ReadonlyMap<string, number>, names: readonly string[]): Carried {
  const seen = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  return { says: names.join(', '), seen, of: total(counts) };
}

/** Whether what stands there can be compared further. */
function compareTypes(was: Shape, now: Shape, { onChange, onDoubt }: CompareShapes, place: string): boolean {
  const [before, after] = [was, now].map(
    ({ types }) => new Map([...types].filter(([type]) => type !== HIDDEN)),
  );
  if (before === undefined || after === undefined || before.size === 0 || after.size === 0) return true;
  const isTold = [...before.keys()].some((type) => type !== 'null');
  const fresh = namesOf(after).filter((type) => !before.has(type));
  const others = fresh.filter((type) => type !== 'null');
  if (!isTold) {
    if (others.length > 0) onDoubt({ place, reason: 'always null in the first recording' });
    return false;
  }
  if (fresh.includes('null')) {
    const told = namesOf(before);
    onChange({
      class: 'breaking',
      what: 'null',
      place,
      was: carried(before, told),
      now: carried(after, ['null']),
    });
  }
  if (others.length === 0) return true;
  onChange({
    ...{ class: 'breaking', what: 'type', place },
    ...{ was: carried(before, namesOf(before)), now: carried(after, others) },
  });
  return others.length < after.size;
}

function compareFormats(was: Shape, now: Shape, { onChange }: CompareShapes, place: string): void {
  // Any text may stand here: there is no format to lose.
  if (was.formats.size === 0 || was.formats.has(TEXT)) return;
  const fresh = namesOf(now.formats).filter((format) => !was.formats.has(format));
  if (fresh.length === 0) return;
  onChange({
    ...{ class: 'breaking', what: 'format', place },
    ...{ was: carried(was.formats, namesOf(was.formats)), now: carried(now.formats, fresh) },
  });
}

const plain = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function compareCodes(was: Shape, now: Shape, options: CompareShapes, place: string, name: string): void {
  if (was.isFree || now.isFree || was.codes.size === 0 || now.codes.size === 0) return;
  const fresh = namesOf(now.codes).filter((code) => !was.codes.has(code));
  const gone = namesOf(was.codes).filter((code) => !now.codes.has(code));
  const isOther = gone.length === was.codes.size;
  const tell = (kind: ChangeClass, before: readonly string[], after: readonly string[]) =>
    options.onChange({
      ...{ class: kind, what: 'code', place },
      ...{ was: carried(was.codes, before), now: carried(now.codes, after) },
    });
  for (const code of fresh) {
    const same = gone.filter((one) => plain(one) === plain(code));
    if (same.length > 0) tell('breaking', same, [code]);
    else if (Object.hasOwn(STATUSES, name)) {
      // A resource may be in any state: only a word that the standard does not have is a change.
      if (!isStandard(name, code)) tell('breaking', namesOf(was.codes), [code]);
    } else if (!isOther) tell('additive', namesOf(was.codes), [code]);
    else tell(options.strict?.has(name) === true ? 'breaking' : 'value', namesOf(was.codes), [code]);
  }
  if (name.endsWith('_supported') && gone.length > 0) tell('breaking', gone, namesOf(now.codes));
}

const isStandard = (name: string, code: string): boolean =>
  Object.entries(STATUSES).some(([member, { life }]) => member === name && Object.hasOwn(life, code));

function compareMembers(was: Shape, now: Shape, options: CompareShapes, place: string): void {
  if (sumOf(was.objects) === 0 || sumOf(now.objects) === 0) return;
  const isMap = [was, now].some(({ members }) => members.has(ANY_NAME));
  if (isMap) for (const one of [was, now]) if (one.members.size > 1) asMap(one);
  const common = commonStates(was.objects, now.objects, options.isError && place === '');
  for (const name of [...new Set([...was.members.keys(), ...now.members.keys()])].sort()) {
    const here = name.startsWith('?') ? `${place} ${name}` : place === '' ? name : `${place}.${name}`;
    const [before, after] = [was.members.get(name), now.members.get(name)];
    const [first, second] = [sideOf(was, before, common), sideOf(now, after, common)];
    if (name !== ANY_NAME) comparePresence(first, second, options, here, name);
    if (before !== undefined && after !== undefined) compareShapes(before, after, options, here, name);
  }
}

interface Side {
  readonly seen: number;
  readonly of: number;
  /** Seen in states of the answer that the other side does not have. */
  readonly apart: number;
}

function sideOf({ objects }: Shape, member: Shape | undefined, common: (state: number) => boolean): Side {
  const within = (counts: ByState) => sumOf(counts.map((count, state) => (common(state) ? count : 0)));
  const seen = member === undefined ? 0 : within(member.seen);
  return { seen, of: within(objects), apart: member === undefined ? 0 : sumOf(member.seen) - seen };
}

function commonStates(was: ByState, now: ByState, isAny: boolean): (state: number) => boolean {
  const common = (state: number) => (was[state] ?? 0) > 0 && (now[state] ?? 0) > 0;
  return isAny && !was.some((_, state) => common(state)) ? () => true : common;
}

function comparePresence(was: Side, now: Side, options: CompareShapes, place: string, name: string): void {
  const { onChange, onDoubt, excuse, minor } = options;
  const there = ({ seen, of }: Side): Carried => ({ says: 'there', seen, of });
  const absent = ({ seen, of }: Side): Carried => ({ says: 'absent', seen: of - seen, of });
  if (was.seen === 0 && now.seen === 0) {
    const states = 'only with statuses or codes that the other recording does not have';
    if (was.apart > 0 !== now.apart > 0) onDoubt({ place, reason: states });
    return;
  }
  const missing = was.seen === 0 ? 'was' : now.seen === 0 ? 'now' : null;
  const excused = missing === null ? null : excuse(place, missing);
  const isMinor = minor?.has(name) === true || name.startsWith('?');
  if (excused !== null) onDoubt({ place, reason: excused });
  else if (missing === 'was') {
    onChange({
      ...{ class: name.startsWith('?') ? 'value' : 'additive', what: 'added', place },
      ...{ was: absent(was), now: there(now) },
    });
  } else if (was.seen < was.of) return;
  else if (missing === 'now')
    onChange({
      class: isMinor ? 'value' : 'breaking',
      what: 'gone',
      place,
      was: there(was),
      now: absent(now),
    });
  else if (now.seen < now.of)
    onChange({ class: 'value', what: 'optional', place, was: there(was), now: absent(now) });
}
