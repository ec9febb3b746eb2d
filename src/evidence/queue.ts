/** A queue of background work, done one after the other. */

export interface Queue<T> {
  /** Returns at once; what fails is told, and does not keep the next one back. */
  readonly add: (item: T) => void;
  /** Resolves when all that was given is done, or the first of it has failed. */
  readonly close: () => Promise<void>;
}

/** So many wait at most; beyond it the oldest go, which is told. */
const MOST_WAITING = 1_000;

export function createQueue<T>(
  work: (item: T) => Promise<void>,
  onProblem: (error: unknown) => void,
): Queue<T> {
  const waiting: T[] = [];
  let running: Promise<void> | null = null;
  let isClosing = false;
  const run = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        onProblem(error);
        // Nobody waits for a place that hangs to fail once for each.
        if (isClosing) waiting.length = 0;
      }
    }
    running = null;
  };
  return {
    add: (item) => {
      waiting.push(item);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        onProblem(new Error(`more than ${MOST_WAITING} checkpoints wait`));
      }
      running ??= run();
    },
    close: async () => {
      isClosing = true;
      await running;
    },
  };
}
