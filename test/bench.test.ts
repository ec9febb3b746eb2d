/**
 * Every benchmark that a document names runs by itself, with `dist/cli/main.js`, and reports what it measured; here with
 * small amounts.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What each says in its last line. `bench/main.ts` is the bench of all of it, and takes minutes. */
const SMALL: Readonly<Record<string, readonly [args: readonly string[], says: RegExp]>> = {
  'bench/store.ts': [['--rows', '400'], /readMicroseconds +[\d.]+/],
  'bench/report.ts': [['20'], /all formats .* status 0/],
  'bench/search.ts': [['--exchanges', '200'], /found, .* read: what is not$/m],
  'bench/files.ts': [['40'], /check of cassette .* status [01]/],
  'bench/testing.ts': [['--quick'], /close, median +[\d.]+ ms/],
  'bench/soak.ts': [['--calls', '100', '--connections', '4'], /^It (?:holds|does not hold)\.$/m],
  'bench/soak-faults.ts': [
    ['--calls', '50', '--connections', '4', '--rounds', '0'],
    /^It (?:holds|does not hold)\.$/m,
  ],
  'bench/gateways.ts': [
    ['--seconds', '1', '--turns', '1', '--only', 'one, SQLite'],
    /one, SQLite( +[\d,.]+){4}/,
  ],
  'bench/faults.ts': [['--faults', '1', '--connections', '4'], /^It (?:holds|does not hold)\.$/m],
  'bench/postgres-store.ts': [['--rows', '400', '--report', '20'], /as recorded .* status [01]/],
  'bench/upstream.ts': [['--calls', '64'], /through a whole gateway: /],
};

describe('what documents tell to measure with', () => {
  it('is what is tried here', () => {
    const named = [
      'docs/performance.md',
      'docs/scaling.md',
      'docs/testing.md',
      'CONTRIBUTING.md',
      'README.md',
    ].flatMap((file) => readFileSync(`${ROOT}${file}`, 'utf8').match(/bench\/[\w-]+\.ts/g) ?? []);
    expect(Object.keys(SMALL).sort()).toEqual([...new Set(named)].sort());
  });

  it.each(Object.entries(SMALL))('%s runs by itself, and says what it found', async (file, [args, says]) => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT });
    expect(stdout).toMatch(says);
  });
});
