/** The files of a store: who may read them, what is refused, and what is said about it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

const mode = (path: string): number => statSync(path).mode & 0o777;

/** What opening it is refused with. */
function refusal(path: string, readonly = false): SandgateError {
  try {
    createSqliteStore({ path, readonly }).close();
  } catch (error) {
    if (error instanceof SandgateError) return error;
    throw error;
  }
  throw new Error(`${path} was opened.`);
}

describe('the files of a store', () => {
  it('are made with their directory, and only their owner may read them', async () => {
    const path = join(dirname(aPath()), 'deep', 'down', 'my.db');
    const store = aStore({ path });
    append(store, recordSource()());
    await store.serve();
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.key`, `${path}-serving`]) {
      expect([file, mode(file)]).toEqual([file, 0o600]);
    }
    expect(mode(dirname(path)) & 0o077).toBe(0);
  });

  it('are one when the store is closed, and its key beside it', () => {
    const path = aPath();
    const store = createSqliteStore({ path });
    append(store, recordSource()());
    store.close();
    expect([existsSync(`${path}-wal`), existsSync(`${path}.key`)]).toEqual([false, true]);
    expect(readFileSync(path).includes(Buffer.from(store.fingerprintKey))).toBe(false);
    expect(idsIn(aStore({ path, readonly: true }))).toHaveLength(1);
  });

  it('keep their key, and stores have different ones', () => {
    const path = aPath();
    const key = aStore({ path }).fingerprintKey;
    expect(key).toHaveLength(32);
    expect(aStore({ path }).fingerprintKey).toEqual(key);
    expect(aStore({ path, readonly: true }).fingerprintKey).toEqual(key);
    expect(aStore().fingerprintKey).not.toEqual(key);
    expect(aStore({ path: ':memory:' }).fingerprintKey).not.toEqual(
      aStore({ path: ':memory:' }).fingerprintKey,
    );
  });

  it('can be read without the key, which is not made for it', () => {
    const path = aPath();
    const store = createSqliteStore({ path });
    append(store, recordSource()());
    store.close();
    const copy = aPath('copy.db');
    writeFileSync(copy, readFileSync(path));
    expect(idsIn(aStore({ path: copy, readonly: true }))).toHaveLength(1);
    expect(existsSync(`${copy}.key`)).toBe(false);
  });
});

describe('a store is refused', () => {
  it('where there is none to read', () => {
    const error = refusal(aPath(), true);
    expect([error.exitStatus, error.message]).toEqual([
      2,
      expect.stringMatching(/^There is no store at .*sandgate\.db/),
    ]);
  });

  it.each([
    ['garbage', 'this is no database, only a text that is long enough to look like something'.repeat(20)],
    ['half a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_096, 7)])],
  ])('for %s, which stays as it is', (_, content) => {
    const path = aPath();
    writeFileSync(path, content);
    for (const readonly of [false, true]) {
      const error = refusal(path, readonly);
      expect([error.exitStatus, error.message]).toEqual([2, expect.stringContaining(path)]);
    }
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
  });

  it('for the database of another program, which stays as it is', () => {
    const path = aPath();
    const db = new Sqlite(path);
    db.exec('CREATE TABLE t (a)');
    db.close();
    const before = readFileSync(path);
    expect(refusal(path).message).toMatch(/is a database of another program, not a Sandgate store/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('when a newer version made it', () => {
    const path = aPath();
    createSqliteStore({ path }).close();
    const db = new Sqlite(path);
    db.pragma('user_version = 99');
    db.close();
    for (const readonly of [false, true])
      expect(refusal(path, readonly).message).toMatch(/newer version of Sandgate \(store version 99/);
  });

  it('for reading when it is empty; for writing it becomes one', () => {
    const path = aPath();
    writeFileSync(path, '');
    expect(refusal(path, true).message).toMatch(/is empty: start the gateway/);
    append(aStore({ path }), recordSource()());
  });

  it('with the reason, when its place cannot be written', () => {
    const file = aPath('file');
    writeFileSync(file, '');
    expect(refusal(join(file, 'sandgate.db'))).toMatchObject({
      exitStatus: 3,
      message: expect.stringMatching(/a part of its path is a file/),
    });
    const directory = aPath('directory');
    mkdirSync(directory);
    expect(refusal(directory)).toMatchObject({ exitStatus: 3, message: expect.stringContaining(directory) });
    expect(refusal('/proc/sandgate/sandgate.db')).toMatchObject({
      exitStatus: 3,
      message: expect.stringContaining('/proc/sandgate'),
    });
  });

  it('when its key file holds no key', () => {
    const path = aPath();
    writeFileSync(`${path}.key`, 'short');
    expect(refusal(path)).toMatchObject({ exitStatus: 2, message: expect.stringContaining(`${path}.key`) });
  });

  it('for writing, when it was opened for reading', () => {
    const path = aPath();
    append(aStore({ path }), recordSource()());
    const reading = aStore({ path, readonly: true });
    expect(() => append(reading, recordSource()())).toThrow(/opened for reading only/);
    expect(() => [...reading.remove('test')]).toThrow(/opened for reading only/);
  });
});

describe('a damaged store', () => {
  it('says so while it is read', () => {
    const path = aPath();
    const store = aStore({ path });
    const next = recordSource();
    for (let i = 0; i < 9; i++) append(store, next({ answer: { body: { text: 'x'.repeat(500) } } }));
    const db = new Sqlite(path);
    db.exec('DELETE FROM parts');
    db.close();
    expect(() => [...store.read('test')]).toThrow(
      /^Exchange \w{11} of the session test is not as it was recorded/,
    );
  });
});
