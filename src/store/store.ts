/** The port behind which sessions, exchanges, verdicts and the ledger are kept. */
import type { Exchange } from '../exchange/index.js';
import type { LedgerChange } from '../ledger/index.js';
import type { Finding, Verdicts } from '../rules/index.js';

/** An exchange as it is kept: redacted, with what was judged of it. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  readonly verdicts: Verdicts;
  readonly findings: readonly Finding[];
}

export interface SessionInfo {
  readonly name: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly exchanges: number;
  /** Hash of the newest link of its chain, hex. */
  readonly head: string;
  /** Settings of the gateway and their changes, in order. */
  readonly notes: readonly SessionNote[];
}

/** An entry in a session beside its exchanges: start with its settings, a change of a switch. */
export interface SessionNote {
  readonly at: number;
  readonly kind: 'started' | 'changed' | 'stopped' | 'imported';
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ReadOptions {
  /** Only exchanges with an id greater than this. */
  readonly after?: string;
  readonly limit?: number;
}

export interface Batch {
  readonly records: readonly RecordedExchange[];
  /** Changes in order; of several for one key the last counts. */
  readonly changes: readonly LedgerChange[];
}

export interface Store {
  /** Secret of this store for fingerprints; 32 bytes, made with the store. */
  readonly fingerprintKey: Uint8Array;
  /** All of a batch or nothing; when it returns, it survives kill -9. */
  append(batch: Batch): void;
  note(session: string, note: SessionNote): void;
  sessions(): SessionInfo[];
  /** In the order of recording; streams, so that a large session never lies in memory. */
  read(session: string, options?: ReadOptions): IterableIterator<RecordedExchange>;
  find(exchangeId: string): RecordedExchange | null;
  ledger(): IterableIterator<LedgerChange>;
  remove(session: string): number;
  close(): void;
}
