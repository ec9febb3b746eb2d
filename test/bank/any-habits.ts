/** Habits as properties draw them. */
import fc from 'fast-check';
import { HABITS, type Habits } from '../../src/bank/index.js';

const share = fc.constantFrom(0, 0.1, 0.5, 1);
/** Any habits at all. */
export const ANY_HABITS: fc.Arbitrary<Habits> = fc
  .record(
    Object.fromEntries(
      Object.entries(HABITS).map(([group, rows]) => [
        group,
        fc.record(
          Object.fromEntries(
            Object.keys(rows).map((habit) => [habit, group === 'payments' ? fc.constantFrom(0, 0.1) : share]),
          ),
        ),
      ]),
    ),
  )
  .map((habits) => habits as unknown as Habits);
