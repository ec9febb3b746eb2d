/** Retention: what is removed, when, and that removing never takes long. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type PruneParts, prune, startRetention } from '../../../src/app/sessions/retention.js';
import { indexPath, type LocalStore, noteIn } from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { aPath, append, aStore, idsIn, recordSource } from '../../store/stores.js';

const DAY = 86_400_000;

/** `count` exchanges, some KB each, that began `daysAgo`. */
function fill(store: LocalStore, session: string, daysAgo: number, count = 3): void {
  const next = recordSource(session, NOW - daysAgo * DAY);
  const body = () => ({ text: Math.random().toString(36).repeat(200) });
  append(store, ...Array.from({ length: count }, () => next({ answer: { body: body() } })));
}

async function pruned(store: LocalStore, parts: Partial<PruneParts>) {
  const removed: string[] = [];
  const onTooLarge = vi.fn();
  const shortened: string[] = [];
  const steps = prune({
    ...{ store, clock: () => NOW, isOpen: () => false, keepDays: undefined, keepSize: undefined, onTooLarge },
    indexSize: async () => 0,
    onShortened: (session) => shortened.push(session),
    onRemoved: (session) => removed.push(session),
    ...parts,
  });
  let count = 0;
  for await (const _ of steps) count += 1;
  return { removed, shortened, onTooLarge, steps: count, left: store.sessions().map(({ name }) => name) };
}

describe('what is too old', () => {
  it('goes with its session, where nothing in it is younger', async () => {
    const store = aStore();
    fill(store, 'old', 40);
    fill(store, 'young', 29);
    expect(await pruned(store, { keepDays: 30 })).toMatchObject({ removed: ['old'], left: ['young'] });
  });

  it('goes out of the session that is being recorded, and leaves it sound', async () => {
    const store = aStore();
    fill(store, 'running', 40, 5);
    fill(store, 'running', 1, 2);
    const { removed, left } = await pruned(store, { keepDays: 30, isOpen: () => true });
    expect([removed, left]).toEqual([[], ['running']]);
    expect(idsIn(store, 'running')).toHaveLength(2);
    expect([...store.chains.verify('running')]).toEqual([]);
  });

  it('stays where it was imported lately, however old its calls', async () => {
    const store = aStore();
    for (const [name, daysAgo] of [
      ['lately', 29],
      ['long ago', 31],
    ] as const) {
      const importedAt = new Date(NOW - daysAgo * DAY).toISOString();
      noteIn(store, name, { at: NOW - 400 * DAY, kind: 'imported', settings: { importedAt } });
      fill(store, name, 300 + daysAgo);
    }
    expect(await pruned(store, { keepDays: 30 })).toMatchObject({
      removed: ['long ago'],
      left: ['lately'],
    });
  });

  it('goes in steps of a hundred exchanges at most', async () => {
    const store = aStore();
    fill(store, 'old', 40, 1_000);
    expect((await pruned(store, { keepDays: 30 })).steps).toBeGreaterThanOrEqual(10);
  });
});

describe('what is too much', () => {
  it('goes session by session, the oldest first, until the rest fits', async () => {
    const store = aStore();
    for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) fill(store, name, 10 - i, 50);
    const whole = store.place.size();
    const { removed, left, onTooLarge } = await pruned(store, { keepSize: Math.ceil(whole * 0.6) });
    expect([removed, left]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(store.place.size()).toBeLessThan(whole * 0.6);
    expect(onTooLarge).not.toHaveBeenCalled();
  });

  it('leaves room for the index, which grows and shrinks with the store', async () => {
    const store = aStore();
    for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) fill(store, name, 10 - i, 50);
    const whole = store.place.size();
    const half = async () => whole / 2;
    expect((await pruned(store, { keepSize: whole * 1.6, indexSize: half })).left).toHaveLength(4);
    expect((await pruned(store, { keepSize: whole * 1.2, indexSize: half })).left).toEqual(['b', 'c', 'd']);
    expect(store.place.size() + (await half())).toBeGreaterThan(whole * 1.2);
  });

  it('stays where it was recorded lately, here or by another gateway, and is told', async () => {
    const store = aStore();
    fill(store, 'here', 0);
    fill(store, 'elsewhere', 0.003);
    const { removed, shortened, onTooLarge, left } = await pruned(store, {
      keepSize: 1,
      isOpen: (name) => name === 'here',
    });
    expect([removed, shortened, left]).toEqual([[], [], ['here', 'elsewhere']]);
    expect(onTooLarge).toHaveBeenCalledTimes(1);
  });

  it('goes out of the session that is being recorded where there is no other, no more than must, and leaves it sound', async () => {
    const store = aStore();
    fill(store, 'here', 10, 1_000);
    const whole = store.place.size();
    const keepSize = Math.ceil(whole * 0.6);
    const { removed, shortened, onTooLarge } = await pruned(store, { keepSize, isOpen: () => true });
    expect([removed, shortened]).toEqual([[], ['here']]);
    expect(onTooLarge).not.toHaveBeenCalled();
    expect(store.place.size()).toBeLessThanOrEqual(keepSize);
    expect(store.sessions()[0]?.exchanges).toBeGreaterThan(300);
    expect([...store.chains.verify('here')]).toEqual([]);
  });

  it('gives its room to what comes next', async () => {
    const path = aPath();
    const store = aStore({ path });
    fill(store, 'old', 10, 200);
    const before = store.place.size();
    await pruned(store, { keepSize: 1 });
    expect(store.place.size()).toBeLessThan(before / 4);
  });
});

