/**
 * Tries what is in deploy/ with the real programs: configurations are checked by those that read them, and HAProxy and
 * nginx stand before three gateways. Not a part of `npm test`, as it needs what a machine may lack:
 * `sudo apt-get install haproxy nginx libnginx-mod-stream systemd`; what is not there is told and left out.
 * `npm run build && npx tsx scripts/deploy.ts`; ends with status 1 where something came out otherwise than it should.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Agent, request } from 'undici';
import { ensureCertificates } from '../src/app/index.js';
import { MAIN, startServing } from '../test/e2e/child.js';
import { freePort, isOnPath, WITH_SYSTEM } from './programs.js';

const run = promisify(execFile);
const { values: flags } = parseArgs({
  options: {
    'nginx-module': { type: 'string', default: '/usr/lib/nginx/modules/ngx_stream_module.so' },
  },
});
const deployed = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');
const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
/** The loopback network is large: each stands for a client. */
const CLIENTS = Array.from({ length: 12 }, (_, i) => `127.0.1.${i + 1}`);

type Gateway = Awaited<ReturnType<typeof startServing>>;

interface Ports {
  readonly api: number;
  readonly psu: number;
}

interface Balancer {
  readonly program: string;
  readonly name: string;
  /** The file of deploy/ with addresses of this machine in it. */
  readonly configure: (ports: Ports, gateways: readonly Gateway[], folder: string) => string;
  readonly check: (file: string) => readonly string[];
  readonly args: (file: string) => readonly string[];
}

const portOf = (url: string) => Number(new URL(url).port);

/** `server` lines in place of those that the names of containers would give. */
function haproxy(config: string, ports: Ports, gateways: readonly Gateway[]): string {
  const servers = (which: 'api' | 'psu', rest: string, kind: string) =>
    gateways
      .map(({ ready }, i) => {
        const check = rest.includes('no-check') ? '' : `port ${portOf(ready.admin)}`;
        return `  server ${kind}${i} 127.0.0.1:${portOf(ready[which])} ${check} ${rest}`;
      })
      .join('\n');
  return config
    .replace(/bind :8443/, `bind 127.0.0.1:${ports.api}`)
    .replace(/bind :8444/, `bind 127.0.0.1:${ports.psu}`)
    .replace(
      / +server-template (\w+) \d+ gateway:(\d+) resolvers names init-addr none(.*)/g,
      (_, kind, port, rest) => servers(port === '8443' ? 'api' : 'psu', rest, kind),
    );
}

function nginx(config: string, ports: Ports, gateways: readonly Gateway[], folder: string): string {
  let [api, psu] = [0, 0];
  return config
    .replace(/load_module \S+;/, `load_module ${flags['nginx-module']};`)
    .replace('/tmp/nginx.pid', join(folder, 'nginx.pid'))
    .replace('listen 8443', `listen 127.0.0.1:${ports.api}`)
    .replace('listen 8444', `listen 127.0.0.1:${ports.psu}`)
    .replace(/10\.0\.0\.\d+:8443/g, () => `127.0.0.1:${portOf(gateways[api++]?.ready.api ?? '')}`)
    .replace(/10\.0\.0\.\d+:8444/g, () => `127.0.0.1:${portOf(gateways[psu++]?.ready.psu ?? '')}`);
}

const ofHaproxy = {
  program: 'haproxy',
  check: (file: string) => ['-c', '-f', file],
  args: (file: string) => ['-db', '-f', file],
};
const BALANCERS: readonly Balancer[] = [
  {
    ...ofHaproxy,
    name: 'haproxy, version 2',
    configure: (ports, gateways) => haproxy(deployed('haproxy.cfg'), ports, gateways),
  },
  {
    ...ofHaproxy,
    name: 'haproxy, version 1',
    configure: (ports, gateways) =>
      haproxy(deployed('haproxy.cfg').replace('send-proxy-v2', 'send-proxy'), ports, gateways),
  },
  {
    ...ofHaproxy,
    name: 'haproxy, least connections',
    configure: (ports, gateways) =>
      haproxy(
        deployed('haproxy.cfg').replace('  balance source\n  hash-type consistent', '  balance leastconn'),
        ports,
        gateways,
      ),
  },
  {
    program: 'nginx',
    name: 'nginx, version 1',
    configure: (ports, gateways, folder) => nginx(deployed('nginx.conf'), ports, gateways, folder),
    check: (file) => ['-t', '-q', '-e', 'stderr', '-c', file],
    args: (file) => ['-e', 'stderr', '-g', 'daemon off;', '-c', file],
  },
];

let wrong = 0;
function tell(name: string, what: string, found: unknown, expected: unknown): void {
  const isRight = JSON.stringify(found) === JSON.stringify(expected);
  if (!isRight) wrong++;
  const more = isRight ? '' : `, expected ${JSON.stringify(expected)}`;
  console.log(`${name.padEnd(26)}  ${what.padEnd(44)}  ${JSON.stringify(found)}${more}`);
}

