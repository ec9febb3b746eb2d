/** Catches up with what other gateways changed, before the queue writes on. */
import type { Timer } from '../answer/index.js';
import { SandgateError } from '../spec/index.js';
import { after, type Moved, StoreMoved } from '../store/index.js';
import { asFault } from './availability.js';
import type { Others, Recorder } from './recorder.js';
import type { Waiting } from './waiting.js';

/**
 * Rounds of judging anew in which nothing is kept: so many where others move on each time, and a few where there is no news,
 * and the store says all the same that something moved. Then calls are answered 503 for so many ms, twice as many each time.
 */
const MOST_ROUNDS = 100;
const ROUNDS_WITHOUT_NEWS = 20;
const FIRST_REST_MS = 500;
const MOST_REST_MS = 30_000;

/** The time for an exchange that was taken back to come again, before others are served. */
const GIVEN_AGAIN_MS = 40;

const ignore = (): void => {};

export function createCatching(
  others: Others,
  timer: Timer,
  queue: {
    readonly isEmpty: () => boolean;
    /** Undoes all that is not kept yet, and forgets it. */
    readonly takeBack: () => readonly Waiting[];
    readonly lose: (fault: SandgateError) => void;
    readonly flush: () => void;
    /** Nothing is taken for so many ms, from when it is lost. */
    readonly rest: (ms: number) => void;
  },
) {
  let isUnderWay = false;
  let asked: { readonly moved: Moved; readonly done: () => void }[] = [];
  /** Something was taken back and is given again: it is written before those are served who ask next. */
  let isOwed = false;
  /** Resolves when neither of them is so any more. */
  let over: Promise<void> | null = null;
  let tell = ignore;
  let cancel = ignore;
  /** Worlds that are being read in passing. */
  const reading = new Set<string>();
  /** Counts what was kept, and how often others were caught up with. */
  let turn = 0;
  let rounds = 0;
  let rest = FIRST_REST_MS;

  /** All of it is taken back before anything of others is applied: each undoes what it found. */
  const judgeAnew = (found: readonly Moved[]): void => {
    const waited = asked;
    asked = [];
    const moved = new StoreMoved([...found, ...waited.map((one) => one.moved)]);
    const lost = [...queue.takeBack()];
    const done = (): void => {
      isUnderWay = false;
      for (const one of waited) one.done();
    };
    const apply = (caught: () => boolean): void => {
      lost.push(...queue.takeBack());
      turn += 1;
      const isNews = caught();
      if (found.length > 0) rounds += isNews ? 1 : ROUNDS_WITHOUT_NEWS;
      if (rounds >= MOST_ROUNDS) giveUp(moved.moved);
    };
    const giveBack = (): void => {
      for (const { reject } of lost) reject(moved);
      done();
      isOwed = lost.length > 0;
      if (isOwed) cancel = timer.after(GIVEN_AGAIN_MS, goOn);
      else goOn();
    };
    const fail = (error: unknown): void => {
      done();
      end();
      const fault = asFault(error);
      for (const { reject } of lost) reject(fault);
      queue.lose(fault);
    };
    isUnderWay = true;
    over = new Promise((resolve) => {
      tell = resolve;
    });
    try {
      const caught = after(others.catchUp(moved.moved), apply);
      if (caught instanceof Promise) caught.then(giveBack, fail);
      else giveBack();
    } catch (error) {
      fail(error);
    }
  };

  /** Throws what calls are answered for a while. */
  const giveUp = (moved: readonly Moved[]): never => {
    others.distrust(moved);
    queue.rest(rest);
    rounds = 0;
    rest = Math.min(2 * rest, MOST_REST_MS);
    throw new SandgateError('store.unsettled', {});
  };

  const end = (): void => {
    cancel();
    isOwed = false;
    over = null;
    tell();
  };

  /** Nobody is waited for that has not given it again by now. */
  const goOn = (): void => {
    end();
    queue.flush();
  };

  const readInPassing = (world: string): ReturnType<Recorder['catchUp']> => {
    const isIdle = (): boolean => !isUnderWay && queue.isEmpty();
    // Calls that wait to be kept are found out by what they rest on.
    if (!isIdle() || reading.has(world)) return;
    const before = turn;
    const applyIdle = (apply: () => boolean): void => {
      // A read that began before the last change may lack it.
      if (isIdle() && turn === before) apply();
    };
    const done = (): void => void reading.delete(world);
    reading.add(world);
    try {
      const caught = after(others.catchUp([{ world, partitions: [] }]), applyIdle);
      // A store that fails is noticed by whoever writes.
      if (caught instanceof Promise) return caught.catch(ignore).finally(done);
    } catch {}
    done();
    return undefined;
  };

  return {
    /** Something that is not kept yet depends on what others moved: all of it is to be judged anew. */
    judgeAnew,
    /** While something is judged anew: until it is being written, or nobody gave it again for long; else null. */
    over: (): Promise<void> | null => over,
    /** Begins with it where somebody waits for that; true while it is being read: nothing is written until it is known. */
    goesFirst: (): boolean => {
      if (!isUnderWay && !isOwed && asked.length > 0) judgeAnew([]);
      return isUnderWay;
    },
    catchUp: (world: string, home?: string): ReturnType<Recorder['catchUp']> => {
      if (home === undefined) return readInPassing(world);
      return new Promise((done) => {
        asked.push({ moved: { world, partitions: [home] }, done });
        queue.flush();
      });
    },
    onWrite: (): void => {
      if (isOwed) end();
    },
    /** `rested`: on something that others may move on. */
    onKept: (rested: boolean): void => {
      turn += 1;
      if (!rested) return;
      rounds = 0;
      rest = FIRST_REST_MS;
    },
  };
}
