/**
 * Gateways, three of them, on one PostgreSQL behind a load balancer, and faults under load: gateways and database killed, the
 * database restarted, failing over to a replica that has all or lacks the last commits, connections cut between them and
 * before them, a network that is silent for a while. What a client saw answered must be recorded, once, but for what the
 * database lost itself; what was not answered at most once; and all must come back by itself.
 * `npm run build && npx tsx bench/faults.ts [--faults N] [--connections N] [--gateways N] [--between N] [--seed N]`: a
 * hundred faults, otherwise N, with N calls between two of them, so that each meets a system at work.
 * Ends with status 1 where it does not hold.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore } from '../src/store/index.js';
import { followed, part, promote, waitForReplica } from '../test/postgres/replication.js';
import { openTcpBalancer, type TcpBalancer } from '../test/tcp-balancer.js';
import { benchCertificates } from './certificates.js';
import { type Postgres, startPostgres } from './postgres.js';
import { type Server, startGateway } from './processes.js';
import { type Clients, openClients, type Soaking } from './soak-clients.js';
import { createMix } from './soak-mix.js';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '100' },
    connections: { type: 'string', default: '24' },
    gateways: { type: 'string', default: '3' },
    between: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const FAULTS = Number(values.faults);
const GATEWAYS = Number(values.gateways);
const SESSION = 'faults';
const CALLS_BETWEEN = Number(values.between);
/** Longer than it takes to notice that a database is gone, and to come back. */
const RECOVERY_MS = 60_000;
const SILENT_MS = 1_500;
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const certs = await benchCertificates();

/** The same faults in the same order for a seed. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const chance = chanceOf(Number(values.seed));

interface Scene {
  /** Another one after it has failed over. */
  postgres: Postgres;
  readonly clients: Clients;
  /** What clients had seen when the replica heard its last, and when it was the server. */
  readonly lost: [from: number, to: number][];
  readonly gateways: (Server | null)[];
  readonly start: () => Promise<Server>;
  /** Between clients and gateways, and between gateways and database. */
  readonly front: TcpBalancer;
  readonly toStore: TcpBalancer;
}

async function killGateway({ gateways, start }: Scene): Promise<void> {
  const i = chance(GATEWAYS);
  const gateway = gateways[i];
  if (!gateway) return;
  const ended = new Promise((resolve) => gateway.process.once('exit', resolve));
  gateways[i] = null;
  gateway.process.kill('SIGKILL');
  await ended;
  gateways[i] = await start();
}

async function beSilent(between: TcpBalancer): Promise<void> {
  between.goSilent();
  await pause(SILENT_MS);
  between.goOn();
}

async function failOver(scene: Scene, loses: boolean): Promise<void> {
  const { postgres, clients, toStore, lost } = scene;
  const replica = await postgres.replica();
  await clients.until(clients.recorded() + CALLS_BETWEEN);
  if (!loses) await waitForReplica(postgres);
  const from = clients.recorded();
  await followed(postgres, replica);
  if (loses) await part(replica);
  await clients.until(clients.recorded() + CALLS_BETWEEN);
  await postgres.kill();
  await promote(replica);
  scene.postgres = replica;
  if (loses) lost.push([from, clients.recorded()]);
  toStore.cut();
  await postgres.close();
}

const KINDS: Readonly<Record<string, (scene: Scene) => Promise<unknown> | unknown>> = {
  'gateway killed': killGateway,
  'database killed': async ({ postgres }) => {
    await postgres.kill();
    await postgres.start();
  },
  'database restarted': async ({ postgres }) => {
    await postgres.stop();
    await postgres.start();
  },
  'failed over': (scene) => failOver(scene, false),
  'failed over with loss': (scene) => failOver(scene, true),
  'connections to the database cut': ({ toStore }) => toStore.cut(),
  'connections of clients cut': ({ front }) => front.cut(),
  'database silent': ({ toStore }) => beSilent(toStore),
  'gateways silent': ({ front }) => beSilent(front),
};

