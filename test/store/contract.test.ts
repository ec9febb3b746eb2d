/** What every driver must do: what goes into a store comes out of it, whether it answers at once or later. */
import { describe, expect, it, onTestFinished } from 'vitest';

import { type FactChange, openWorld, restoreSnapshot } from '../../src/bank/index.js';
import { numberOfId, through } from '../../src/exchange/index.js';
import type { LedgerChange } from '../../src/ledger/index.js';
import {
  type ErasePlan,
  type KeptChange,
  noteIn,
  openStore,
  parseFilter,
  type RecordedExchange,
  type Store,
  withSteps,
  withUnfinished,
} from '../../src/store/index.js';
import { aCertificate, NOW, TPP } from '../builders.js';
import { aSchema, postgresStore } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { lateStore } from './late-store.js';
import { aPath, factsIn, recordSource } from './stores.js';

const FINDING = {
  rule: 'accounts/token-present',
  severity: 'must',
  judges: 'tpp',
  place: 'header Authorization',
  expected: 'Bearer',
} as const;

type Open = (path?: string) => Promise<Store>;

async function opened(address: string): Promise<Store> {
  const store = await openStore(address);
  onTestFinished(store.close);
  return store;
}

/** A store at a place, which is a new one where none is given. */
const DRIVERS: readonly (readonly [name: string, open: Open, aPlace: (() => string) | null])[] = [
  ['a file of SQLite', async (path = aPath()) => opened(path), aPath],
  ['memory', async () => opened('memory:'), null],
  ['one that answers later', async (path = aPath()) => lateStore(await opened(path)), aPath],
  ['PostgreSQL', async (address = aSchema()) => postgresStore(address, { keyFile: keyOf(address) }), aSchema],
];
const keys = new Map<string, string>();
/** The secret of a store is the same whenever it is opened. */
function keyOf(address: string): string {
  const file = keys.get(address) ?? aPath('store.key');
  keys.set(address, file);
  return file;
}

const add = async (store: Store, ...records: readonly RecordedExchange[]) =>
  await store.append({ records, changes: [] });
const idsIn = async (store: Store, session = 'test') =>
  (await all(store.read(session))).map(({ exchange }) => exchange.call.id);

/** Signed by a certificate that no connection has shown. */
function sealed(record: RecordedExchange): RecordedExchange {
  const { exchange } = record;
  const seal = aCertificate({ commonName: 'seal', qcType: ['eseal'] });
  return { ...record, exchange: { ...exchange, call: exchange.call.with({ seal }) } };
}

