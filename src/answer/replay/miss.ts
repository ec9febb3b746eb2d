/** A miss: a call that the recording has no answer to, with the reason in words and values. */
import type { MatchPlace } from './match-table.js';

export interface MissDifference {
  readonly place: MatchPlace;
  readonly expected: string;
  readonly got: string;
}

export type MissKind =
  /** The recording has no call of this operation, or of this path. */
  | 'not-recorded'
  | 'differs'
  | 'used-up'
  /** Recorded only after, or only before, a write that this run has not made, or has made. */
  | 'too-early'
  | 'too-late'
  | 'incomplete';

/** A sentence with the command that records a call of this kind. */
export type HowToRecord = (kind: MissKind) => string;

export interface Miss {
  readonly kind: MissKind;
  readonly at: number;
  readonly exchange: string;
  readonly method: string;
  readonly path: string;
  /** All of it in a few sentences: the rules that the call breaks first, then what differs, and how it is recorded. */
  readonly text: string;
  /** Rules that the call breaks, as `rule: what is wrong`; where another call was recorded, or none. */
  readonly breaks: readonly string[];
  readonly closest: {
    readonly exchange: string;
    readonly method: string;
    readonly path: string;
    /** Where it stands in the file; null where the recording is no file of lines. */
    readonly line: number | null;
    readonly differences: readonly MissDifference[];
  } | null;
  /** A code, token or consent that the replay did not give out: it is refused as a bank would refuse it. */
  readonly unknown: MatchPlace | null;
  /** What the flow needed first; null where nothing is known of it. */
  readonly needs: string | null;
  /** The next source of the chain was asked. */
  readonly handedOn: boolean;
}
