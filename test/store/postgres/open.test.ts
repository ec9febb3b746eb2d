/** Opening a store on a server: who is let in, what is made there, and what is refused. */

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { DAY_MS } from '../../../src/spec/index.js';
import { noteIn } from '../../../src/store/index.js';
import { readAddress } from '../../../src/store/postgres/address.js';
import { VERSION } from '../../../src/store/postgres/migrations.js';
import { testCertificates } from '../../e2e/harness.js';
import { addressOf, runServer } from '../../postgres/run-server.js';
import { aSchema, postgresStore, query } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { aPath, recordSource } from '../stores.js';

const schemaOf = (address: string): string => new URL(address).searchParams.get('schema') ?? '';

describe('a schema', () => {
  it('is made by the first of many that open it at once, and all of them record in it', async () => {
    const [address, keyFile] = [aSchema(), aPath('store.key')];
    const stores = await Promise.all(Array.from({ length: 6 }, () => postgresStore(address, { keyFile })));
    const next = recordSource();
    await Promise.all(stores.map((store) => store.append({ records: [next()], changes: [] })));
    expect(await all(stores[0]?.read('test') ?? [])).toHaveLength(6);
    const slots = await Promise.all(stores.map(async (store) => (await store.serve()).slot));
    expect(new Set(slots).size).toBe(6);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  it('has a name as long as the server allows, by which gateways tell each other what they wrote', async () => {
    const schema = `${schemaOf(aSchema())}_`.padEnd(63, 'x');
    const [address, keyFile] = [addressOf(inject('postgres'), schema), aPath('store.key')];
    const [one, other] = [
      await postgresStore(address, { keyFile }),
      await postgresStore(address, { keyFile }),
    ];
    const before = other.worlds.stamp('');
    const rest = { world: '', epoch: 0, cursor: (await one.worlds.state('')).cursor, versions: new Map() };
    await one.append({
      ...{ records: [recordSource()()], changes: [] },
      dependsOn: [rest],
      headers: [{ world: '', header: {} }],
    });
    await expect.poll(() => other.worlds.stamp('')).not.toBe(before);
    expect(await all(other.read('test'))).toHaveLength(1);
    expect(() => readAddress(addressOf(inject('postgres'), `${schema}x`))).toThrow(
      /is not the name of a schema/,
    );
  });

  it('is looked after by one of those that serve on it, and by another one when that has ended', async () => {
    const [address, keyFile] = [aSchema(), aPath('store.key')];
    const stores = [await postgresStore(address, { keyFile }), await postgresStore(address, { keyFile })];
    const [one, other] = [await stores[0]?.serve(), await stores[1]?.serve()];
    expect([await one?.isFirst(), await other?.isFirst(), await one?.isFirst()]).toEqual([true, false, true]);
    await stores[0]?.close();
    await expect.poll(() => other?.isFirst()).toBe(true);
  });

  it('is looked at without being made', async () => {
    const address = aSchema();
    await expect(postgresStore(address, { readonly: true })).rejects.toMatchObject({
      code: 'store.missing',
    });
    const store = await postgresStore(address);
    await store.append({ records: [recordSource()()], changes: [] });
    const looking = await postgresStore(address, { readonly: true });
    expect(await all(looking.read('test'))).toHaveLength(1);
    for (const write of [
      () => looking.append({ records: [], changes: [] }),
      () => noteIn(looking, 'test', { at: 0, kind: 'started', settings: {} }),
      () => all(looking.remove('test')),
    ])
      await expect((async () => write())()).rejects.toMatchObject({ code: 'store.read-only' });
  });

  it('of a newer program, or of another one, is refused', async () => {
    const address = aSchema();
    await (await postgresStore(address)).close();
    await query(`UPDATE "${schemaOf(address)}".sandgate SET version = ${VERSION + 1}`);
    await expect(postgresStore(address)).rejects.toThrow(
      `is of a newer version of Sandgate (store version ${VERSION + 1}`,
    );
    const foreign = aSchema();
    await query(`CREATE SCHEMA "${schemaOf(foreign)}"; CREATE TABLE "${schemaOf(foreign)}".theirs ()`);
    await expect(postgresStore(foreign)).rejects.toMatchObject({ code: 'store.foreign-schema' });
  });

  it('belongs to one key: another one is refused before anything is written', async () => {
    const address = aSchema();
    const store = await postgresStore(address);
    const keyFile = aPath('store.key');
    const refused = { code: 'store.other-key' };
    // And no key is made that nobody could use.
    await expect(postgresStore(address, { keyFile })).rejects.toMatchObject(refused);
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, Buffer.alloc(32).toString('base64'), { mode: 0o600 });
    await expect(postgresStore(address, { keyFile })).rejects.toMatchObject(refused);
    expect(await store.sessions()).toEqual([]);
  });

  it('is read from a replica where one is named, and never written there', async () => {
    const address = aSchema();
    const away = {
      readFrom: address.replace(/@[^/]+/, '@127.0.0.1:1'),
      limits: { connect: 500, statement: 2_000 },
    };
    const store = await postgresStore(address, away);
    const record = recordSource()();
    await store.append({ records: [record], changes: [] });
    expect((await store.worlds.state('')).epoch).toBe(0);
    expect(await store.find(record.exchange.call.id)).toEqual(record);
    await expect(all(store.read('test'))).rejects.toThrow(/nobody listens at its address/);
  });

  it.each([
    ['', 0],
    [', whatever the clock of the machine shows', 30 * DAY_MS],
    [', whatever the clock of the machine showed', -30 * DAY_MS],
  ])('has days made ahead, and makes them anew where they are gone%s', async (_, off) => {
    const address = aSchema();
    const store = await postgresStore(address);
    const next = recordSource();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + off);
    onTestFinished(() => void vi.restoreAllMocks());
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '_');
    await query(`DROP TABLE "${schemaOf(address)}".exchanges_${today}`);
    await store.append({ records: [next()], changes: [] });
    expect(await all(store.read('test'))).toHaveLength(1);
  });
});

