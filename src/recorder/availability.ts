/** Tells whether the store can be written: from the last attempt, and while it fails from a retry now and then. */
import { SandgateError } from '../spec/index.js';
import { type Awaitable, after, StoreBusy } from '../store/index.js';
import type { RecorderParts } from './recorder.js';

/** A file that is deleted is noticed within this time, also where nobody calls; what has failed is tried again as often. */
const LOOK_MS = 500;

export type Availability = ReturnType<typeof createAvailability>;

export function createAvailability({
  store,
  timer,
  onDown,
  onUp,
}: Pick<RecorderParts, 'timer' | 'onDown' | 'onUp'> & {
  readonly store: Pick<RecorderParts['store'], 'place'>;
}) {
  let fault: SandgateError | null = null;
  let isClosed = false;
  let isResting = false;
  const fail = (now: SandgateError): void => {
    const isNew = fault === null;
    fault = now;
    if (isNew) onDown(now);
  };
  const isFine = (): void => {
    if (fault === null || isResting) return;
    fault = null;
    onUp();
  };
  const isNot = (error: unknown): void => {
    if (fault !== null || !(error instanceof StoreBusy)) fail(asFault(error));
  };
  const look = (written: boolean): Awaitable<void> => {
    if (isResting) return;
    try {
      const checked = store.place.check(written);
      return checked instanceof Promise ? checked.then(isFine, isNot) : isFine();
    } catch (error) {
      isNot(error);
    }
  };
  /** One after the other, however long a look takes. */
  const lookAgain = (): Awaitable<void> =>
    after(look(fault !== null), () => {
      if (!isClosed) cancel = timer.after(LOOK_MS, lookAgain);
    });
  let cancel = timer.after(LOOK_MS, lookAgain);
  let endRest = (): void => {};
  return {
    /** Why nothing can be kept now; null where it can. */
    problem: (): SandgateError | null => fault,
    fail,
    /** Waits after a failure: nothing is tried for so many ms. */
    rest: (ms: number): void => {
      isResting = true;
      endRest();
      endRest = timer.after(ms, () => {
        isResting = false;
      });
    },
    /** The same as `problem`, by a try now; that another process writes just then is none. */
    probe: (): Awaitable<SandgateError | null> => after(look(true), () => fault),
    close: (): void => {
      isClosed = true;
      endRest();
      cancel();
    },
  };
}

export function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why }, { cause: error });
}
