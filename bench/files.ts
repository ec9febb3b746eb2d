/**
 * Import, check and export of many exchanges: time and memory of the built program, each in a process of its own.
 * `npx tsx bench/files.ts [COUNT]`, after `npm run build`; a part of `npm run bench`.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/index.js';
import { fillStore } from './filled-store.js';
import { measureCommand, megabytes } from './measured-command.js';

export async function measureFiles(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-files-'));
  try {
    const inFolder = (name: string) => join(folder, name);
    const store = inFolder('bench.db');
    await fillStore(await openStore(store), count);
    const [har, foreign, cassette] = ['own.har', 'foreign.har', 'own.json'].map(inFolder) as [
      string,
      string,
      string,
    ];
    const from = ['--store', store];
    await measureCommand('export to HAR', ['sessions', 'export', 'bench', '--out', har, ...from]);
    await measureCommand('export to cassette', ['sessions', 'export', 'bench', '--out', cassette, ...from]);
    writeFileSync(foreign, readFileSync(har, 'utf8').replaceAll('"_sandgate":', '"_other":'));
    console.log(`  (HAR ${megabytes(statSync(har).size)}, cassette ${megabytes(statSync(cassette).size)})`);
    for (const [name, file] of Object.entries({ 'our HAR': har, "others' HAR": foreign, cassette })) {
      const into = ['--store', inFolder(`${name.replace(/\W/g, '')}.db`)];
      await measureCommand(`import of ${name}`, ['sessions', 'import', file, '--session', 'in', ...into]);
      await measureCommand(`check of ${name}`, ['check', file, '--json']);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (/files\.[jt]s$/.test(process.argv[1] ?? '')) {
  const count = Number(process.argv[2] ?? 100_000);
  console.log(`Files of ${count.toLocaleString('en')} exchanges:`);
  await measureFiles(count);
}