describe('who serves on a store', () => {
  it.each([3_600_000, -3_600_000])(
    'is refused where the clock of its machine is off by %i ms',
    async (off) => {
      const [address, keyFile, now] = [aSchema(), aPath('store.key'), Date.now];
      const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + off);
      onTestFinished(() => spy.mockRestore());
      const store = await postgresStore(address, { keyFile });
      await expect(store.serve()).rejects.toThrow(/clock of this machine is 3600 s off that of the server/);
      spy.mockRestore();
      await (await postgresStore(address, { keyFile })).serve();
    },
  );

  it('keeps nothing while the clock of its machine is off, and goes on when it is right again', async () => {
    const now = Date.now;
    let off = 0;
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + off);
    onTestFinished(() => spy.mockRestore());
    const store = await postgresStore();
    await store.serve();
    const next = recordSource();
    const append = async () => store.append({ records: [next()], changes: [] });
    await append();
    off = DAY_MS;
    await expect(append()).rejects.toThrow(/clock of this machine is 86400 s off that of the server/);
    for (const written of [true, false])
      await expect((async () => store.place.check(written))()).rejects.toMatchObject({ code: 'store.clock' });
    off = 0;
    await store.place.check(true);
    await append();
    expect(await all(store.read('test'))).toHaveLength(2);
  });

  it('leaves no row for ever, but while it lives, or something that it recorded is there', async () => {
    const [address, keyFile] = [aSchema(), aPath('store.key')];
    const open = () => postgresStore(address, { keyFile });
    const [living, recording, ended] = [await open(), await open(), await open()];
    await recording.append({ records: [recordSource()()], changes: [] });
    await recording.close();
    await ended.close();
    const schema = schemaOf(address);
    const left = async (ids: string) =>
      query(
        `DO $$ BEGIN ASSERT (SELECT string_agg(id::text, ' ' ORDER BY id) FROM "${schema}".writers) = '${ids}'; END $$`,
      );
    await all(living.worlds.tidy());
    await left('1 2 3');
    await query(`INSERT INTO "${schema}".writers (id) VALUES (1100)`);
    await expect
      .poll(async () => {
        await all(living.worlds.tidy());
        await left('1 2 1100');
        return 'tidy';
      })
      .toBe('tidy');
  });
});

describe('a password file', () => {
  it('is read anew for each connection, by its owner only', async () => {
    const address = aSchema();
    const { password } = inject('postgres');
    const without = address.replace(`:${password}@`, '@');
    const passwordFile = aPath('password');
    const open = () => postgresStore(without, { passwordFile });
    await expect(open()).rejects.toMatchObject({ code: 'store.password-file' });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    await (await open()).close();
    chmodSync(passwordFile, 0o644);
    await expect(open()).rejects.toThrow(/can be read by others: let its owner alone read it/);
  });

  it('has 4 KiB at most', async () => {
    const passwordFile = aPath('password');
    const open = () => postgresStore(aSchema(), { passwordFile });
    writeFileSync(passwordFile, 'x'.repeat(4_097), { mode: 0o600 });
    await expect(open()).rejects.toMatchObject({ code: 'file.too-large' });
    writeFileSync(passwordFile, 'x'.repeat(4_096));
    await expect(open()).rejects.toMatchObject({ code: 'store.unusable' });
  });
});

describe('TLS', () => {
  it('is asked for as the address says, and the server must be who it says', async () => {
    const certs = await testCertificates();
    const files = Object.fromEntries(
      [
        ['server.crt', 'server.pem'],
        ['server.key', 'server.key'],
      ].map(([name, from]) => [name, readFileSync(join(certs, from as string), 'utf8')]),
    );
    const server = await runServer({ flags: { ssl: 'on' }, files });
    onTestFinished(server.close);
    const keyFile = aPath('store.key');
    const open = (host: string, more: string) =>
      postgresStore(`postgres://sandgate:${server.password}@${host}:${server.port}/postgres?${more}`, {
        keyFile,
      });
    const ca = `sslrootcert=${encodeURIComponent(join(certs, 'ca.pem'))}`;
    await open('localhost', `sslmode=verify-full&${ca}`);
    await open('127.0.0.1', 'sslmode=require');
    await expect(open('localhost', 'sslmode=verify-full')).rejects.toThrow(
      /the certificate of the server is not trusted/,
    );
    await expect(open('localhost', 'sslmode=verify-full&sslrootcert=/nowhere')).rejects.toThrow(
      /cannot be read/,
    );
  });
});
