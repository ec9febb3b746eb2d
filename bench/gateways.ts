/**
 * Measures gateways that share a store: calls a second, the processor that gateways and database take for a call,
 * commits, and what was judged anew because another gateway was faster. Six TPPs do what TPPs do all day; their calls go
 * each to one gateway, or over all of them. `npm run build && npx tsx bench/gateways.ts [--seconds N] [--only TEXT]`.
 * Load, gateways and database share one machine: what grows with gateways there is the work for a call, not the speed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchTpps } from './certificates.js';
import type { GatewaysLoad } from './load-gateways.js';
import { type Postgres, startPostgres } from './postgres.js';
import { type Measured, processorSecondsOfAll, runLoad, type Server, startGateway } from './processes.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here('../dist/cli/main.js');
const LOAD = ['--import', import.meta.resolve('tsx'), here('load-gateways.ts')];
const CONNECTIONS = 36;
const TPPS = ['tpp', 'tpp-2', 'tpp-3', 'tpp-4', 'tpp-5', 'tpp-6'];
const SECONDS = Number(values.seconds);
const WARM_SECONDS = Math.min(3, SECONDS);
/** The server counts what was committed within a second. */
const COUNTED_MS = 1_500;

interface Subject {
  readonly name: string;
  readonly store: 'sqlite' | 'postgres';
  readonly gateways: number;
  readonly spread: GatewaysLoad['spread'];
  readonly flags?: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  { name: 'one, SQLite', store: 'sqlite', gateways: 1, spread: 'by-tpp' },
  { name: 'two workers, SQLite', store: 'sqlite', gateways: 1, spread: 'by-tpp', flags: ['--workers', '2'] },
  { name: 'one, PostgreSQL', store: 'postgres', gateways: 1, spread: 'by-tpp' },
  { name: 'two, PostgreSQL, by TPP', store: 'postgres', gateways: 2, spread: 'by-tpp' },
  { name: 'two, PostgreSQL, over all', store: 'postgres', gateways: 2, spread: 'over-all' },
  { name: 'three, PostgreSQL, by TPP', store: 'postgres', gateways: 3, spread: 'by-tpp' },
  { name: 'three, PostgreSQL, over all', store: 'postgres', gateways: 3, spread: 'over-all' },
];

interface Row {
  readonly measured: Measured;
  /** µs of the processor a call. */
  readonly gateways: number;
  readonly database: number | null;
  readonly commits: number | null;
  /** Of all calls. */
  readonly judgedAnew: number;
}

async function measure(subject: Subject, certs: string, folder: string, postgres: Postgres): Promise<Row> {
  const schema = `bench${SUBJECTS.indexOf(subject)}`;
  const isPostgres = subject.store === 'postgres';
  const store = isPostgres ? postgres.address(schema) : join(folder, `${schema}.db`);
  const start = () => startGateway({ program: PROGRAM, certs, store }, subject.flags ?? []);
  const servers: Server[] = [];
  try {
    // One after the other: the first makes the schema.
    for (let i = 0; i < subject.gateways; i++) servers.push(await start());
    const load: GatewaysLoad = {
      ...{ ports: servers.map(({ port }) => port), certs, tpps: TPPS, spread: subject.spread },
      ...{ seconds: SECONDS, connections: CONNECTIONS },
    };
    const used = () => servers.reduce((sum, { process }) => sum + processorSecondsOfAll(process.pid ?? 0), 0);
    // What is compiled late must not be measured.
    await runLoad([...LOAD, JSON.stringify({ ...load, seconds: WARM_SECONDS })]);
    const anewBefore = await judgedAnew(servers);
    const before = { gateways: used(), database: postgres.cpu(), commits: await commitsOf(postgres) };
    const measured = await runLoad([...LOAD, JSON.stringify(load)]);
    const each = (more: number, less: number) => (more - less) / measured.calls;
    const gateways = each(used(), before.gateways) * 1e6;
    const database = isPostgres ? each(postgres.cpu(), before.database) * 1e6 : null;
    const commits = isPostgres ? each(await commitsOf(postgres), before.commits) : null;
    const anew = each(await judgedAnew(servers), anewBefore);
    return { measured, gateways, database, commits, judgedAnew: anew };
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function commitsOf(postgres: Postgres): Promise<number> {
  await pause(COUNTED_MS);
  return postgres.commits();
}

/** Calls so far that were judged once more. */
async function judgedAnew(servers: readonly Server[]): Promise<number> {
  let sum = 0;
  for (const { admin } of servers) {
    const text = await (await fetch(`${admin}/metrics`)).text();
    for (const [, count] of text.matchAll(/^sandgate_judged_anew_total\S* (\S+)$/gm)) sum += Number(count);
  }
  return sum;
}

function print(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(30) + cells.map((cell) => cell.padStart(11)).join(''));
}

const figure = (value: number | null, digits = 0) =>
  value === null
    ? '-'
    : value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

const folder = mkdtempSync(join(tmpdir(), 'sandgate-gateways-'));
const postgres = await startPostgres();
try {
  const certs = join(folder, 'certs');
  await benchTpps(certs, TPPS.slice(1));
  print('', ['req/s', 'p50 ms', 'p99 ms', 'gateway µs', 'server µs', 'commits', 'anew %']);
  for (const subject of SUBJECTS.filter(({ name }) => name.includes(values.only))) {
    const {
      measured,
      gateways,
      database,
      commits,
      judgedAnew: anew,
    } = await measure(subject, certs, folder, postgres);
    print(subject.name, [
      figure(measured.perSecond),
      figure(measured.p50, 1),
      figure(measured.p99, 1),
      figure(gateways),
      figure(database),
      figure(commits, 3),
      figure(anew * 100, 2),
    ]);
  }
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
