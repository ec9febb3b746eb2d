/** The test certificates that gateways of this process share: made once, and kept in the user's cache. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Certificates,
  ensureCertificates,
  TEST_CERTIFICATE_NAMES,
  type TestCertificateName,
} from '../app/index.js';
import { DAY_MS, dateAt, SandgateError, slipOf } from '../spec/index.js';
import type { AgentOptions, CertificateAndKey, TestCertificates } from './types.js';

export interface CertificateSet {
  readonly ofGateway: Certificates;
  readonly pem: TestCertificates;
}

/** Changes when the set changes, so that an old cache is left alone. */
const EDITION = 'testing-1';
const MONTH_MS = 30 * DAY_MS;

const sets = new Map<string, Promise<CertificateSet>>();
let temporary: string | undefined;

/**
 * @param now epoch ms by the clock of the machine: clients check the gateway's certificate by it
 * @param dir the user's own folder instead of the cache
 * @param start epoch ms where the gateway's clock starts, if not now: client certificates are valid then
 */
export async function openTestCertificates(
  now: number,
  dir: string | undefined,
  start: number | undefined,
): Promise<CertificateSet> {
  if (dir !== undefined) return setIn(dir, now);
  const usual = await cachedSet('now', now);
  if (start === undefined) return usual;
  const month = Math.floor(start / MONTH_MS) * MONTH_MS;
  const then = await cachedSet(dateAt(month), month);
  const { caPem, serverPem, serverKeyPem } = usual.ofGateway;
  return {
    ofGateway: { ...then.ofGateway, caPem, serverPem, serverKeyPem },
    pem: { ...then.pem, ca: caPem },
  };
}

/** In the user's cache; in a folder that ends with the process where there can be none. */
async function cachedSet(name: string, now: number): Promise<CertificateSet> {
  try {
    return await setIn(join(cacheFolder(), 'sandgate', EDITION, name), now);
  } catch (error) {
    if (!(error instanceof SandgateError) || error.kind === 'internal') throw error;
    temporary ??= temporaryFolder();
    return setIn(join(temporary, name), now);
  }
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg !== undefined && xdg !== '') return xdg;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32' && local !== undefined) return local;
  return join(homedir(), '.cache');
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function setIn(dir: string, now: number): Promise<CertificateSet> {
  const known = sets.get(dir);
  if (known !== undefined) return known;
  const opened = openSet(dir, now);
  sets.set(dir, opened);
  opened.catch(() => sets.delete(dir));
  return opened;
}

async function openSet(dir: string, now: number): Promise<CertificateSet> {
  const ofGateway = await ensureCertificates(dir, now);
  const pairs = await Promise.all(
    TEST_CERTIFICATE_NAMES.map(async (name) => {
      const [cert, key] = await Promise.all([
        readFile(join(dir, `${name}.pem`), 'utf8'),
        readFile(join(dir, `${name}.key`), 'utf8'),
      ]);
      return [name, { cert, key }] as const;
    }),
  );
  const pem = Object.fromEntries(pairs) as Record<TestCertificateName, CertificateAndKey>;
  return { ofGateway, pem: { ...pem, ca: ofGateway.caPem } };
}

/** null: without a client certificate. */
export function agentOptions(certificates: TestCertificates, name: TestCertificateName | null): AgentOptions {
  const { ca } = certificates;
  if (name === null) return { ca, connect: { ca } };
  if (!TEST_CERTIFICATE_NAMES.includes(name))
    throw new SandgateError('testing.unknown-certificate', {
      name,
      nearest: slipOf(name, TEST_CERTIFICATE_NAMES),
    });
  const tls = { ca, ...certificates[name] };
  return { ...tls, connect: tls };
}
