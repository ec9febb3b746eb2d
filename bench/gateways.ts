/**
 * Measures gateways that share a store against one that has its own: calls a second, the processor that gateways and
 * database take for a call, commits, and what was judged anew because another gateway was faster. Six TPPs do what TPPs do
 * all day; their calls go each to one gateway, or over all of them. All subjects run at once and are loaded in short turns,
 * one after the other, so that what else the machine does falls on all of them alike; of the processor the least turn
 * counts, which others disturbed least, of the rest the median, and what was judged anew is counted over all turns.
 * `npm run build && npx tsx bench/gateways.ts [--seconds N] [--turns N] [--only TEXT]`: of each turn, and turns.
 * Load, gateways and database share one machine: what grows with gateways there is the work for a call, not the speed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchTpps } from './certificates.js';
import type { GatewaysLoad } from './load-gateways.js';
import { type Postgres, startPostgres } from './postgres.js';
import {
  type Measured,
  partOf,
  processorSecondsOfAll,
  runLoad,
  type Server,
  startGateway,
} from './processes.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here('../dist/cli/main.js');
const LOAD = partOf('load-gateways');
const CONNECTIONS = 36;
const TPPS = ['tpp', 'tpp-2', 'tpp-3', 'tpp-4', 'tpp-5', 'tpp-6'];
const SECONDS = Number(values.seconds);
/** The server counts what was committed within a second. */
const COUNTED_MS = 1_500;

interface Fleet {
  readonly store: 'sqlite' | 'postgres';
  readonly gateways: number;
  readonly flags?: readonly string[];
}

const FLEETS = {
  sqlite: { store: 'sqlite', gateways: 1 },
  workers: { store: 'sqlite', gateways: 1, flags: ['--workers', '2'] },
  one: { store: 'postgres', gateways: 1 },
  two: { store: 'postgres', gateways: 2 },
  three: { store: 'postgres', gateways: 3 },
  // Others than these: where calls have just gone over all, the next ones of a TPP meet what others changed.
  twoOverAll: { store: 'postgres', gateways: 2 },
  threeOverAll: { store: 'postgres', gateways: 3 },
} as const satisfies Record<string, Fleet>;

interface Subject {
  readonly name: string;
  readonly fleet: keyof typeof FLEETS;
  readonly spread?: GatewaysLoad['spread'];
  readonly tpps?: readonly string[];
}

/** The first is the yardstick. */
const SUBJECTS: readonly Subject[] = [
  { name: 'one, SQLite', fleet: 'sqlite' },
  { name: 'two workers, SQLite', fleet: 'workers' },
  { name: 'one, PostgreSQL', fleet: 'one' },
  { name: 'two, PostgreSQL, by TPP', fleet: 'two' },
  { name: 'two, PostgreSQL, over all', fleet: 'twoOverAll', spread: 'over-all' },
  { name: 'three, PostgreSQL, by TPP', fleet: 'three' },
  { name: 'three, PostgreSQL, over all', fleet: 'threeOverAll', spread: 'over-all' },
  { name: 'the same, one TPP', fleet: 'threeOverAll', spread: 'over-all', tpps: ['tpp'] },
];

interface Turn {
  readonly measured: Measured;
  /** µs of the processor a call. */
  readonly gateways: number;
  readonly database: number | null;
  readonly commits: number | null;
  readonly judgedAnew: number;
}

async function start(name: keyof typeof FLEETS, certs: string, folder: string) {
  const { store: kind, gateways, flags = [] }: Fleet = FLEETS[name];
  const store = kind === 'postgres' ? (await postgres()).address(name) : join(folder, `${name}.db`);
  const servers: Server[] = [];
  // One after the other: the first makes the schema.
  for (let i = 0; i < gateways; i++)
    servers.push(await startGateway({ program: PROGRAM, certs, store }, flags));
  return servers;
}

