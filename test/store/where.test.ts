/** Reading with a filter: whatever a driver makes of it, it finds what matches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSqliteStore,
  type LocalStore,
  matches,
  parseFilter,
  type RecordedExchange,
} from '../../src/store/index.js';
import { openDatabase } from '../../src/store/sqlite/driver.js';
import { filters, recorded } from './arbitrary-filter.js';
import { aPath, aStore, recordSource } from './stores.js';

function storeOf(records: readonly RecordedExchange[]): LocalStore {
  const store = createSqliteStore({ path: ':memory:' });
  for (const [i, record] of records.entries()) {
    if (i % 2 === 0) store.append({ begun: [record], records: [], changes: [] });
    store.append({ records: [record], changes: [] });
  }
  return store;
}

const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;

describe('reading with a filter', () => {
  it('finds what reading all and matching finds, and tells what it passes', () => {
    const both = recorded.chain((records) =>
      fc.tuple(fc.constant(records), fc.array(filters(records), { minLength: 8, maxLength: 8 })),
    );
    fc.assert(
      fc.property(both, ([records, trees]) => {
        const store = storeOf(records);
        const all = [...store.read('test')];
        for (const where of trees) {
          const passed: string[] = [];
          const found = [...store.read('test', { where, onPassed: (id) => passed.push(id) })];
          expect(found.map(idOf), JSON.stringify(where)).toEqual(all.filter(matches(where)).map(idOf));
          expect(passed).toEqual(all.filter(matches({ not: where })).map(idOf));
          expect([...store.read('test', { where, backwards: true })].map(idOf)).toEqual(
            found.map(idOf).reverse(),
          );
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  });

  it('tells of an exchange that cannot be read, whatever is looked for', () => {
    const path = aPath();
    const record = recordSource()({ answer: { status: 200 } });
    aStore({ path }).append({ records: [record], changes: [] });
    const db = openDatabase({ path, readonly: false });
    db.exec('DELETE FROM certificates');
    db.close();
    const store = aStore({ path, readonly: true });
    const where = parseFilter('status:429');
    expect(() => [...store.read('test', { where })]).toThrow('not as it was recorded');
    const unreadable: string[] = [];
    const found = store.read('test', { where, onUnreadable: (id) => unreadable.push(id) });
    expect([...found]).toEqual([]);
    expect(unreadable).toEqual([idOf(record)]);
  });

  it('looks at no more than its limit, matching or not, and goes on behind one that was passed', () => {
    const store = aStore();
    const next = recordSource();
    const records = Array.from({ length: 200 }, (_, i) =>
      next({ answer: { status: i % 150 === 149 ? 429 : 200 } }),
    );
    store.append({ records, changes: [] });
    const where = parseFilter('status:429');
    const looked: string[] = [];
    const read = (options: object) =>
      [...store.read('test', { where, onPassed: (id) => looked.push(id), ...options })].map(idOf);
    expect(read({ limit: 149 })).toEqual([]);
    expect(looked).toHaveLength(149);
    expect(read({ after: looked.at(-1), limit: 1 })).toEqual([idOf(records[149] as RecordedExchange)]);
  });

  it('takes the longest filter', () => {
    const store = aStore();
    store.append({ records: [recordSource()({ answer: { status: 200 } })], changes: [] });
    const longest = `-status:${'1,'.repeat(494)}1`;
    expect([...store.read('test', { where: parseFilter(longest) })]).toHaveLength(1);
  });
});
