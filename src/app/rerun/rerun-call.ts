/** What became of a recorded call that was sent again. */
import type { Difference, DifferenceClass } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';

/** `same`: no difference; `sent`: only because others need it; the rest is the worst difference. */
export type CallOutcome = DifferenceClass | 'same' | 'sent' | 'skipped';

export interface RerunCall {
  /** From 1, in the order of the recording. */
  readonly number: number;
  readonly exchange: string;
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  /** HTTP status, recorded and now; null where there was no answer. */
  readonly was: number | null;
  readonly now: number | null;
  readonly outcome: CallOutcome;
  /** Why it was skipped, not compared, or not answered. */
  readonly reason?: string;
  /** The worst first. */
  readonly differences: readonly Difference[];
  /** Ms, recorded and now. */
  readonly took: { readonly was: number; readonly now: number };
}
