/** What came of a rerun: of each recorded call, and of all of them. */
import type { Difference, DifferenceClass } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';
import type { LearnedNoise } from './noise.js';
import type { OperatorReport } from './operator-actions.js';

/** `same`: no difference; `sent`: not compared, because others need it; `skipped`: not sent, or nothing to compare it with. */
export type CallOutcome = DifferenceClass | 'same' | 'sent' | 'skipped';

/** In the order in which they matter. */
export const OUTCOMES = [
  'breaking',
  'additive',
  'value',
  'noise',
  'same',
  'sent',
  'skipped',
] as const satisfies readonly CallOutcome[];

export interface RerunCall {
  readonly number: number;
  /** Where a connection was cut and the call went out once more: which of the two this is. */
  readonly attempt?: 1 | 2;
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
  readonly differences: readonly Difference[];
  /** Ms, recorded and now. */
  readonly took: { readonly was: number; readonly now: number };
}

export interface RerunReport {
  readonly recording: string;
  readonly against: string;
  readonly at: string;
  readonly calls: readonly RerunCall[];
  /** How many requests left: more than calls where some were sent twice. */
  readonly requests: number;
  readonly counts: Readonly<Record<CallOutcome, number>>;
  /** What operators did to the bank while it was recorded. */
  readonly operators: OperatorReport;
  /** null where no noise was to be learned. */
  readonly learned: LearnedNoise | null;
}

export function differenceText({ class: kind, what, place, was, now }: Difference): string {
  return `${kind}  ${place}: ${changeText(what, was, now)}`;
}

function changeText(what: Difference['what'], was: string, now: string): string {
  if (what === 'added') return `new: ${told(now)}`;
  if (what === 'gone') return now === '' ? `gone, it was ${told(was)}` : `gone, it was ${told(was)}: ${now}`;
  return `${told(was)} → ${told(now)}`;
}

const told = (text: string): string => (text === '' ? '(empty)' : text);
