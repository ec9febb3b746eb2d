/** Searching by an index finds what reading all finds, whatever the index knows by then. */
import { statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  copyBetween,
  matches,
  parseFilter,
  type ReadOptions,
  type RecordedExchange,
} from '../../src/store/index.js';
import { openIndex, TEXTS } from '../../src/store/lookup/index-file.js';
import { createIndexReader } from '../../src/store/lookup/index-reader.js';
import { createIndexWriter } from '../../src/store/lookup/index-writer.js';
import { indexPath } from '../../src/store/lookup/lookup.js';
import { readPast } from '../../src/store/lookup/past.js';
import { search } from '../../src/store/lookup/search.js';
import { openDatabase } from '../../src/store/sqlite/driver.js';
import { filters, recorded } from './arbitrary-filter.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

function aFiledStore() {
  const path = aPath();
  return { ...aStore({ path }), path };
}
type FiledStore = ReturnType<typeof aFiledStore>;

function anIndex(store: FiledStore, path = indexPath(aPath()), id = 'a store') {
  const db = openIndex(path, id);
  const watch = openDatabase({ path: store.path, readonly: true });
  onTestFinished(() => {
    db.close();
    watch.close();
  });
  const { step } = createIndexWriter(db, store);
  const catchUp = () => {
    while (step());
  };
  return { db, step, catchUp, reader: createIndexReader(db, watch) };
}

const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;
const find = async (store: FiledStore, index: ReturnType<typeof anIndex> | null, text: string, limit = 100) =>
  search(store, index?.reader ?? null, 'test', parseFilter(text), { limit });

