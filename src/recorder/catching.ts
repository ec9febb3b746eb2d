/** Catches up with what other gateways changed, before the queue writes on. */
import { after, type Moved, StoreMoved } from '../store/index.js';
import { asFault } from './as-fault.js';
import type { Others, Recorder } from './recorder.js';
import type { Waiting } from './waiting.js';

export interface CatchingParts {
  readonly others: Others;
  readonly queue: {
    readonly isEmpty: () => boolean;
    /** Undoes all that is not kept yet, and forgets it. */
    readonly takeBack: () => readonly Waiting[];
    readonly lose: (error: unknown) => void;
    readonly flush: () => void;
  };
}

export interface Catching extends Pick<Recorder, 'catchUp'> {
  /** Something that is not kept yet rests on what others moved: all of it is to be judged anew. */
  readonly judgeAnew: (found: readonly Moved[]) => void;
  /** Begins with it where somebody waits for that; true while it is being read: nothing is written until it is known. */
  readonly goesFirst: () => boolean;
  readonly onWrite: () => void;
  readonly onKept: () => void;
}

const ignore = (): void => {};

export function createCatching({ others, queue }: CatchingParts): Catching {
  let isUnderWay = false;
  /** Who waits for what others changed. */
  let asked: { readonly moved: Moved; readonly done: () => void }[] = [];
  /** Something was taken back and is given again: it is written before those are served who ask next. */
  let isOwed = false;
  /** Worlds that are being read in passing. */
  const reading = new Set<string>();
  /** Counts what was kept, and how often others were caught up with. */
  let turn = 0;

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
    const apply = (caught: () => void): void => {
      lost.push(...queue.takeBack());
      turn += 1;
      caught();
      for (const { reject } of lost) reject(moved);
      done();
      isOwed = lost.length > 0;
      if (isOwed) setImmediate(goOn);
      else queue.flush();
    };
    const fail = (error: unknown): void => {
      done();
      const fault = asFault(error);
      for (const { reject } of lost) reject(fault);
      queue.lose(fault);
    };
    isUnderWay = true;
    try {
      const caught = others.catchUp(moved.moved);
      if (caught instanceof Promise) caught.then(apply, fail);
      else apply(caught);
    } catch (error) {
      fail(error);
    }
  };

  /** Nobody is waited for that has not given it again by now. */
  const goOn = (): void => {
    isOwed &&= !queue.isEmpty();
    queue.flush();
  };

  const readInPassing = (world: string): ReturnType<Recorder['catchUp']> => {
    const isIdle = (): boolean => !isUnderWay && queue.isEmpty();
    // Calls that wait to be kept are found out by what they rest on.
    if (!isIdle() || reading.has(world)) return;
    const before = turn;
    const applyIdle = (apply: () => void): void => {
      // What was read before something was kept here, or caught up with, may lack that.
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
    judgeAnew,
    goesFirst: () => {
      if (!isUnderWay && !isOwed && asked.length > 0) judgeAnew([]);
      return isUnderWay;
    },
    catchUp: (world, home) => {
      if (home === undefined) return readInPassing(world);
      return new Promise((done) => {
        asked.push({ moved: { world, partitions: [home] }, done });
        queue.flush();
      });
    },
    onWrite: () => {
      isOwed = false;
    },
    onKept: () => {
      turn += 1;
    },
  };
}