async function runTurn(
  { fleet, spread = 'by-tpp', tpps = TPPS }: Subject,
  servers: readonly Server[],
  certs: string,
): Promise<Turn> {
  const database = FLEETS[fleet].store === 'postgres' ? await postgres() : null;
  const load: GatewaysLoad = {
    ...{ ports: servers.map(({ port }) => port), certs, tpps, spread },
    ...{ seconds: SECONDS, connections: CONNECTIONS },
  };
  const used = () => servers.reduce((sum, { process }) => sum + processorSecondsOfAll(process.pid ?? 0), 0);
  const anewBefore = await judgedAnew(servers);
  const commitsBefore = database === null ? 0 : await commitsOf(database);
  const cpu = () => [used(), ...(database === null ? [] : [database.cpu()])];
  const { measured, processor } = await runLoad([...LOAD, JSON.stringify(load)], cpu);
  const [gateways = 0, ofDatabase = null] = processor;
  return {
    measured,
    gateways,
    database: ofDatabase,
    commits: database === null ? null : ((await commitsOf(database)) - commitsBefore) / measured.calls,
    judgedAnew: (await judgedAnew(servers)) - anewBefore,
  };
}

async function commitsOf(database: Postgres): Promise<number> {
  await pause(COUNTED_MS);
  return database.commits();
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

function printTurns(name: string, turns: readonly Turn[], yardstick: number): void {
  const all = (of: (turn: Turn) => number | null) => turns.map((turn) => of(turn) ?? 0).sort((a, b) => a - b);
  const least = (of: (turn: Turn) => number | null) => all(of)[0] ?? 0;
  const median = (of: (turn: Turn) => number | null) => all(of)[Math.floor(turns.length / 2)] ?? 0;
  const sum = (of: (turn: Turn) => number) => all(of).reduce((a, b) => a + b, 0);
  const isPostgres = turns[0]?.database !== null;
  const gateways = least((turn) => turn.gateways);
  print(name, [
    figure(median(({ measured }) => measured.perSecond)),
    figure(
      median(({ measured }) => measured.p50),
      1,
    ),
    figure(
      median(({ measured }) => measured.p99),
      1,
    ),
    figure(gateways),
    figure(gateways / yardstick, 2),
    figure(isPostgres ? least(({ database }) => database) : null),
    figure(isPostgres ? median(({ commits }) => commits) : null, 3),
    figure((sum((turn) => turn.judgedAnew) / sum(({ measured }) => measured.calls)) * 100, 2),
  ]);
}

const folder = mkdtempSync(join(tmpdir(), 'sandgate-gateways-'));
let server: Promise<Postgres> | undefined;
/** Started by whoever comes first, if anybody does. */
const postgres = (): Promise<Postgres> => {
  server ??= startPostgres();
  return server;
};
const subjects = SUBJECTS.filter(({ name }) => name.includes(values.only));
const fleets = new Map<keyof typeof FLEETS, Server[]>();
try {
  const certs = join(folder, 'certs');
  await benchTpps(certs, TPPS.slice(1));
  for (const { fleet } of subjects)
    if (!fleets.has(fleet)) fleets.set(fleet, await start(fleet, certs, folder));
  const turns = new Map(subjects.map(({ name }): [string, Turn[]] => [name, []]));
  // What is compiled late must not be measured: the first turn is none.
  for (let turn = 0; turn <= Number(values.turns); turn++)
    for (const subject of subjects) {
      const taken = await runTurn(subject, fleets.get(subject.fleet) ?? [], certs);
      if (turn > 0) turns.get(subject.name)?.push(taken);
    }
  print('', ['req/s', 'p50 ms', 'p99 ms', 'gateway µs', 'of first', 'server µs', 'commits', 'anew %']);
  const yardstick = Math.min(...(turns.values().next().value ?? []).map(({ gateways }) => gateways));
  for (const [name, taken] of turns) printTurns(name, taken, yardstick);
  console.log(
    `${values.turns} turns of ${SECONDS} s; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  for (const servers of fleets.values()) for (const server of servers) await server.stop();
  await (await server)?.close();
  rmSync(folder, { recursive: true, force: true });
}
