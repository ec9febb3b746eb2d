/** A session that several gateways record: a chain of each, read together, and nothing can be changed unnoticed. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkWitness } from '../../../src/evidence/index.js';
import type { RecordedExchange, Store } from '../../../src/store/index.js';
import { readAddress } from '../../../src/store/postgres/address.js';
import { COPY_LIMITS } from '../../../src/store/postgres/copying.js';
import { queriesOf } from '../../../src/store/postgres/database.js';
import { createPool } from '../../../src/store/postgres/pool.js';
import { later } from '../../../src/store/steps.js';
import { verifyChain } from '../../../src/store/verify.js';
import { NOW } from '../../builders.js';
import { aKeyPair, signSession } from '../../evidence/signed-session.js';
import { aSchema, postgresStore, query } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const idOf = ({ exchange }: RecordedExchange) => exchange.call.id;
const append = (store: Store, ...records: readonly RecordedExchange[]) =>
  store.append({ records, changes: [] });

async function recordedByTwo() {
  const [address, keyFile] = [aSchema(), aPath('store.key')];
  const schema = new URL(address).searchParams.get('schema') ?? '';
  const open = () => postgresStore(address, { keyFile });
  const [one, two] = [await open(), await open()];
  const next = recordSource();
  const records = Array.from({ length: 9 }, () => next());
  for (const [i, record] of records.entries()) await append(i % 3 === 0 ? one : two, record);
  const change = (sql: string) => query(`SET search_path = "${schema}"; ${sql}`);
  const kinds = async () => (await all(one.chains.verify('test'))).map(({ kind }) => kind);
  return { address, schema, open, one, two, next, records, ids: records.map(idOf), change, kinds };
}

describe('a session that two gateways record', () => {
  it('is read in the order of recording, from anywhere, by either', async () => {
    const { one, two, ids } = await recordedByTwo();
    for (const store of [one, two]) {
      expect((await all(store.read('test'))).map(idOf)).toEqual(ids);
      expect((await all(store.read('test', { backwards: true }))).map(idOf)).toEqual(ids.toReversed());
      for (const [i, after] of ids.entries())
        expect((await all(store.read('test', { after, limit: 3 }))).map(idOf)).toEqual(
          ids.slice(i + 1, i + 4),
        );
    }
    expect(await one.sessions()).toMatchObject([
      { name: 'test', exchanges: 9, entries: 11, chains: [{}, {}] },
    ]);
    const [first, second] = await one.chains.of('test');
    expect([first?.entries, second?.entries]).toEqual([4, 7]);
    expect(first?.store).not.toBe(second?.store);
  });

  it.each([
    ['a changed exchange', "UPDATE exchanges SET own = own || ' '::bytea WHERE seq = 4", 'changed'],
    ['a missing exchange', 'DELETE FROM exchanges WHERE seq = 3', 'missing'],
    ['one that changed its place', 'UPDATE exchanges SET turn = turn + 1000000 WHERE seq = 3', 'missing'],
    [
      'one that changed its chain',
      'UPDATE exchanges SET chain = (SELECT max(id) FROM chains) WHERE seq = 3',
      'missing',
    ],
    ['the last one gone', 'DELETE FROM exchanges WHERE seq = 7', 'cut'],
    ['a chain that is said to be shorter', 'UPDATE chains SET last = last - 1', 'added'],
    ['a certificate that is another', "UPDATE certificates SET facts = '{}'", 'changed'],
    ['the record of the beginning gone', "DELETE FROM notes WHERE kind = 'created'", 'beginning'],
  ])('shows %s', async (_, sql, kind) => {
    const { change, kinds, open } = await recordedByTwo();
    expect(await kinds()).toEqual([]);
    await change(sql);
    const found = await all((await open()).chains.verify('test'));
    expect(found.map((one) => one.kind)).toContain(kind);
  });

  it('is sound, whoever begins to record in it while it is verified', async () => {
    const { address, one, two, next, open } = await recordedByTwo();
    const pool = createPool(
      { address: readAddress(address), passwordFile: undefined, limits: COPY_LIMITS, readonly: true },
      1,
    );
    onTestFinished(pool.close);
    const rows = queriesOf(pool).chainRows;
    const third = await open();
    const chainsOf = async (session: string) => {
      const found = await rows.chainsOf(session);
      if (found.length === 2) {
        await append(third, next());
        const note = { at: NOW, kind: 'checkpoint', settings: { jws: 'a' } } as const;
        await two.append({ records: [], changes: [], notes: [{ session: 'test', note }] });
      }
      return found;
    };
    const breaks = await all(later(verifyChain({ ...rows, chainsOf }, 'test')));
    expect(await one.chains.of('test')).toHaveLength(3);
    expect(breaks).toEqual([]);
  });

  it('says in a checkpoint which other chains have gone on, and of all of them after a removal', async () => {
    const { one, two, open, next, ids, kinds } = await recordedByTwo();
    const third = await open();
    await append(third, next());
    const checkpoint = async () => {
      const note = { at: NOW, kind: 'checkpoint', settings: { jws: 'a' } } as const;
      await two.append({ records: [], changes: [], notes: [{ session: 'test', note }] });
      const { settings } = (await one.chains.notes('test', 'checkpoint')).at(-1) ?? {};
      return ((settings?.beside ?? []) as readonly [string, number][]).map(([, entries]) => entries);
    };
    expect(await checkpoint()).toEqual([4, 2]);
    expect(await checkpoint()).toEqual([]);
    await append(third, next());
    expect(await checkpoint()).toEqual([3]);
    await all(two.remove('test', { before: ids[4] as string, at: NOW }));
    expect(await checkpoint()).toHaveLength(2);
    expect(await kinds()).toEqual([]);
  });

  it('is verified by each exchange, too', async () => {
    const { one, ids, change } = await recordedByTwo();
    for (const id of ids) expect(await one.chains.verifyLink(id)).toEqual([]);
    await change("UPDATE exchanges SET hash = 'x' WHERE seq = 4");
    const broken = await Promise.all(ids.map(async (id) => (await one.chains.verifyLink(id)).length));
    expect(broken.filter((count) => count > 0).length).toBeGreaterThan(1);
  });

  it('is witnessed chain by chain, and a checkpoint of one does not vouch for the other', async () => {
    const { one, two, change, next } = await recordedByTwo();
    const { pem, publicPem } = aKeyPair();
    const keys = [{ pem: publicPem, name: 'key' }];
    await signSession(one, { pem });
    expect(await checkWitness(two, 'test', { keys })).toMatchObject({
      witnessed: 3,
      unwitnessed: 6,
      breaks: [],
    });
    await signSession(two, { pem });
    await append(one, next());
    const both = await checkWitness(two, 'test', { keys });
    expect(both).toMatchObject({ witnessed: 9, unwitnessed: 1, unknown: 0 });
    expect(both.checkpoints.map(({ state }) => state)).toEqual(['fits', 'fits']);
    await change("UPDATE exchanges SET hash = 'x' WHERE seq = 4");
    const changed = await checkWitness(two, 'test', { keys });
    expect(changed.checkpoints.map(({ state }) => state)).toContain('differs');
  });

  it('loses its oldest exchanges where their gateways live, and where they have ended', async () => {
    const { one, two, ids, next, kinds } = await recordedByTwo();
    await append(two, next());
    // The chain of a gateway that lives is its own.
    await all(one.remove('test', { before: ids[5] as string, at: NOW }));
    expect((await all(one.read('test'))).map(idOf).slice(0, 5)).toEqual([
      ids[1],
      ids[2],
      ids[4],
      ids[5],
      ids[6],
    ]);
    expect(await kinds()).toEqual([]);
    await two.close();
    await all(one.remove('test', { before: ids[5] as string, at: NOW }));
    expect((await all(one.read('test'))).map(idOf).slice(0, 2)).toEqual([ids[5], ids[6]]);
    expect(await kinds()).toEqual([]);
    expect((await one.chains.of('test')).map(({ removed }) => removed?.exchanges)).toEqual([2, 3]);
    expect((await all(one.remove('test'))).reduce((sum, step) => sum + step)).toBe(5);
    await append(one, next());
    expect(await kinds()).toEqual([]);
  });

  it('goes on in a new chain where it was removed while a gateway recorded in it', async () => {
    const { one, two, next, kinds } = await recordedByTwo();
    await all(one.remove('test'));
    await append(two, next());
    await append(two, next());
    expect(await all(one.read('test'))).toHaveLength(2);
    expect(await kinds()).toEqual([]);
  });

  it.each(['worlds', 'writers'])(
    'is sound where it was removed while a commit waits for %s',
    async (table) => {
      const { one, two, next, kinds, schema } = await recordedByTwo();
      const dependsOn = [{ world: '', epoch: 0, versions: new Map<string, number>() }];
      const record = async () => two.append({ records: [next()], changes: [], dependsOn });
      await record();
      const unlock = await query.open(`BEGIN; SELECT FROM "${schema}".${table} FOR UPDATE`);
      const recorded = record();
      await expect.poll(unlock.waiting).toBe(1);
      let isRemoved = false;
      const removed = all(one.remove('test')).then(() => {
        isRemoved = true;
      });
      await expect.poll(async () => isRemoved || (await unlock.waiting()) === 2).toBe(true);
      await unlock();
      await Promise.all([recorded, removed]);
      await record();
      expect(await kinds()).toEqual([]);
      const read = await all(one.read('test'));
      expect(read.length).toBe(table === 'worlds' ? 2 : 1);
    },
  );
});

describe('what was recorded long ago', () => {
  it('goes with its whole days where nothing else lies in them', async () => {
    const { one, change, next, schema } = await recordedByTwo();
    const from = 4096 * 86_400_000 * 100;
    const bounds = `FROM (${from}) TO (${from + 4096 * 86_400_000})`;
    await change(`CREATE TABLE exchanges_1970_04_11 (LIKE exchanges INCLUDING ALL); ALTER TABLE exchanges ATTACH PARTITION exchanges_1970_04_11 FOR VALUES ${bounds};
      UPDATE exchanges SET turn = ${from} + seq`);
    expect(await all(one.remove('test'))).toContain(9);
    await expect(change('SELECT FROM exchanges_1970_04_11')).rejects.toThrow(/does not exist/);
    await append(one, next());
    expect(await all(one.read('test'))).toHaveLength(1);
    expect(schema).not.toBe('');
  });
});