async function bringAbout(scene: Scene): Promise<Record<string, number>> {
  const { clients } = scene;
  const counts: Record<string, number> = {};
  const names = Object.keys(KINDS);
  for (let done = 0; done < FAULTS; done++) {
    const before = clients.recorded();
    await withinTime(clients.until(before + CALLS_BETWEEN), 'calls are not answered any more');
    // In turn, so that each comes as often; where in the load each strikes is a matter of chance.
    const name = names[done % names.length] as string;
    await pause(chance(50));
    await withinTime(Promise.resolve(KINDS[name]?.(scene)), `${name}: it does not come back`);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  await withinTime(clients.until(clients.recorded() + CALLS_BETWEEN), 'calls are not answered any more');
  return counts;
}

async function withinTime(work: Promise<unknown>, otherwise: string): Promise<void> {
  const late = new AbortController();
  const limit = pause(RECOVERY_MS, undefined, { signal: late.signal }).then(
    () => Promise.reject(new Error(`${otherwise} (${RECOVERY_MS / 1_000} s)`)),
    () => {},
  );
  await Promise.race([work, limit]);
  late.abort();
}

/** What does not hold, one sentence each. */
async function brokenPromises(
  { seen, unsure }: Soaking,
  address: string,
  lost: Scene['lost'],
): Promise<string[]> {
  const store = await openStore(address, { readonly: true });
  const times = new Map<string, number>();
  const requests = new Map<string, number>();
  const breaks: string[] = [];
  try {
    for await (const { exchange } of store.read(SESSION)) {
      const { id, header } = exchange.call;
      times.set(id, (times.get(id) ?? 0) + 1);
      const request = header['x-request-id'] ?? id;
      requests.set(request, (requests.get(request) ?? 0) + 1);
    }
    for await (const { kind, seq } of store.chains.verify(SESSION))
      if (lost.length === 0 || !OF_LOSSES.has(kind)) breaks.push(`${kind} at ${seq}`);
  } finally {
    await store.close();
  }
  const twice = (counts: ReadonlyMap<string, number>) => [...counts.values()].filter((n) => n > 1).length;
  // Of a 500 it is told that nobody knows whether it was recorded.
  const isLost = (i: number) => lost.some(([from, to]) => i >= from && i < to);
  const gone = seen.flatMap((id, i) => (times.has(id) || unsure.includes(id) ? [] : i));
  const missing = gone.filter((i) => !isLost(i)).length;
  console.log(`lost by the database in ${lost.length} failovers: ${gone.length - missing}`);
  console.log(`recorded: ${times.size}; seen by clients: ${seen.length}`);
  console.log(`missing: ${missing}; recorded twice: ${twice(times)}; breaks of chains: ${breaks.length}`);
  return [
    ...(missing > 0 ? [`${missing} were answered and are not recorded`] : []),
    ...(twice(times) > 0 ? [`${twice(times)} are recorded twice`] : []),
    ...(twice(requests) > 0 ? [`${twice(requests)} were sent once and are recorded twice`] : []),
    ...(new Set(seen).size < seen.length ? ['two calls were answered as one exchange'] : []),
    ...breaks.map((text) => `a chain is broken: ${text}`),
  ];
}

/** What a chain tells of entries that the database lost. */
const OF_LOSSES: ReadonlySet<string> = new Set(['missing', 'disturbed', 'chain']);

let scene: Scene | null = null;
const first = await startPostgres();
const toStore = await openTcpBalancer({ targets: () => [scene?.postgres.port ?? first.port] });
const gateways: (Server | null)[] = [];
const ports = () => gateways.flatMap((gateway) => gateway?.port ?? []);
const front = await openTcpBalancer({
  targets: ports,
  choose: chance,
  header: ({ remotePort }) =>
    `PROXY TCP4 192.0.2.${(remotePort ?? 0) % 200} 192.0.2.250 ${remotePort} 443\r\n`,
});
try {
  const store = first.address('faults', toStore.port);
  const flags = ['--proxy-protocol-from', '127.0.0.1', '--log-level', 'silent'];
  const start = () => startGateway({ program: PROGRAM, certs, store, session: SESSION }, flags);
  for (let i = 0; i < GATEWAYS; i++) gateways.push(await start());
  const clients = openClients({
    ...{ port: front.port, certs, connections: Number(values.connections), mix: createMix(randomUUID) },
    spread: 200,
  });
  const started = performance.now();
  scene = { postgres: first, clients, lost: [], gateways, start, front, toStore };
  const counts = await bringAbout(scene);
  const soaked = await clients.stop();
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  for (const gateway of gateways) await gateway?.stop();
  console.log(`${FAULTS} faults in ${seconds} s: ${JSON.stringify(counts)}`);
  console.log(`statuses: ${JSON.stringify(soaked.statuses)}; cut off: ${soaked.broken}`);
  const broken = await brokenPromises(soaked, scene.postgres.address('faults'), scene.lost);
  for (const one of broken) console.log(`- ${one}`);
  console.log(broken.length === 0 ? 'It holds.' : 'It does not hold.');
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  for (const gateway of gateways) gateway?.process.kill('SIGKILL');
  await Promise.all([front.close(), toStore.close()]);
  await (scene?.postgres ?? first).close();
}
