/** What several gateways keep in one store: whoever depends on what another has moved on writes nothing, and learns of it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMON_PARTITION, readStored, type WorldStep } from '../../src/bank/index.js';
import {
  type Awaitable,
  type Batch,
  createSqliteStore,
  type Dependency,
  type KeptChange,
  noteIn,
  type RecordedExchange,
  type Store,
  StoreMoved,
  type WorldState,
} from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aSchema, postgresStore } from '../postgres/schemas.js';
import { lateStore } from './late-store.js';
import { aPath, factsIn, idsIn, recordSource } from './stores.js';

type OpenTwo = () => Awaitable<readonly [Store, Store]>;

const inOneFile = () => {
  const path = aPath();
  return [createSqliteStore({ path }), createSqliteStore({ path })] as const;
};
const inOneSchema = async () => {
  const [address, keyFile] = [aSchema(), aPath('store.key')];
  return [await postgresStore(address, { keyFile }), await postgresStore(address, { keyFile })] as const;
};

const DRIVERS: readonly (readonly [name: string, open: OpenTwo])[] = [
  ['one file of SQLite', inOneFile],
  ['one that answers later', () => inOneFile().map(lateStore) as [Store, Store]],
  ['one schema of PostgreSQL', inOneSchema],
];

const A = 'PSDBE-A';
const B = 'PSDBE-B';

const access = (tpp: string, ...times: number[]): KeptChange => ({
  family: 'accesses',
  key: `${tpp} c accounts.list `,
  fact: { tpp, consentId: 'c', operation: 'accounts.list', accountId: '', times },
  home: tpp,
});
const gone = (tpp: string): KeptChange => ({ ...access(tpp), fact: null }) as KeptChange;

const rest = ({ epoch, versions }: WorldState, ...names: readonly string[]): Dependency => ({
  world: '',
  epoch,
  versions: new Map(names.map((name) => [name, versions.get(name) ?? 0])),
});

/** What a batch moved on, as whoever gave it knows without asking. */
const movedOn = (known: WorldState, ...names: readonly string[]): WorldState => ({
  ...known,
  versions: new Map([
    ...known.versions,
    ...names.map((name) => [name, (known.versions.get(name) ?? 0) + 1] as const),
  ]),
});

const change = (dependsOn: readonly Dependency[], ...changes: readonly KeptChange[]): Batch => ({
  records: [],
  changes,
  dependsOn,
});

