/**
 * An hour's worth of mixed traffic over a thousand connections, through a gateway to a bank, with kill -9 in between:
 * nothing that was answered may be lost, and memory must stay flat. `tsx bench/soak.ts [--calls N] [--connections N]`;
 * needs `npm run build`. Ends with status 1 where it does not hold.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSqliteStore } from '../src/store/index.js';
import { benchCertificates } from './certificates.js';
import { type Server, startGateway, wayTo } from './processes.js';
import { openClients } from './soak-clients.js';
import { createMix } from './soak-mix.js';

const { values } = parseArgs({
  options: {
    // 30 calls a second for an hour.
    calls: { type: 'string', default: '108000' },
    connections: { type: 'string', default: '1000' },
  },
});
const CALLS = Number(values.calls);
const CONNECTIONS = Number(values.connections);
/** Shares of the calls after which the gateway is killed. */
const KILLS = [0.2, 0.4];
/** Shares after which memory is looked at: the last life of the gateway has warmed up. */
const LOOKS = [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1];
const MOST_GROWTH = 1.3;

const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandgate-soak-'));
const certs = await benchCertificates();
const store = join(folder, 'gateway.db');

function serve(store: string, flags: readonly string[], port = 0): Promise<Server> {
  // As many calls may come at once as there are connections.
  const limits = ['--limits-connections-per-address', String(CONNECTIONS + 100)];
  return startGateway({ program: PROGRAM, certs, store, session: 'soak', port }, [...limits, ...flags]);
}

function serveGateway(bank: Server, port?: number): Promise<Server> {
  const line = ['--upstream-limits-queued', String(CONNECTIONS), '--upstream-limits-queue', '60s'];
  return serve(store, [...wayTo(bank.port, certs), ...line], port);
}

function killed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.process.once('exit', () => resolve());
    server.process.kill('SIGKILL');
  });
}

interface Soaked {
  readonly seen: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly broken: number;
  readonly memory: readonly number[];
  readonly seconds: number;
}

async function soak(): Promise<Soaked> {
  const bank = await serve(join(folder, 'bank.db'), []);
  let gateway = await serveGateway(bank);
  const { port } = gateway;
  const memory: number[] = [];
  const begun = performance.now();
  const clients = openClients({ port, certs, connections: CONNECTIONS, mix: createMix(randomUUID) });
  for (const share of KILLS) {
    await clients.until(Math.round(CALLS * share));
    await killed(gateway);
    gateway = await serveGateway(bank, port);
  }
  for (const share of LOOKS) {
    await clients.until(Math.round(CALLS * share));
    memory.push(gateway.memory());
  }
  const { seen, statuses, broken } = await clients.stop();
  const seconds = (performance.now() - begun) / 1_000;
  await gateway.stop();
  await bank.stop();
  return { seen, statuses, broken, memory, seconds };
}

/** Of what a client saw answered. */
function lostOf(seen: readonly string[]): { readonly lost: number; readonly faults: Record<string, number> } {
  const opened = createSqliteStore({ path: store, readonly: true });
  const kept = new Set<string>();
  const faults: Record<string, number> = {};
  for (const { exchange } of opened.read('soak')) {
    kept.add(exchange.call.id);
    const kind = exchange.fault?.kind ?? 'none';
    faults[kind] = (faults[kind] ?? 0) + 1;
  }
  opened.close();
  return { lost: seen.filter((id) => !kept.has(id)).length, faults };
}

try {
  const { seen, statuses, broken, memory, seconds } = await soak();
  const { lost, faults } = lostOf(seen);
  const early = memory[0] ?? 1;
  const growth = Math.max(...memory) / early;
  const megabytes = memory.map((bytes) => Math.round(bytes / 1_048_576));
  console.log(
    `${seen.length} calls over ${CONNECTIONS} connections in ${seconds.toFixed(0)} s, ${KILLS.length} times killed`,
  );
  console.log(`lost: ${lost}; unanswered when it was killed: ${broken}`);
  console.log(`statuses: ${JSON.stringify(statuses)}; faults on the way: ${JSON.stringify(faults)}`);
  console.log(
    `memory of the last life, MB: ${megabytes.join(' ')}; at most ${growth.toFixed(2)} times the first`,
  );
  const isSound =
    lost === 0 && growth <= MOST_GROWTH && new Set(seen).size === seen.length && seen.length >= CALLS;
  console.log(isSound ? 'It holds.' : 'It does not hold.');
  process.exitCode = isSound ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
