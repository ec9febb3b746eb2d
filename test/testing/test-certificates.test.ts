import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type GatewayOptions, startGateway } from '../../src/testing/index.js';
import { testCertificates } from '../e2e/harness.js';
import { folderOfTest } from '../folder.js';
import { callsOf } from './calls.js';

beforeEach(() => () => vi.unstubAllEnvs());

function newFolder(): string {
  const folder = folderOfTest();
  return folder;
}

async function accountsStatus(options?: GatewayOptions): Promise<number> {
  const gateway = await startGateway(options);
  onTestFinished(gateway.close);
  const calls = callsOf(gateway);
  return calls.readAccounts(await calls.fetchToken());
}

describe('the certificates of tests', () => {
  it('are kept in the user’s cache, keys for the user only', async () => {
    const cache = newFolder();
    vi.stubEnv('XDG_CACHE_HOME', cache);
    const gateways = await Promise.all([startGateway(), startGateway(), startGateway()]);
    await Promise.all(gateways.map((gateway) => gateway.close()));
    const folder = join(cache, 'sandgate', 'testing-1', 'now');
    const keys = readdirSync(folder).filter((name) => name.endsWith('.key'));
    expect(keys).toContain('tpp.key');
    for (const name of ['.', ...keys]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    const written = gateways.map(({ certificates }) => certificates.tpp.cert);
    expect(new Set([...written, readFileSync(join(folder, 'tpp.pem'), 'utf8')]).size).toBe(1);
  });

  it('lie in a temporary folder where there is no cache', async () => {
    const file = join(newFolder(), 'no-folder');
    writeFileSync(file, '');
    vi.stubEnv('XDG_CACHE_HOME', file);
    expect(await accountsStatus()).toBe(200);
  });

  it('are those of a folder of the user’s own where one is named', async () => {
    const certs = newFolder();
    cpSync(await testCertificates(), certs, { recursive: true });
    expect(await accountsStatus({ certs })).toBe(200);
    const gateway = await startGateway({ certs });
    onTestFinished(gateway.close);
    expect(gateway.certificates.tpp.cert).toBe(readFileSync(join(certs, 'tpp.pem'), 'utf8'));
  });
});
