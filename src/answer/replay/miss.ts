/** A call that the recording has no answer to, with the reason in words and in values. */

export interface MissDifference {
  /** `query dateFrom`, `body instructedAmount.amount`. */
  readonly place: string;
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
  /** The recorded answer is there in part only. */
  | 'incomplete';

export interface Miss {
  readonly kind: MissKind;
  /** Epoch ms. */
  readonly at: number;
  /** Of the call that found nothing. */
  readonly exchange: string;
  readonly method: string;
  readonly path: string;
  /** All of it in a sentence or two. */
  readonly text: string;
  readonly closest: {
    readonly exchange: string;
    readonly method: string;
    readonly path: string;
    readonly differences: readonly MissDifference[];
  } | null;
  /** What the flow needed first; null where nothing is known of it. */
  readonly needs: string | null;
  /** The next source of the chain was asked. */
  readonly handedOn: boolean;
}
