/** Standard output that takes nothing: what is not written is no success, and nothing of the recording stays behind. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { startProgram } from './child.js';

const folder = folderOfFile();
const TMPDIR = join(folder, 'temporary');

beforeAll(() => {
  mkdirSync(TMPDIR);
  const store = createSqliteStore({ path: join(folder, 'sandgate.db') });
  record(store, VALID);
  store.close();
});

const COMMANDS = [
  ['bundle', 'june', '--out', '-'],
  ['report', 'june', '--format', 'csv'],
  ['report', 'june', '--json'],
  ['report', 'june', '--annotations', 'github'],
  ['sessions', 'show', 'june'],
];
const run = (args: readonly string[], shell: string) =>
  startProgram([...args, '--store', 'sandgate.db'], { folder, shell, env: { TMPDIR } }).ended;

describe.runIf(existsSync('/dev/full'))('standard output on a disk that is full', () => {
  it.each(COMMANDS)('is said, with status 3: %s %s %s %s', async (...args) => {
    const { code, stderr } = await run(args.filter(Boolean), 'exec >/dev/full;');
    expect([code, stderr]).toEqual([3, expect.stringContaining('ENOSPC: no space left on device')]);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

it('a bundle whose reader goes away leaves nothing of the session behind', async () => {
  // Opening waits for the reader, which ends at once.
  const { code } = await run(['bundle', 'june', '--out', '-'], 'mkfifo gone; (: <gone) & exec >gone; wait;');
  expect([code, readdirSync(TMPDIR)]).toEqual([0, []]);
});
