/**
 * Tries the snippets of docs/load-balancer.md, as they stand there, with the real programs: right and wrong client
 * certificates, none, and a forged header, each read and posted. Not a part of `npm test`, as it needs what a machine
 * may lack: `sudo apt-get install nginx haproxy`, and Envoy where there is one; what is not on the PATH is told and
 * left out. `npx tsx scripts/load-balancers.ts`; ends with status 1 where a certificate came out otherwise than it should.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { ensureCertificates } from '../src/app/index.js';
import { startGateway } from '../src/testing/index.js';
import { freePort, isOnPath, WITH_SYSTEM } from './programs.js';

const DOCUMENT = readFileSync(new URL('../docs/load-balancer.md', import.meta.url), 'utf8');
const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
/** What the gateway says of each certificate of the set; null: none is shown. */
const CASES: readonly (readonly [certificate: string | null, expected: string])[] = [
  ['tpp', '200'],
  ['tpp-ec', '200'],
  ['bad-expired', '401 CERTIFICATE_EXPIRED'],
  ['bad-not-yet-valid', '401 CERTIFICATE_INVALID'],
  ['bad-revoked', '401 CERTIFICATE_REVOKED'],
  ['bad-untrusted', '401 CERTIFICATE_INVALID'],
  [null, '401 CERTIFICATE_MISSING'],
];

interface Place {
  readonly folder: string;
  readonly certs: string;
  /** Of the load balancer. */
  readonly port: number;
  /** `localhost:PORT` of the gateway. */
  readonly gateway: string;
}

interface Balancer {
  readonly program: string;
  readonly form: 'nginx' | 'haproxy' | 'envoy';
  /** The whole configuration around the snippet of the document, and how the program is started with it. */
  readonly configure: (snippet: string, place: Place) => string;
  readonly args: (file: string) => readonly string[];
  /** Fields by which a client would have itself taken for another. */
  readonly forged: (pem: string) => Record<string, string>;
}

const derOf = (pem: string) => pem.replace(/-----END[\s\S]*|-----BEGIN CERTIFICATE-----|\s/g, '');

const BALANCERS: readonly Balancer[] = [
  {
    program: 'nginx',
    form: 'nginx',
    configure: (snippet, { folder, certs, port, gateway }) => `
daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certs}/server.pem; ssl_certificate_key ${certs}/server.key;
    ${snippet.replaceAll('gateway:8443', gateway)}
  }
}`,
    args: (file) => ['-c', file],
    forged: (pem) => ({ 'X-SSL-Cert': encodeURIComponent(pem) }),
  },
  {
    program: 'haproxy',
    form: 'haproxy',
    configure: (snippet, { folder, certs, port, gateway }) => {
      writeFileSync(
        join(folder, 'server.pem'),
        readFileSync(join(certs, 'server.pem'), 'utf8') + readFileSync(join(certs, 'server.key'), 'utf8'),
      );
      // Which CA it knows does not matter, says the document: one that has signed nothing here.
      writeFileSync(
        join(folder, 'any-ca.pem'),
        lastOf(readFileSync(join(certs, 'bad-untrusted.pem'), 'utf8')),
      );
      return `
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
frontend tpps
  ${snippet
    .replace(':443', `127.0.0.1:${port}`)
    .replace('server.pem', join(folder, 'server.pem'))
    .replace('any-ca.pem', join(folder, 'any-ca.pem'))
    .replaceAll('\n', '\n  ')}
  default_backend gateway
backend gateway
  server gateway ${gateway} ssl verify none
`;
    },
    args: (file) => ['-db', '-f', file],
    forged: (pem) => ({ 'X-SSL-Client-Cert': derOf(pem), 'X-SSL-Client-Chain': derOf(pem) }),
  },
  {
    program: 'envoy',
    form: 'envoy',
    configure: (snippet, { certs, port, gateway }) => {
      const [host = '', gatewayPort = ''] = gateway.split(':');
      const file = (name: string) => `{ filename: ${join(certs, name)} }`;
      return `
static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
    filter_chains:
    - transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          common_tls_context:
            tls_certificates: [{ certificate_chain: ${file('server.pem')}, private_key: ${file('server.key')} }]
            validation_context: { trust_chain_verification: ACCEPT_UNTRUSTED, trusted_ca: ${file('ca.pem')} }
      filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: tpps
          ${snippet.replaceAll('\n', '\n          ')}
          http_filters: [{ name: envoy.filters.http.router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }]
          route_config: { virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: "/" }, route: { cluster: gateway } }] }] }
  clusters:
  - name: gateway
    type: STRICT_DNS
    load_assignment: { cluster_name: gateway, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: ${host}, port_value: ${gatewayPort} } } } }] }] }
    transport_socket: { name: envoy.transport_sockets.tls, typed_config: { "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext } }
`;
    },
    args: (file) => ['-c', file, '--log-level', 'error', '--base-id', '77'],
    forged: (pem) => ({ 'X-Forwarded-Client-Cert': `Cert="${encodeURIComponent(pem)}"` }),
  },
];

