/** Reading with a filter from a server: whatever its columns tell, it finds what matches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parseFilter, type RecordedExchange } from '../../../src/store/index.js';
import { aSchema, postgresStore, query } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { filters, recorded } from '../arbitrary-filter.js';
import { recordSource } from '../stores.js';

/** Gateways have whole milliseconds, and so have the columns of the server. */
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

  it.each([
    'at>=2026-06-15T10:00:00.004',
    'at:2026-06-15T11*',
    'request-id:*0004',
    'path:*/nowhere',
    'id:00000000001',
    'status:200 (id:00000000001 OR consent:nobodys)',
  ])('reads no record whose columns tell that it does not match: %s', async (text) => {
    const address = aSchema();
    const store = await postgresStore(address);
    const next = recordSource();
    const records = [1, 2, 3].map((n) => next({ call: { headers: { 'X-Request-ID': `number-000${n}` } } }));
    await store.append({ records, changes: [] });
    await query(`UPDATE "${new URL(address).searchParams.get('schema')}".exchanges SET shape = '\\x0000'`);
    await expect(all(store.read('test'))).rejects.toThrow('not as it was recorded');
    const passed: string[] = [];
    const where = parseFilter(text);
    expect(await all(store.read('test', { where, onPassed: (id) => passed.push(id) }))).toEqual([]);
    expect(passed).toEqual(records.map(idOf));
  });

  it.each([
    ...[
      'status:404',
      'status>=500',
      '-status<300',
      'method:po*',
      'tpp:PSDXX*',
      'operation:none',
      'listener:psu',
    ],
    ...[
      'source:upstream',
      'fault:*',
      'rule:no/such',
      'severity:must',
      'judges:aspsp',
      '-(status:200 method:get)',
    ],
  ])(
    'reads no record whose form, which it shares with others, tells that it does not match: %s',
    async (text) => {
      const address = aSchema();
      const store = await postgresStore(address);
      const next = recordSource();
      const records = [1, 2, 3, 4].map(() => next({ answer: { status: 200 } }));
      for (const record of records) await store.append({ records: [record], changes: [] });
      const schema = new URL(address).searchParams.get('schema');
      const areShared = `(SELECT count(*) FROM "${schema}".exchanges WHERE get_byte(shape, 0) = 2) >= 2`;
      await query(`DO $$ BEGIN ASSERT ${areShared}; END $$`);
      await query(`UPDATE "${schema}".exchanges SET own = '\\x0000'`);
      await expect(all(store.read('test'))).rejects.toThrow('not as it was recorded');
      expect(await all(store.read('test', { where: parseFilter(text) }))).toEqual([]);
    },
  );

  it('takes the longest filter', async () => {
    const store = await postgresStore();
    await store.append({ records: [recordSource()({ answer: { status: 200 } })], changes: [] });
    const longest = `-request-id:${'ab,'.repeat(325)}ab`;
    expect(await all(store.read('test', { where: parseFilter(longest) }))).toHaveLength(1);
  });
});
