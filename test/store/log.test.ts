/** The log beside the store: it is emptied into the store while it is written, and never grows without end. */
import { copyFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { LocalStore } from '../../src/store/index.js';
import { type Checkpointer, openCheckpointer } from '../../src/store/sqlite/checkpointer.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

it('is moved into the store by a thread of its own', async () => {
  const path = aPath();
  const store = aStore({ path });
  const next = recordSource();
  const empty = statSync(path).size;
  append(store, ...Array.from({ length: 2_000 }, () => next({ answer: { body: { x: 'x'.repeat(200) } } })));
  expect(statSync(path).size).toBe(empty);
  // Some of it after the other.
  while (statSync(path).size <= 500_000) await pause(20);
  expect(statSync(path).size).toBeGreaterThan(500_000);
});

it('is left to whoever closes the store while it is small and new: no thread begins for it', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const wait = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => wait.mockRestore());
  const waitsToClose = (work: (store: LocalStore) => void): boolean => {
    const store = aStore();
    work(store);
    wait.mockClear();
    store.close();
    return wait.mock.calls.length > 0;
  };
  const next = recordSource();
  const large = { answer: { body: { x: 'x'.repeat(200) } } };
  expect(waitsToClose((store) => append(store, next()))).toBe(false);
  expect(waitsToClose((store) => append(store, ...Array.from({ length: 2_000 }, () => next(large))))).toBe(
    true,
  );
  // Until it is emptied, what little it has may be lost with the power.
  const quiet = (store: LocalStore): void => {
    append(store, next());
    vi.advanceTimersByTime(2_000);
  };
  expect(waitsToClose(quiet)).toBe(true);
  // What is removed stands in the file until then.
  expect(waitsToClose((store) => void [...store.remove('test')])).toBe(true);
});

it('is emptied by who closes the store also where somebody reads on: the file alone has all then', () => {
  const path = aPath();
  const store = aStore({ path });
  const reader = aStore({ path, readonly: true });
  append(store, recordSource()());
  const ids = idsIn(reader);
  store.close();
  reader.close();
  const copy = aPath();
  copyFileSync(path, copy);
  expect(ids).toHaveLength(1);
  expect(idsIn(aStore({ path: copy }))).toEqual(ids);
});

it('is emptied by a thread from the first commit on where nobody can tell how large it is', async () => {
  const missing = aPath('none.db');
  // That the thread fails tells that there is one.
  await new Promise<void>((failed) => openCheckpointer(missing, failed).committed());
});

it('grows with every attempt to write: also where there is nothing to write, and where nothing but that is tried', () => {
  const path = aPath();
  const store = aStore({ path });
  append(store, recordSource()());
  const grown = (work: () => void): boolean => {
    const before = statSync(`${path}-wal`).size;
    work();
    return statSync(`${path}-wal`).size > before;
  };
  const works = [() => store.append({ records: [], changes: [] }), () => store.place.check(true)];
  for (const work of works) expect([grown(work), grown(work)]).toEqual([true, true]);
  expect(grown(() => store.place.check(false))).toBe(false);
});

it('stays within bounds under steady load', async () => {
  const path = aPath();
  const store = aStore({ path });
  const next = recordSource();
  const text = 'y'.repeat(7_000);
  let written = 0;
  let largest = 0;
  // Three times what the log may hold, without a moment's rest in which it could be emptied whole.
  for (let i = 0; written < 220e6; i++) {
    const records = Array.from({ length: 50 }, (_, k) => next({ answer: { body: { i, k, text } } }));
    append(store, ...records);
    written += records.length * (text.length + 400);
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  }
  expect(largest).toBeLessThan(160e6);
});

it('is told of when the thread cannot work, and nobody waits for the thread then', async () => {
  const wait = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => wait.mockRestore());
  const { yieldTo, wake, stop } = await new Promise<Checkpointer>((failed) => {
    const checkpointer = openCheckpointer(aPath('none.db'), () => failed(checkpointer));
    checkpointer.wake();
  });
  yieldTo();
  wake();
  stop();
  // Whoever waits is woken, or waits until the time is over.
  expect(wait.mock.results.map(({ value }) => value)).toEqual(['not-equal']);
});

it('is told of once when the thread cannot begin, and what woke it goes on', () => {
  const failures: string[] = [];
  // What cannot be handed to a thread: it fails at once, as where a limit allows no more of them.
  const noPath = Symbol('path') as unknown as string;
  const { yieldTo, wake, stop } = openCheckpointer(noPath, () => failures.push('no thread'));
  for (let i = 0; i < 3; i++) {
    yieldTo();
    wake();
  }
  stop();
  expect(failures).toEqual(['no thread']);
});
