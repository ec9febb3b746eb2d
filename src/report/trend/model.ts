/** The model of a trend, from which each format is rendered. */
import type { Severity } from '../../rules/index.js';
import type { Answerer, Availability } from '../model.js';

export const CHANGES = ['came', 'open', 'not-tested-since', 'went', 'complied', 'not-tested'] as const;
/**
 * `came`: violated now, and not when it was tested before. `open`: violated now, and before. `not-tested-since`: violated
 * when it was tested last, and not tested in the newest session. `went`: complied with now, and violated before.
 */
export type Change = (typeof CHANGES)[number];

/** A rule in one session. */
export interface TrendCell {
  readonly outcome: 'violated' | 'waived' | 'complied' | 'not-tested' | 'off';
  /** Calls that violated it, and calls that complied. */
  readonly violated: number;
  readonly complied: number;
}

export interface TrendRule {
  readonly rule: string;
  readonly statement: string;
  readonly judges: 'tpp' | 'aspsp';
  /** The gravest of all sessions. */
  readonly severity: Severity;
  readonly change: Change;
  /** Times of the first and the last violation; null: none. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  /** One for each session, in their order. */
  readonly history: readonly TrendCell[];
}

/** Rules by their outcome. */
export interface RuleNumbers {
  readonly mustViolated: number;
  readonly shouldViolated: number;
  readonly complied: number;
  readonly notTested: number;
}

export interface TrendSession {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly exchanges: number;
  /** Exchanges that cannot be read. */
  readonly unreadable: number;
  /** `several`: a bank, and others whose answers say nothing of it. */
  readonly answerer: Answerer;
  readonly profiles: string;
  readonly bankProfiles: string;
  /** Digest of the rules that judged; null: not noted. */
  readonly catalogue: string | null;
  readonly tpp: RuleNumbers;
  readonly aspsp: RuleNumbers;
}

export interface TrendTpp {
  readonly id: string;
  readonly name: string | null;
  readonly exchanges: number;
  readonly rules: readonly TrendRule[];
}

type Figures = Availability['services'][number]['total'];

export interface TrendWeek extends Figures {
  /** The Monday that it began on. */
  readonly week: string;
  readonly service: Availability['services'][number]['service'];
}

export interface TrendAvailability {
  /** Time zone of the days; null: there is no session. */
  readonly zone: string | null;
  /** Weeks with calls that a bank was asked for, by service; the figures are those of a report. */
  readonly weeks: readonly TrendWeek[];
  /** Exchanges of weeks that are too many. */
  readonly omitted: number;
}

export interface Trend {
  readonly format: 'sandgate-trend';
  readonly version: 1;
  readonly head: {
    readonly title: string;
    readonly madeAt: string | null;
    readonly gateway: { readonly name: 'sandgate'; readonly version: string };
    /** A bank, if it answered in one session: of the others, answers are not judged then. */
    readonly answerer: Answerer;
    readonly notes: readonly string[];
  };
  /** By the time of their beginning. */
  readonly sessions: readonly TrendSession[];
  readonly rules: readonly TrendRule[];
  /** Rules that judge a TPP, for each where there are several; only those that it violated. */
  readonly tpps: readonly TrendTpp[];
  readonly availability: TrendAvailability;
}
