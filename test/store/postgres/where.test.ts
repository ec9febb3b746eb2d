/** Reading with a filter from a server: whatever its columns tell, it finds what matches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parseFilter, type RecordedExchange } from '../../../src/store/index.js';
import { postgresStore } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { filters, recorded } from '../arbitrary-filter.js';
import { recordSource } from '../stores.js';

/** As gateways give them; the store keeps no others. */
const inWholeMs = ({ exchange, ...more }: RecordedExchange): RecordedExchange => {
  const { at, ahead } = exchange.call;
  const call = exchange.call.with({ at: Math.trunc(at), ahead: Math.trunc(ahead) });
  return { ...more, exchange: { ...exchange, call } };
};

const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;

describe('reading with a filter from PostgreSQL', () => {
  it('finds what reading all and matching finds, and tells what it passes', async () => {
    const both = recorded.chain((records) =>
      fc.tuple(fc.constant(records), fc.array(filters(records), { minLength: 12, maxLength: 12 })),
    );
    await fc.assert(
      fc.asyncProperty(both, async ([records, trees]) => {
        const store = await postgresStore();
        for (const record of records) await store.append({ records: [inWholeMs(record)], changes: [] });
        const read = await all(store.read('test'));
        for (const where of trees) {
          const passed: string[] = [];
          const found = await all(store.read('test', { where, onPassed: (id) => passed.push(id) }));
          expect(found.map(idOf), JSON.stringify(where)).toEqual(read.filter(matches(where)).map(idOf));
          expect(passed).toEqual(read.filter(matches({ not: where })).map(idOf));
          const back = await all(store.read('test', { where, backwards: true }));
          expect(back.map(idOf)).toEqual(found.map(idOf).reverse());
        }
        await store.close();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  }, 60_000);

  it('takes the longest filter', async () => {
    const store = await postgresStore();
    await store.append({ records: [recordSource()({ answer: { status: 200 } })], changes: [] });
    const longest = `-request-id:${'ab,'.repeat(325)}ab`;
    expect(await all(store.read('test', { where: parseFilter(longest) }))).toHaveLength(1);
  });
});