/** Status, and the code of a refusal. */
async function ask({
  port,
  certs,
  client,
  certificate = 'tpp',
  path = PATH,
}: {
  readonly port: number;
  readonly certs: string;
  readonly client?: string;
  readonly certificate?: string;
  readonly path?: string;
}): Promise<string> {
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const own = { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) };
  const dispatcher = new Agent({
    connect: { ca: file('ca.pem'), servername: 'localhost', ...own },
    ...(client === undefined ? {} : { localAddress: client }),
  });
  try {
    const reply = await request(`https://127.0.0.1:${port}${path}`, {
      dispatcher,
      headers: { 'X-Request-ID': crypto.randomUUID() },
    });
    const code = /"code":"(\w+)"/.exec(await reply.body.text())?.[1];
    return `${reply.statusCode}${code === undefined ? '' : ` ${code}`}`;
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  } finally {
    await dispatcher.close();
  }
}

/** Until the load balancer has found out who is there. */
async function answersOnce(attempt: () => Promise<string>): Promise<void> {
  let found = '';
  for (let turn = 0; turn < 200; turn++) {
    found = await attempt();
    if (found === '200') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No call came through: ${found}`);
}

async function tryBalancer(balancer: Balancer, folder: string, certs: string): Promise<void> {
  const { name, program } = balancer;
  const shared = ['--proxy-protocol-from', '127.0.0.0/8', '--certs', certs];
  const gateways = await Promise.all(Array.from({ length: 3 }, () => startServing(certs, shared)));
  const ports = { api: await freePort(), psu: await freePort() };
  const file = join(folder, `${program}.conf`);
  writeFileSync(file, balancer.configure(ports, gateways, folder));
  await run(program, balancer.check(file), { env: WITH_SYSTEM });
  const child = spawn(program, balancer.args(file), {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: WITH_SYSTEM,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const of = { port: ports.api, certs };
  try {
    await answersOnce(() => ask(of));
    const answers = async () => [
      ...new Set(await Promise.all(CLIENTS.map((client) => ask({ ...of, client })))),
    ];
    tell(name, 'twelve clients', await answers(), ['200']);
    const expired = await ask({ ...of, certificate: 'bad-expired' });
    tell(name, 'an expired certificate', expired, '401 CERTIFICATE_EXPIRED');
    const page = await ask({ port: ports.psu, certs, path: '/nowhere' });
    tell(name, 'the PSU listener', page.slice(0, 3), '404');
    gateways[0]?.process.kill('SIGKILL');
    await gateways[0]?.ended;
    tell(name, 'twelve clients, one gateway killed', await answers(), ['200']);
  } finally {
    child.kill('SIGTERM');
    await ended;
    for (const gateway of gateways) gateway.process.kill('SIGTERM');
    await Promise.all(gateways.map((gateway) => gateway.ended));
  }
  const records = await Promise.all(gateways.map(({ store }) => recordsOf(store)));
  tell(name, 'gateways that were called', records.filter((some) => some.length > 0).length, 3);
  const clients = new Set(records.flat().map(({ address }) => address));
  tell(name, 'clients recorded by their addresses', CLIENTS.filter((one) => clients.has(one)).length, 12);
  tell(name, 'failed connections recorded', records.flat().filter(({ fault }) => fault !== null).length, 0);
  for (const gateway of gateways) rmSync(gateway.folder, { recursive: true, force: true });
}

async function recordsOf(store: string): Promise<{ address: string; fault: unknown }[]> {
  const args = [MAIN, 'sessions', 'show', 'test', '--store', store, '--json'];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 26 });
  type Shown = { call: { connection: { address: string } }; fault: unknown };
  return (JSON.parse(stdout) as Shown[]).map(({ call, fault }) => ({
    address: call.connection.address,
    fault,
  }));
}

/** What the program says against a file; empty: nothing. */
async function complaintsOf(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(program, args, { env: WITH_SYSTEM })).stderr.trim();
  } catch (error) {
    return (error as { stderr: string }).stderr.trim();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sandgate-deploy-'));
const inDeploy = (name: string) => new URL(`../deploy/${name}`, import.meta.url).pathname;
try {
  const certs = join(folder, 'certs');
  await ensureCertificates(certs, Date.now());
  for (const [program, args] of [
    ['systemd-analyze', ['verify', inDeploy('sandgate.service')]],
    ['haproxy', ['-c', '-q', '-f', inDeploy('haproxy.cfg')]],
  ] as const) {
    if (isOnPath(program)) tell(program, 'its file as it is', await complaintsOf(program, args), '');
    else console.log(`${program.padEnd(26)}  is not on the PATH, and was not tried`);
  }
  for (const balancer of BALANCERS) {
    const lacks =
      !isOnPath(balancer.program) || (balancer.program === 'nginx' && !existsSync(flags['nginx-module']));
    if (lacks) console.log(`${balancer.name.padEnd(26)}  is not on this machine, and was not tried`);
    else await tryBalancer(balancer, folder, certs);
  }
  console.log(
    'Not tried by this: building and starting the image, compose.yaml as a whole, and the unit under systemd.',
  );
  console.log(wrong === 0 ? 'All came out as it should.' : `${wrong} came out otherwise than they should.`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