describe.each(DRIVERS)('two gateways on %s', (_, openTwo) => {
  async function two() {
    const [one, other] = await openTwo();
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    expect(await one.serve(0)).toMatchObject({ isShared: true, slot: 0 });
    expect(await other.serve(1)).toMatchObject({ isShared: true, slot: 1 });
    return { one, other, start: await one.worlds.state('') };
  }

  const moved = async (writing: unknown): Promise<unknown> => {
    try {
      await writing;
    } catch (error) {
      if (error instanceof StoreMoved) return error.moved;
      throw error;
    }
    return 'kept';
  };
  const append = async (store: Store, batch: Batch) => moved((async () => store.append(batch))());

  it('write side by side what belongs to different TPPs', async () => {
    const { one, other, start } = await two();
    expect(await append(one, change([rest(start, A)], access(A, NOW)))).toBe('kept');
    expect(await append(other, change([rest(start, B)], access(B, NOW)))).toBe('kept');
    expect(await append(one, change([rest(movedOn(start, A), A)], access(A, NOW, NOW + 1)))).toBe('kept');
    expect(await factsIn(one)).toHaveLength(2);
  });

  it('keep nothing of a batch that depends on what the other one moved on', async () => {
    const { one, other, start } = await two();
    const record = recordSource()();
    await one.append(change([rest(start, A)], access(A, NOW)));
    const late = { ...change([rest(start, B, A)], access(B, NOW)), records: [record] };
    expect(await append(other, late)).toEqual([{ world: '', partitions: [A] }]);
    expect(await factsIn(other)).toEqual([
      { family: 'accesses', key: `${A} c accounts.list `, fact: expect.anything() },
    ]);
    expect(await other.find(record.exchange.call.id)).toBeNull();
    // The next one goes on where the last kept one left off.
    const caught = await other.worlds.catchUp('', start, [A]);
    expect(await append(other, { ...late, dependsOn: [rest({ ...start, ...caught }, A, B)] })).toBe('kept');
    expect(await other.find(record.exchange.call.id)).toEqual(record);
  });

  it('tell at once whether what holds for a world as a whole was moved on by the other one', async () => {
    const { one, other, start } = await two();
    const epochs = async () => [
      await one.worlds.epoch(''),
      await other.worlds.epoch(''),
      await other.worlds.epoch('elsewhere'),
    ];
    expect(await epochs()).toEqual([start.epoch, start.epoch, 0]);
    await one.append(change([rest(start, A)], access(A, NOW)));
    expect(await epochs()).toEqual([start.epoch, start.epoch, 0]);
    const header = { settings: 'another' };
    await one.append({ ...change([rest(start)]), headers: [{ world: '', header }] });
    // Also where nothing is to be kept.
    await expect(async () => other.append(change([rest(start)]))).rejects.toBeInstanceOf(StoreMoved);
    const next = { ...start, epoch: start.epoch + 1 };
    await other.append(change([rest(next)]));
    expect(await epochs()).toEqual([start.epoch + 1, start.epoch + 1, 0]);
  });

  it('learn what the other one changed and removed, and where it stands then', async () => {
    const { one, other, start } = await two();
    const before = other.worlds.stamp('');
    await one.append(change([rest(start, A, B)], access(A, NOW), access(B, NOW)));
    await expect.poll(() => other.worlds.stamp('')).not.toBe(before);
    const first = await other.worlds.catchUp('', start);
    expect(first.isAnew).toBe(false);
    expect([...first.versions]).toEqual([
      [A, 1],
      [B, 1],
    ]);
    expect(first.facts.map(({ key }) => key)).toEqual([`${A} c accounts.list `, `${B} c accounts.list `]);
    const known = { ...start, ...first };
    await one.append(change([rest(known, A)], gone(A)));
    const second = await other.worlds.catchUp('', known);
    expect(second.facts.map(readStored)).toEqual([
      expect.objectContaining({ key: `${A} c accounts.list `, fact: null }),
    ]);
    expect([...second.versions]).toEqual([[A, 2]]);
  });

  it('learn all that the other one changed where they ask for what has no TPP: it may be of any', async () => {
    const { one, other, start } = await two();
    await one.append(change([rest(start, A, B)], access(A, NOW), access(B, NOW)));
    const { facts } = await other.worlds.catchUp('', start, [COMMON_PARTITION]);
    expect(facts.map(({ key }) => key)).toEqual([`${A} c accounts.list `, `${B} c accounts.list `]);
  });

  it('find that tags have moved on with the facts that have them', async () => {
    const { one, other, start } = await two();
    const tag = 'account:\u0000';
    const tagged = { ...access(A, NOW), tags: [tag] } as KeptChange;
    await one.append(change([rest(start, A, tag)], tagged));
    expect(await append(other, change([rest(start, B, tag)], access(B, NOW)))).toEqual([
      { world: '', partitions: [tag] },
    ]);
  });

  it('know by the epoch that a world as a whole is another one, and load it anew after a step', async () => {
    const { one, other, start } = await two();
    const header = { clock: { now: '2026-01-01' } };
    await one.append({ ...change([rest(start)]), headers: [{ world: '', header }] });
    // Also where nothing is to be kept.
    await expect(async () => other.append(change([rest(start)]))).rejects.toBeInstanceOf(StoreMoved);
    const next = { ...start, epoch: start.epoch + 1 };
    await other.append(change([rest(next)]));
    expect(await append(other, change([rest(start, A)], access(A, NOW)))).toEqual([
      { world: '', partitions: [] },
    ]);
    const caught = await other.worlds.catchUp('', start);
    expect(caught).toMatchObject({ epoch: 1, steps: 0, header, isAnew: false });
    const known = { ...start, ...caught };
    await one.append(change([rest(known)], { step: 'reset' }));
    expect(await other.worlds.catchUp('', known)).toMatchObject({ epoch: 2, steps: 1, header, isAnew: true });
  });

  it('count worlds apart, and notice that one is gone with its session', async () => {
    const { one, other, start } = await two();
    await noteIn(one, 's', { at: NOW, kind: 'started', settings: {} });
    const inWorld = { ...access(A, NOW), world: 's' } as KeptChange;
    const ofWorld = { ...rest(start, A), world: 's' };
    await one.append({ ...change([ofWorld], inWorld), headers: [{ world: 's', header: { a: 1 } }] });
    expect(await append(other, change([rest(start, A)], access(A, NOW)))).toBe('kept');
    for await (const _ of one.remove('s')) void _;
    const known: WorldState = {
      epoch: 1,
      steps: 0,
      header: { a: 1 },
      versions: new Map([[A, 1]]),
      cursor: start.cursor,
    };
    expect(await append(other, change([{ ...rest(known, A), world: 's' }], inWorld))).toEqual([
      { world: 's', partitions: [] },
    ]);
    expect(await other.worlds.catchUp('s', known)).toMatchObject({ isAnew: true, header: {} });
  });

  it('tell whose an authorisation is', async () => {
    const { one, other, start } = await two();
    const fact = {
      id: 'a',
      tpp: A,
      scope: 'AIS:c',
      status: 'received',
      link: null,
      discoveryReadAt: null,
    } as const;
    expect(await other.worlds.ownerOf('a')).toBeNull();
    await one.append(change([rest(start, A)], { family: 'authorisations', key: 'a', fact, home: A }));
    expect(await other.worlds.ownerOf('a')).toEqual({ world: '', home: A, version: 1, steps: 0 });
    // By these others know whether anything moved that they have not seen, and need read nothing else.
    await one.append(change([rest(movedOn(start, A), A)], access(A, NOW)));
    expect(await other.worlds.ownerOf('a')).toMatchObject({ version: 2, steps: 0 });
    let { epoch } = start;
    const befall = (step: WorldStep) => one.append(change([rest({ ...start, epoch: epoch++ })], step));
    await befall({ step: 'take', name: 's', at: NOW, clock: {} });
    await befall({ step: 'reset' });
    expect(await other.worlds.ownerOf('a')).toEqual({ world: '', home: A, version: 2, steps: 2 });
  });

  it('go on in one session without a break', async () => {
    const { one, other } = await two();
    const next = recordSource();
    const records = Array.from({ length: 6 }, () => next());
    for (const [i, record] of records.entries())
      await (i % 2 === 0 ? one : other).append({ records: [record], changes: [], dependsOn: [] });
    const breaks: unknown[] = [];
    for await (const found of one.chains.verify('test')) breaks.push(found);
    expect(breaks).toEqual([]);
    expect((await one.sessions())[0]?.exchanges).toBe(6);
  });
});

