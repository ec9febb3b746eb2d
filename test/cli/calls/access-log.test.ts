/** The file of the access log: whose it is, what is appended, and what is no place for it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/cli/calls/tell-calls.js';
import { folderOfFile } from '../../folder.js';

const folder = folderOfFile();
const unexpected = (problem: Error) => {
  throw problem;
};

describe('the access log', () => {
  it('is made with its folder, for its owner alone, and appended to', async () => {
    const file = join(folder, 'new', 'calls.jsonl');
    for (const text of ['a\n', 'b\n']) {
      const log = await openAccessLog(file, unexpected);
      log.write(text);
      await once(log.end(), 'close');
    }
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['a\nb\n', 0o600]);
  });

  it('is closed to others where it was open to them', async () => {
    const file = join(folder, 'open.jsonl');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    const log = await openAccessLog(file, unexpected);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await once(log.end(), 'close');
  });

  it('refuses a folder, and a pipe, which it does not wait for', async () => {
    await expect(openAccessLog(folder, unexpected)).rejects.toThrow('--access-log');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openAccessLog(pipe, unexpected)).rejects.toThrow(`--access-log ${pipe} cannot be written`);
  });

  it('refuses a device', async () => {
    const file = join(folder, 'full');
    symlinkSync('/dev/full', file);
    await expect(openAccessLog(file, unexpected)).rejects.toThrow('it is no file');
  });
});
