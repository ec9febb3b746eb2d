import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/files/index.js';
import { NOW } from '../builders.js';
import { folderOfTest } from '../folder.js';

/** Above the highest pid of Linux: no process has it. */
const NOBODY = 4_194_305;

function lockedBy(owner: object | string) {
  const folder = folderOfTest();
  const path = join(folder, 'lock');
  writeFileSync(path, typeof owner === 'string' ? owner : JSON.stringify({ since: 'then', ...owner }));
  return { path, taken: takeLock(path, 'mine', NOW), files: () => readdirSync(folder) };
}

describe('a lock', () => {
  it('is held until it is released, and names its owner to others', () => {
    const path = join(folderOfTest(), 'lock');
    const lock = takeLock(path, 'first', NOW);
    if ('owner' in lock) throw new Error('somebody has it');
    expect([lock.isHeld(), takeLock(path, 'second', NOW)]).toEqual([
      true,
      { owner: { pid: process.pid, host: hostname(), since: new Date(NOW).toISOString() } },
    ]);
    lock.release();
    expect([lock.isHeld(), existsSync(path)]).toEqual([false, false]);
  });

  it('of an ended process of this machine is taken over, and nothing else is left in the folder', () => {
    const { path, taken, files } = lockedBy({ pid: NOBODY, host: hostname() });
    expect('owner' in taken).toBe(false);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, id: 'mine' });
    expect(files()).toEqual(['lock']);
  });

  it.each([
    ['a running process', { pid: process.ppid, host: hostname() }, process.ppid],
    ['this process', { pid: process.pid, host: hostname() }, process.pid],
    ['another machine', { pid: NOBODY, host: 'elsewhere.example' }, NOBODY],
  ])('of %s stays', (_, owner, pid) => {
    const { path, taken } = lockedBy(owner);
    expect(taken).toMatchObject({ owner: { pid } });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(owner);
  });

  it('that nobody can read stays: it may be about to be written', () => {
    expect(lockedBy('').taken).toEqual({ owner: null });
  });

  it('that somebody else has meanwhile is not removed on release', () => {
    const path = join(folderOfTest(), 'lock');
    const lock = takeLock(path, 'first', NOW);
    if ('owner' in lock) throw new Error('somebody has it');
    writeFileSync(path, 'of another');
    lock.release();
    expect([lock.isHeld(), readFileSync(path, 'utf8')]).toEqual([false, 'of another']);
  });
});
