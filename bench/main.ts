/**
 * `npm run bench`: the gateway, rules and durable recording on, against Node's bare https server, and against
 * forwarders that only forward, in one run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureBankProfile } from './bank-profile.js';
import { benchCertificates } from './certificates.js';
import { measureConnections } from './connections.js';
import { measureFiles } from './files.js';
import { measureForwarding } from './forwarding.js';
import { measureJudging } from './judging.js';
import { measureLiving } from './living.js';
import { measureFacts } from './living-facts.js';
import { type Load, measureTogether, printRows, type Row, type Subject } from './measure.js';
import { measurePopulation } from './population.js';
import { partOf, startGateway, startServer } from './processes.js';
import { measureReplay } from './replay.js';
import { accountsRequest, requestFor } from './requests.js';
import { measureJourney, measureRules } from './rules.js';
import { printStarts } from './starting.js';
import { startSink } from './telemetry.js';

const { quick: QUICK, help } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
}).values;
if (help) {
  console.log(`Builds the program and measures it: answering, forwarding, replaying, connections, starting, judging.

  npm run bench               about ten minutes
  npm run bench -- --quick    a minute, for a first look only`);
  process.exit();
}
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
/** Many short turns: what else the machine does then meets few of them. */
const SECONDS = QUICK ? 2 : 3;
const RUNS = QUICK ? 1 : 9;
const CONNECTIONS = 32;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The built program: what is measured is what is shipped. */
const PROGRAM = here('../dist/cli/main.js');

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
const sink = await startSink();
try {
  const certs = await benchCertificates();
  const program = partOf('load');
  const load: Load = { program, certs, seconds: SECONDS, runs: RUNS, connections: CONNECTIONS };
  const start = () => startServer([...partOf('bare-server'), certs]);
  const subjects = [
    { name: 'bare Node https', start, call: () => requestFor('/') },
    gatewayWith('sandgate serve', certs, []),
    gatewayWith('the same, --encrypt', certs, ['--encrypt']),
    gatewayWith('the same, --otlp', certs, ['--otlp', sink.url]),
    ...(QUICK ? [] : [gatewayWith('the same, --durability power', certs, ['--durability', 'power'])]),
  ];
  const rows = await measureTogether(subjects, load);
  console.log('Answering:');
  printRows(rows, 'bare');
  printTraces(rows[1], rows[3]);
  await printForwarding(load);
  await printReplay(load);
  await printLiving(load);
  await printFacts(certs);
  await printConnections(load);
  await printStarts(PROGRAM, { certs, folder, times: RUNS });
  console.log(
    `\n${CONNECTIONS} keep-alive connections with client certificates, ${SECONDS} s, median of ${RUNS}.`,
  );
  console.log('\nJudging one call with the whole catalogue, before its answer and with it:');
  for (const { name, microseconds } of measureJudging(QUICK ? 20_000 : 200_000))
    console.log(`  ${name.padEnd(18)} ${microseconds.toFixed(1)} µs`);
  const { judging, learning } = measureJourney(QUICK ? 500 : 5_000);
  console.log(
    `  ${'a whole journey'.padEnd(18)} ${judging.toFixed(1)} µs, and ${learning.toFixed(1)} µs to learn of it`,
  );
  console.log('\nWith all rules, against none:');
  // Short turns: what else the machine does meets both.
  const turns = { ...load, seconds: 1, runs: QUICK ? 3 : 15 };
  printRows(await measureRules(turns, { program: PROGRAM, folder }), 'none');
  const bank = await measureBankProfile(turns, { program: PROGRAM, folder });
  console.log('\nThe built-in interface, as a bank profile in a file:');
  printRows(bank.rows, 'built-in');
  console.log(`processor for a call: ${bank.ratio.toFixed(2)} of that without a profile (to reach 1)`);
  printPopulation();
  console.log('\nFiles of many exchanges:');
  await measureFiles(QUICK ? 10_000 : 100_000);
} finally {
  sink.close();
  rmSync(folder, { recursive: true, force: true });
}

