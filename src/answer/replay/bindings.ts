/** What stands for what: values of this run, and the recorded ones whose place they take. */
import type { Fingerprint } from '../../exchange/index.js';

export interface BindingsParts {
  /** Identifiers, codes and tokens that the recorded calls sent. */
  readonly known: ReadonlySet<string>;
  /** Makes a clear secret comparable with a recorded one of the same store. */
  readonly fingerprint: Fingerprint | undefined;
}

export interface Bindings {
  /** The recorded value that one of this run stands for; itself where it stands for none. */
  readonly recordedOf: (value: string, isSecret: boolean) => string;
  /** What this run has instead of a recorded value; undefined where it has the same. */
  readonly runOf: (recorded: string) => string | undefined;
  /** Whether a value that nobody has seen may stand for a recorded one that this run was not given. */
  readonly mayBind: (recorded: string, value: string) => boolean;
  readonly bind: (recorded: string, value: string) => void;
  /** As `bind`, but for values of the client's own: the newest counts, and nothing is recognised by them. */
  readonly carry: (recorded: string, value: string) => void;
  /** A replayed answer held this recorded value: the client has no reason any more to send another. */
  readonly give: (recorded: string) => void;
  /** Whether anything differs from the recording so far. */
  readonly isEmpty: () => boolean;
}

export function createBindings({ known, fingerprint }: BindingsParts): Bindings {
  const toRun = new Map<string, string>();
  const toRecorded = new Map<string, string>();
  const given = new Set<string>();
  return {
    recordedOf: (value, isSecret) => {
      const bound = toRecorded.get(value);
      if (bound !== undefined) return bound;
      if (!isSecret || known.has(value) || fingerprint === undefined) return value;
      const made = fingerprint(value);
      return toRecorded.get(made) ?? (known.has(made) ? made : value);
    },
    runOf: (recorded) => toRun.get(recorded),
    mayBind: (recorded, value) =>
      !known.has(value) && !given.has(recorded) && !toRun.has(recorded) && !toRecorded.has(value),
    bind: (recorded, value) => {
      toRun.set(recorded, value);
      toRecorded.set(value, recorded);
    },
    carry: (recorded, value) => {
      const bound = toRun.get(recorded);
      if (bound !== undefined && toRecorded.has(bound)) return;
      if (recorded === value) toRun.delete(recorded);
      else toRun.set(recorded, value);
    },
    give: (recorded) => given.add(recorded),
    isEmpty: () => toRun.size === 0,
  };
}