describe('retention', () => {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), debug: vi.fn() };

  /** With a timer that is run by hand. */
  function started(
    store: LocalStore,
    config: Partial<Parameters<typeof startRetention>[0]>,
    isFirst = () => true,
  ) {
    let waiting: (() => unknown) | null = null;
    const waits: number[] = [];
    const after = (ms: number, run: () => unknown) => {
      waits.push(ms);
      waiting = run;
      return () => {
        waiting = null;
      };
    };
    const retention = startRetention(
      { keepDays: undefined, keepSize: undefined, store: 'sandgate.db', ...config },
      { store, sessions: { isOpen: () => false } as never, isFirst },
      { timer: { after }, clock: () => NOW, log },
    );
    return { ...retention, waits, isSet: () => waiting !== null, fire: () => waiting?.() };
  }

  it('goes one step at a time, and comes back after a while', async () => {
    const store = aStore();
    fill(store, 'old', 40, 250);
    const { waits, fire } = started(store, { keepDays: 30 });
    while (store.sessions().length > 0 || waits.at(-1) === 20) await fire();
    expect(waits.slice(0, 4)).toEqual([1_000, 20, 20, 20]);
    expect(waits.at(-1)).toBe(60_000);
    expect(log.info).toHaveBeenCalledWith({ session: 'old' }, expect.stringContaining('--keep-days'));
  });

  it('sets no timer after it is closed', async () => {
    const { close, waits, isSet } = started(aStore(), { keepDays: 1 });
    await close();
    expect([waits, isSet()]).toEqual([[1_000], false]);
  });

  it.each([
    ['five gigabytes', 'sandgate.db', 5 * 2 ** 30],
    ['one in memory', 'memory:', 2 ** 30],
  ])('keeps %s where nothing is said of it', async (_, address, most) => {
    const store = aStore();
    fill(store, 'old', 10);
    const size = vi.spyOn(store.place, 'size').mockReturnValue(most);
    const { fire } = started(store, { store: address });
    await fire();
    expect(store.sessions()).toHaveLength(1);
    size.mockReturnValue(most + 1);
    for (let i = 0; i < 5; i++) await fire();
    expect(store.sessions()).toEqual([]);
  });

  it('counts the index, which is the file beside the store', async () => {
    const path = aPath();
    const store = aStore({ path });
    for (const name of ['a', 'b', 'c', 'd']) fill(store, name, 10, 50);
    const whole = store.place.size();
    const { fire } = started(store, { keepSize: whole * 1.2 });
    for (let i = 0; i < 5; i++) await fire();
    expect(store.sessions()).toHaveLength(4);
    writeFileSync(indexPath(path), Buffer.alloc(whole / 2));
    for (let i = 0; i < 20 && store.sessions().length === 4; i++) await fire();
    expect(store.sessions().map(({ name }) => name)).toEqual(['b', 'c', 'd']);
  });

  it('is up to another gateway from when that one is the first', async () => {
    const store = aStore();
    fill(store, 'old', 40);
    const isNow = vi.fn(() => false);
    const { fire } = started(store, { keepDays: 30 }, isNow);
    for (let i = 0; i < 5; i++) await fire();
    expect(store.sessions()).toHaveLength(1);
    isNow.mockReturnValue(true);
    for (let i = 0; i < 5; i++) await fire();
    expect(store.sessions()).toEqual([]);
  });

  it('tells of a store that fails, and tries again later', async () => {
    const store = aStore();
    store.close();
    const { waits, fire } = started(store, { keepDays: 1 });
    await fire();
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(waits).toEqual([1_000, 60_000]);
  });
});
