/** Whether the files of a store are those that were opened, at each commit. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileCheck, LOOK_MS } from '../../src/store/sqlite/same-file.js';
import { aPath } from './stores.js';

/** Each time that it is asked so much has passed that files are looked at again. */
function clockFrom(start: number): () => number {
  let now = start;
  return () => {
    now += LOOK_MS;
    return now;
  };
}

/** So much later that changes of the folder can be told from those before. */
const later = () => clockFrom(Date.now() + 60_000);
/** As far as a clock tells. */
const atOnce = () => clockFrom(Date.now());

function files(path = aPath()): string {
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(path + suffix, '');
  return path;
}

/** In a folder below the one that goes when the test is over. */
function inItsOwnFolder(): string {
  const folder = join(dirname(aPath()), 'own');
  mkdirSync(folder);
  return files(join(folder, 'store.db'));
}

const HARM: Readonly<Record<string, (path: string) => void>> = {
  'the file is deleted': rmSync,
  'its log is deleted': (path) => rmSync(`${path}-wal`),
  'the file is moved': (path) => renameSync(path, `${path}.old`),
  'another file takes its place': (path) => {
    writeFileSync(`${path}.new`, '');
    renameSync(`${path}.new`, path);
  },
  'its folder is moved': (path) => renameSync(dirname(path), `${dirname(path)}-old`),
  'another folder takes its place': (path) => {
    renameSync(dirname(path), `${dirname(path)}-old`);
    mkdirSync(dirname(path));
  },
};

describe.each([
  ['a folder that has not changed for long', later],
  ['a folder that changed just now', atOnce],
] as const)('the files in %s', (_, clock) => {
  it.each(Object.entries(HARM))('are missed at the next commit where %s', (_name, harm) => {
    const path = inItsOwnFolder();
    const check = createFileCheck(path, clock());
    for (let i = 0; i < 3; i++) check('commit');
    harm(path);
    expect(() => check('commit')).toThrow(/was (deleted or moved|replaced) while it was in use/);
    expect(() => check('commit')).toThrow(/was (deleted or moved|replaced) while it was in use/);
  });
});

it.each([
  ['is missed by a commit 20 ms after the last look', 20, 'commit'],
  ['is missed by a commit after the clock was set back', -1, 'commit'],
  ['is missed at leisure, however short ago that was', 1, 'leisure'],
  ['is missed before a call is sent on, however short ago that was', 1, 'beginning'],
] as const)('a file that goes right after a look %s', (_, passed, at) => {
  const path = files();
  let now = Date.now();
  const check = createFileCheck(path, () => now);
  check('commit');
  rmSync(path);
  now += LOOK_MS - 1;
  expect(() => check('commit')).not.toThrow();
  now += 1 - LOOK_MS + passed;
  for (let i = 0; i < 2; i++) expect(() => check(at)).toThrow(/was deleted or moved/);
});

it('files behind a link are looked at where they lie', () => {
  const target = files();
  const path = aPath();
  symlinkSync(target, path);
  const check = createFileCheck(path, later());
  for (let i = 0; i < 3; i++) check('commit');
  rmSync(target);
  expect(() => check('commit')).toThrow(/was deleted or moved/);
});

it('an index of the log that is gone is missed by a look at leisure', () => {
  const path = files();
  const check = createFileCheck(path, later());
  check('commit');
  rmSync(`${path}-shm`);
  expect(() => check('leisure')).toThrow(/-shm was deleted or moved/);
});
