/** From a finished exchange to the store: redacted, queued, and committed together with all of the same turn. */

import {
  type Call,
  createRedactor,
  type Exchange,
  type Fingerprint,
  type Pseudonyms,
  type Redacted,
} from '../exchange/index.js';
import type { Judged } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import {
  type Awaitable,
  type KeptChange,
  type NotedSession,
  type RecordedExchange,
  type SessionNote,
  type Store,
  StoreBusy,
} from '../store/index.js';
import { type AvailabilityParts, createAvailability, type Timer } from './availability.js';
import { redactChange, redactRecord } from './redact-record.js';

export interface RecorderParts extends Pick<AvailabilityParts, 'onDown' | 'onUp'> {
  readonly store: Pick<Store, 'append' | 'check'>;
  readonly fingerprint: Fingerprint;
  /** Where given, people are not to be recognised in what is kept. */
  readonly pseudonyms?: Pseudonyms | undefined;
  readonly timer: Timer;
  /** So many exchanges at most wait for the end of a turn; 1,000 by default. */
  readonly maxWaiting?: number;
  /** `relaxed`: whoever gives an exchange does not wait until it is kept. */
  readonly durability?: 'process' | 'power' | 'relaxed';
}

type Findings = Pick<Judged, 'verdicts' | 'findings'>;

export interface Recorder {
  /**
   * Why nothing can be kept now; null where it can. While there is a problem nothing that is given is kept, or tried:
   * it ends by itself, soon after its cause.
   */
  readonly problem: () => SandgateError | null;
  /** The same by a try now; for who asks now and then. */
  readonly probe: () => Awaitable<SandgateError | null>;
  /** As `take`, for an exchange that is about to be sent on: what it is given later is its end. */
  readonly begin: (exchange: Exchange, judged: Findings) => Promise<void>;
  /**
   * Resolves when the exchange is in the store, rejects with a SandgateError when it could not be kept. What it is
   * given is redacted at once; nothing clear waits. `onLost` is called before the rejection; of several that are lost
   * together, that of the latest first: what follows from an exchange counts only once it is kept.
   */
  readonly take: (
    exchange: Exchange,
    judged: Findings,
    changes?: readonly KeptChange[],
    onLost?: () => void,
  ) => Promise<void>;
  /** As `take`, for changes that follow from the time alone. */
  readonly remember: (changes: readonly KeptChange[], onLost?: () => void) => Promise<void>;
  /**
   * As `take`, for what somebody changes without an exchange: the note says who did what, and is kept with the changes
   * or not at all. Waits until it is kept, whatever others wait for.
   */
  readonly change: (
    session: string,
    note: SessionNote,
    changes: readonly KeptChange[],
    onLost?: () => void,
  ) => Promise<void>;
  /** Kept with the exchanges of its turn; where these are lost, with the next ones that are kept. */
  readonly note: (session: string, note: SessionNote) => void;
  /** How many exchanges wait to be kept. */
  readonly waiting: () => number;
  /** Resolves when nothing waits any more. */
  readonly drain: () => Promise<void>;
  /** Looks after the store no more. */
  readonly close: () => void;
}

/** All that is taken in one turn of the event loop shares one transaction, and one promise. */
interface Waiting {
  readonly batch: {
    readonly notes: NotedSession[];
    readonly begun: RecordedExchange[];
    readonly records: RecordedExchange[];
    readonly changes: KeptChange[];
  };
  /** Those of the notes that say what the changes are: they are lost with them. */
  readonly bound: Set<NotedSession>;
  readonly onLost: (() => void)[];
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: SandgateError) => void;
  /** How often another process held the store. */
  tries: number;
}

/** Another process that writes is waited for so often, so many ms each time: about a second. */
const BUSY_TRIES = 25;
const BUSY_MS = 40;
/** Notes are few; those of a gateway whose store is gone for ever must not fill its memory. */
const MOST_NOTES = 1_000;

const DONE = Promise.resolve();
const ignore = (): void => {};