describe.each(DRIVERS)('what arrives on %s', (_, openTwo) => {
  it('is what the other one recorded since, each once and in order, in sessions of both', async () => {
    const [one, other] = await openTwo();
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    await one.serve(0);
    await other.serve(1);
    const source = {
      own: recordSource('a', NOW, 0),
      both: recordSource('a', NOW, 1),
      alone: recordSource('b', NOW + 100_000, 1),
    };
    const ids = (records: readonly RecordedExchange[]) => records.map(({ exchange }) => exchange.call.id);
    const keep = async (store: Store, ...records: readonly RecordedExchange[]) => {
      await store.append({ records, changes: [] });
      return ids(records);
    };
    await keep(other, source.both());
    const start = await one.calls.arrived();
    expect(start).toMatchObject({ records: [], isMore: false });
    await keep(one, source.own());
    const first = await keep(other, source.both(), source.alone());
    await keep(one, source.own());
    const second = await keep(other, ...Array.from({ length: 300 }, () => source.both()));
    let { position } = start;
    const found: RecordedExchange[] = [];
    for (let isMore = true; isMore; ) {
      const arrived = await one.calls.arrived(position);
      found.push(...arrived.records);
      ({ position, isMore } = arrived);
    }
    expect(ids(found).sort()).toEqual([...first, ...second].sort());
    expect(ids(found.filter(({ exchange }) => exchange.call.session === 'a'))).toEqual([first[0], ...second]);
    expect(found[0]).toMatchObject({ verdicts: { 'requests/known-path': 'complied' } });
    const last = await keep(other, source.alone());
    const arrived = await one.calls.arrived(position);
    expect([ids(arrived.records), arrived.hasNotes]).toEqual([last, false]);
    await noteIn(other, 'a', { at: NOW, kind: 'mark', settings: { text: 'now it breaks' } });
    const noted = await one.calls.arrived(arrived.position);
    expect(noted).toMatchObject({ records: [], hasNotes: true });
    expect(await one.calls.arrived(noted.position)).toMatchObject({ records: [], hasNotes: false });
  });
});

