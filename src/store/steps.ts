/**
 * Work that reads rows which are there at once, or come later, written once for both: it yields what it finds, and each
 * promise whose value it goes on with. Where nothing comes later nothing is awaited.
 */
import type { Awaitable } from './port.js';

/** Yields a `T`, or a promise: it is given the value of that with the next step. */
export type Steps<T, R = void> = Generator<T | Promise<unknown>, R, unknown>;

/** Goes on with the value. */
export function* wait<T>(value: Awaitable<T>): Steps<never, T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** The next that another work finds. */
export function* nextOf<T>(
  source: Iterator<T | Promise<unknown>, unknown, unknown>,
): Steps<never, IteratorResult<T, unknown>> {
  let step = source.next();
  while (step.done !== true && step.value instanceof Promise) step = source.next(yield step.value);
  return step as IteratorResult<T, unknown>;
}

/** Results of work that never waits. */
export const atOnce = <T>(steps: Steps<T>): IterableIterator<T> => steps as Steps<T> & IterableIterator<T>;

/** Results of work that may wait. */
export async function* later<T>(steps: Steps<T>): AsyncIterableIterator<T> {
  try {
    for (let step = steps.next(); step.done !== true; ) {
      if (step.value instanceof Promise) step = await resumed(steps, step.value);
      else {
        yield step.value;
        step = steps.next();
      }
    }
  } finally {
    steps.return();
  }
}

/** The outcome of work without results on the way. */
export function outcome<R>(steps: Steps<never, R>): Awaitable<R> {
  const step = steps.next();
  return step.done === true ? step.value : finished(steps, step.value);
}

export const outcomeAtOnce = <R>(steps: Steps<never, R>): R => outcome(steps) as R;

async function finished<R>(steps: Steps<never, R>, first: Promise<unknown>): Promise<R> {
  let step = await resumed(steps, first);
  while (step.done !== true) step = await resumed(steps, step.value);
  return step.value;
}

async function resumed<T, R>(
  steps: Steps<T, R>,
  value: Promise<unknown>,
): Promise<IteratorResult<T | Promise<unknown>, R>> {
  let found: unknown;
  try {
    found = await value;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(found);
}
