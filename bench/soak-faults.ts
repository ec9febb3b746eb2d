/**
 * Traffic to a bank through a gateway whose store fails again and again: a full disk, a lock that another process
 * holds, a file that is replaced, kill -9. What was answered must be recorded, what was not recorded must not have been
 * answered, and nothing may have reached the bank that has no record, but reads that nobody saw answered.
 * `tsx bench/soak-faults.ts [--calls N] [--connections N] [--rounds N] [--disk FOLDER]`; Linux; needs `npm run build`.
 * `--disk`: on a disk of its own, which is filled for real; else the gateway is kept from writing by a limit on the
 * size of its files. Ends with status 1 where it does not hold.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { createSqliteStore } from '../src/store/index.js';
import { benchCertificates } from './certificates.js';
import { type Server, startGateway, wayTo } from './processes.js';
import { type Clients, openClients, type Soaking } from './soak-clients.js';
import { createMix } from './soak-mix.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    connections: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '5' },
    disk: { type: 'string' },
  },
});
const CALLS = Number(values.calls);
const CONNECTIONS = Number(values.connections);
const ROUNDS = Number(values.rounds);
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandgate-soak-'));
const disk = mkdtempSync(join(values.disk ?? folder, 'store-'));
const certs = await benchCertificates();
const store = join(disk, 'gateway.db');
const SESSION = 'soak';

/** A bank that answers everything, and remembers the X-Request-ID of all that reached it and may have changed something. */
async function startBank(reached: Set<string>) {
  const identity = {
    cert: readFileSync(join(certs, 'server.pem')),
    key: readFileSync(join(certs, 'server.key')),
  };
  const server = createServer(identity, (request, response) => {
    const id = request.headers['x-request-id']?.toString() ?? '';
    if (request.method !== 'GET') reached.add(id);
    request.resume().once('end', () => {
      const body =
        '{"transactionStatus":"RCVD","paymentId":"P1","consentStatus":"received","consentId":"C1"}';
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'Content-Type': 'application/json',
        'X-Request-ID': id,
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close().closeAllConnections() };
}

function serveGateway(bankPort: number, port: number): Promise<Server> {
  const limits = ['--limits-connections-per-address', String(CONNECTIONS + 100)];
  const files = { program: PROGRAM, certs, store, session: SESSION, port };
  return startGateway(files, [...wayTo(bankPort, certs), ...limits, '--log-level', 'fatal']);
}

/** Brings it about; what is given back mends it. */
type Harm = (gateway: Server) => () => Promise<Server> | Server;

const limitFiles = (gateway: Server, bytes: string) =>
  execFileSync('prlimit', ['--pid', String(gateway.process.pid), `--fsize=${bytes}:unlimited`]);

const fullDisk: Harm = (gateway) => {
  if (values.disk === undefined) {
    limitFiles(gateway, '4096');
    return () => {
      limitFiles(gateway, 'unlimited');
      return gateway;
    };
  }
  const ballast = join(disk, 'ballast');
  const file = openSync(ballast, 'w');
  for (let size = 1_048_576; size >= 1; ) {
    try {
      if (writeSync(file, Buffer.alloc(size)) < size) size >>= 1;
    } catch {
      size >>= 1;
    }
  }
  closeSync(file);
  return () => {
    rmSync(ballast);
    return gateway;
  };
};

const heldLock: Harm = (gateway) => {
  const other = new Sqlite(store, { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
    return gateway;
  };
};

const replacedFile: Harm = (gateway) => {
  renameSync(store, `${store}.away`);
  writeFileSync(store, '');
  return () => {
    renameSync(`${store}.away`, store);
    return gateway;
  };
};

const killed =
  (start: () => Promise<Server>): Harm =>
  (gateway) => {
    gateway.process.kill('SIGKILL');
    return async () => {
      if (gateway.process.signalCode === null)
        await new Promise((resolve) => gateway.process.once('exit', resolve));
      return start();
    };
  };

/** Long enough for the second that a lock is waited for. */
const FAULT_MS = 2_000;

async function soak(reached: Set<string>) {
  const bank = await startBank(reached);
  let gateway = await serveGateway(bank.port, 0);
  const { port } = gateway;
  const faults = {
    'full disk': fullDisk,
    'held lock': heldLock,
    'replaced file': replacedFile,
    'kill -9': killed(() => serveGateway(bank.port, port)),
  };
  const clients: Clients = openClients({ port, certs, connections: CONNECTIONS, mix: createMix(randomUUID) });
  const plan = Array.from({ length: ROUNDS }, () => Object.entries(faults)).flat();
  for (const [i, [name, harm]] of plan.entries()) {
    await clients.until(Math.round((CALLS * (i + 1)) / (plan.length + 1)));
    const before = clients.statuses['503'] ?? 0;
    const mend = harm(gateway);
    await pause(FAULT_MS);
    gateway = await mend();
    console.log(`${name}: ${(clients.statuses['503'] ?? 0) - before} calls answered 503`);
  }
  await clients.until(CALLS);
  const soaked = await clients.stop();
  await gateway.stop();
  bank.stop();
  return soaked;
}

/** What does not hold, one sentence each. */
function brokenPromises({ seen, unsure }: Soaking, reached: ReadonlySet<string>): string[] {
  const opened = createSqliteStore({ path: store, readonly: true });
  const ended = new Set<string>();
  const begun = new Set<string>();
  const requests = new Set<string | undefined>();
  for (const { exchange } of opened.read(SESSION)) {
    ended.add(exchange.call.id);
    requests.add(exchange.call.header['x-request-id']);
  }
  for (const { exchange } of opened.calls.unfinished(SESSION)) {
    begun.add(exchange.call.id);
    requests.add(exchange.call.header['x-request-id']);
  }
  const breaks = [...opened.chains.verify(SESSION)].length;
  opened.close();
  console.log(
    `recorded: ${ended.size} whole, ${begun.size} begun without end; ${reached.size} that are no reads reached the bank`,
  );
  const mayBeBegun = new Set(unsure);
  const lost = seen.filter((id) => !ended.has(id) && !(mayBeBegun.has(id) && begun.has(id))).length;
  const unknown = [...reached].filter((id) => !requests.has(id)).length;
  return [
    ...(lost > 0 ? [`${lost} were answered and are not recorded`] : []),
    ...(unknown > 0 ? [`${unknown} reached the bank and have no record`] : []),
    ...(breaks > 0 ? [`the chain is broken in ${breaks} places`] : []),
    ...(new Set(seen).size < seen.length ? ['an exchange was answered twice'] : []),
  ];
}

try {
  const reached = new Set<string>();
  const started = performance.now();
  const soaked = await soak(reached);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `${soaked.seen.length} calls over ${CONNECTIONS} connections in ${seconds} s, ${4 * ROUNDS} faults; cut off: ${soaked.broken}`,
  );
  console.log(`statuses: ${JSON.stringify(soaked.statuses)}`);
  const broken = brokenPromises(soaked, reached);
  for (const one of broken) console.log(`- ${one}`);
  console.log(broken.length === 0 ? 'It holds.' : 'It does not hold.');
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  rmSync(disk, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
