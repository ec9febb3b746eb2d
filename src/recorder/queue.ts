/** The queue in front of a store: what waits is given to it a batch at a time, in order, and kept or lost as one. */
import { SandgateError } from '../spec/index.js';
import {
  type Awaitable,
  after,
  type Batch,
  type Moved,
  type NotedSession,
  StoreBusy,
  StoreMoved,
  StoreUncertain,
} from '../store/index.js';
import type { Availability, Timer } from './availability.js';
import type { Others, Recorder, RecorderParts } from './recorder.js';
import { openWaiting, type Waiting } from './waiting.js';

export interface QueueParts extends Pick<RecorderParts, 'others'> {
  readonly store: Pick<RecorderParts['store'], 'append'>;
  readonly availability: Pick<Availability, 'problem' | 'fail'>;
  readonly timer: Timer;
}

export interface Queue extends Pick<Recorder, 'catchUp' | 'note' | 'waiting' | 'drain'> {
  /** What is written next. */
  readonly open: () => Waiting;
  /** Writes it now, unless something is being written. */
  readonly flush: () => void;
  /** It is not being written yet. */
  readonly isOpen: (waiting: Waiting) => boolean;
}

/** Another process that writes is waited for so often, so many ms each time: about a second. */
const BUSY_TRIES = 25;
const BUSY_MS = 40;
/** Notes are few; those of a gateway whose store is gone for ever must not fill its memory. */
const MOST_NOTES = 1_000;

const ignore = (): void => {};

export function createQueue({ store, availability, timer, others }: QueueParts): Queue {
  let lostNotes: readonly NotedSession[] = [];
  let waiting: Waiting | null = null;
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
    // Whoever waits for what others changed is told, whatever comes of it.
    flush();
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

  return {
    open,
    flush,
    isOpen: (one) => one === waiting,
    catchUp,
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
  };
}

export function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why: told }, { cause: error });
}
