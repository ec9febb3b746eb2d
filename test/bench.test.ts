/**
 * Every benchmark that a document names runs by itself, with `dist/cli/main.js`, and reports what it measured; here with
 * small amounts.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What each says in its last line. `bench/main.ts` is the bench of all of it, and takes minutes. */
const SMALL: Readonly<Record<string, readonly [args: readonly string[], says: RegExp]>> = {
  'bench/store.ts': [['--rows', '400'], /readMicroseconds +[\d.]+/],
  'bench/report.ts': [['20'], /all formats .* status 0/],
  'bench/search.ts': [['--exchanges', '200'], /found, .* read: what is not$/m],
  'bench/followed.ts': [['--quick'], /the live page( +-?[\d.,]+ ?%?){5}/],
  'bench/files.ts': [['40', 'cassette'], /check of cassette .* status [01]/],
  'bench/testing.ts': [['--quick'], /close, median +[\d.]+ ms/],
  'bench/soak.ts': [['--calls', '100', '--connections', '4'], /^It (?:holds|does not hold)\.$/m],
  'bench/soak-faults.ts': [
    ['--calls', '50', '--connections', '4', '--rounds', '0'],
    /^It (?:holds|does not hold)\.$/m,
  ],
  'bench/gateways.ts': [
    ['--seconds', '0.1', '--turns', '1', '--only', 'one, SQLite'],
    /one, SQLite( +[\d,.]+){4}/,
  ],
  'bench/faults.ts': [
    ['--faults', '1', '--connections', '4', '--gateways', '2', '--between', '10'],
    /^It (?:holds|does not hold)\.$/m,
  ],
  'bench/postgres-store.ts': [['--rows', '400', '--report', '20'], /as recorded .* status [01]/],
  'bench/upstream.ts': [['--calls', '64'], /through a whole gateway: /],
};

/** Programs that benches start beside themselves. */
const PARTS = ['load', 'load-gateways', 'bare-server'].map((name) => `bench/${name}.ts`);

/** What a bench starts of the project, it finds by its own place. */
const placed: Plugin = {
  name: 'placed',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\](?:bench|test)[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path)),
      ),
      loader: 'ts',
    })),
};

describe('what documents tell to measure with', () => {
  let bundles: string;
  beforeAll(async () => {
    bundles = mkdtempSync(join(ROOT, 'node_modules/.bench-'));
    // Compiled as they are loaded, file by file, they take three times as long.
    await bundle({
      ...{ entryPoints: [...Object.keys(SMALL), ...PARTS], outdir: bundles, splitting: true },
      plugins: [placed],
    });
  });
  afterAll(() => rmSync(bundles, { recursive: true, force: true }));

  it('is what is tried here', () => {
    const named = ['docs/performance.md', 'docs/testing.md', 'CONTRIBUTING.md', 'README.md'].flatMap(
      (file) => readFileSync(`${ROOT}${file}`, 'utf8').match(/bench\/[\w-]+\.ts/g) ?? [],
    );
    expect(Object.keys(SMALL).sort()).toEqual([...new Set(named)].sort());
  });

  it.each(Object.entries(SMALL))('%s runs by itself, and says what it found', async (file, [args, says]) => {
    const run = promisify(execFile);
    const program = join(bundles, `${basename(file, '.ts')}.js`);
    const { stdout } = await run(process.execPath, [program, ...args], { cwd: ROOT });
    expect(stdout).toMatch(says);
  });
});