describe('a store in a file', () => {
  it('is served by one gateway alone, until that one ends; others may look', async () => {
    const path = aPath();
    const store = createSqliteStore({ path });
    expect(store.serve()).toMatchObject({ isShared: false, slot: 0 });
    const other = createSqliteStore({ path });
    onTestFinished(other.close);
    expect(() => other.serve()).toThrow(expect.objectContaining({ code: 'store.served' }));
    const reading = createSqliteStore({ path, readonly: true });
    expect(idsIn(reading)).toEqual([]);
    reading.close();
    store.close();
    expect(other.serve()).toMatchObject({ isShared: false, slot: 0 });
  });

  it('tells others what was removed, and what came then, also where a snapshot is gone', async () => {
    const path = aPath();
    const [one, other] = [createSqliteStore({ path }), createSqliteStore({ path })];
    onTestFinished(one.close);
    onTestFinished(other.close);
    one.serve(0);
    other.serve(1);
    const write = (...changes: readonly KeptChange[]) =>
      one.append(change([rest(one.worlds.state(''), A, B)], ...changes));
    write(access(A, NOW));
    write({ step: 'take', name: 's', at: NOW, clock: {} });
    write(access(B, NOW, NOW + 1));
    write({ step: 'drop', name: 's' });
    const before = other.worlds.state('');
    write(gone(A));
    const behind = { ...before, ...other.worlds.catchUp('', before) };
    for (const _ of one.worlds.tidy()) void _;
    expect(other.worlds.catchUp('', before).facts).toEqual([expect.objectContaining({ fact: null })]);
    write(access(A, NOW + 2));
    const { isAnew, facts, versions } = other.worlds.catchUp('', behind);
    expect({ isAnew, versions: [...versions] }).toEqual({ isAnew: false, versions: [[A, 3]] });
    expect(facts).toEqual([expect.objectContaining({ key: `${A} c accounts.list ` })]);
  });

  it('forgets removals that all have learned of, and then has who comes later load the world anew', () => {
    const path = aPath();
    const one = createSqliteStore({ path });
    onTestFinished(one.close);
    one.serve(0);
    let known = one.worlds.state('');
    const write = (...changes: readonly KeptChange[]) => {
      one.append(change([rest(known, A)], ...changes));
      known = movedOn(known, A);
    };
    const fact = { kind: 'state', value: 'v', tpp: A, purpose: 'p', at: NOW } as const;
    const put = (n: number): KeptChange => ({ family: 'usedOnce', key: `${n}`, fact, home: A });
    write(put(0));
    const early = one.worlds.state('');
    write({ ...put(0), fact: null } as KeptChange);
    write(...Array.from({ length: 10_001 }, (_, n) => put(n + 1)));
    for (const _ of one.worlds.tidy()) void _;
    expect(one.worlds.catchUp('', early).isAnew).toBe(true);
    expect(one.worlds.catchUp('', one.worlds.state('')).isAnew).toBe(false);
    // Of a world that was begun anew since, all is told again.
    write({ step: 'reset' });
    for (const _ of one.worlds.tidy()) void _;
    known = one.worlds.state('');
    write(put(0));
    expect(one.worlds.catchUp('', one.worlds.state('')).isAnew).toBe(false);
  });
});