function lastOf(pem: string): string {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.at(-1) ?? '';
}

/** The first block of code under the heading of the program. */
function snippetOf(program: string): string {
  const heading = new RegExp(`^### ${program}$[\\s\\S]*?^\`\`\`\\w*\\n([\\s\\S]*?)\`\`\``, 'im');
  const found = heading.exec(DOCUMENT)?.[1];
  if (found === undefined) throw new Error(`docs/load-balancer.md has no snippet for ${program}.`);
  return found.trimEnd();
}

/** What the gateway answered to a certificate, through the load balancer; one that refuses by itself is told. */
async function ask(place: Place, certificate: string | null, method: 'GET' | 'POST', headers = {}) {
  const { certs, port } = place;
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const own =
    certificate === null ? {} : { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) };
  const dispatcher = new Agent({ connect: { ca: file('ca.pem'), ...own } });
  try {
    const reply = await request(`https://localhost:${port}${PATH}`, {
      dispatcher,
      method,
      headers: { 'X-Request-ID': crypto.randomUUID(), 'Content-Type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"of":"no use"}' } : {}),
    });
    const text = await reply.body.text();
    if (reply.headers['sandgate-exchange'] === undefined) return `${reply.statusCode} of the load balancer`;
    const code = /"code":"(CERTIFICATE_\w+)"/.exec(text)?.[1];
    return code === undefined ? String(reply.statusCode) : `${reply.statusCode} ${code}`;
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  } finally {
    await dispatcher.close();
  }
}

async function isListening(place: Place): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if (!(await ask(place, null, 'GET')).startsWith('no answer')) return;
    await pause(50);
  }
  throw new Error('The load balancer did not begin to listen.');
}

/** How many cases came out otherwise than they should. */
async function tryBalancer(balancer: Balancer, folder: string, certs: string): Promise<number> {
  const { program, form } = balancer;
  const gateway = await startGateway({
    certs,
    settings: { clientCertHeader: form, clientCertFrom: '127.0.0.0/8,::1', logLevel: 'silent' },
  });
  const place = { folder, certs, port: await freePort(), gateway: new URL(gateway.urls.api).host };
  const file = join(folder, `${program}.conf`);
  writeFileSync(file, balancer.configure(snippetOf(program), place));
  const child = spawn(program, balancer.args(file), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: WITH_SYSTEM,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let wrong = 0;
  const tell = (name: string, found: string, expected: string) => {
    const isRight = found === expected;
    if (!isRight) wrong++;
    console.log(
      `${program.padEnd(8)}  ${name.padEnd(28)}  ${found}${isRight ? '' : `, expected ${expected}`}`,
    );
  };
  try {
    await isListening(place);
    for (const [certificate, expected] of CASES) {
      const name = certificate ?? 'no certificate';
      tell(name, await ask(place, certificate, 'GET'), expected);
      // A GET-only path: the certificate is judged before that is told.
      tell(`${name}, POST`, await ask(place, certificate, 'POST'), expected === '200' ? '405' : expected);
    }
    const forged = balancer.forged(readFileSync(join(certs, 'tpp.pem'), 'utf8'));
    tell('none, forged header', await ask(place, null, 'GET', forged), '401 CERTIFICATE_MISSING');
    tell('expired, forged header', await ask(place, 'bad-expired', 'GET', forged), '401 CERTIFICATE_EXPIRED');
  } finally {
    child.kill('SIGTERM');
    await ended;
    await gateway.close();
  }
  return wrong;
}

const folder = mkdtempSync(join(tmpdir(), 'sandgate-load-balancers-'));
try {
  const certs = join(folder, 'certs');
  await ensureCertificates(certs, Date.now());
  let wrong = 0;
  for (const balancer of BALANCERS) {
    if (isOnPath(balancer.program)) wrong += await tryBalancer(balancer, folder, certs);
    else console.log(`${balancer.program.padEnd(8)}  is not on the PATH, and was not tried`);
  }
  console.log(wrong === 0 ? 'All came out as they should.' : `${wrong} came out otherwise than they should.`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
