/** The options of a replay. */
import type { OperationId } from '../../spec/index.js';

export const MATCH_PRESETS = ['strict', 'psd2', 'loose'] as const;
export type MatchPreset = (typeof MATCH_PRESETS)[number];

/**
 * How a value of a call is held against the recorded one. `equal`: by meaning. `bind`: equal, or one that stands for the
 * recorded one from now on. `date`: equal once the recording is moved to today. `present`: there or not there. `free`:
 * any, carried into the answers. `ignore`: any.
 */
export const COMPARISONS = ['equal', 'bind', 'date', 'present', 'free', 'ignore'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** After the last recorded answer of a call: explain a miss, give the last again, or ask the next source. */
export const AFTER_LAST = ['error', 'repeat', 'next'] as const;
export type AfterLast = (typeof AFTER_LAST)[number];

export interface MatchOverride {
  readonly preset?: MatchPreset | undefined;
  readonly afterLast?: AfterLast | undefined;
  /** By place: `query dateFrom`, `header consent-id`, `form scope`, `body amount`, `path accountId`. */
  readonly places?: Readonly<Record<string, Comparison>> | undefined;
}

export interface ReplayOptions {
  readonly match: MatchPreset;
  readonly overrides?: Readonly<Partial<Record<OperationId, MatchOverride>>> | undefined;
  /** `shift`: dates move by whole days, so that the day of the recording is today. */
  readonly dates: 'shift' | 'keep';
  /** Factor on the recorded times; 0 answers at once. */
  readonly latency: number;
  readonly afterLast: AfterLast;
}
