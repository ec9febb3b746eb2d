/** What `--store` may name. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openStore, storeFile } from '../../src/store/index.js';
import { folderOfTest } from '../folder.js';
import { all } from '../rows.js';
import { recordSource } from './stores.js';

describe('the address of a store', () => {
  it.each([
    ['data/sandgate.db', 'data/sandgate.db'],
    ['/var/lib/a b.db', '/var/lib/a b.db'],
    ['C:\\data\\sandgate.db', 'C:\\data\\sandgate.db'],
    ['file:data/sandgate.db', 'data/sandgate.db'],
    ['file:///var/lib/a%20b.db', '/var/lib/a b.db'],
    ['memory:', null],
    [':memory:', null],
  ])('%s names the file %s', (address, file) => {
    expect(storeFile(address)).toBe(file);
  });

  it.each([
    ['mysql://me:secret@db.example/sandgate', /no store for “mysql:” \(mysql:\/\/me@db\.example\/sandgate\)/],
    ['mysql:x', /no store for “mysql:”/],
    ['file://other.example/x.db', /is not the address of a file/],
  ])('%s is refused', async (address, message) => {
    const opening = openStore(address);
    await expect(opening).rejects.toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
    await expect(opening).rejects.not.toThrow(/secret/);
  });

  it('opens the same file by its path and by its address', async () => {
    const folder = folderOfTest();
    const path = join(folder, 'my.db');
    const [next, store] = [recordSource(), await openStore(path)];
    await store.append({ records: [next()], changes: [] });
    await store.close();
    for (const address of [`file:${path}`, pathToFileURL(path).href]) {
      const again = await openStore(address, { readonly: true });
      expect(await all(again.read('test'))).toHaveLength(1);
      await again.close();
    }
  });
});