describe.each(DRIVERS)('a store in %s', (_, open) => {
  it('leaves the long bodies of an exchange out for who needs none, and nothing else', async () => {
    const store = await open();
    const long = { text: JSON.stringify({ big: 'ü'.repeat(50_000) }), size: 100_010 };
    const record = recordSource()({ call: { body: { short: 1 } }, answer: { body: long } });
    const { call, answer } = record.exchange;
    await add(store, { ...record, findings: [FINDING] });
    const [read] = await all(store.read('test', { isBrief: true }));
    for (const found of [await store.find(call.id, { isBrief: true }), read]) {
      expect(found?.exchange.call).toEqual(call);
      expect(found?.findings).toEqual([FINDING]);
      expect(found?.exchange.answer?.body?.size).toBe(answer?.body?.size);
      // What lies in memory costs nothing to give.
      expect(['', answer?.body?.text]).toContain(found?.exchange.answer?.body?.text);
    }
  });

  it('gives back what was appended, in the order of recording', async () => {
    const store = await open();
    const next = recordSource();
    const records: RecordedExchange[] = [
      next({ answer: { body: { a: 1 } } }),
      { ...next({ answer: null }), findings: [FINDING], verdicts: { 'accounts/token-present': 'violated' } },
      next({ call: { operation: 'payments.create', body: { big: 'ü'.repeat(50_000) } } }),
      next({ call: { certificate: 'absent', target: '/unknown?x=1' }, answer: { status: 404 } }),
      sealed(next()),
    ];
    const [first, second, ...rest] = records as [RecordedExchange, RecordedExchange, ...RecordedExchange[]];
    await add(store, second, first);
    await add(store, ...rest);
    expect(await all(store.read('test'))).toEqual([second, first, ...rest]);
    expect(await store.find(first.exchange.call.id)).toEqual(first);
    expect(await store.calls.newest()).toBe(rest.at(-1)?.exchange.call.id);
  });

  it('gives back texts that are stored once for many exchanges', async () => {
    const store = await open();
    const next = recordSource();
    const other = aCertificate({ commonName: 'other' });
    const records = Array.from({ length: 200 }, (_, i) =>
      next({
        call: i % 3 === 0 ? { certificate: other } : {},
        answer: { body: { text: 'x'.repeat(i % 2 === 0 ? 500 : 20_000), kind: i % 5 } },
      }),
    );
    for (const record of records) await add(store, record);
    expect(await all(store.read('test'))).toEqual(records);
  });

  it('reads on from behind an exchange, and no more than asked', async () => {
    const store = await open();
    const next = recordSource();
    const records = Array.from({ length: 300 }, () => next());
    await add(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    expect(await idsIn(store)).toEqual(ids);
    const part = await all(store.read('test', { after: ids[99] as string, limit: 130 }));
    expect(part.map(({ exchange }) => exchange.call.id)).toEqual(ids.slice(100, 230));
    expect(await all(store.read('test', { limit: 0 }))).toEqual([]);
    expect(await all(store.read('test', { after: ids.at(-1) as string }))).toEqual([]);
    const unknown = all(store.read('test', { after: '0000000ZZZZ' }));
    await expect(unknown).rejects.toThrow(/holds no exchange 0000000ZZZZ/);
  });

  it('reads backwards from the newest one, or on from an exchange', async () => {
    const store = await open();
    const next = recordSource();
    const records = Array.from({ length: 300 }, () => next());
    await add(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    const back = async (options: object) =>
      (await all(store.read('test', { backwards: true, ...options }))).map(
        ({ exchange }) => exchange.call.id,
      );
    expect(await back({})).toEqual([...ids].reverse());
    expect(await back({ limit: 70 })).toEqual(ids.slice(-70).reverse());
    expect(await back({ after: ids[100] as string, limit: 80 })).toEqual(ids.slice(20, 100).reverse());
    expect(await back({ after: ids[0] as string })).toEqual([]);
  });

  it('reads what matches a filter, from either end, and tells what it passed', async () => {
    const store = await open();
    const next = recordSource();
    const records = Array.from({ length: 9 }, (_, i) =>
      next({ answer: { status: i % 3 === 0 ? 404 : 200 } }),
    );
    await add(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    const where = parseFilter('status:404');
    for (const backwards of [{}, { backwards: true } as const]) {
      const passed: string[] = [];
      const read = store.read('test', { ...backwards, where, limit: 4, onPassed: (id) => passed.push(id) });
      const found = (await all(read)).map(({ exchange }) => exchange.call.id);
      const looked = 'backwards' in backwards ? ids.toReversed().slice(0, 4) : ids.slice(0, 4);
      const isWanted = (id: string) => ids.indexOf(id) % 3 === 0;
      expect([found, passed]).toEqual([looked.filter(isWanted), looked.filter((id) => !isWanted(id))]);
    }
  });

  it('tells its sessions with their notes', async () => {
    const store = await open();
    await noteIn(store, 'one', { at: NOW, kind: 'started', settings: { stance: 'observe' } });
    await add(store, recordSource('one', NOW + 10)(), recordSource('two', NOW + 20)());
    await noteIn(store, 'one', { at: NOW + 99, kind: 'changed', settings: { stance: 'enforce' } });
    const { store: id, head } = (await store.chains.of('one'))[0] ?? {};
    expect(await store.sessions()).toEqual([
      {
        name: 'one',
        startedAt: NOW,
        lastAt: NOW + 99,
        exchanges: 1,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        entries: 4,
        end: head,
        chains: [{ store: id, entries: 4, head }],
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

  it('has nothing of what it does not know', async () => {
    const store = await open();
    expect(await all(store.read('nobody'))).toEqual([]);
    expect(await all(store.chains.verify('nobody'))).toEqual([]);
    expect(await all(store.remove('nobody'))).toEqual([]);
    expect([
      await store.find('00000000000'),
      await store.find('nonsense'),
      await store.calls.newest(),
    ]).toEqual([null, null, null]);
  });

  it('takes all of a batch or nothing', async () => {
    const store = await open();
    const next = recordSource();
    const [one, two, three] = [next(), next(), next()];
    await add(store, one);
    const change: LedgerChange = { family: 'tokens', key: 'k', fact: null };
    const { exchange } = one;
    const strange = { ...one, exchange: { ...exchange, call: exchange.call.with({ id: 'nonsense' }) } };
    await expect(
      (async () => store.append({ records: [two, strange], changes: [change] }))(),
    ).rejects.toThrow(/not an exchange id of this store/);
    expect(await idsIn(store)).toEqual([one.exchange.call.id]);
    await add(store, two, three);
    expect(await idsIn(store)).toHaveLength(3);
    expect(await all(store.chains.verify('test'))).toEqual([]);
  });
});

const token = (name: string, expiresAt = NOW): LedgerChange => ({
  family: 'tokens',
  key: name,
  fact: { token: name, tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt },
});

describe.each(DRIVERS)('the facts of a store in %s', (_, open) => {
  it('comes back after the last change of each fact, the oldest change first', async () => {
    const store = await open();
    await store.append({ records: [], changes: [token('a'), token('b'), token('c')] });
    await store.append({
      records: [],
      changes: [
        token('a', 1),
        token('d'),
        { ...token('d'), fact: null },
        token('a', 2),
        { ...token('c'), fact: null },
      ],
    });
    await store.append({ records: [], changes: [token('e')] });
    const expected = [token('b'), token('a', 2), token('e')];
    expect(await factsIn(store)).toEqual(expected);
  });

  it('are those of the ledger and of the living bank, side by side', async () => {
    const store = await open();
    const outcome: FactChange = {
      family: 'bankOutcomes',
      key: 'a',
      fact: { scenario: 'SCA_OK', scope: null, psu: null, setAt: NOW },
    };
    await store.append({ records: [], changes: [token('a'), outcome, token('b')] });
    expect(await factsIn(store)).toEqual([token('a'), outcome, token('b')]);
    await store.append({ records: [], changes: [{ ...outcome, fact: null }] });
    expect(await factsIn(store)).toEqual([token('a'), token('b')]);
  });

  it('come back in order and whole, however many they are and whatever is in their keys', async () => {
    const store = await open();
    const long = '\u0000'.repeat(200);
    const names = [
      'a\nb',
      '\n',
      'a\u0000b',
      'a\u0001b',
      '\u00010000',
      '',
      'é',
      '\u{1f511}',
      `${long} ${long}`,
    ];
    const odd = names.map((name) => token(name));
    const many = Array.from({ length: 1_200 }, (_, i) => token(`t${i}`));
    const changes = [...many.slice(0, 600), ...odd, ...many.slice(600)];
    await store.append({ records: [], changes });
    expect(await factsIn(store)).toEqual(changes);
  });

  it('leaves out families that need not outlive the process', async () => {
    const store = await open();
    const request: LedgerChange = { family: 'requestIds', key: 'k', fact: { digest: 'd', at: NOW } };
    await store.append({ records: [], changes: [request] });
    await store.append({ records: [], changes: [request, token('a'), request] });
    expect(await factsIn(store)).toEqual([token('a')]);
  });

  it('can be left before its end', async () => {
    const store = await open();
    await store.append({ records: [], changes: [token('a'), token('b')] });
    for (const change of (await store.worlds.layers(''))[0]?.facts ?? []) {
      expect(change).toEqual(token('a'));
      break;
    }
    await add(store, recordSource()());
    expect(await idsIn(store)).toHaveLength(1);
  });
});

/** What a world made of the store's layers holds, and each of its snapshots. */
async function heldBy(store: Store, name: string): Promise<Record<string, string[]>> {
  const world = openWorld(await store.worlds.layers(name));
  const held = () => [...world.ledger.tokens].map(([key, { expiresAt }]) => `${key} ${expiresAt}`);
  const now = held();
  const snapshots = [...world.snapshots].map(([name, snapshot]) => {
    restoreSnapshot(world, snapshot);
    return [name, held().sort()] as const;
  });
  return { now: now.sort(), ...Object.fromEntries(snapshots) };
}

describe.each(DRIVERS)('the worlds of a store in %s', (_, open) => {
  const take = (name: string) => ({ step: 'take', name, at: NOW, clock: { mode: 'frozen' } }) as const;
  const restore = (name: string) => ({ step: 'restore', name }) as const;

  it('keep their facts apart', async () => {
    const store = await open();
    const other = { ...token('a', 2), world: 'other' };
    await store.append({ records: [], changes: [token('a', 1), other, token('b', 1)] });
    await store.append({ records: [], changes: [{ ...token('b'), fact: null, world: 'other' }] });
    expect(await heldBy(store, '')).toEqual({ now: ['a 1', 'b 1'] });
    expect(await heldBy(store, 'other')).toEqual({ now: ['a 2'] });
    expect(await heldBy(store, 'nobody')).toEqual({ now: [] });
  });

  it('hold long bodies of payments, which are read one by one from whichever layer has them', async () => {
    const store = await open();
    const text = `,"body":{"é": "\u0000"}`.repeat(500);
    const body = (key: string, tpp = TPP) => {
      const fact = { tpp, bytes: text.length, body: { text, of: key } };
      return { family: 'bankBodies', key, fact } as const;
    };
    const odd = 'TPP ","body":';
    const changes = [
      ...[body('p1'), body('of another', odd), take('one'), body('p2'), { ...body('p1'), fact: null }],
      ...[body('gone'), { ...body('gone'), fact: null }, { ...body('elsewhere'), world: 'other' }],
    ].map((change) => ('family' in change ? { ...change, home: change.fact?.tpp ?? TPP } : change));
    for (const change of changes) await store.append({ records: [], changes: [change] });
    const read = async (key: string, tpp = TPP) => {
      const found = (await store.worlds.body('', tpp, key)) as { of: string; text: string } | null;
      return found?.text === text ? found.of : found;
    };
    for (let round = 0; round < 2; round++) {
      expect(await Promise.all([read('p1'), read('p2'), read('of another', odd)])).toEqual([
        ...['p1', 'p2', 'of another'],
      ]);
      expect(await Promise.all([read('elsewhere'), read('nobody')])).toEqual([null, null]);
      await all(store.worlds.tidy());
    }
    const { bank, snapshots } = openWorld(await store.worlds.layers(''));
    expect([...bank.bankBodies]).toEqual([
      ['of another', { tpp: odd, bytes: text.length }],
      ['p2', { tpp: TPP, bytes: text.length }],
    ]);
    expect([...(snapshots.get('one')?.line.bank.bankBodies.keys() ?? [])]).toContain('p2');
  });

  it('come back with what they were at each snapshot, tidied or not', async () => {
    const store = await open();
    const changes = [
      ...[token('a', 1), token('b', 1), take('one'), { ...token('a'), fact: null }, token('b', 2)],
      ...[take('two'), restore('one'), token('c', 3), take('two'), { step: 'reset' } as const, token('d', 4)],
    ];
    for (const change of changes) await store.append({ records: [], changes: [change] });
    const expected = { now: ['d 4'], one: ['a 1', 'b 1'], two: ['a 1', 'b 1', 'c 3'] };
    expect(await heldBy(store, '')).toEqual(expected);
    await all(store.worlds.tidy());
    expect(await heldBy(store, '')).toEqual(expected);
    await store.append({
      records: [],
      changes: [restore('two'), { step: 'drop', name: 'one' }, token('e', 5)],
    });
    await all(store.worlds.tidy());
    expect(await heldBy(store, '')).toEqual({ now: ['a 1', 'b 1', 'c 3', 'e 5'], two: expected.two });
    expect((await store.worlds.layers('')).map(({ snapshot }) => snapshot)).toEqual([
      { name: 'two', at: NOW, clock: { mode: 'frozen' } },
      null,
    ]);
  });

  it('take nothing of a batch that is lost', async () => {
    const store = await open();
    const record = recordSource()();
    const { exchange } = record;
    const strange = { ...record, exchange: { ...exchange, call: exchange.call.with({ id: 'nonsense' }) } };
    await store.append({ records: [], changes: [token('a', 1), take('one')] });
    const lost = [restore('one'), token('b', 1), take('two'), { step: 'reset' } as const];
    await expect((async () => store.append({ records: [strange], changes: lost }))()).rejects.toThrow();
    expect(await heldBy(store, '')).toEqual({ now: ['a 1'], one: ['a 1'] });
  });

  it('are found by an authorisation that they know', async () => {
    const store = await open();
    const known = {
      ...{ family: 'authorisations', key: 'x', world: 'other' },
      fact: {
        ...{ id: 'x', tpp: TPP, scope: 'AIS:x', createdAt: NOW, status: null, statusAt: null },
        ...{ redirectUri: null, nokRedirectUri: null },
      },
    } as unknown as KeptChange;
    await store.append({ records: [], changes: [known, token('a')] });
    expect([await store.worlds.knowing('x'), await store.worlds.knowing('a')]).toEqual([['other'], []]);
  });

  it('tell which authorization requests await their end, the newest first, as they are now', async () => {
    const store = await open();
    const request = (world: string, state: string, awaited?: string) =>
      ({
        ...{ family: 'authorizes', key: state, world },
        fact: {
          ...{
            at: NOW,
            tpp: TPP,
            authorisationId: 'x',
            clientId: TPP,
            scope: 'AIS:x',
            state,
            method: 'S256',
          },
          ...{ redirectUri: 'https://tpp.example/cb', challenge: '"awaited":', ...(awaited && { awaited }) },
        },
      }) as unknown as KeptChange;
    const [one, other] = [request('', 'a', '1'), request('other', 'b', '2')];
    const found = async () =>
      (await store.worlds.awaited()).map(({ world, fact }) => [world, fact.state, fact.awaited]);
    await store.append({ records: [], changes: [one, request('', 'c')] });
    await store.append({ records: [], changes: [other] });
    expect(await found()).toEqual([
      ['other', 'b', '2'],
      ['', 'a', '1'],
    ]);
    await store.append({ records: [], changes: [request('', 'a')] });
    expect(await found()).toEqual([['other', 'b', '2']]);
  });

  it('go with the session of their name', async () => {
    const store = await open();
    const next = recordSource('other');
    await store.append({ records: [next()], changes: [{ ...token('a'), world: 'other' }, token('b')] });
    await all(store.remove('other'));
    expect([await store.worlds.layers('other'), (await factsIn(store)).length]).toEqual([[], 1]);
  });
});

describe.each(DRIVERS)('the chain of a store in %s', (_, open) => {
  it('holds beginnings, ends and notes in the order in which they came', async () => {
    const store = await open();
    const next = recordSource();
    const [one, two] = [next(), next()];
    const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;
    await store.append({ begun: [one, two], records: [], changes: [] });
    await noteIn(store, 'test', { at: NOW, kind: 'changed', settings: { stance: 'enforce' } });
    await add(store, two);
    expect((await store.calls.unfinished('test')).map(idOf)).toEqual([idOf(one)]);
    expect((await store.calls.unfinished('test', { ids: [idOf(two)] })).map(idOf)).toEqual([idOf(two)]);
    expect(await store.calls.unfinished('test', { since: idOf(one) })).toEqual([]);
    const first = '00000000000';
    expect((await store.calls.unfinished('test', { since: first })).map(idOf)).toEqual([idOf(one)]);
    expect((await all(store.read('test', { after: idOf(one) }))).map(idOf)).toEqual([idOf(two)]);
    expect(await all(store.read('test', { after: idOf(one), backwards: true }))).toEqual([]);
    const { entries, origin } = (await store.chains.of('test'))[0] ?? {};
    expect([entries, origin]).toEqual([5, 'gateway']);
    expect((await store.chains.notes('test')).map(({ seq, kind }) => [seq, kind])).toEqual([[1, 'created']]);
    const seen: unknown[] = [];
    expect(
      await all(store.chains.verify('test', { onLink: ({ seq, exchange }) => seen.push([seq, exchange]) })),
    ).toEqual([]);
    expect(seen).toEqual([
      [1, null],
      [2, idOf(one)],
      [3, idOf(two)],
      [4, null],
      [5, idOf(two)],
    ]);
    expect(await store.chains.verifyLink(idOf(two))).toEqual([]);
    const taken = store.chains.takeUnsigned(1);
    expect(taken.map(({ runs, head }) => [runs, head])).toEqual([
      [[[1, 5]], (await store.chains.of('test'))[0]?.head],
    ]);
    expect(store.chains.takeUnsigned(1)).toEqual([]);
  });

  it('tells where steps of its world stand, between entries of one batch too', async () => {
    const store = await open();
    const next = recordSource();
    const [a, b, c, d, e] = [next(), next(), next(), next(), next()];
    const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;
    const step = (number: number, behind?: { begun?: number; records: number }) => ({
      session: 'test',
      note: { at: NOW, kind: 'bank', settings: { action: 'reset', step: number } } as const,
      ...(behind === undefined ? {} : { behind }),
    });
    const revoked = { at: NOW, kind: 'bank', settings: { action: 'revoke', consent: 'c' } } as const;
    // The second was begun behind the first step and never ends, the fourth ends behind the last one.
    await store.append({
      notes: [
        step(1, { begun: 1, records: 1 }),
        { session: 'test', note: revoked },
        step(2, { begun: 2, records: 2 }),
      ],
      ...{ begun: [d, b], records: [a, c], changes: [] },
    });
    await store.append({ notes: [step(3)], records: [d], changes: [] });
    await store.append({ notes: [step(4, { records: 1 })], records: [e], changes: [] });
    expect((await all(store.read('test'))).map(idOf)).toEqual([a, c, d, e].map(idOf));
    const steps = await store.chains.steps('test');
    expect(steps.map(({ note }) => note.settings)).toEqual(
      [1, 2, 3, 4].map((number) => ({ action: 'reset', step: number })),
    );
    expect(steps.map(({ before }) => before)).toEqual([[c, b], [d], [d], []].map((found) => found.map(idOf)));
    expect(await store.chains.steps('none')).toEqual([]);
    expect(await all(store.chains.verify('test'))).toEqual([]);
    const withThem = await all(
      through(
        through(store.read('test'), withUnfinished(await store.calls.unfinished('test'))),
        withSteps(steps),
      ),
    );
    const told = withThem.map((record) => [idOf(record), record.steps?.map(({ settings }) => settings)]);
    const settings = (...numbers: number[]) => numbers.map((number) => ({ action: 'reset', step: number }));
    expect(told).toEqual([
      [idOf(a), undefined],
      [idOf(b), settings(1)],
      [idOf(c), undefined],
      [idOf(d), settings(2, 3)],
      [idOf(e), undefined],
    ]);
  });

  it('keeps an exchange under a free id where its own is taken, and notes that', async () => {
    const store = await open();
    const record = recordSource()();
    await add(store, record, record);
    const ids = await idsIn(store);
    expect([ids[0], ids.length]).toEqual([record.exchange.call.id, 2]);
    expect(await store.chains.notes('test', 'disturbed')).toMatchObject([
      { settings: { expected: { exchange: ids[0] }, found: { exchange: ids[1] } } },
    ]);
    expect((await all(store.chains.verify('test'))).map(({ kind }) => kind)).toEqual(['disturbed']);
  });

  it('is larger with each exchange, and smaller without', async () => {
    const store = await open();
    const next = recordSource();
    const body = { text: 'z'.repeat(4_000) };
    await add(store, ...Array.from({ length: 60 }, (_, i) => next({ answer: { body: { ...body, i } } })));
    const full = await store.place.size();
    await all(store.remove('test'));
    expect(full - (await store.place.size())).toBeGreaterThan(60 * 4_000);
  });
});

describe.each(DRIVERS)('removing from a store in %s', (_, open) => {
  it('takes a session away in small steps, and nothing else', async () => {
    const store = await open();
    const [next, other] = [recordSource('test'), recordSource('other', NOW + 5_000)];
    await add(
      store,
      ...Array.from({ length: 450 }, () => next({ answer: { body: { text: 'y'.repeat(400) } } })),
    );
    await add(store, other());
    await noteIn(store, 'test', { at: NOW, kind: 'started', settings: {} });
    const steps = (await all(store.remove('test'))).filter((step) => step > 0);
    expect(steps).toEqual([100, 100, 100, 100, 50]);
    expect((await store.sessions()).map(({ name }) => name)).toEqual(['other']);
    expect(await idsIn(store)).toEqual([]);
    await add(store, recordSource('test', NOW + 90_000)());
    expect([(await idsIn(store)).length, (await idsIn(store, 'other')).length]).toEqual([1, 1]);
    expect(await all(store.chains.verify('test'))).toEqual([]);
  });

  it('hides a session at once, and goes on with it when it was interrupted', async () => {
    const store = await open();
    const next = recordSource('test');
    const records = Array.from({ length: 300 }, () => next());
    await add(store, ...records);
    for await (const step of store.remove('test')) {
      expect(step).toBe(100);
      break;
    }
    expect(await store.sessions()).toEqual([]);
    expect(await store.find(records.at(-1)?.exchange.call.id ?? '')).toBeNull();
    await add(store, recordSource('again', NOW + 5_000)());
    const removed = (await all(store.remove('again'))).reduce((sum, step) => sum + step, 0);
    expect(removed).toBe(201);
  });

  it('takes the oldest away and leaves a sound chain', async () => {
    const store = await open();
    const next = recordSource();
    const records = Array.from({ length: 250 }, () => next());
    await add(store, ...records);
    const ids = records.map(({ exchange }) => exchange.call.id);
    expect(await all(store.remove('test', { before: ids[130] as string, at: NOW }))).toEqual([100, 30]);
    expect(await idsIn(store)).toEqual(ids.slice(130));
    expect(await all(store.chains.verify('test'))).toEqual([]);
    await add(store, next());
    expect(await all(store.chains.verify('test'))).toEqual([]);
    expect((await store.sessions())[0]?.exchanges).toBe(121);
    expect(await all(store.remove('test', { before: 'ZZZZZZZZZZ0'.replace('ZZ', '7Z'), at: NOW }))).toEqual([
      100, 21,
    ]);
    await add(store, next());
    expect(await all(store.chains.verify('test'))).toEqual([]);
    expect(numberOfId((await idsIn(store))[0] ?? '')).toBeGreaterThan(numberOfId(ids.at(-1) ?? '') ?? 0);
  });

  const naming = (name: string): ErasePlan => ({
    ofRecord: ({ exchange }) => JSON.stringify(exchange).includes(name),
    ofText: (text) => text.includes(name),
  });

  it('erases contents: what stays of them is sound, and all else is as it was', async () => {
    const store = await open();
    const next = recordSource();
    const about = (name: string) =>
      next({
        call: {
          headers: { 'PSU-ID': name, 'PSU-User-Agent': 'A' },
          body: { text: name.repeat(99), size: 9 },
        },
      });
    const records = ['anna', 'ben', 'anna', 'carl'].map((name) => ({ ...about(name), findings: [FINDING] }));
    const [begun] = records;
    await store.append({ begun: begun === undefined ? [] : [begun], records, changes: [] });
    await noteIn(store, 'test', { at: NOW, kind: 'mark', settings: { text: 'anna called' } });
    await add(store, { ...about('ben'), findings: [] });
    const before = await all(store.read('test'));
    expect(await all(store.erasures.contents('test', naming('anna'), NOW))).toEqual([
      { exchanges: 2, notes: 0 },
      { exchanges: 0, notes: 0 },
      { exchanges: 0, notes: 1 },
    ]);
    expect(await all(store.erasures.contents('test', naming('anna'), NOW))).toEqual([]);
    const after = await all(store.read('test'));
    expect(JSON.stringify([after, await store.sessions(), await store.chains.notes('test')])).not.toContain(
      'anna',
    );
    expect(after.map(({ exchange }) => exchange.withheld)).toEqual([
      'erased',
      undefined,
      'erased',
      undefined,
      undefined,
    ]);
    expect([after[1], after[3], after[4]]).toEqual([before[1], before[3], before[4]]);
    const kept = ({ exchange: { call, answer }, verdicts, findings }: RecordedExchange) => [
      ...[call.id, call.at, call.operation, call.tpp, answer?.status, verdicts],
      findings.map(({ rule, severity }) => [rule, severity]),
    ];
    expect(after.map(kept)).toEqual(before.map(kept));
    expect(await all(store.chains.verify('test'))).toEqual([]);
    for (const { exchange } of after) expect(await store.chains.verifyLink(exchange.call.id)).toEqual([]);
    await add(store, about('dora'));
    expect(await all(store.chains.verify('test'))).toEqual([]);
    expect((await store.chains.notes('test', 'erased')).map(({ settings }) => settings.exchanges)).toEqual([
      2, 0, 0,
    ]);
  });

  it('erases facts in all layers, and texts that entries shared', async () => {
    const store = await open();
    const next = recordSource();
    const long = (name: string) => next({ call: { body: { name, text: '.'.repeat(300) } } });
    await add(store, long('anna'), long('anna'), long('anna'), long('ben'), long('ben'), long('ben'));
    const change = { step: 'take', name: 's', at: NOW, clock: {} } as const;
    await store.append({ records: [], changes: [token('anna'), token('b'), change] });
    await store.append({ records: [], changes: [token('anna', 2), token('c')] });
    await all(store.erasures.contents('test', naming('anna'), NOW));
    const { ofText } = naming('anna');
    expect(await store.erasures.facts(ofText, true)).toBe(2);
    expect(await store.erasures.facts(ofText)).toBe(2);
    expect(await store.erasures.facts(ofText)).toBe(0);
    expect(JSON.stringify(await factsIn(store))).not.toContain('anna');
    await add(store, long('anna'), long('ben'));
    const names = (await all(store.read('test'))).map(
      ({ exchange }) => exchange.call.request.body?.text.slice(9, 13) ?? null,
    );
    expect(names).toEqual([null, null, null, 'ben"', 'ben"', 'ben"', 'anna', 'ben"']);
    expect(await all(store.chains.verify('test'))).toEqual([]);
    expect(await store.erasures.isHeard()).toBe(true);
    expect(['server', null]).toContain(await store.erasures.clean());
  });
});

describe.each(DRIVERS.filter(([, , aPlace]) => aPlace !== null))('a store in %s', (_, open, aPlace) => {
  it('has after it was closed, and opened again, all that it had, and goes on with it', async () => {
    const place = aPlace?.();
    const next = recordSource();
    const [first, second, third] = [next(), next(), next()];
    const before = await open(place);
    await before.append({
      begun: [second],
      records: [first],
      changes: [token('a'), token('b'), token('a', 2)],
    });
    const { file } = before.place;
    await before.close();
    await before.close();
    const after = await open(place);
    expect([after.place.file, after.fingerprintKey]).toEqual([file, before.fingerprintKey]);
    expect(await all(after.read('test'))).toEqual([first]);
    expect(await after.calls.unfinished('test')).toEqual([second]);
    expect(await after.calls.newest()).toBe(second.exchange.call.id);
    expect(await factsIn(after)).toEqual([token('b'), token('a', 2)]);
    await after.append({ records: [second, third], changes: [{ ...token('b'), fact: null }] });
    await after.close();
    const last = await open(place);
    expect(await all(last.read('test'))).toEqual([first, second, third]);
    expect(await last.calls.unfinished('test')).toEqual([]);
    expect(await factsIn(last)).toEqual([token('a', 2)]);
    expect(await all(last.chains.verify('test'))).toEqual([]);
  });
});
