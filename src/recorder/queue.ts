/** The queue in front of a store: what waits is given to it a batch at a time, in order, and kept or lost as one. */
import type { SessionNote } from '../exchange/index.js';
import type { SandgateError } from '../spec/index.js';
import { type Batch, type NotedSession, StoreBusy, StoreMoved, StoreUncertain } from '../store/index.js';
import { type Availability, asFault } from './availability.js';
import { createCatching } from './catching.js';
import type { Recorder, RecorderParts } from './recorder.js';
import { openWaiting, type Waiting } from './waiting.js';

/** Another process that writes is waited for so often, so many ms each time: about a second. */
const BUSY_TRIES = 25;
const BUSY_MS = 40;
/** Notes are few; those of a gateway whose store is gone for ever must not fill its memory. */
const MOST_NOTES = 1_000;

const ignore = (): void => {};

export function createQueue(
  {
    store,
    timer,
    others,
    few = 0,
  }: Pick<RecorderParts, 'timer' | 'others' | 'few'> & {
    readonly store: Pick<RecorderParts['store'], 'append'>;
  },
  availability: Pick<Availability, 'problem' | 'fail' | 'rest'>,
) {
  let lostNotes: readonly NotedSession[] = [];
  let waiting: Waiting | null = null;
  let writing: Waiting | null = null;

  /** Calls judged meanwhile rest on what is taken back now, so they go with it, the latest first. */
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
    // Exchanges that wait for others' changes are told in any case.
    flush();
  };

  const write = (): void => {
    if (writing === null) return;
    const { batch, looked } = writing;
    const given: Batch =
      others === undefined ? batch : { ...batch, dependsOn: others.dependenciesOf(looked) };
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
    catching?.onKept((batch.dependsOn?.length ?? 0) > 0);
    writing?.resolve();
    writing = null;
    flush();
  };

  const onFailed = (error: unknown): void => {
    if (writing !== null && error instanceof StoreBusy && ++writing.tries <= BUSY_TRIES)
      timer.after(BUSY_MS, write);
    else if (error instanceof StoreMoved && catching !== undefined) catching.judgeAnew(error.moved);
    else lose(asFault(error));
  };

  const flush = (): void => {
    if (writing !== null || catching?.goesFirst() || waiting === null) return;
    catching?.onWrite();
    writing = waiting;
    waiting = null;
    write();
  };

  const isEmpty = (): boolean => writing === null && waiting === null;
  const { rest } = availability;
  const catching = others && createCatching(others, timer, { isEmpty, takeBack, lose, flush, rest });

  const open = (): Waiting => {
    if (waiting !== null) return waiting;
    const opened = openWaiting(lostNotes);
    const { begun, records } = opened.batch;
    waiting = opened;
    lostNotes = [];
    // The next turn begins at once: nothing is waited for but what has come already.
    setImmediate(() => {
      const calls = begun.length + records.length;
      if (calls > 0 && calls < few) setImmediate(flush);
      else flush();
    });
    return opened;
  };

  const pending = (): Promise<void> | null => (waiting ?? writing)?.kept ?? catching?.over() ?? null;

  return {
    open,
    flush,
    isOpen: (one: Waiting): boolean => one === waiting,
    catchUp: (world: string, home?: string): ReturnType<Recorder['catchUp']> =>
      catching?.catchUp(world, home),
    note: (session: string, note: SessionNote): void => {
      const entry = { session, note };
      if (availability.problem() === null) open().batch.notes.push(entry);
      else if (lostNotes.length < MOST_NOTES) lostNotes = [...lostNotes, entry];
    },
    waiting: (): number => (writing?.batch.records.length ?? 0) + (waiting?.batch.records.length ?? 0),
    drain: async (): Promise<void> => {
      for (let next = pending(); next !== null; next = pending()) {
        flush();
        await next.catch(ignore);
        // Exchanges that must be judged anew are given again meanwhile.
        if (others !== undefined) await new Promise(setImmediate);
      }
    },
  };
}
