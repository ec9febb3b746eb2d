/** Measures a report over many exchanges, a bundle with it, and an erasure in them: time and memory of the built program. `npx tsx bench/report.ts [COUNT]`, after `npm run build`. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/index.js';
import { CONSENT } from '../test/rules/ledger-of.js';
import { fillStore } from './filled-store.js';
import { measureCommand, megabytes } from './measured-command.js';

const COUNT = Number(process.argv[2] ?? 100_000);

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-report-'));
const path = join(folder, 'bench.db');
try {
  await fillStore(await openStore(path), COUNT);
  console.log(
    `A report over ${COUNT.toLocaleString('en')} exchanges, ${megabytes(statSync(path).size)} of store:`,
  );
  await measure('json, as recorded', ['--format', 'json']);
  await measure('json, judged again', ['--format', 'json', '--profile', 'production']);
  await measure('all formats', ['--format', 'html,json,junit,markdown,sarif']);
  const record = join(folder, 'record.pdf');
  await measureCommand('pdf', ['report', 'bench', '--store', path, '--out', record]);
  await measureCommand(`verify of the pdf (${megabytes(statSync(record).size)})`, [
    'verify',
    record,
    '--store',
    path,
  ]);
  const bundle = join(folder, 'bench.zip');
  await measureCommand('a bundle', ['bundle', 'bench', '--store', path, '--out', bundle]);
  await measureCommand(`verify of the bundle (${megabytes(statSync(bundle).size)})`, ['verify', bundle]);
  const erase = ['erase', '--consent', CONSENT, '--yes', '--store', path];
  await measureCommand('erase of one consent', erase);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, flags: readonly string[]): Promise<void> {
  const out = join(folder, name.replaceAll(/\W+/g, '-'));
  const target = flags[1]?.includes(',') ? out : `${out}.json`;
  await measureCommand(name, ['report', 'bench', '--store', path, '--out', target, ...flags]);
}
