/** Two recordings of one bank that did not change, in whatever order, and long ones. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Comparison, compareRecordings, readSurface } from '../../../src/app/compare/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import type { RecordedExchange } from '../../../src/store/index.js';
import { changed, recordJourneys } from './changed-recordings.js';

let records: readonly RecordedExchange[];
beforeAll(async () => {
  records = await recordJourneys();
});

async function compared(
  first: Iterable<RecordedExchange>,
  second: Iterable<RecordedExchange>,
): Promise<Comparison> {
  const states = new Map<string, number>();
  const read = (name: string, of: Iterable<RecordedExchange>) =>
    readSurface({ name, dialect: dialectOf(), asked: null, records: of }, states);
  return compareRecordings(await read('first', first), await read('second', second));
}

/** Answers that differ from call to call in what is sometimes there. */
const varied = (seed: number) => {
  const leaves = (nth: number) => (nth * 7 + seed) % 3 === 0;
  return changed(records, ({ json }, operation, nth) => {
    if (operation !== 'accounts.list' || json.accounts === undefined) return;
    for (const one of json.accounts) {
      if (leaves(nth)) delete one.bic;
      if (leaves(nth + 1)) one.name = null;
      if (leaves(nth + 2)) one.further = { [`id-${nth}000`]: nth, EUR: '1' };
    }
  });
};

describe('a recording', () => {
  it('differs in nothing from itself, and from itself with its exchanges in any order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 9 }),
        fc.shuffledSubarray([...records.keys()], { minLength: records.length }),
        async (seed, order) => {
          const own = varied(seed);
          const shuffled = order.flatMap((i) => own[i] ?? []);
          const { changes, notCompared, counts } = await compared(own, shuffled);
          expect(changes).toEqual([]);
          expect(notCompared).toEqual([]);
          expect(counts.compared).toBeGreaterThan(10);
        },
      ),
      { numRuns: 40 },
    ));

  it('breaks nothing where it is a part of the other one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 9 }),
        fc.subarray([...records.keys()], { minLength: records.length / 2 }),
        async (seed, kept) => {
          const own = varied(seed);
          const part = kept.flatMap((i) => own[i] ?? []);
          const { counts } = await compared(own, part);
          expect(counts).toMatchObject({ breaking: 0, additive: 0 });
        },
      ),
      { numRuns: 40 },
    ));
});

describe('a recording with more names than a bank has', () => {
  it('is kept within bounds, and says so', async () => {
    const names = (from: number) =>
      Object.fromEntries(
        Array.from({ length: 140 }, (_, i) => [
          `a${'bcdefghij'[(from + i) % 9]}${letters(from * 140 + i)}`,
          {},
        ]),
      );
    const many = changed([...records, ...records], (answer, operation, nth) => {
      if (operation !== 'accounts.balances') return;
      for (const one of answer.json.balances) one.further = deep(names(nth), nth);
    });
    const { was, changes } = await compared(many, many);
    expect(was.isCut).toBe(true);
    expect(changes).toEqual([]);
  });
});

const letters = (n: number): string => [...String(n)].map((digit) => 'klmnopqrst'[Number(digit)]).join('');
/** 140 objects of 140 members each. */
const deep = (names: Record<string, object>, nth: number): object =>
  Object.fromEntries(
    Object.keys(names).map((name) => [
      name,
      Object.fromEntries(
        Object.keys(names).map((inner) => [`${inner}${letters(nth)}`, { [inner]: 1, x: 2 }]),
      ),
    ]),
  );
