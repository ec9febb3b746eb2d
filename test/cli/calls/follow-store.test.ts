/** From where on calls of a store are followed. */
import { expect, it } from 'vitest';
import { followStore } from '../../../src/cli/calls/follow-store.js';
import { noteIn, parseFilter, type Store } from '../../../src/store/index.js';
import { NOW } from '../../builders.js';
import { aPath, append, aStore, recordSource } from '../../store/stores.js';

it.each([
  [[], 'sessions'],
  [[], 'arrived'],
  [['test'], 'sessions'],
  [['test'], 'arrived'],
  [['test'], 'read'],
  [['test', 'older'], 'sessions'],
] as const)(
  'one that comes while the newest of %j are looked up is told once: behind %s',
  async (sessions, moment) => {
    const path = aPath();
    const recording = aStore({ path });
    for (const name of sessions.toReversed()) append(recording, recordSource(name)());
    const reading = aStore({ path, readonly: true });
    const late = recordSource('test', Date.now())();
    let isDue = true;
    const andThen = <T>(done: T): T => {
      if (isDue) append(recording, late);
      isDue = false;
      return done;
    };
    const store: Store = {
      ...reading,
      sessions: () => (moment === 'sessions' ? andThen(reading.sessions()) : reading.sessions()),
      calls: {
        ...reading.calls,
        arrived: (position) =>
          moment === 'arrived' ? andThen(reading.calls.arrived(position)) : reading.calls.arrived(position),
      },
      async *read(...given) {
        if (moment === 'read') andThen(null);
        yield* reading.read(...given);
      },
    };
    const stop = new AbortController();
    const told: string[] = [];
    const last = recordSource('test', Date.now() + 1_000)();
    const watch = {
      ...{ session: undefined, where: parseFilter(''), lines: 10, signal: stop.signal },
      show: async ({ id }: { id: string }) => {
        told.push(id);
        if (id === late.exchange.call.id) append(recording, last);
        if (id === last.exchange.call.id) stop.abort();
        return true;
      },
      say: (text: string) => void told.push(text),
    };
    await followStore((work) => work(store, path), watch, Date.now);
    expect(told.slice(-2)).toEqual([late, last].map(({ exchange }) => exchange.call.id));
    expect(new Set(told).size).toBe(told.length);
  },
);

it('calls lead to the gateway that was started last of those that answer operators', async () => {
  const path = aPath();
  const store = aStore({ path });
  const record = recordSource()();
  append(store, record);
  const urls = { api: 'https://localhost:1', psu: 'https://localhost:2' };
  const admins = ['http://localhost:3', 'http://localhost:4', undefined];
  for (const admin of admins)
    noteIn(store, 'test', {
      at: NOW,
      kind: 'started',
      settings: { urls: { ...urls, ...(admin && { admin }) } },
    });
  const pages: (string | null)[] = [];
  const watch = {
    ...{ session: undefined, where: parseFilter(''), lines: 1, signal: AbortSignal.abort() },
    show: async (_: unknown, page: string | null) => {
      pages.push(page);
      return false;
    },
    say: () => {},
  };
  await followStore((work) => work(store, path), watch, Date.now);
  expect(pages).toEqual([`http://localhost:4/exchanges/${record.exchange.call.id}`]);
});