export function createRecorder(parts: RecorderParts): Recorder {
  const { store, fingerprint, pseudonyms, timer, maxWaiting = 1_000, durability = 'process' } = parts;
  const redact = createRedactor(fingerprint);
  const availability = createAvailability({ ...parts, asFault });
  let lostNotes: readonly NotedSession[] = [];
  let waiting: Waiting | null = null;
  /** Of calls that were sent on and have not ended; a weak entry that is left to itself outlives many young collections. */
  const begun = new WeakMap<Call, Redacted>();

  /** Given to the store, which has not acknowledged it: one at a time, in order. */
  let writing: Waiting | null = null;

  /** What was judged meanwhile rests on what is lost now: it goes with it, the latest first. */
  const lose = (fault: SandgateError): void => {
    const lost = [writing, waiting].filter((one) => one !== null);
    writing = null;
    waiting = null;
    lostNotes = lost
      .flatMap(({ batch, bound }) => batch.notes.filter((note) => !bound.has(note)))
      .slice(-MOST_NOTES);
    for (const undo of lost.flatMap(({ onLost }) => onLost).reverse()) undo();
    for (const { reject } of lost) reject(fault);
    availability.fail(fault);
  };

  const write = (): void => {
    if (writing === null) return;
    try {
      const kept = store.append(writing.batch);
      if (kept instanceof Promise) kept.then(onKept, onFailed);
      else onKept();
    } catch (error) {
      onFailed(error);
    }
  };

  const onKept = (): void => {
    writing?.resolve();
    writing = null;
    flush();
  };

  const onFailed = (error: unknown): void => {
    if (writing !== null && error instanceof StoreBusy && ++writing.tries <= BUSY_TRIES)
      timer.after(BUSY_MS, write);
    else lose(asFault(error));
  };

  const flush = (): void => {
    if (writing !== null || waiting === null) return;
    writing = waiting;
    waiting = null;
    write();
  };

  const open = (): Waiting => {
    if (waiting !== null) return waiting;
    waiting = openWaiting(lostNotes);
    lostNotes = [];
    setImmediate(flush);
    return waiting;
  };

  function queue(which: 'begun' | 'records', exchange: Exchange, judged: Findings): Waiting {
    const { call } = exchange;
    const redacted = redact(exchange, begun.get(call));
    if (which === 'begun') begun.set(call, redacted);
    else begun.delete(call);
    const record = redactRecord(redacted, judged, pseudonyms);
    const current = open();
    current.batch[which].push(record);
    return current;
  }

  /** Full: whoever comes now waits for the commit of those before it, which is done here and now where it can be. */
  function promiseOf(current: Waiting): Promise<void> {
    const isFull = current.batch.records.length >= maxWaiting;
    if (isFull) flush();
    return durability === 'relaxed' && !(isFull && current === waiting) ? DONE : current.kept;
  }

  function keep(
    enter: () => Waiting,
    changes: readonly KeptChange[],
    onLost: (() => void) | undefined,
    until = promiseOf,
  ): Promise<void> {
    const problem = availability.problem();
    if (problem !== null) {
      onLost?.();
      return Promise.reject(problem);
    }
    const current = enter();
    if (onLost !== undefined) current.onLost.push(onLost);
    for (const change of changes) current.batch.changes.push(redactChange(change, pseudonyms));
    return until(current);
  }

  return {
    problem: availability.problem,
    probe: availability.probe,
    begin: (exchange, judged) => {
      const problem = availability.problem();
      return problem === null ? promiseOf(queue('begun', exchange, judged)) : Promise.reject(problem);
    },
    take: (exchange, judged, changes = [], onLost) =>
      keep(() => queue('records', exchange, judged), changes, onLost),
    remember: (changes, onLost) => keep(open, changes, onLost),
    change: (session, note, changes, onLost) => {
      const enter = (): Waiting => {
        const current = open();
        const noted = { session, note };
        current.batch.notes.push(noted);
        current.bound.add(noted);
        return current;
      };
      return keep(enter, changes, onLost, ({ kept }) => kept);
    },
    note: (session, note) => {
      const entry = { session, note };
      if (availability.problem() === null) open().batch.notes.push(entry);
      else if (lostNotes.length < MOST_NOTES) lostNotes = [...lostNotes, entry];
    },
    waiting: () => (writing?.batch.records.length ?? 0) + (waiting?.batch.records.length ?? 0),
    drain: () => {
      const kept = (waiting ?? writing)?.kept ?? DONE;
      flush();
      return kept.catch(ignore);
    },
    close: availability.close,
  };
}

function openWaiting(notes: readonly NotedSession[]): Waiting {
  let resolve: () => void = ignore;
  let reject: (error: SandgateError) => void = ignore;
  const kept = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Where all clients of a turn are gone, nobody looks at the promise; the fault was told all the same.
  kept.catch(ignore);
  const batch = { notes: [...notes], begun: [], records: [], changes: [] };
  return { batch, bound: new Set(), onLost: [], kept, resolve, reject, tries: 0 };
}

function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why: told }, { cause: error });
}
