/**
 * `npm run bench`: the gateway, rules and durable recording on, against Node's bare https server, in one run.
 * `--quick` takes a few seconds and is for a first look only.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCertificates } from '../src/app/certificates.js';
import { createSqliteStore } from '../src/store/index.js';
import { measureJudging } from './judging.js';
import { type Measured, runLoad, type Server, startServer } from './processes.js';
import { accountsRequest, requestFor } from './requests.js';
import { measureJourney, measureRulesShare } from './rules.js';

const QUICK = process.argv.includes('--quick');
const SECONDS = QUICK ? 2 : 8;
const RUNS = QUICK ? 1 : 3;
const CONNECTIONS = 32;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TSX = ['--import', import.meta.resolve('tsx')];
/** The built program: what is measured is what is shipped. */
const PROGRAM = here('../dist/cli/main.js');

interface Row {
  readonly name: string;
  readonly measured: Measured;
  readonly memory: readonly [before: number, after: number];
  readonly lost: string;
}

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
try {
  const certs = join(folder, 'certs');
  await ensureCertificates(certs, Date.now());
  const rows = [
    await measure('bare Node https', certs, () => startServer([...TSX, here('bare-server.ts'), certs])),
    await measureGateway('sandgate serve', certs, []),
    ...(QUICK
      ? []
      : [await measureGateway('the same, --durability power', certs, ['--durability', 'power'])]),
  ];
  print(rows);
  console.log('\nJudging one call with the whole catalogue, before its answer and with it:');
  for (const { name, microseconds } of measureJudging(QUICK ? 20_000 : 200_000))
    console.log(`  ${name.padEnd(18)} ${microseconds.toFixed(1)} µs`);
  const { judging, learning } = measureJourney(QUICK ? 500 : 5_000);
  console.log(
    `  ${'a whole journey'.padEnd(18)} ${judging.toFixed(1)} µs, and ${learning.toFixed(1)} µs to learn of it`,
  );
  await printRulesShare(certs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function printRulesShare(certs: string): Promise<void> {
  const { all, none } = await measureRulesShare({
    ...{ program: PROGRAM, load: [...TSX, here('load.ts')], certs, folder },
    ...{ seconds: SECONDS, runs: RUNS, connections: CONNECTIONS },
  });
  const [withRules, without] = [all, none].map(({ perSecond }) => Math.round(perSecond).toLocaleString('en'));
  const share = (all.perSecond / none.perSecond).toFixed(2);
  console.log(`\nWith all rules ${withRules} req/s, with none ${without}: ${share} of it.`);
}

function measureGateway(name: string, certs: string, flags: readonly string[]): Promise<Row> {
  const store = join(folder, `${flags.at(-1) ?? 'process'}.db`);
  const ports = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  const own = ['--certs', certs, '--store', store, '--session', 'bench', '--json', '--log-level', 'error'];
  return measure(name, certs, () => startServer([PROGRAM, 'serve', ...ports, ...own, ...flags]), store);
}

/** Several runs on one server; the median counts. */
async function measure(
  name: string,
  certs: string,
  start: () => Promise<Server>,
  store?: string,
): Promise<Row> {
  const server = await start();
  const before = server.memory();
  const call = store === undefined ? requestFor('/') : await accountsRequest(server.port, certs);
  const all: Measured[] = [];
  const idFiles: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    const ids = store === undefined ? '' : `${store}.${run}.ids`;
    if (ids !== '') idFiles.push(ids);
    const args = [server.port, certs, SECONDS, CONNECTIONS, call, ids].map(String);
    all.push(await runLoad([...TSX, here('load.ts'), ...args]));
  }
  const after = server.memory();
  await server.stop();
  all.sort((a, b) => a.perSecond - b.perSecond);
  const measured = all[Math.floor(all.length / 2)] as Measured;
  const wrong = Object.keys(measured.statuses).filter((status) => status !== '200');
  if (wrong.length > 0) throw new Error(`${name} answered ${JSON.stringify(measured.statuses)}`);
  return {
    name,
    measured,
    memory: [before, after],
    lost: store === undefined ? '-' : lostOf(store, idFiles),
  };
}

/** Exchanges that a client saw answered and that the store does not hold. */
function lostOf(path: string, idFiles: readonly string[]): string {
  const store = createSqliteStore({ path, readonly: true });
  const kept = new Set<string>();
  for (const { exchange } of store.read('bench')) kept.add(exchange.call.id);
  store.close();
  let lost = 0;
  let seen = 0;
  for (const file of idFiles)
    for (const id of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      seen += 1;
      if (!kept.has(id)) lost += 1;
    }
  return `${lost} of ${seen}`;
}

function print(rows: readonly Row[]): void {
  const yardstick = rows[0]?.measured.perSecond ?? 1;
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)}`;
  const head = ['', 'req/s', 'of bare', 'p50 ms', 'p99 ms', 'memory MB', 'lost'];
  const table = rows.map(({ name, measured, memory, lost }) => [
    name,
    Math.round(measured.perSecond).toLocaleString('en'),
    (measured.perSecond / yardstick).toFixed(2),
    measured.p50.toFixed(2),
    measured.p99.toFixed(2),
    memory.map(megabytes).join(' to '),
    lost,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...table.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, ...table])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
  console.log(
    `\n${CONNECTIONS} keep-alive connections with client certificates, ${SECONDS} s, median of ${RUNS}.`,
  );
}
