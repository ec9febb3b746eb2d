/** What came of a rerun: of each recorded call, and of all of them. */
import type { Difference, DifferenceClass } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';
import type { HistoryReport } from './history-file.js';
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

/** `since`: when a run with the same history first saw it (ISO 8601); null in the first of these runs, absent without history. */
export type DatedDifference = Difference & { readonly since?: string | null };

/** A known difference fails no run. */
export const isBreak = ({ class: kind, since }: DatedDifference): boolean =>
  kind === 'breaking' && since == null;

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
  readonly differences: readonly DatedDifference[];
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
  /** Absent where none is kept. */
  readonly history?: HistoryReport;
}

export function differenceText({ class: kind, what, place, was, now, since }: DatedDifference): string {
  return `${kind}  ${place}: ${changeText(what, was, now)}${sinceText(since)}`;
}

export const sinceText = (since: DatedDifference['since']): string =>
  since === undefined ? '' : since === null ? ' (new)' : ` (known since ${since.slice(0, 10)})`;

function changeText(what: Difference['what'], was: string, now: string): string {
  if (what === 'added') return `new: ${told(now)}`;
  if (what === 'gone') return now === '' ? `gone, it was ${told(was)}` : `gone, it was ${told(was)}: ${now}`;
  return `${told(was)} → ${told(now)}`;
}

const told = (text: string): string => (text === '' ? '(empty)' : text);

/** Counts what the history says; nothing where none is kept. */
export function historyText({ history }: RerunReport): string {
  return history === undefined
    ? ''
    : ` Since the runs before: ${history.new} new, ${history.known} known, ${history.gone.length} gone.`;
}

/** A line for each difference that is no more. */
export const goneTexts = ({ history }: RerunReport): string[] =>
  (history?.gone ?? []).map(({ operation, class: kind, place, what, change = what, first }) => {
    return `${kind}  ${operation} ${place}: ${change}, seen from ${first.slice(0, 10)}`;
  });
