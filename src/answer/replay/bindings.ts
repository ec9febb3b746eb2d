/** Bindings: which value of this run stands for which recorded value. */
import { type Fingerprint, isPseudonym, type PersonalKind, type Pseudonyms } from '../../exchange/index.js';
import { isFixedIdentifier } from '../../spec/index.js';

/** How a value is hidden in recordings: as a fingerprint, or by the pseudonym of its kind. */
export type Hidden = 'secret' | PersonalKind;

export type Bindings = ReturnType<typeof createBindings>;

/**
 * `known`: identifiers, codes and tokens that the recorded calls sent. `handed`: those that the recording hands out, so
 * that none of the client's own stands for them. `fingerprint` makes a clear secret comparable with a recorded one of the
 * same store; `pseudonyms` are of the store at hand.
 */
export function createBindings(
  { known, handed }: { readonly known: ReadonlySet<string>; readonly handed: ReadonlySet<string> },
  fingerprint: Fingerprint | undefined,
  pseudonyms: Pseudonyms | undefined,
) {
  const toRun = new Map<string, string>();
  const toRecorded = new Map<string, string>();
  const given = new Set<string>();
  /** Recorded values and the names that they had when this run got them, if they moved. */
  const dealt = new Map<string, string>();
  const meant = new Map<string, string>();
  const dealtAs = (recorded: string): string => dealt.get(recorded) ?? recorded;
  let version = 0;
  /** The pseudonyms are of the store's key: which value has which is known, and no order of appearance counts. */
  let isOwnKey = fingerprint !== undefined && pseudonyms !== undefined;
  const isBound = (name: string): boolean => {
    const own = toRun.get(name);
    return own !== undefined && toRecorded.get(own) === name;
  };
  const nameOf = (value: string, hidden: Hidden | undefined): string => {
    const bound = toRecorded.get(value);
    if (bound !== undefined) return bound;
    if (hidden === undefined || known.has(value)) return value;
    const made = hidden === 'secret' ? fingerprint?.(value) : pseudonyms?.[hidden](value);
    if (made === undefined) return value;
    if (hidden !== 'secret' && known.has(made)) isOwnKey = true;
    return toRecorded.get(made) ?? (known.has(made) ? made : value);
  };
  return {
    /** The recorded value that one of this run stands for; itself where it stands for none. */
    recordedOf: (value: string, hidden?: Hidden): string => {
      const name = nameOf(value, hidden);
      return meant.get(name) ?? name;
    },
    /** This run's value for a recorded one; undefined if they are the same. */
    runOf: (recorded: string) => toRun.get(dealtAs(recorded)) ?? dealt.get(recorded),
    /** Whether a value is a recorded one, stands for one, means itself as those of the sandbox do, or is none: no new one. */
    isKnown: (value: string) =>
      value === '' || known.has(value) || toRecorded.has(value) || isFixedIdentifier(value),
    /** Whether another may stand for a recorded value: it means more than itself, and this run neither has it nor another. */
    isOpen: (recorded: string, kind?: PersonalKind): boolean => {
      const name = dealtAs(recorded);
      if (isBound(name)) return false;
      // The client knows the clear values, whatever it was given.
      if (kind !== undefined) return !isOwnKey && isPseudonym(kind, recorded);
      return !given.has(name) && !handed.has(name) && !isFixedIdentifier(recorded);
    },
    bind: (recorded: string, value: string): void => {
      version++;
      const name = dealtAs(recorded);
      toRun.set(name, value);
      toRecorded.set(value, name);
    },
    /** Like `bind`, for the client's own values: the newest counts, and nothing is recognised by them. */
    carry: (recorded: string, value: string): void => {
      const name = dealtAs(recorded);
      if (isBound(name)) return;
      if (name === value) toRun.delete(name);
      else toRun.set(name, value);
    },
    /** A replayed answer held this recorded value: the client has no reason any more to send another. */
    give: (recorded: string): void => void given.add(dealtAs(recorded)),
    /** Replaces each of these recorded values by the one after it: both mean the same everywhere. */
    rename: (values: ReadonlyMap<string, string>): void => {
      version++;
      for (const [name, recorded] of Array.from(values, ([had, has]) => [dealtAs(had), has] as const)) {
        if (recorded === name) {
          dealt.delete(recorded);
          meant.delete(name);
        } else {
          dealt.set(recorded, name);
          meant.set(name, recorded);
        }
      }
    },
    /** Grows with each value that is bound: until then what was translated stays as it is. */
    version: () => version,
    isEmpty: () => toRun.size === 0 && dealt.size === 0,
  };
}
