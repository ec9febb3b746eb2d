/** Archives: what was written comes back, and nothing is read that was not written so. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZip, openZip, type ZipFile, zipped } from '../../src/files/index.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
const file = join(folder, 'a.zip');

async function written(files: readonly ZipFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of zipped(files)) parts.push(part);
  return Buffer.concat(parts);
}

/** The files of an archive; or why it is not read. */
async function readBack(bytes: Uint8Array): Promise<Record<string, string> | string> {
  writeFileSync(file, bytes);
  const handle = openSync(file, 'r');
  try {
    const zip = openZip(handle, 'a.zip');
    const found: Record<string, string> = {};
    for (const { name, size } of zip.files) {
      const content = await zip.bytes(name, 1_000_000);
      expect(content.length).toBe(size);
      found[name] = content.toString('latin1');
    }
    return found;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'bundle.archive') throw error;
    return error.message;
  } finally {
    closeSync(handle);
  }
}

const name = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
const content = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const someFiles = fc.dictionary(name, content, { maxKeys: 6, noNullPrototype: true });
const filesOf = (files: Readonly<Record<string, string>>): ZipFile[] =>
  Object.entries(files).map(([one, text]) => ({ name: one, pieces: [Buffer.from(text, 'latin1')] }));

const TWO = { 'a.json': '{"a": 1}', 'b.txt': 'b'.repeat(500) };

describe('an archive', () => {
  it('gives back the files that were put in, and is the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, async (files) => {
        const bytes = await written(filesOf(files));
        expect(await readBack(bytes)).toEqual(files);
        expect(bytes.equals(await written(filesOf(files)))).toBe(true);
      }),
    );
  });

  it('is not read if any byte of it is another one, is gone, or comes besides', async () => {
    const bytes = await written(filesOf(TWO));
    const place = fc.nat(bytes.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        const said = await readBack(changed);
        if (typeof said === 'string') expect(said).toMatch(/^a\.zip is not a bundle as Sandgate writes it/);
        // The last bits of packed bytes say nothing.
        else expect(said).toEqual(TWO);
        const cut = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        expect(await readBack(cut)).toMatch(/not a bundle/);
        const longer = Buffer.concat([bytes.subarray(0, at), Buffer.of(by), bytes.subarray(at)]);
        expect(await readBack(longer)).toMatch(/not a bundle/);
        expect(await readBack(bytes.subarray(0, at))).toMatch(/not a bundle/);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '../up',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'C:x',
    '',
    '..',
    '.hidden',
    'con\u0000',
    'Big.JSON',
    'x'.repeat(101),
  ])('is not read with a file named %j', async (bad) => {
    const said = await readBack(await written([{ name: bad, pieces: ['x'] }]));
    expect(said).toContain('is no name of a file in it');
  });

  it('is not read with two files of one name', async () => {
    const twice = [...filesOf({ 'a.json': '1' }), ...filesOf({ 'a.json': '2' })];
    expect(await readBack(await written(twice))).toContain('it holds a.json twice');
  });

  it('is not read with more than a hundred files', async () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, pieces: ['x'] }));
    expect(await readBack(await written(many))).toContain('holds 101 files, and at most 100');
  });

  it('that another program packed is told from one in which a number was changed', async () => {
    const bytes = await written(filesOf(TWO));
    const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    const changed = (places: readonly number[]) => {
      const copy = Buffer.from(bytes);
      for (const at of places) copy[entry + at] = (copy[entry + at] ?? 0) ^ 1;
      return readBack(copy);
    };
    expect(await changed([14])).toContain('a number in the directory entry of a.json was changed');
    // Who made it, flags, date and attributes.
    expect(await changed([4, 8, 14, 38])).toContain('another program has packed its files again');
  });

  it('is known by its first bytes', async () => {
    writeFileSync(file, await written(filesOf(TWO)));
    expect(isZip(file)).toBe(true);
    writeFileSync(file, '{}');
    expect(isZip(file)).toBe(false);
    expect(() => isZip(join(folder, 'nowhere'))).toThrow(/cannot be read/);
  });

  it('that fails while it is written fails with the error of its file', async () => {
    async function* broken() {
      yield 'a';
      throw new Error('the store is gone');
    }
    await expect(written([{ name: 'a', pieces: broken() }])).rejects.toThrow('the store is gone');
  });
});

describe('a bomb', () => {
  /** An archive of one file that says of itself what its maker wants; its headers agree. */
  async function lying(claims: {
    readonly size?: number;
    readonly packed?: Uint8Array;
    readonly crc?: number;
  }) {
    const honest = await written([{ name: 'a', pieces: ['x'.repeat(1_000)] }]);
    const packed = claims.packed ?? honest.subarray(31, honest.length - 22 - 47 - 16);
    const central = Buffer.from(honest.subarray(honest.length - 22 - 47, honest.length - 22));
    const behind = Buffer.from(honest.subarray(honest.length - 22 - 47 - 16, honest.length - 22 - 47));
    const end = Buffer.from(honest.subarray(honest.length - 22));
    const set = (crc: number, size: number) => {
      central.writeUInt32LE(crc, 16);
      behind.writeUInt32LE(crc, 4);
      central.writeUInt32LE(packed.length, 20);
      behind.writeUInt32LE(packed.length, 8);
      central.writeUInt32LE(size, 24);
      behind.writeUInt32LE(size, 12);
      end.writeUInt32LE(31 + packed.length + 16, 16);
    };
    set(claims.crc ?? central.readUInt32LE(16), claims.size ?? 1_000);
    return Buffer.concat([honest.subarray(0, 31), packed, behind, central, end]);
  }

  it('is written by this test as an archive is', async () => {
    expect(await readBack(await lying({}))).toEqual({ a: 'x'.repeat(1_000) });
  });

  it('is not unpacked beyond the size that it says', async () => {
    const packed = deflateRawSync(Buffer.alloc(50_000_000));
    const said = await readBack(await lying({ packed, size: 1_000 }));
    expect(said).toContain('a unpacks to more than the 1000 bytes that it says');
  });

  it('of a size that is not allowed is not unpacked at all', async () => {
    expect(await readBack(await lying({ size: 0xffff_ffff }))).toContain('unpacked to more than 4 GiB');
    expect(await readBack(await lying({ size: 2_000_000 }))).toContain('a has more than 1000000 bytes');
  });

  it.each([
    ['too few bytes', { size: 1_001 }],
    ['another checksum', { crc: 7 }],
    ['bytes behind its end', { packed: Buffer.concat([deflateRawSync('x'.repeat(1_000)), Buffer.alloc(9)]) }],
    ['no packed bytes', { packed: Buffer.from('nonsense') }],
  ])('and a file with %s is none that was packed', async (_, claims) => {
    expect(await readBack(await lying(claims))).toMatch(/a (unpacks to other bytes|cannot be unpacked)/);
  });
});
