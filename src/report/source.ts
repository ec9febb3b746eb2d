/** Facts about a recording that a report needs before its exchanges, judged and redacted. */
import type { GatewayNote, SessionNote } from '../exchange/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Rule } from '../rules/index.js';
import type { RecordedExchange } from '../store/index.js';
import type { Caps, Judging, Recipe, Report, Statistics } from './model.js';

export interface ReportSource {
  readonly kind: Report['head']['recording']['kind'];
  readonly name: string;
  readonly session: string | null;
  readonly notes: readonly SessionNote[];
  readonly clockNotes: readonly SessionNote[];
  readonly skipped: Readonly<Record<string, number>>;
  /** Called once for each exchange, in order. */
  readonly ledgerAfter: (record: RecordedExchange) => Ledger;
  /** One for all calls, or one for each period of the settings in force, in order. */
  readonly judgings: readonly Judging[];
  readonly inForce: readonly GatewayNote['settings'][];
  /** Own rules that it was judged by, as far as they are loaded. */
  readonly ownRules: readonly Rule[];
  readonly rejudged: boolean;
  readonly host: string | null;
  readonly earlier: { readonly sessions: readonly string[]; readonly leftAside: number };
  readonly evidence: EvidenceSource;
  readonly unfinished?: readonly string[];
  readonly remarks: readonly string[];
}

export interface ReportOptions {
  readonly version: string;
  /** ISO 8601; without it nothing in the report depends on when it is made. */
  readonly madeAt?: string | undefined;
  readonly title?: string | undefined;
  readonly purpose?: string | undefined;
  readonly preparedBy?: string | undefined;
  readonly madeFor?: string | undefined;
  /** Only exchanges of this TPP, and nothing of the others. */
  readonly tpp?: string | undefined;
  readonly baseline?: { readonly name: string; readonly report: Report };
  readonly caps?: Partial<Caps>;
  readonly statistics?: Statistics | undefined;
}

export type EvidenceSource =
  | {
      readonly kind: 'chain';
      readonly head: string | null;
      readonly links: number;
      readonly entries: number;
      readonly end: string;
      readonly chains: Report['evidence']['chains'];
      readonly removed: Report['evidence']['removed'];
      readonly isImported: boolean;
      readonly witness: Report['evidence']['witness'];
    }
  | { readonly kind: 'file'; readonly digest: string };

export const recipeOf = (judgings: readonly Judging[]): Pick<Recipe, 'judging' | 'judgings'> => ({
  judging: judgings.at(-1) as Judging,
  ...(judgings.length > 1 ? { judgings: [...judgings] } : {}),
});
