/** Bindings: which value of this run stands for which recorded value. */
import { type Fingerprint, isPseudonym, type PersonalKind, type Pseudonyms } from '../../exchange/index.js';
import { isFixedIdentifier } from '../../spec/index.js';

export interface BindingsParts {
  /** Identifiers, codes and tokens that the recorded calls sent. */
  readonly known: ReadonlySet<string>;
  /** Makes a clear secret comparable with a recorded one of the same store. */
  readonly fingerprint: Fingerprint | undefined;
  /** Of the store at hand. The recording is from it where there is a fingerprint too; else the values tell. */
  readonly pseudonyms?: Pseudonyms | undefined;
}

/** How a value is hidden in recordings: as a fingerprint, or by the pseudonym of its kind. */
export type Hidden = 'secret' | PersonalKind;

export interface Bindings {
  /** The recorded value that one of this run stands for; itself where it stands for none. */
  readonly recordedOf: (value: string, hidden?: Hidden) => string;
  /** What this run has instead of a recorded value; undefined where it has the same. */
  readonly runOf: (recorded: string) => string | undefined;
  /** Whether a value is a recorded one, stands for one, means itself as those of the sandbox do, or is none: no new one. */
  readonly isKnown: (value: string) => boolean;
  /** Whether another may stand for a recorded value: it means more than itself, and this run neither has it nor another. */
  readonly isOpen: (recorded: string, kind?: PersonalKind) => boolean;
  readonly bind: (recorded: string, value: string) => void;
  /** As `bind`, but for values of the client's own: the newest counts, and nothing is recognised by them. */
  readonly carry: (recorded: string, value: string) => void;
  /** A replayed answer held this recorded value: the client has no reason any more to send another. */
  readonly give: (recorded: string) => void;
  /** Grows with each value that is bound: until then what was translated stays as it is. */
  readonly version: () => number;
  /** Whether anything differs from the recording so far. */
  readonly isEmpty: () => boolean;
}

export function createBindings({ known, fingerprint, pseudonyms }: BindingsParts): Bindings {
  const toRun = new Map<string, string>();
  const toRecorded = new Map<string, string>();
  const given = new Set<string>();
  let version = 0;
  /** The pseudonyms are of the store's key: which value has which is known, and no order of appearance counts. */
  let isOwnKey = fingerprint !== undefined && pseudonyms !== undefined;
  const isBound = (recorded: string): boolean => {
    const own = toRun.get(recorded);
    return own !== undefined && toRecorded.get(own) === recorded;
  };
  return {
    recordedOf: (value, hidden) => {
      const bound = toRecorded.get(value);
      if (bound !== undefined) return bound;
      if (hidden === undefined || known.has(value)) return value;
      const made = hidden === 'secret' ? fingerprint?.(value) : pseudonyms?.[hidden](value);
      if (made === undefined) return value;
      if (hidden !== 'secret' && known.has(made)) isOwnKey = true;
      return toRecorded.get(made) ?? (known.has(made) ? made : value);
    },
    runOf: (recorded) => toRun.get(recorded),
    isKnown: (value) => value === '' || known.has(value) || toRecorded.has(value) || isFixedIdentifier(value),
    isOpen: (recorded, kind) => {
      if (isBound(recorded)) return false;
      // The client knows the clear values, whatever it was given.
      if (kind !== undefined) return !isOwnKey && isPseudonym(kind, recorded);
      return !given.has(recorded) && !isFixedIdentifier(recorded);
    },
    bind: (recorded, value) => {
      version++;
      toRun.set(recorded, value);
      toRecorded.set(value, recorded);
    },
    carry: (recorded, value) => {
      if (isBound(recorded)) return;
      if (recorded === value) toRun.delete(recorded);
      else toRun.set(recorded, value);
    },
    give: (recorded) => given.add(recorded),
    version: () => version,
    isEmpty: () => toRun.size === 0,
  };
}