function printPopulation(): void {
  const cost = measurePopulation(QUICK ? 50 : 500);
  console.log(
    '\nA living bank of a million PSUs, accounts that nobody asked for before, two years of postings:',
  );
  const created = `${cost.createMilliseconds.toFixed(1)} ms, ${Math.ceil(cost.createBytes / 1024)} KiB`;
  console.log(`  ${'created'.padEnd(26)} ${created}`);
  for (const [name, milliseconds] of [
    ['count and newest 100', cost.firstPageMilliseconds],
    ['count and seventh 100', cost.seventhPageMilliseconds],
    ['balance', cost.balanceMilliseconds],
  ] as const)
    console.log(`  ${name.padEnd(26)} ${milliseconds.toFixed(2)} ms`);
}

function gatewayWith(name: string, certs: string, flags: readonly string[]): Subject {
  const store = join(folder, `${flags[0] ?? 'process'}.db`);
  const start = () => startGateway({ program: PROGRAM, certs, store }, flags);
  return { name, start, store, call: ({ port }) => accountsRequest(port, certs) };
}

function printTraces(without?: Row, traced?: Row): void {
  const ratio = (traced?.cpu ?? Number.NaN) / (without?.cpu ?? Number.NaN);
  console.log(`processor for a call, with traces: ${ratio.toFixed(3)} of that without (to reach 1.03)`);
}

async function printReplay(load: Load): Promise<void> {
  const { rows, ofEmulator } = await measureReplay(load, { program: PROGRAM, folder });
  console.log('\nReplaying a recording, against the emulator:');
  printRows(rows, 'emulator');
  console.log(`of the emulator: ${ofEmulator.toFixed(2)} (to reach 1)`);
}

async function printFacts(certs: string): Promise<void> {
  const most = QUICK ? 2_000 : 100_000;
  const measured = await measureFacts({ program: PROGRAM, certs, folder, most });
  const { facts, each, ready, cpu, memory, restores } = measured;
  const count = each.toLocaleString('en');
  console.log(
    `\nA living bank with ${count} consents and ${count} payments (${facts.toLocaleString('en')} facts):`,
  );
  console.log(`  ready after ${ready.toFixed(0)} ms (to reach 2,000), ${cpu.toFixed(1)} s of the processor`);
  console.log(`  memory ${(memory / 1_048_576).toFixed(0)} MiB (to reach 500)`);
  for (const [name, ms] of restores) console.log(`  back to ${name}: ${ms.toFixed(0)} ms`);
}

async function printLiving(load: Load): Promise<void> {
  const { rows, ratios } = await measureLiving(load, { program: PROGRAM, folder });
  console.log('\nAnswering from the living bank, against the sandbox bank:');
  printRows(rows, 'sandbox');
  for (const [name, ratio] of ratios)
    console.log(`processor for ${name}: ${ratio.toFixed(2)} of the sandbox bank's (at most 1.3)`);
}

async function printConnections(load: Load): Promise<void> {
  for (const kind of ['full', 'resumed'] as const) {
    console.log(`\nA connection for each call, its handshake ${kind}, client certificates:`);
    const rows = await measureConnections(kind, load, { program: PROGRAM, folder });
    const [bare, gateway] = rows.map(({ cpu }) => cpu);
    console.log(`processor: ${((bare ?? 0) / (gateway ?? 1)).toFixed(2)} of bare Node's (to reach 0.90)`);
    printRows(rows, 'bare');
  }
}

async function printForwarding(load: Load): Promise<void> {
  const places = { program: PROGRAM, folder, sink: sink.url };
  const { rows, ofDispatch, ofHttpProxy } = await measureForwarding(load, places);
  console.log('\nForwarding to one bank, client certificates on both sides:');
  printRows(rows, 'undici');
  printTraces(rows[2], rows[3]);
  const reached = (ratio: number, least: number, beyond: number) =>
    `${ratio.toFixed(2)} (to reach ${least}, beyond ${beyond})`;
  console.log(`of bare undici dispatch: ${reached(ofDispatch, 0.45, 0.6)}`);
  console.log(`of bare http-proxy: ${reached(ofHttpProxy, 1.2, 1.6)}`);
}
