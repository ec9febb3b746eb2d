/** The thread of a look-up index, built and run as it is shipped. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore, type Lookup, openLookup, parseFilter } from '../../src/store/index.js';
import { TEXTS } from '../../src/store/lookup/index-file.js';
import { openDatabase } from '../../src/store/sqlite/driver.js';
import { NOW } from '../builders.js';
import { ANNA, BEN, filesWith, plant } from '../cli/planted.js';
import { sandgate } from '../cli/run-command.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

const THREAD = new URL('../../dist/store/lookup/thread.js', import.meta.url);

function aLookup(path: string, program = THREAD) {
  const store = aStore({ path });
  const problems: (string | null)[] = [];
  let settle = (): void => {};
  const told = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const onProblem = (problem: string | null) => {
    problems.push(problem);
    settle();
  };
  const lookup = openLookup(store, { program, path, onProblem });
  onTestFinished(lookup.close);
  return { store, lookup, problems, told };
}

const everything = (lookup: Lookup) => lookup.search('test', parseFilter('method:get'), { limit: 100 });

async function indexed(lookup: Lookup, id: string | undefined): Promise<void> {
  while ((await everything(lookup)).indexedUpTo !== id);
}

describe('the thread of a look-up index', () => {
  it('keeps up with what is recorded, and goes on where it was after a restart', async () => {
    const path = aPath();
    const next = recordSource();
    const { store, lookup, problems } = aLookup(path);
    append(store, next(), next());
    await indexed(lookup, idsIn(store).at(-1));
    await lookup.close();
    expect(existsSync(`${path}.index-wal`)).toBe(false);
    expect(statSync(`${path}.index`).mode & 0o777).toBe(0o600);
    append(store, next());
    const again = aLookup(path);
    const first = await again.lookup.search('test', parseFilter('method:get'), { limit: 100 });
    expect(first.exchanges).toEqual(idsIn(store).reverse());
    await indexed(again.lookup, idsIn(store).at(-1));
    expect([...problems, ...again.problems]).toEqual([]);
  });

  it('tells what was before an exchange: when, with what was found, how long the bank took, and how many fit filters', async () => {
    const { store, lookup } = aLookup(aPath());
    const next = recordSource();
    const rule = 'requests/request-id-present';
    const findings = [
      { rule, severity: 'must', judges: 'tpp', place: 'path', expected: 'one', actual: 'none' },
    ] as const;
    append(store, { ...next(), findings }, next({ answer: { source: 'upstream' } }), next());
    const last = idsIn(store).at(-1) ?? '';
    await indexed(lookup, last);
    const slot = { at: NOW, calls: 2, must: 1, should: 0, asked: 1 };
    const trees = ['worst:must', 'method:get'].map(parseFilter);
    const { timeline, counts } = (await lookup.past('test', last, trees)) ?? {};
    expect([timeline?.slots, counts]).toEqual([[expect.objectContaining(slot)], [1, 2]]);
    expect(await lookup.past('other', last, trees)).toBeNull();
  });

  it('is done without where it cannot begin, and that is told', async () => {
    const { store, lookup, problems } = aLookup(aPath(), new URL('http://127.0.0.1/thread.mjs'));
    append(store, recordSource()());
    expect((await everything(lookup)).exchanges).toEqual(idsIn(store));
    expect(problems).toEqual([expect.stringContaining('ERR_INVALID_URL_SCHEME')]);
  });

  it('makes an index anew that is no database', async () => {
    const path = aPath();
    writeFileSync(`${path}.index`, 'no database'.repeat(1_000));
    const { store, lookup, problems } = aLookup(path);
    append(store, recordSource()());
    await indexed(lookup, idsIn(store)[0]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['its file cannot be made', undefined, /index cannot be used: the file cannot be opened/],
    ['it cannot start', pathToFileURL('/nowhere/thread.mjs'), /thread\.mjs/],
  ])('tells when %s, and sessions are searched without it', async (_, program, text) => {
    const path = aPath();
    mkdirSync(`${path}.index`);
    const { store, lookup, problems, told } = aLookup(path, program);
    append(store, recordSource()());
    await told;
    expect(problems).toEqual([expect.stringMatching(text)]);
    expect(await everything(lookup)).toEqual({
      ...{
        exchanges: idsIn(store),
        unfinished: [],
        examined: 1,
        next: null,
        indexedUpTo: null,
        behind: null,
      },
    });
  });

  it('has the searching side meet what is wrong with what was asked', async () => {
    const { store, lookup } = aLookup(aPath());
    append(store, recordSource()());
    const asked = lookup.search('test', parseFilter(''), { before: '0000000ZZZZ', limit: 1 });
    await expect(asked).rejects.toThrow('holds no exchange 0000000ZZZZ');
  });
});

/** A name whose groups of letters nothing else has. */
const ODD = { ...ANNA, name: 'Zqxjv Planted' };

