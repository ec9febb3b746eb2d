/** What befalls a store on a server: connections that are lost, servers that end, answers that do not come. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Store, StoreBusy } from '../../../src/store/index.js';
import { serverFault } from '../../../src/store/postgres/faults.js';
import { startPooler } from '../../postgres/pooler.js';
import { startProxy } from '../../postgres/proxy.js';
import { addressOf, runServer } from '../../postgres/run-server.js';
import { aSchema, postgresStore, query, rowsOf, waitingFor } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const LIMITS = { connect: 3_000, statement: 400 };

async function behindProxy(limits = { connect: 3_000, statement: 5_000 }) {
  const server = inject('postgres');
  const proxy = await startProxy(server.port);
  const direct = aSchema();
  const schema = new URL(direct).searchParams.get('schema') ?? '';
  const keyFile = aPath('store.key');
  const store = await postgresStore(addressOf({ ...server, port: proxy.port }, schema), { limits, keyFile });
  return { proxy, store, direct, schema, keyFile };
}

async function idsIn(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { exchange } of store.read('test')) ids.push(exchange.call.id);
  return ids;
}

async function expectWhole(store: Store, ids: readonly string[]): Promise<void> {
  expect(await idsIn(store)).toEqual(ids);
  for await (const found of store.chains.verify('test')) expect(found).toBeUndefined();
}

const batch = (record: ReturnType<ReturnType<typeof recordSource>>) => ({ records: [record], changes: [] });

describe('a batch whose connection is lost', () => {
  it.each(['lose-request', 'lose-answer', 'hold-request'] as const)(
    'is kept once, also where the network does this: %s',
    async (way) => {
      const { proxy, store } = await behindProxy();
      const next = recordSource();
      const records = Array.from({ length: 4 }, () => next());
      const [first, second, third, fourth] = records as [(typeof records)[0], ...typeof records];
      await store.append(batch(first));
      proxy.set(way);
      await store.append(batch(second as typeof first));
      await store.append(batch(third as typeof first));
      await proxy.release();
      await store.append(batch(fourth as typeof first));
      await expectWhole(
        store,
        records.map(({ exchange }) => exchange.call.id),
      );
    },
  );

  it.each(['lose-answer-and-all', 'silent'] as const)(
    'is told as one that may have been kept where nobody can be asked: %s',
    async (way) => {
      const { proxy, store } = await behindProxy({ connect: 500, statement: 300 });
      const next = recordSource();
      const [first, uncertain, last] = [next(), next(), next()];
      await store.append(batch(first));
      proxy.set(way);
      await expect(store.append(batch(uncertain))).rejects.toMatchObject({ code: 'store.uncertain' });
      // Of what was never given it is known.
      await expect(store.append(batch(next()))).rejects.toMatchObject({ code: 'store.unusable' });
      proxy.set('through');
      await store.append(batch(last));
      const kept = way === 'silent' ? [first, last] : [first, uncertain, last];
      await expectWhole(
        store,
        kept.map(({ exchange }) => exchange.call.id),
      );
    },
  );

  it('does not fail where the connection was lost before it', async () => {
    const { proxy, store } = await behindProxy();
    const next = recordSource();
    const records = [next(), next()];
    for (const record of records) {
      proxy.cut();
      await store.append(batch(record));
    }
    await expectWhole(
      store,
      records.map(({ exchange }) => exchange.call.id),
    );
  });

  it('has the store look again at what others did meanwhile', async () => {
    const { proxy, store, direct, keyFile } = await behindProxy();
    const other = await postgresStore(direct, { keyFile });
    const change = { family: 'usedOnce', key: 'k', home: 'PSDBE-A' } as const;
    const fact = { kind: 'state', value: 'v', tpp: 'PSDBE-A', purpose: 'p', at: 0 } as const;
    const known = { stamp: store.worlds.stamp(''), state: await store.worlds.state('') };
    proxy.set('silent');
    proxy.cut();
    const dependsOn = [{ world: '', epoch: 0, versions: new Map([['PSDBE-A', 0]]) }];
    await other.append({ records: [], changes: [{ ...change, fact }], dependsOn });
    proxy.set('through');
    proxy.cut();
    await expect
      .poll(async () => (await store.place.check(false)) ?? store.worlds.stamp(''))
      .not.toBe(known.stamp);
    const stamp = store.worlds.stamp('');
    expect(await store.worlds.catchUp('', known.state)).toMatchObject({ isAnew: true });
    expect(store.worlds.stamp('')).toBe(stamp);
  });

  it('is kept under another slot where somebody took that of a gateway that was cut off', async () => {
    const { proxy, store, direct, schema, keyFile } = await behindProxy();
    const serving = await store.serve();
    proxy.set('silent');
    proxy.cut();
    const slot = `hashtextextended('sandgate slot ${schema}', 0)`;
    await query(`SELECT pg_advisory_lock(${slot}); SELECT pg_advisory_unlock(${slot})`);
    const other = await postgresStore(direct, { keyFile });
    expect([serving.slot, (await other.serve()).slot]).toEqual([0, 0]);
    proxy.set('through');
    proxy.cut();
    const record = recordSource()();
    await store.append(batch(record));
    expect(serving.slot).toBe(1);
    await expectWhole(store, [record.exchange.call.id]);
  });

  it('fails in time where the network is silent, and the store goes on when it is not', async () => {
    const { proxy, store } = await behindProxy({ connect: 500, statement: 300 });
    const next = recordSource();
    const [first, lost, last] = [next(), next(), next()];
    await store.append(batch(first));
    proxy.set('silent');
    await expect(store.append(batch(lost))).rejects.toMatchObject({
      code: 'store.uncertain',
      lost: { message: expect.stringMatching(/cannot be used: the server does not answer in time\./) },
    });
    await expect(store.place.check(true)).rejects.toThrow(/does not answer in time/);
    proxy.set('through');
    await store.place.check(true);
    await store.append(batch(last));
    await expectWhole(
      store,
      [first, last].map(({ exchange }) => exchange.call.id),
    );
  });
});

describe('the key of a store', () => {
  it('is kept while gateways run, whatever becomes of its file; with another one nobody starts, nor goes on', async () => {
    const { proxy, store, direct, schema, keyFile } = await behindProxy();
    const next = recordSource();
    const record = async () => store.append(batch(next()));
    await record();
    const ownKey = readFileSync(keyFile);
    rmSync(keyFile);
    proxy.cut();
    await record();
    await expect(postgresStore(direct, { keyFile })).rejects.toMatchObject({ code: 'store.other-key' });
    expect(existsSync(keyFile)).toBe(false);
    // Somebody has the store take another key.
    const forget = () => query(`UPDATE "${schema}".sandgate SET key_hash = NULL`);
    await forget();
    const other = await postgresStore(direct, { keyFile });
    expect(Buffer.from(other.fingerprintKey).equals(Buffer.from(store.fingerprintKey))).toBe(false);
    proxy.cut();
    await expect(record()).rejects.toThrow();
    for (const work of [record, async () => store.place.check(true)])
      await expect(work()).rejects.toThrow(
        /the key of its fingerprints is another one than it was; start the gateway anew/,
      );
    writeFileSync(keyFile, ownKey);
    await forget();
    await postgresStore(direct, { keyFile });
    await store.place.check(true);
    await record();
    expect(await idsIn(store)).toHaveLength(3);
  });
});

describe('a store whose server', () => {
  it('holds a lock fails in time, and goes on when it is released', async () => {
    const address = aSchema();
    const store = await postgresStore(address, { limits: LIMITS });
    const next = recordSource();
    await store.append(batch(next()));
    const schema = new URL(address).searchParams.get('schema');
    const unlock = await query.open(`BEGIN; LOCK TABLE "${schema}".chains`);
    await expect(store.append(batch(next()))).rejects.toThrow(
      /somebody (?:may hold|holds) a lock on its tables/,
    );
    await unlock();
    await store.append(batch(next()));
    expect(await idsIn(store)).toHaveLength(2);
  });

  it('is killed fails at once, keeps all that it said was kept, and goes on when the server is there again', async () => {
    // What a process is killed with, the system still writes: only the end of power asks for fsync.
    const server = await runServer();
    onTestFinished(server.close);
    const store = await postgresStore(addressOf(server, 's'), { limits: { connect: 500, statement: 2_000 } });
    const next = recordSource();
    const kept = [next(), next()];
    for (const record of kept) await store.append(batch(record));
    await server.kill();
    await expect(store.append(batch(next()))).rejects.toThrow(
      // Given to a connection of which it is not known yet that it is gone.
      /nobody listens at its address|The connection to the store .* was lost/,
    );
    await expect(store.place.check(false)).rejects.toThrow(/nobody listens/);
    await server.start();
    await store.place.check(true);
    const last = next();
    await store.append(batch(last));
    await expectWhole(
      store,
      [...kept, last].map(({ exchange }) => exchange.call.id),
    );
    await server.stop();
    await expect(store.append(batch(next()))).rejects.toThrow(/nobody listens|was lost|was stopped/);
  });

  it('is killed three times under load comes back by itself: nothing is lost, and nothing is there twice', async () => {
    const server = await runServer();
    onTestFinished(server.close);
    const keyFile = aPath('store.key');
    const open = () =>
      postgresStore(addressOf(server, 's'), { keyFile, limits: { connect: 500, statement: 2_000 } });
    const stores = [await open(), await open(), await open()];
    const next = recordSource();
    const [kept, given] = [new Set<string>(), new Set<string>()];
    let isOver = false;
    const load = stores.map(async (store) => {
      await store.serve();
      while (!isOver) {
        const record = next();
        given.add(record.exchange.call.id);
        try {
          await store.append(batch(record));
          kept.add(record.exchange.call.id);
        } catch {
          await sleep(20);
        }
      }
    });
    const growsBy = (more: number, from = kept.size) =>
      expect.poll(() => kept.size).toBeGreaterThanOrEqual(from + more);
    try {
      for (let times = 0; times < 3; times++) {
        await growsBy(30);
        await server.kill();
        await server.start();
      }
      await growsBy(30);
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    const ids = await idsIn(stores[0] as Store);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...kept].filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !given.has(id))).toEqual([]);
    for (const found of await all((stores[0] as Store).chains.verify('test'))) expect(found).toBeUndefined();
  }, 100_000);

  it('had a full disk tries whether there is room again, leaves nothing of that behind, and goes on', async () => {
    const address = aSchema();
    const store = await postgresStore(address);
    const schema = new URL(address).searchParams.get('schema');
    const next = recordSource();
    const kept = [next(), next()] as const;
    await store.append(batch(kept[0]));
    await query(`CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON "${schema}".exchanges EXECUTE FUNCTION "${schema}".refuse()`);
    await expect(store.append(batch(next()))).rejects.toThrow('the disk of the server is full');
    // The table that it tries by cannot be made, as where there is no room for it.
    const [[writer]] = (await rowsOf(`SELECT id FROM "${schema}".writers`)) as [[unknown]];
    await query(`DROP TRIGGER refuse ON "${schema}".exchanges; CREATE TABLE "${schema}".room_${writer} ()`);
    await expect(store.append(batch(next()))).rejects.toMatchObject({ code: 'store.unusable' });
    await query(`DROP TABLE "${schema}".room_${writer}`);
    await store.append(batch(kept[1]));
    await expectWhole(
      store,
      kept.map(({ exchange }) => exchange.call.id),
    );
    expect(await rowsOf(`SELECT to_regclass('"${schema}".room_${writer}')`)).toEqual([[null]]);
  });

  it('is a replica is refused', async () => {
    const server = await runServer({ files: { 'standby.signal': '' } });
    onTestFinished(server.close);
    await expect(postgresStore(addressOf(server, 's'))).rejects.toThrow(
      /the server is a replica, or lets nobody write/,
    );
  });

  it('is behind a pooler is used where that keeps sessions together, and refused where it keeps transactions', async () => {
    const server = inject('postgres');
    const behind = async (mode: 'session' | 'transaction') =>
      postgresStore(addressOf({ ...server, port: await startPooler(server.port, mode) }, 's_pooled'));
    const store = await behind('session');
    await store.append(batch(recordSource()()));
    expect(await idsIn(store)).toHaveLength(1);
    await expect(behind('transaction')).rejects.toThrow(
      /^The pooler in front of the store .* does not keep sessions together/,
    );
    await store.close();
    await query('DROP SCHEMA s_pooled CASCADE');
  });

  it('holds what a forgotten prepared transaction locked fails in time, and goes on when that is rolled back', async () => {
    const server = await runServer({ flags: { max_prepared_transactions: 2 } });
    onTestFinished(server.close);
    const [one, other] = [
      await postgresStore(addressOf(server, 's'), { limits: LIMITS, keyFile: aPath('store.key') }),
      new pg.Client({ host: '127.0.0.1', user: 'sandgate', database: 'postgres', ...server }),
    ];
    await other.connect();
    onTestFinished(() => other.end());
    const known = await one.worlds.state('');
    const keep = (version: number) => {
      const fact = { kind: 'state', value: `${version}`, tpp: 'PSDBE-A', purpose: 'p', at: 0 } as const;
      const change = { family: 'usedOnce', key: 'k', home: 'PSDBE-A', fact } as const;
      const versions = new Map([['PSDBE-A', version]]);
      return one.append({
        records: [],
        changes: [change],
        dependsOn: [{ world: '', epoch: 0, cursor: known.cursor, versions }],
      });
    };
    await keep(0);
    // Of somebody else: nobody is held up by it, and what moved is told all the same.
    await other.query("BEGIN; CREATE TABLE theirs (n int); PREPARE TRANSACTION 'theirs'");
    await keep(1);
    expect((await one.worlds.catchUp('', known, ['PSDBE-A'])).facts).toHaveLength(1);
    await other.query("BEGIN; SELECT FROM s.partitions FOR UPDATE; PREPARE TRANSACTION 'ours'");
    await expect(keep(2)).rejects.toThrow(/somebody (?:may hold|holds) a lock on its tables/);
    await other.query("ROLLBACK PREPARED 'ours'");
    await keep(2);
    expect(await one.worlds.catchUp('', known, ['PSDBE-A'])).toMatchObject({
      versions: new Map([['PSDBE-A', 3]]),
    });
    await other.query("ROLLBACK PREPARED 'theirs'");
  });

  it('has no connection left says so', async () => {
    const { port } = inject('postgres');
    await query("CREATE ROLE lonely LOGIN SUPERUSER PASSWORD 'p' CONNECTION LIMIT 1", 'DROP ROLE lonely');
    await query('ALTER ROLE lonely NOSUPERUSER; GRANT CREATE ON DATABASE postgres TO lonely');
    const address = `postgres://lonely:p@127.0.0.1:${port}/postgres?schema=lonely`;
    const store = await postgresStore(address);
    await expect(store.sessions()).rejects.toThrow(/the server has no connection left/);
    await store.append(batch(recordSource()()));
    await store.close();
    await query('DROP SCHEMA lonely CASCADE; REVOKE CREATE ON DATABASE postgres FROM lonely');
  });
});

it('a gateway that freezes while it moves a clock holds up others for some two seconds at most', async () => {
  const { proxy, store, direct, schema, keyFile } = await behindProxy({
    connect: 3_000,
    statement: 30_000,
  });
  const other = await postgresStore(direct, { keyFile, limits: { connect: 3_000, statement: 6_000 } });
  const dependsOn = [{ world: '', epoch: 0, versions: new Map<string, number>() }];
  const next = recordSource();
  await store.append({ ...batch(next()), dependsOn });
  proxy.silenceAfter('SELECT FROM worlds');
  const moved = store.append({ ...batch(next()), dependsOn, headers: [{ world: '', header: {} }] });
  const lock = `SELECT FROM "${schema}".worlds FOR UPDATE NOWAIT`;
  await expect
    .poll(() =>
      query(lock).then(
        () => 'free',
        () => 'held',
      ),
    )
    .toBe('held');
  await other.append({ ...batch(next()), dependsOn });
  proxy.set('through');
  proxy.cut();
  await moved;
  expect(await idsIn(other)).toHaveLength(3);
});

it.each([
  [4, 5],
  [1, 3],
])(
  'a store with %i connections for reading has %i in all, however much is asked at once',
  async (connections, all) => {
    const proxy = await startProxy(inject('postgres').port);
    const schema = new URL(aSchema()).searchParams.get('schema') ?? '';
    const address = addressOf({ ...inject('postgres'), port: proxy.port }, schema);
    const store = await postgresStore(address, { connections });
    const unlock = await query.open(`BEGIN; LOCK TABLE "${schema}".worlds, "${schema}".chains`);
    const asked = Array.from({ length: 20 }, () => [store.sessions(), store.worlds.epoch('')]).flat();
    await expect.poll(proxy.connections).toBe(all);
    await unlock();
    await Promise.all(asked);
    expect(proxy.connections()).toBe(all);
  },
);

describe('a store that is closed', () => {
  it('leaves no connection behind, also none on which something is still read', async () => {
    const { proxy, schema, keyFile } = await behindProxy();
    const address = addressOf({ ...inject('postgres'), port: proxy.port }, schema);
    const before = proxy.connected();
    const store = await postgresStore(address, { keyFile });
    const unlock = await query.open(`BEGIN; LOCK TABLE "${schema}".chains IN ACCESS EXCLUSIVE MODE`);
    const reading = store.sessions();
    await expect.poll(() => waitingFor(`"${schema}".chains`)).toBe(1);
    await store.close();
    await unlock();
    expect(await reading).toEqual([]);
    await expect.poll(() => proxy.connected(), { timeout: 5_000 }).toBe(before);
  });
});

describe('an address', () => {
  const { port, password } = inject('postgres');
  it.each([
    [
      `postgres://sandgate:wrong-secret@127.0.0.1:${port}/postgres`,
      /refuses the user or its password \(28P01\)/,
    ],
    [`postgres://nobody:wrong-secret@127.0.0.1:${port}/postgres`, /refuses the user or its password/],
    [`postgres://sandgate:${password}@127.0.0.1:${port}/nothing`, /has no such database \(3D000\)/],
    [
      `postgres://sandgate:${password}@127.0.0.1:${port}/postgres?sslmode=require`,
      /speaks no TLS, and sslmode asks/,
    ],
    [`postgres://sandgate:${password}@127.0.0.1:1/postgres`, /nobody listens at its address/],
    [
      `postgres://sandgate:${password}@no-such-host.invalid/postgres?sslmode=disable`,
      /there is no host of this name/,
    ],
    [
      `postgres://sandgate:${password}@127.0.0.1:${port}/postgres?sslmode=maybe`,
      /sslmode is one of disable, require/,
    ],
    [`postgres://sandgate:${password}@127.0.0.1:${port}/postgres?schema=a"b`, /is not the name of a schema/],
    [
      `postgres://sandgate:${password}@127.0.0.1:${port}/postgres?secret=${password}`,
      /“secret” is not known in it/,
    ],
    [`postgres://127.0.0.1:${port}/postgres`, /must name a user and a database/],
    [`postgres://sandgate:${password}/x@y@127.0.0.1/postgres`, /it is no URL|cannot be used|not the address/],
  ])('%s that cannot be used is told in one sentence, without its password', async (address, words) => {
    const error = (await postgresStore(address).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(words);
    expect(error.message).not.toMatch(/wrong-secret|\n/);
    expect(error.message.replace(/secret=.*/, '')).not.toContain(password);
  });
});

it('errors of a server become one sentence each', () => {
  const told = (code: string) => serverFault(Object.assign(new Error('words of it'), { code }), 's').message;
  expect(told('53100')).toBe(
    'The store s cannot be used: the disk of the server is full (53100). See docs/store.md.',
  );
  expect(told('XX001')).toContain('the server found its data damaged');
  // A quota, say.
  expect(told('XX000')).toContain('something went wrong inside the server, whose log says what (XX000)');
  expect(told('99999')).toContain('the server says 99999');
  expect(serverFault(Object.assign(new Error(''), { code: '40P01' }), 's')).toBeInstanceOf(StoreBusy);
});
