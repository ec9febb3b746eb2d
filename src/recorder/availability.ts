/** Tells whether the store can be written: from the last attempt, and while it fails from a retry now and then. */
import { SandgateError } from '../spec/index.js';
import { type Awaitable, after, StoreBusy, type StorePlace } from '../store/index.js';

export interface Timer {
  /** Runs once after so many ms; the function given back cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export interface AvailabilityParts {
  readonly store: { readonly place: Pick<StorePlace, 'check'> };
  readonly timer: Timer;
  readonly onDown: (fault: SandgateError) => void;
  readonly onUp: () => void;
}

export interface Availability {
  /** Why nothing can be kept now; null where it can. */
  readonly problem: () => SandgateError | null;
  readonly fail: (fault: SandgateError) => void;
  /** What fails next stays so for so many ms: nothing is tried meanwhile. */
  readonly rest: (ms: number) => void;
  /** The same as `problem`, by a try now; that another process writes just then is none. */
  readonly probe: () => Awaitable<SandgateError | null>;
  readonly close: () => void;
}

/** A file that is deleted is noticed within this time, also where nobody calls; what has failed is tried again as often. */
const LOOK_MS = 500;

export function createAvailability({ store, timer, onDown, onUp }: AvailabilityParts): Availability {
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
    problem: () => fault,
    fail,
    rest: (ms) => {
      isResting = true;
      endRest();
      endRest = timer.after(ms, () => {
        isResting = false;
      });
    },
    probe: () => after(look(true), () => fault),
    close: () => {
      isClosed = true;
      endRest();
      cancel();
    },
  };
}

export function asFault(error: unknown): SandgateError {
  if (error instanceof SandgateError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new SandgateError('store.unrecorded', { why: told }, { cause: error });
}