/** A store with calls of two people. */
function aStoreOfTwo(encrypt: boolean): string {
  const path = aPath();
  const store = createSqliteStore({ path, encrypt });
  for (const person of [ODD, BEN]) plant(store, person);
  store.close();
  return path;
}

/** Does some work with the index of a store when it knows all of it; then it is closed. */
async function withIndex<T>(
  path: string,
  work: (find: (text: string) => ReturnType<Lookup['search']>) => Promise<T>,
) {
  const store = createSqliteStore({ path, readonly: true });
  const lookup = openLookup(store, { program: THREAD, path, onProblem: () => expect.unreachable() });
  const find = (text: string) => lookup.search('june', parseFilter(text), { limit: 1_000 });
  const last = [...store.read('june')].at(-1)?.exchange.call.id;
  while ((await find('method:get')).indexedUpTo !== last);
  const done = await work(find);
  await lookup.close();
  store.close();
  return done;
}

const GROUPS = ['zqx', 'qxj', 'xjv', 'ned'];

/** Groups of three letters that an index knows, which nobody has open. */
function groupsIn(path: string): readonly unknown[] {
  const db = openDatabase({ path: `${path}.index`, readonly: false });
  const found = TEXTS.flatMap((table) => {
    db.exec(`CREATE VIRTUAL TABLE temp.terms_of_${table} USING fts5vocab(main, ${table}, 'row')`);
    return db.prepare(`SELECT term FROM temp.terms_of_${table}`).pluck().all();
  });
  db.close();
  return found;
}

const known = (path: string) => GROUPS.filter((one) => groupsIn(path).includes(one));

describe('an index of what is to be forgotten', () => {
  it('holds nothing of what was erased', async () => {
    const path = aStoreOfTwo(false);
    await withIndex(path, async () => undefined);
    expect(known(path)).toEqual(GROUPS);
    await withIndex(path, async () => {
      const erase = ['erase', '--consent', ODD.consent, '--yes', '--store', path];
      expect((await sandgate(erase)).status).toBe(0);
    });
    const found = await withIndex(path, async (find) => [await find('zqxjv'), await find('benedict')]);
    expect(found.map(({ exchanges }) => exchanges.length > 0)).toEqual([false, true]);
    expect(known(path)).toEqual(['ned']);
  });

  it('holds nothing of an enciphered session, in which words are found all the same', async () => {
    const path = aStoreOfTwo(true);
    const [odd, ben] = await withIndex(path, async (find) => [await find('zqxjv'), await find('benedict')]);
    expect([odd?.exchanges.length, ben?.exchanges.length].map((count = 0) => count > 20)).toEqual([
      true,
      true,
    ]);
    expect(odd?.exchanges.filter((one) => ben?.exchanges.includes(one))).toEqual([]);
    expect(groupsIn(path)).toEqual([]);
    const store = createSqliteStore({ path, readonly: true });
    const lookup = openLookup(store, { program: THREAD, path, onProblem: () => expect.unreachable() });
    const all = [...store.read('june')];
    const { id } = all.at(-1)?.exchange.call ?? { id: '' };
    const { timeline, counts } = (await lookup.past('june', id, [parseFilter('method:post')])) ?? {};
    const posts = all.slice(0, -1).filter(({ exchange }) => exchange.call.request.method === 'POST');
    expect(timeline?.slots.reduce((sum, { calls }) => sum + calls, 0)).toBe(all.length - 1);
    expect(counts).toEqual([posts.length]);
    await lookup.close();
    store.close();
    expect(filesWith(`${path}.index`, [ODD.name, ODD.consent, BEN.name, BEN.consent])).toEqual([]);
  });
});