describe('a look-up index', () => {
  it('finds what reading all and matching finds, calls without end too, the newest first, whether it knows all or some of it', async () => {
    const both = recorded.chain((records) =>
      fc.tuple(
        fc.constant(records),
        fc.array(filters(records), { minLength: 8, maxLength: 8 }),
        fc.nat(records.length),
        fc.integer({ min: 1, max: 30 }),
        fc.uniqueArray(fc.nat(records.length)),
      ),
    );
    const fault = { kind: 'unfinished', message: 'Sent to the bank.' } as const;
    await fc.assert(
      fc.asyncProperty(both, async ([records, drawn, known, limit, cut]) => {
        const store = aFiledStore();
        const add = (from: number, to?: number) => {
          for (const [i, record] of records.slice(from, to).entries())
            if (cut.includes(from + i)) {
              const begun = [{ ...record, exchange: { ...record.exchange, answer: null, fault } }];
              store.append({ begun, records: [], changes: [] });
            } else append(store, record);
        };
        add(0, known);
        const index = anIndex(store);
        index.catchUp();
        add(known);
        const places = new Map(records.map((record, i) => [idOf(record), i]));
        const placeOf = (record: RecordedExchange) => places.get(idOf(record)) ?? -1;
        const all = [...store.read('test'), ...store.calls.unfinished('test')].sort(
          (one, other) => placeOf(other) - placeOf(one),
        );
        const isOpen = new Set(store.calls.unfinished('test').map(idOf));
        for (const tree of [...drawn, parseFilter('fault:unfinished')]) {
          const found: string[] = [];
          let before: string | null | undefined;
          do {
            const page = await search(store, index.reader, 'test', tree, {
              before: before ?? undefined,
              limit,
            });
            found.push(...page.exchanges);
            expect(page.exchanges.filter((id) => !isOpen.has(id)).length).toBeLessThanOrEqual(limit);
            before = page.next;
          } while (before !== null);
          expect(found, JSON.stringify(tree)).toEqual(all.filter(matches(tree)).map(idOf));
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    );
  });

  it('counts before an exchange what reading all and matching counts, in pieces', async () => {
    const some = recorded.filter((records) => records.length > 0);
    const drawn = some.chain((records) =>
      fc.tuple(fc.constant(records), fc.array(filters(records), { minLength: 8, maxLength: 8 })),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ([records, trees]) => {
        const store = aFiledStore();
        append(store, ...records);
        const index = anIndex(store);
        index.catchUp();
        const indexed = index.reader.session('test');
        const last = records.at(-1);
        const place = indexed?.placeOf(last === undefined ? '' : idOf(last));
        if (indexed === null || place === undefined) throw new Error('the index does not know it');
        const { counts, timeline } = await readPast(store, indexed, trees, place, 2);
        const before = [...store.read('test')].slice(0, -1);
        expect(counts).toEqual(trees.map((tree) => before.filter(matches(tree)).length));
        expect(timeline.slots.reduce((sum, { calls }) => sum + calls, 0)).toBe(before.length);
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    );
  });

  it('reads only what may match', async () => {
    const store = aFiledStore();
    const next = recordSource();
    const records = Array.from({ length: 300 }, (_, i) =>
      next({
        call: { headers: { 'X-Request-ID': `request ${i}` } },
        answer: { status: i === 7 ? 429 : 200 },
      }),
    );
    append(store, ...records);
    const index = anIndex(store);
    index.catchUp();
    const newest = idOf(records[299] as RecordedExchange);
    for (const [text, examined] of [
      ['status:429', 0],
      ['request-id:"Request 5"', 0],
      ['status>=400 method:get (tpp:PSD* OR tpp:none)', 0],
      ['"request 123"', 1],
      ['status>=400 OR nowhere', 1],
    ] as const) {
      const found = await find(store, index, text);
      expect({ ...found, exchanges: found.exchanges.length }, text).toEqual({
        ...{ exchanges: 1, unfinished: [], examined, next: null, indexedUpTo: newest, behind: 0 },
      });
    }
    expect((await find(store, null, 'status:429')).examined).toBe(300);
  });

  it('looks at no more than it may, lets others work meanwhile, and says where to go on', async () => {
    let looked = 0;
    const endless = {
      find: () => null,
      calls: { newest: () => null, unfinished: () => [] },
      read: (_: string, { limit = 0, onPassed }: ReadOptions = {}) => {
        for (let i = 0; i < limit; i++) onPassed?.(`exchange ${looked++}`);
        return [].values();
      },
    };
    let turns = 0;
    const count = () => {
      turns++;
      if (looked < 5_000) setImmediate(count);
    };
    setImmediate(count);
    const found = await search(endless, null, 'test', parseFilter('status:599'), { limit: 10 });
    expect(found).toEqual({
      ...{ exchanges: [], unfinished: [], examined: 5_000, next: 'exchange 4999' },
      ...{ indexedUpTo: null, behind: null },
    });
    expect(turns).toBeGreaterThan(50);
  });

  it('says up to where it is complete and how much came later, which is found as well', async () => {
    const store = aFiledStore();
    const next = recordSource();
    const [first, second] = [next(), next()];
    append(store, first);
    const index = anIndex(store);
    expect(await find(store, index, 'method:get')).toMatchObject({ indexedUpTo: null, behind: 1 });
    index.catchUp();
    expect(await find(store, index, 'method:get')).toMatchObject({ indexedUpTo: idOf(first), behind: 0 });
    append(store, second);
    expect(await find(store, index, 'method:get')).toEqual({
      ...{
        exchanges: [idOf(second), idOf(first)],
        unfinished: [],
        examined: 1,
        next: null,
        indexedUpTo: idOf(first),
        behind: 1,
      },
    });
  });

  it('knows a session that was copied and goes on, and follows what is removed of what was copied', async () => {
    const from = aFiledStore();
    const next = recordSource();
    append(from, ...Array.from({ length: 5 }, () => next()));
    const path = aPath();
    const placed = (address: string) => ({ address, passwordFile: undefined, keyFile: '' });
    await copyBetween(placed(from.path), placed(path), {
      ...{
        broken: false,
        onBreak: () => {},
        onRest: () => {},
        onExpected: () => {},
        onDone: () => undefined,
      },
    });
    const store = { ...aStore({ path }), path };
    const index = anIndex(store);
    const behind = async () => (await find(store, index, 'method:get')).behind;
    expect(await behind()).toBe(5);
    index.catchUp();
    expect(await behind()).toBe(0);
    const own = [next(), next()];
    append(store, ...own);
    expect(await behind()).toBe(2);
    index.catchUp();
    expect(await behind()).toBe(0);
    for (const _ of store.remove('test', { before: idOf(own[0] as RecordedExchange), at: 0 }));
    index.catchUp();
    expect(idsIn(store)).toEqual(own.map(idOf));
    expect(index.db.prepare('SELECT exchange FROM exchanges ORDER BY place').pluck().all()).toEqual(
      idsIn(store),
    );
  });

  it('follows what is removed: the oldest of a session, a session, and one of the same name after it', async () => {
    const store = aFiledStore();
    const next = recordSource();
    const records = Array.from({ length: 400 }, () => next());
    append(store, ...records);
    const index = anIndex(store);
    index.catchUp();
    const rows = () => index.db.prepare('SELECT exchange FROM exchanges ORDER BY place').pluck().all();
    const texts = index.db.prepare('SELECT count(*) FROM texts').pluck();
    const shared = index.db
      .prepare('SELECT count(*) FROM shared JOIN shared_texts ON shared_texts.rowid = shared.id')
      .pluck();
    for (const _ of store.remove('test', { before: idOf(records[300] as RecordedExchange), at: 0 }));
    index.catchUp();
    expect(rows()).toEqual(idsIn(store));
    expect(rows()).toHaveLength(100);
    expect([texts.get(), shared.get()]).toEqual([100, 1]);
    for (const _ of store.remove('test'));
    index.catchUp();
    expect([rows(), texts.get(), shared.get()]).toEqual([[], 0, 0]);
    append(store, next());
    index.catchUp();
    expect(rows()).toEqual(idsIn(store));
  });

  it('keeps once what comes again and again, and finds it in each exchange that has it, after removals too', async () => {
    const store = aFiledStore();
    const next = recordSource();
    const text = `{"text":"${'many '.repeat(20)}needles"}`;
    const answering = (id: string) =>
      next({ call: { headers: { 'X-Request-ID': id } }, answer: { body: { text, size: text.length } } });
    const records = Array.from({ length: 10 }, (_, i) => answering(`request ${i}`));
    append(store, ...records);
    const index = anIndex(store);
    index.catchUp();
    const count = index.db.prepare('SELECT count(*) FROM shared_texts').pluck();
    const found = async (text: string) => (await find(store, index, text)).exchanges.toReversed();
    expect(count.get()).toBe(1);
    expect(await found('needles')).toEqual(records.map(idOf));
    expect(await found('needles "request 3"')).toEqual([idOf(records[3] as RecordedExchange)]);
    for (const _ of store.remove('test', { before: idOf(records[9] as RecordedExchange), at: 0 }));
    index.catchUp();
    expect(await found('needles')).toEqual([idOf(records[9] as RecordedExchange)]);
    const other = next();
    append(store, other);
    for (const _ of store.remove('test', { before: idOf(other), at: 0 }));
    index.catchUp();
    const again = answering('request 10');
    append(store, again);
    index.catchUp();
    expect(await found('needles')).toEqual([idOf(again)]);
  });

  it('holds nothing of a text that was removed, once it has nothing else to do', async () => {
    const store = aFiledStore();
    const next = recordSource();
    // What has a digit is taken for its own, what has none for something that others have too.
    const [old, kept] = ['departed', 'remaining'].map((name) =>
      next({ call: { headers: { 'X-Request-ID': `${name} 1`, Accept: name } } }),
    ) as [RecordedExchange, RecordedExchange];
    append(store, old, kept);
    const index = anIndex(store);
    index.catchUp();
    for (const table of TEXTS)
      index.db.exec(`CREATE VIRTUAL TABLE temp.terms_of_${table} USING fts5vocab(main, ${table}, 'row')`);
    const terms = () =>
      TEXTS.map((table) => index.db.prepare(`SELECT term FROM temp.terms_of_${table}`).pluck().all());
    const both = expect.arrayContaining(['epa', 'ema']);
    expect(terms()).toEqual([both, both]);
    for (const _ of store.remove('test', { before: idOf(kept), at: 0 }));
    index.catchUp();
    for (const left of terms()) {
      expect(left).toContain('ema');
      expect(left).not.toContain('epa');
    }
  });

  it('finds long texts that it does not keep', async () => {
    const store = aFiledStore();
    const body = { text: `${'x'.repeat(100_000)} needle`, size: 100_007 };
    append(
      store,
      recordSource()({ answer: { body } }),
      recordSource('test')({ call: { id: '0000000000Z' } }),
    );
    const index = anIndex(store);
    index.catchUp();
    expect((await find(store, index, 'needle')).exchanges).toHaveLength(1);
  });

  it.each([
    ['is damaged', (path: string) => writeFileSync(path, 'no database'.repeat(1_000))],
    ['is of another store', (path: string) => openIndex(path, 'another').close()],
    [
      'is of another version',
      (path: string) => {
        const db = openIndex(path, 'a store');
        db.pragma('user_version = 99');
        db.close();
      },
    ],
  ])('is made anew where its file %s, readable by its owner only', async (_, spoil) => {
    const store = aFiledStore();
    append(store, recordSource()());
    const path = indexPath(aPath());
    spoil(path);
    const index = anIndex(store, path);
    index.catchUp();
    expect(await find(store, index, 'method:get')).toMatchObject({
      examined: 0,
      indexedUpTo: idsIn(store)[0],
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
