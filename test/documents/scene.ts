/** The setting that the documents assume: a folder with the files they name, and the programs on the path. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { renderPkcs12 } from '../../src/certificate/index.js';
import { createSqliteStore, type RecordedExchange } from '../../src/store/index.js';
import { sandgate } from '../cli/run-command.js';
import { temporaryFolder } from '../e2e/child.js';
import { testCertificates } from '../e2e/harness.js';
import { freePort } from '../free-port.js';
import { recordSource } from '../store/stores.js';
import { ROOT } from './blocks.js';

const DAY_MS = 86_400_000;
const MAIN = join(ROOT, 'dist/cli/main.js');

/** Sessions of the store, with the ids of exchanges that the documents name. */
const SESSIONS = {
  integration: [],
  '2026-11-21': [],
  monday: ['1KZ3V8Q0M2A'],
  tuesday: [],
  june: ['6FCNEDT6000'],
  ci: [],
  S: [],
};

export interface Scene {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

let files: Promise<string> | undefined;

export async function setScene(): Promise<Scene> {
  const folder = temporaryFolder();
  files ??= makeFiles();
  cpSync(await files, folder, { recursive: true });
  const ports = await freePorts();
  return { folder, env: { ...addresses(ports), ...programs(join(folder, 'bin'), ports) } };
}

/** What is there before any command: made once, and copied for each document. */
async function makeFiles(): Promise<string> {
  const folder = temporaryFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const at = (...path: string[]) => join(folder, ...path);
  const certs = await testCertificates();
  for (const name of ['certs', 'data', 'main', 'bin', 'node_modules']) mkdirSync(at(name));
  cpSync(certs, at('certs'), { recursive: true });
  for (const ending of ['pem', 'key']) {
    copyFileSync(join(certs, `tpp.${ending}`), at(`tpp.${ending}`));
    copyFileSync(join(certs, `tpp.${ending}`), at(`qwac.${ending}`));
  }
  copyFileSync(join(certs, 'ca.pem'), at('qtsp.pem'));
  copyFileSync(join(ROOT, 'data/banks/adorsys.json'), at('my-bank.json'));
  writeFileSync(at('secret.txt'), 'a passphrase\n');
  writeFileSync(
    at('bank-api.yaml'),
    'openapi: 3.0.1\ninfo: { title: A bank }\npaths: { /v1/accounts: { get: {} } }\n',
  );
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(at('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('pub.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  for (const file of ['FILE', 'traffic.har'])
    copyFileSync(join(ROOT, 'test/fixtures/har/mitmproxy-reverse.har'), at(file));
  for (const file of [
    'RECORDING',
    'FIRST',
    'SECOND',
    ...['journey.cassette', 'june-release', 'july-release'].map((name) => `${name}.json`),
  ])
    copyFileSync(join(ROOT, 'examples/tpp/cassettes/funds.json'), at(file));
  copyFileSync(join(ROOT, 'examples/own-rules/house.ts'), at('house.ts'));
  writeFileSync(at('otlp-headers'), 'Authorization: Bearer a-token\n', { mode: 0o600 });
  writeFileSync(at('webhook-secret'), `whsec_${Buffer.alloc(24, 1).toString('base64')}\n`, { mode: 0o600 });
  copyFileSync(join(certs, 'tpp.pem'), at('next.pem'));
  makeSeal(certs, at);
  const store = at('data', 'sandgate.db');
  fillStore(store);
  await sandgate(['report', 'ci', '--store', store, '--format', 'json', '--out', at('main', 'report.json')]);
  symlinkSync(join(ROOT, 'examples'), at('examples'));
  symlinkSync(ROOT, at('node_modules', 'sandgate'));
  symlinkSync(join(ROOT, 'node_modules', 'undici'), at('node_modules', 'undici'));
  return folder;
}

/** A test certificate seals as well as one that is qualified. */
function makeSeal(certs: string, at: (name: string) => string): void {
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const leaf = new X509Certificate(file('tpp.pem'));
  const passphrase = 'a passphrase';
  const sealed = renderPkcs12({
    ...{ name: 'eSeal', passphrase, salt: Buffer.alloc(16, 1), iterations: 2_048 },
    certificates: [leaf.raw],
    privateKey: createPrivateKey(file('tpp.key')),
  });
  writeFileSync(at('seal.p12'), sealed, { mode: 0o600 });
  writeFileSync(at('passphrase'), `${passphrase}\n`, { mode: 0o600 });
  writeFileSync(at('seal-certificate.pem'), leaf.toString());
}

function fillStore(path: string): void {
  const store = createSqliteStore({ path });
  for (const [i, [session, ids]] of Object.entries(SESSIONS).entries()) {
    const next = recordSource(session, Date.now() - (i + 1) * DAY_MS);
    const finding = { rule: 'requests/request-id-present', severity: 'must', judges: 'tpp' } as const;
    const records: RecordedExchange[] = [undefined, ...ids].map((id) => ({
      ...next({ call: { operation: 'accounts.list', ...(id === undefined ? {} : { id }) } }),
      verdicts: { [finding.rule]: 'violated' as const },
      findings: [{ ...finding, place: 'header X-Request-ID', expected: 'a UUID' }],
    }));
    store.append({
      records: records.toSorted((a, b) => (a.exchange.call.id < b.exchange.call.id ? -1 : 1)),
      changes: [],
    });
  }
  store.close();
}

const LISTENERS = { 8443: 'LISTEN', 8444: 'PSU_LISTEN', 8445: 'ADMIN_LISTEN' } as const;

/** By the port of the documents. */
async function freePorts(): Promise<Record<string, number>> {
  const ports = Object.keys(LISTENERS).map(async (port) => [port, await freePort()] as const);
  return Object.fromEntries(await Promise.all(ports));
}

function addresses(ports: Readonly<Record<string, number>>): Record<string, string> {
  const listeners = Object.entries(LISTENERS).map(([port, name]) => [
    `SANDGATE_${name}`,
    `127.0.0.1:${ports[port]}`,
  ]);
  return {
    ...Object.fromEntries(listeners),
    // Links of the bank lead to the ports of the documents, as they do for the reader.
    SANDGATE_API_URL: 'https://localhost:8443',
    SANDGATE_PSU_URL: 'https://localhost:8444',
    SANDGATE_LOG_LEVEL: 'error',
    DOCUMENT_PORTS: JSON.stringify(ports),
  };
}

/** `sandgate` is the built program; `npm test` stands for the tests of the reader. */
function programs(folder: string, ports: Readonly<Record<string, number>>): Record<string, string> {
  const mapped = Object.entries(ports)
    .map(([from, to]) => `--connect-to :${from}:127.0.0.1:${to}`)
    .join(' ');
  const preload = `--import ${join(ROOT, 'test/documents/ports.mjs')}`;
  const scripts = {
    sandgate: `exec node ${MAIN} "$@"`,
    npx: `if [ "$1" = sandgate ]; then shift; exec sandgate "$@"; fi
tool=$1; shift; NODE_OPTIONS="${preload}" exec ${join(ROOT, 'node_modules/.bin')}/"$tool" "$@"`,
    npm: '[ "$1" = test ]',
    curl: `PATH=$PLAIN_PATH exec curl ${mapped} "$@"`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { PATH: `${folder}:${process.env.PATH ?? ''}`, PLAIN_PATH: process.env.PATH ?? '' };
}
