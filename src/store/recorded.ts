/** The contents of a session: exchanges with their findings, and notes. */
import type { Exchange, StepNote } from '../exchange/index.js';
import type { Finding, Verdicts } from '../rules/index.js';

/** An exchange as it is kept: redacted, with what was judged of it. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  readonly verdicts: Verdicts;
  readonly findings: readonly Finding[];
  /** See `FileRecord`. */
  readonly steps?: readonly StepNote[];
}

/** A note of the chain that is made outside the store: signed checkpoints, time stamps of these, and erasures. */
export interface EvidenceNote {
  readonly at: number;
  readonly kind: 'checkpoint' | 'timestamp' | 'erased';
  readonly settings: Readonly<Record<string, unknown>>;
}
