/**
 * Import, check and export of many exchanges: time and memory of the built program, each in a process of its own.
 * `npx tsx bench/files.ts [COUNT] [KIND]`, after `npm run build`, KIND as `cassette`; a part of `npm run bench`.
 */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../src/store/index.js';
import { fillStore } from './filled-store.js';
import { measureCommand, megabytes } from './measured-command.js';

export async function measureFiles(count: number, only?: string): Promise<void> {
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
    await writeFile(foreign, asOthersWrite(har));
    const [ours, others, small] = [har, foreign, cassette].map((file) => megabytes(statSync(file).size));
    console.log(`  (HAR ${ours}, of others ${others}, cassette ${small})`);
    for (const [name, file] of Object.entries({ 'our HAR': har, "others' HAR": foreign, cassette })) {
      if (only !== undefined && only !== name) continue;
      const into = ['--store', inFolder(`${name.replace(/\W/g, '')}.db`)];
      await measureCommand(`import of ${name}`, ['sessions', 'import', file, '--session', 'in', ...into]);
      await measureCommand(`check of ${name}`, ['check', file, '--json']);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A HAR of ours as a proxy or a browser would have it: no member of ours, what is secret in clear, indented. */
async function* asOthersWrite(own: string): AsyncGenerator<string> {
  yield '{\n  "log": {\n    "version": "1.2",\n    "creator": { "name": "a proxy", "version": "1" },\n    "entries": [';
  let before = '';
  for await (const line of createInterface({ input: createReadStream(own) })) {
    if (!line.startsWith('{"startedDateTime":')) continue;
    const { _sandgate, ...entry } = JSON.parse(line.replace(/,$/, '').replaceAll('fp_', 'tk_'));
    yield `${before}\n${JSON.stringify(entry, null, 2)}`.replaceAll('\n', '\n      ');
    before = ',';
  }
  yield '\n    ]\n  }\n}\n';
}

if (/files\.[jt]s$/.test(process.argv[1] ?? '')) {
  const count = Number(process.argv[2] ?? 100_000);
  console.log(`Files of ${count.toLocaleString('en')} exchanges:`);
  await measureFiles(count, process.argv[3]);
}
