/** From a finished exchange to the store: redacted, queued, and committed together with all of the same turn. */

import {
  type Call,
  createRedactor,
  type Exchange,
  type Fingerprint,
  type Pseudonyms,
  type Redacted,
  type SessionNote,
} from '../exchange/index.js';
import type { Judged } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import {
  type Awaitable,
  after,
  type Batch,
  COMMON_WORLD,
  type KeptChange,
  type Moved,
  type NotedSession,
  type RecordedExchange,
  type Rest,
  type Store,
  StoreBusy,
  StoreMoved,
  StoreUncertain,
  type WorldHeader,
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
  /** Other gateways that write to the same store; absent where there can be none. */
  readonly others?: Others | undefined;
}

/** What is known of what other gateways do. */
export interface Others {
  /** How far that is known which something rests on: worlds, and partitions in them. */
  readonly restsOf: (looked: ReadonlyMap<string, ReadonlySet<string>>) => readonly Rest[];
  readonly kept: (batch: Batch) => void;
  /** Reads what moved. What it gives applies it at once, where nothing is waiting to be kept or taken back. */
  readonly catchUp: (moved: readonly Moved[]) => Awaitable<() => void>;
}

/** What something that is to be kept rests on beside the places of its changes. */
export interface Resting {
  readonly world: string;
  readonly partitions: Iterable<string>;
  /** The world's from now on. */
  readonly header?: WorldHeader;
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
  readonly begin: (
    exchange: Exchange,
    judged: Findings,
    changes?: readonly KeptChange[],
    onLost?: () => void,
    resting?: Resting,
  ) => Promise<void>;
  /**
   * Resolves when the exchange is in the store, rejects with a SandgateError when it could not be kept. What it is
   * given is redacted at once; nothing clear waits. `onLost` is called before the rejection; of several that are lost
   * together, that of the latest first: what follows from an exchange counts only once it is kept. Rejects with a
   * StoreMoved where another gateway moved on what it rests on, and that is known now: it is to be judged anew, and given
   * again. What rests on nothing is given again here.
   */
  readonly take: (
    exchange: Exchange,
    judged: Findings,
    changes?: readonly KeptChange[],
    onLost?: () => void,
    resting?: Resting,
  ) => Promise<void>;
  /** As `take`, for changes that follow from the time alone. */
  readonly remember: (
    changes: readonly KeptChange[],
    onLost?: () => void,
    resting?: Resting,
  ) => Promise<void>;
  /**
   * As `take`, for what somebody changes without an exchange: the note says who did what, and is kept with the changes
   * or not at all. Waits until it is kept, whatever others wait for.
   */
  readonly change: (
    session: string,
    note: SessionNote,
    changes: readonly KeptChange[],
    onLost?: () => void,
    resting?: Resting,
  ) => Promise<void>;
  /**
   * What other gateways changed in a world counts from now on, or soon; not while something waits to be kept. With the home
   * of something that is not known here, which it waits for: what waits to be kept meanwhile is judged anew.
   */
  readonly catchUp: (world: string, home?: string) => Awaitable<void>;
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
    readonly headers: { readonly world: string; readonly header: WorldHeader }[];
  };
  /** What all of it rests on, by world; where there are other gateways. */
  readonly looked: Map<string, Set<string>>;
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
  const { store, fingerprint, pseudonyms, timer, others, maxWaiting = 1_000 } = parts;
  // Before it is kept, nobody knows whether it is to be judged anew.
  const isRelaxed = parts.durability === 'relaxed' && others === undefined;
  const redact = createRedactor(fingerprint);
  const availability = createAvailability({ ...parts, asFault });
  let lostNotes: readonly NotedSession[] = [];
  let waiting: Waiting | null = null;
  /** Of calls that were sent on and have not ended; a weak entry that is left to itself outlives many young collections. */
  const begun = new WeakMap<Call, Redacted>();

  /** Given to the store, which has not acknowledged it: one at a time, in order. */
  let writing: Waiting | null = null;

  /** It is being read what others changed: nothing is written until that is known. */
  let isCatching = false;

  /** What was judged meanwhile rests on what is taken back now: it goes with it, the latest first. */
  const takeBack = (): readonly Waiting[] => {
    const lost = [writing, waiting].filter((one) => one !== null);
    writing = null;
    waiting = null;
    const notes = lost.flatMap(({ batch, bound }) => batch.notes.filter((note) => !bound.has(note)));
    lostNotes = [...lostNotes, ...notes].slice(-MOST_NOTES);
    for (const undo of lost.flatMap(({ onLost }) => onLost).reverse()) undo();
    return lost;
  };

  /** Only of what the store was given it may be unknown whether it was kept. */
  const lose = (fault: SandgateError): void => {
    const given = writing;
    const cause = fault instanceof StoreUncertain ? fault.lost : fault;
    for (const one of takeBack()) one.reject(one === given ? fault : cause);
    availability.fail(cause);
  };

  const write = (): void => {
    if (writing === null) return;
    const { batch, looked } = writing;
    const given: Batch = others === undefined ? batch : { ...batch, rests: others.restsOf(looked) };
    try {
      const kept = store.append(given);
      if (kept instanceof Promise) kept.then(() => onKept(given), onFailed);
      else onKept(given);
    } catch (error) {
      onFailed(error);
    }
  };

  const onKept = (batch: Batch): void => {
    others?.kept(batch);
    keptCount += 1;
    writing?.resolve();
    writing = null;
    flush();
  };

  const onFailed = (error: unknown): void => {
    if (writing !== null && error instanceof StoreBusy && ++writing.tries <= BUSY_TRIES)
      timer.after(BUSY_MS, write);
    else if (error instanceof StoreMoved && others !== undefined) judgeAnew(error, others);
    else lose(asFault(error));
  };

  /** Catches up with what somebody waits for. */
  let asked: { readonly moved: Moved; readonly done: () => void }[] = [];
  const catchUpFirst = (from: Others): void => {
    const now = asked;
    asked = [];
    judgeAnew(new StoreMoved(now.map(({ moved }) => moved)), from, () => {
      for (const { done } of now) done();
    });
  };

  /** All of it is taken back before anything of others is applied: each undoes what it found. */
  const judgeAnew = (moved: StoreMoved, from: Others, done = ignore): void => {
    const lost = [...takeBack()];
    const apply = (caught: () => void): void => {
      lost.push(...takeBack());
      isCatching = false;
      caught();
      for (const { reject } of lost) reject(moved);
      done();
      flush();
    };
    const fail = (error: unknown): void => {
      isCatching = false;
      done();
      const fault = asFault(error);
      for (const { reject } of lost) reject(fault);
      lose(fault);
    };
    isCatching = true;
    try {
      const caught = from.catchUp(moved.moved);
      if (caught instanceof Promise) caught.then(apply, fail);
      else apply(caught);
    } catch (error) {
      fail(error);
    }
  };

  const isIdle = (): boolean => !isCatching && writing === null && waiting === null;

  /** Worlds that are being read in passing. */
  const reading = new Set<string>();
  /** How many batches were kept. */
  let keptCount = 0;

  const catchUp: Recorder['catchUp'] = (world, home) => {
    if (others === undefined) return;
    if (home !== undefined && !isIdle())
      return new Promise((done) => {
        asked.push({ moved: { world, partitions: [home] }, done });
        flush();
      });
    // Calls that wait to be kept are found out by what they rest on.
    if (!isIdle() || (home === undefined && reading.has(world))) return;
    const before = keptCount;
    const applyIdle = (apply: () => void): Awaitable<void> => {
      // What was read before something was kept here may lack that.
      if (isIdle() && keptCount === before) apply();
      else if (home !== undefined) return catchUp(world, home);
    };
    const done = (): void => void reading.delete(world);
    reading.add(world);
    try {
      const moved = [{ world, partitions: home === undefined ? [] : [home] }];
      const caught = after(others.catchUp(moved), applyIdle);
      // A store that fails is noticed by whoever writes.
      if (caught instanceof Promise) return caught.catch(ignore).finally(done);
    } catch {}
    done();
    return undefined;
  };

  const flush = (): void => {
    if (isCatching || writing !== null) return;
    if (asked.length > 0 && others !== undefined) catchUpFirst(others);
    if (isCatching || waiting === null) return;
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
    return isRelaxed && !(isFull && current === waiting) ? DONE : current.kept;
  }

  function keep(
    enter: () => Waiting,
    changes: readonly KeptChange[],
    onLost: (() => void) | undefined,
    resting: Resting | undefined,
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
    const kept = until(current);
    if (others === undefined) return kept;
    if (resting !== undefined) {
      rest(current, resting, changes);
      return kept;
    }
    // It rests on nothing: whatever others changed, it is as right as it was.
    const again = kept.catch((error) => {
      if (!(error instanceof StoreMoved)) throw error;
      return keep(enter, changes, onLost, resting, until);
    });
    again.catch(ignore);
    return again;
  }

  function rest(
    { batch, looked }: Waiting,
    { world, partitions, header }: Resting,
    changes: readonly KeptChange[],
  ): void {
    const inWorld = looked.get(world) ?? new Set<string>();
    looked.set(world, inWorld);
    for (const partition of partitions) inWorld.add(partition);
    for (const change of changes) {
      if ('step' in change) continue;
      if (change.home !== undefined) inWorld.add(change.home);
      for (const tag of change.tags ?? []) inWorld.add(tag);
    }
    // The stance, the source, the session: what holds for all gateways.
    if (!looked.has(COMMON_WORLD)) looked.set(COMMON_WORLD, new Set());
    if (header !== undefined) batch.headers.push({ world, header });
  }

  return {
    problem: availability.problem,
    probe: availability.probe,
    begin: (exchange, judged, changes = [], onLost, resting) =>
      keep(() => queue('begun', exchange, judged), changes, onLost, resting),
    take: (exchange, judged, changes = [], onLost, resting) =>
      keep(() => queue('records', exchange, judged), changes, onLost, resting),
    remember: (changes, onLost, resting) => keep(open, changes, onLost, resting),
    catchUp,
    change: (session, note, changes, onLost, resting) => {
      const enter = (): Waiting => {
        const current = open();
        const noted = { session, note };
        current.batch.notes.push(noted);
        current.bound.add(noted);
        return current;
      };
      return keep(enter, changes, onLost, resting, ({ kept }) => kept);
    },
    note: (session, note) => {
      const entry = { session, note };
      if (availability.problem() === null) open().batch.notes.push(entry);
      else if (lostNotes.length < MOST_NOTES) lostNotes = [...lostNotes, entry];
    },
    waiting: () => (writing?.batch.records.length ?? 0) + (waiting?.batch.records.length ?? 0),
    drain: async () => {
      for (let current = waiting ?? writing; current !== null; current = waiting ?? writing) {
        flush();
        await current.kept.catch(ignore);
        // Whoever is to judge anew gives it again meanwhile.
        if (others !== undefined) await new Promise(setImmediate);
      }
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
  const batch = { notes: [...notes], begun: [], records: [], changes: [], headers: [] };
  const looked = new Map<string, Set<string>>();
  return { batch, looked, bound: new Set(), onLost: [], kept, resolve, reject, tries: 0 };
}

function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why: told }, { cause: error });
}
