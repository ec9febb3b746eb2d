/** What a session consists of: exchanges with what was judged of them, and notes. */
import type { Exchange } from '../exchange/index.js';
import type { Finding, Verdicts } from '../rules/index.js';

/** An exchange as it is kept: redacted, with what was judged of it. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  readonly verdicts: Verdicts;
  readonly findings: readonly Finding[];
}

/** An entry in a session beside its exchanges: its start with its settings, a change of a switch, a move of the clock, what was done to the bank, what a shadow answered, a mark that the operator set. */
export interface SessionNote {
  readonly at: number;
  readonly kind: 'started' | 'changed' | 'clock' | 'bank' | 'stopped' | 'imported' | 'shadow' | 'mark';
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A note by which a session is witnessed: signed checkpoints of its chain, and time stamps of these. */
export interface EvidenceNote {
  readonly at: number;
  readonly kind: 'checkpoint' | 'timestamp';
  readonly settings: Readonly<Record<string, unknown>>;
}
