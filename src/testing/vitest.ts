/** `import 'sandgate/testing/vitest'` in a test or a set-up file: the matchers, and their types. */
import { afterEach, beforeEach, expect } from 'vitest';
import { toComply, toHaveFinding, toStayWithinDailyLimit } from './matchers/findings.js';
import { toFollow } from './matchers/to-follow.js';
import { missesText, toHaveUsedWholeRecording } from './matchers/to-have-used-whole-recording.js';
import { countMisses, missesSince } from './misses.js';
import type { OperationName } from './session-types.js';
import type { ComplyOptions } from './types.js';

/** Misses before each test; parallel tests may share gateways. */
const before = new WeakMap<object, ReadonlyMap<number, number>>();

declare module 'vitest' {
  // Declarations merge only where the type parameters are written alike.
  // biome-ignore lint/suspicious/noExplicitAny: as vitest writes it
  interface Matchers<T = any> {
    /** Nothing of severity must or should was found against the TPP. For a gateway, or its session. */
    toComply(options?: ComplyOptions): void;
    /** The rule of this id was violated at least once. */
    toHaveFinding(id: string): void;
    /** These operations succeeded in this order; others may stand between. */
    toFollow(operations: readonly OperationName[]): void;
    /** No access without the PSU went over what a day allows. */
    toStayWithinDailyLimit(): void;
    /** Every recorded exchange was asked for, and nothing was asked for that is not recorded. */
    toHaveUsedWholeRecording(): void;
  }
}

expect.extend({ toComply, toHaveFinding, toFollow, toStayWithinDailyLimit, toHaveUsedWholeRecording });

beforeEach(({ task }) => {
  before.set(task, countMisses());
});

/** A client that throws at a miss ends the test before a matcher could tell of it. */
afterEach(({ task }) => {
  const known = before.get(task);
  if (task.result?.state !== 'fail' || known === undefined) return;
  const told = task.result.errors?.map(({ message }) => message).join('\n') ?? '';
  const missed = missesSince(known).filter(({ text }) => !told.includes(text));
  if (missed.length === 0) return;
  const error = new Error(missesText(missed, 'the recording').join('\n'));
  error.name = 'Misses of the replay';
  throw error;
});
