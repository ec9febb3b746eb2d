/** From a finished exchange to the store: redacted, queued, and committed together with all of the same turn. */
import type { Exchange, Fingerprint, Pseudonyms } from '../exchange/index.js';
import type { LedgerChange } from '../ledger/index.js';
import type { Judged } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange, Store } from '../store/index.js';
import { redactChange, redactRecord } from './redact-record.js';

export interface RecorderParts {
  readonly store: Pick<Store, 'append'>;
  readonly fingerprint: Fingerprint;
  /** Where given, people are not to be recognised in what is kept. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Told once for each batch that could not be kept. */
  readonly onFault: (error: SandgateError) => void;
  /** So many exchanges at most wait for the end of a turn; 1,000 by default. */
  readonly maxWaiting?: number;
  /** `relaxed`: whoever gives an exchange does not wait until it is kept. */
  readonly durability?: 'process' | 'power' | 'relaxed';
}

export interface Recorder {
  /**
   * Resolves when the exchange is in the store, rejects with a SandgateError when it could not be kept. What it is
   * given is redacted at once; nothing clear waits. `onLost` is called before the rejection; of several that are lost
   * together, that of the latest first: what follows from an exchange counts only once it is kept.
   */
  readonly take: (
    exchange: Exchange,
    judged: Pick<Judged, 'verdicts' | 'findings'>,
    changes?: readonly LedgerChange[],
    onLost?: () => void,
  ) => Promise<void>;
  /** How many exchanges wait to be kept. */
  readonly waiting: () => number;
  /** Resolves when nothing waits any more. */
  readonly drain: () => Promise<void>;
}

/** All that is taken in one turn of the event loop shares one transaction, and one promise. */
interface Waiting {
  readonly records: RecordedExchange[];
  readonly changes: LedgerChange[];
  readonly onLost: (() => void)[];
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: SandgateError) => void;
}

const DONE = Promise.resolve();
const ignore = (): void => {};

export function createRecorder(parts: RecorderParts): Recorder {
  const { store, fingerprint, pseudonyms, onFault, maxWaiting = 1_000, durability = 'process' } = parts;
  let waiting: Waiting | null = null;

  const flush = (): void => {
    if (waiting === null) return;
    const { records, changes, onLost, resolve, reject } = waiting;
    waiting = null;
    try {
      store.append({ records, changes });
    } catch (error) {
      const fault = asFault(error);
      for (const undo of onLost.reverse()) undo();
      reject(fault);
      onFault(fault);
      return;
    }
    resolve();
  };

  return {
    take: (exchange, judged, changes = [], onLost) => {
      const record = redactRecord(exchange, judged, fingerprint, pseudonyms);
      if (waiting === null) {
        waiting = openWaiting();
        setImmediate(flush);
      }
      if (onLost !== undefined) waiting.onLost.push(onLost);
      const { records, kept } = waiting;
      records.push(record);
      for (const change of changes) waiting.changes.push(redactChange(change, pseudonyms));
      // Full: whoever comes now waits for the commit of those before it, which is done here and now.
      if (records.length >= maxWaiting) flush();
      return durability === 'relaxed' ? DONE : kept;
    },
    waiting: () => waiting?.records.length ?? 0,
    drain: () => {
      const kept = waiting?.kept ?? DONE;
      flush();
      return kept.catch(ignore);
    },
  };
}

function openWaiting(): Waiting {
  let resolve: () => void = ignore;
  let reject: (error: SandgateError) => void = ignore;
  const kept = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Where all clients of a turn are gone, nobody looks at the promise; the fault was told all the same.
  kept.catch(ignore);
  return { records: [], changes: [], onLost: [], kept, resolve, reject };
}

function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('internal', `The exchanges could not be recorded: ${told}.`, { cause: error });
}
