/** What goes into a store comes out of it: exchanges, sessions, notes, ledger. */
import { describe, expect, it } from 'vitest';
import { numberOfId } from '../../src/exchange/index.js';
import type { LedgerChange } from '../../src/ledger/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { aCertificate, NOW, TPP } from '../builders.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

const FINDING = {
  rule: 'accounts/token-present',
  severity: 'must',
  judges: 'tpp',
  place: 'header Authorization',
  expected: 'Bearer',
} as const;

const PLACES = [
  ['a file', () => aPath()],
  ['memory', () => ':memory:'],
] as const;

describe.each(PLACES)('a store in %s', (_, path) => {
  it('gives back what was appended, in the order of recording', () => {
    const store = aStore({ path: path() });
    const next = recordSource();
    const records: RecordedExchange[] = [
      next({ answer: { body: { a: 1 } } }),
      { ...next({ answer: null }), findings: [FINDING], verdicts: { 'accounts/token-present': 'violated' } },
      next({ call: { operation: 'payments.create', body: { big: 'ü'.repeat(50_000) } } }),
      next({ call: { certificate: 'absent', target: '/unknown?x=1' }, answer: { status: 404 } }),
    ];
    const [first, second, ...rest] = records as [RecordedExchange, RecordedExchange, ...RecordedExchange[]];
    append(store, second, first);
    append(store, ...rest);
    expect([...store.read('test')]).toEqual([second, first, ...rest]);
    expect(store.find(first.exchange.call.id)).toEqual(first);
    expect(store.newest()).toBe(rest.at(-1)?.exchange.call.id);
  });

  it('gives back texts that are stored once for many exchanges', () => {
    const store = aStore({ path: path() });
    const next = recordSource();
    const other = aCertificate({ commonName: 'other' });
    const records = Array.from({ length: 200 }, (_, i) =>
      next({
        call: i % 3 === 0 ? { certificate: other } : {},
        answer: { body: { text: 'x'.repeat(i % 2 === 0 ? 500 : 20_000), kind: i % 5 } },
      }),
    );
    for (const record of records) append(store, record);
    expect([...store.read('test')]).toEqual(records);
  });

  it('reads on from behind an exchange, and no more than asked', () => {
    const store = aStore({ path: path() });
    const next = recordSource();
    const records = Array.from({ length: 300 }, () => next());
    append(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    expect(idsIn(store)).toEqual(ids);
    const part = [...store.read('test', { after: ids[99] as string, limit: 130 })];
    expect(part.map(({ exchange }) => exchange.call.id)).toEqual(ids.slice(100, 230));
    expect([...store.read('test', { limit: 0 })]).toEqual([]);
    expect([...store.read('test', { after: ids.at(-1) as string })]).toEqual([]);
    expect(() => [...store.read('test', { after: '0000000ZZZZ' })]).toThrow(/holds no exchange 0000000ZZZZ/);
  });

  it('reads backwards from the newest one, or on from an exchange', () => {
    const store = aStore({ path: path() });
    const next = recordSource();
    const records = Array.from({ length: 300 }, () => next());
    append(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    const back = (options: object) =>
      [...store.read('test', { backwards: true, ...options })].map(({ exchange }) => exchange.call.id);
    expect(back({})).toEqual([...ids].reverse());
    expect(back({ limit: 70 })).toEqual(ids.slice(-70).reverse());
    expect(back({ after: ids[100] as string, limit: 80 })).toEqual(ids.slice(20, 100).reverse());
    expect(back({ after: ids[0] as string })).toEqual([]);
  });

  it('tells its sessions with their notes', () => {
    const store = aStore({ path: path() });
    store.note('one', { at: NOW, kind: 'started', settings: { stance: 'observe' } });
    append(store, recordSource('one', NOW + 10)(), recordSource('two', NOW + 20)());
    store.note('one', { at: NOW + 99, kind: 'changed', settings: { stance: 'enforce' } });
    expect(store.sessions()).toEqual([
      {
        name: 'one',
        startedAt: NOW,
        lastAt: NOW + 99,
        exchanges: 1,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        entries: 4,
        end: store.chain('one')?.head,
        notes: [
          { at: NOW, kind: 'started', settings: { stance: 'observe' } },
          { at: NOW + 99, kind: 'changed', settings: { stance: 'enforce' } },
        ],
      },
      expect.objectContaining({
        name: 'two',
        startedAt: NOW + 21,
        lastAt: NOW + 21,
        exchanges: 1,
        notes: [],
      }),
    ]);
  });

  it('has nothing of what it does not know', () => {
    const store = aStore({ path: path() });
    expect([...store.read('nobody')]).toEqual([]);
    expect([...store.verifyChain('nobody')]).toEqual([]);
    expect([...store.remove('nobody')]).toEqual([]);
    expect([store.find('00000000000'), store.find('nonsense'), store.newest()]).toEqual([null, null, null]);
  });

  it('takes all of a batch or nothing', () => {
    const store = aStore({ path: path() });
    const next = recordSource();
    const [one, two, three] = [next(), next(), next()];
    append(store, one);
    const change: LedgerChange = { family: 'tokens', key: 'k', fact: null };
    const { exchange } = one;
    const strange = { ...one, exchange: { ...exchange, call: exchange.call.with({ id: 'nonsense' }) } };
    expect(() => store.append({ records: [two, strange], changes: [change] })).toThrow(
      /not an exchange id of this store/,
    );
    expect(idsIn(store)).toEqual([one.exchange.call.id]);
    append(store, two, three);
    expect(idsIn(store)).toHaveLength(3);
    expect([...store.verifyChain('test')]).toEqual([]);
  });
});

const token = (name: string, expiresAt = NOW): LedgerChange => ({
  family: 'tokens',
  key: name,
  fact: { token: name, tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt },
});

describe('the ledger of a store', () => {
  it('comes back after the last change of each fact, the oldest change first', () => {
    const path = aPath();
    const store = aStore({ path });
    store.append({ records: [], changes: [token('a'), token('b'), token('c')] });
    store.append({
      records: [],
      changes: [
        token('a', 1),
        token('d'),
        { ...token('d'), fact: null },
        token('a', 2),
        { ...token('c'), fact: null },
      ],
    });
    store.append({ records: [], changes: [token('e')] });
    const expected = [token('b'), token('a', 2), token('e')];
    expect([...store.ledger()]).toEqual(expected);
    expect([...aStore({ path }).ledger()]).toEqual(expected);
  });

  it('leaves out families that need not outlive the process', () => {
    const store = aStore();
    const request: LedgerChange = { family: 'requestIds', key: 'k', fact: { digest: 'd', at: NOW } };
    store.append({ records: [], changes: [request] });
    store.append({ records: [], changes: [request, token('a'), request] });
    expect([...store.ledger()]).toEqual([token('a')]);
  });

  it('can be left before its end', () => {
    const store = aStore({ path: ':memory:' });
    store.append({ records: [], changes: [token('a'), token('b')] });
    for (const change of store.ledger()) {
      expect(change).toEqual(token('a'));
      break;
    }
    append(store, recordSource()());
    expect(idsIn(store)).toHaveLength(1);
  });
});

describe('removing', () => {
  it('takes a session away in small steps, and nothing else', () => {
    const path = aPath();
    const store = aStore({ path });
    const [next, other] = [recordSource('test'), recordSource('other', NOW + 5_000)];
    append(
      store,
      ...Array.from({ length: 450 }, () => next({ answer: { body: { text: 'y'.repeat(400) } } })),
    );
    append(store, other());
    store.note('test', { at: NOW, kind: 'started', settings: {} });
    const steps = [...store.remove('test')].filter((step) => step > 0);
    expect(steps).toEqual([100, 100, 100, 100, 50]);
    expect(store.sessions().map(({ name }) => name)).toEqual(['other']);
    expect(idsIn(store)).toEqual([]);
    append(store, recordSource('test', NOW + 90_000)());
    expect([idsIn(store).length, idsIn(store, 'other').length]).toEqual([1, 1]);
    expect([...store.verifyChain('test')]).toEqual([]);
  });

  it('hides a session at once, and goes on with it when it was interrupted', () => {
    const store = aStore();
    const next = recordSource('test');
    const records = Array.from({ length: 300 }, () => next());
    append(store, ...records);
    for (const step of store.remove('test')) {
      expect(step).toBe(100);
      break;
    }
    expect(store.sessions()).toEqual([]);
    expect(store.find(records.at(-1)?.exchange.call.id ?? '')).toBeNull();
    append(store, recordSource('again', NOW + 5_000)());
    const removed = [...store.remove('again')].reduce((sum, step) => sum + step, 0);
    expect(removed).toBe(201);
  });

  it('takes the oldest away and leaves a sound chain', () => {
    const store = aStore();
    const next = recordSource();
    const records = Array.from({ length: 250 }, () => next());
    append(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    expect([...store.remove('test', { before: ids[130] as string, at: NOW })]).toEqual([100, 30]);
    expect(idsIn(store)).toEqual(ids.slice(130));
    expect([...store.verifyChain('test')]).toEqual([]);
    append(store, next());
    expect([...store.verifyChain('test')]).toEqual([]);
    expect(store.sessions()[0]?.exchanges).toBe(121);
    expect([...store.remove('test', { before: 'ZZZZZZZZZZ0'.replace('ZZ', '7Z'), at: NOW })]).toEqual([
      100, 21,
    ]);
    append(store, next());
    expect([...store.verifyChain('test')]).toEqual([]);
    expect(numberOfId(idsIn(store)[0] ?? '')).toBeGreaterThan(numberOfId(ids.at(-1) ?? '') ?? 0);
  });
});
