/** Tells whether the store can be written: from the last attempt, and while it fails from a retry now and then. */
import type { SandgateError } from '../spec/index.js';
import { type Store, StoreBusy } from '../store/index.js';

export interface Timer {
  /** Runs once after so many ms; the function given back cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export interface AvailabilityParts {
  readonly store: Pick<Store, 'check'>;
  readonly timer: Timer;
  readonly asFault: (error: unknown) => SandgateError;
  /** Told when it turns. */
  readonly onDown: (fault: SandgateError) => void;
  readonly onUp: () => void;
}

export interface Availability {
  /** Why nothing can be kept now; null where it can. */
  readonly problem: () => SandgateError | null;
  readonly fail: (fault: SandgateError) => void;
  /** The same as `problem`, by a try now; that another process writes just then is none. */
  readonly probe: () => SandgateError | null;
  /** Looks no more. */
  readonly close: () => void;
}

/** A file that is deleted is noticed within this time, also where nobody calls; what has failed is tried again as often. */
const LOOK_MS = 500;

export function createAvailability({ store, timer, asFault, onDown, onUp }: AvailabilityParts): Availability {
  let fault: SandgateError | null = null;
  const fail = (now: SandgateError): void => {
    const isNew = fault === null;
    fault = now;
    if (isNew) onDown(now);
  };
  const look = (written: boolean): void => {
    try {
      store.check(written);
      if (fault === null) return;
      fault = null;
      onUp();
    } catch (error) {
      if (fault !== null || !(error instanceof StoreBusy)) fail(asFault(error));
    }
  };
  const lookAgain = (): void => {
    look(fault !== null);
    cancel = timer.after(LOOK_MS, lookAgain);
  };
  let cancel = timer.after(LOOK_MS, lookAgain);
  return {
    problem: () => fault,
    fail,
    probe: () => {
      look(true);
      return fault;
    },
    close: () => cancel(),
  };
}
