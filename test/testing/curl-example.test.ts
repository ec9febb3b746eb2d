import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../src/testing/index.js';
import { folderOfTest } from '../folder.js';
import '../../src/testing/vitest.js';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('../../examples/curl/account-information.sh', import.meta.url));

/** A shell whose path holds curl and sed and nothing else. */
async function bareShell(gateway: Gateway): Promise<{ stdout: string; stderr: string }> {
  const folder = folderOfTest();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['curl', 'sed']) {
    const { stdout } = await run('sh', ['-c', `command -v ${name}`]);
    symlinkSync(stdout.trim(), join(bin, name));
  }
  const { ca, tpp } = gateway.certificates;
  writeFileSync(join(folder, 'ca.pem'), ca);
  writeFileSync(join(folder, 'tpp.pem'), tpp.cert);
  writeFileSync(join(folder, 'tpp.key'), tpp.key, { mode: 0o600 });
  return run('/bin/sh', [SCRIPT], { env: { PATH: bin, API: gateway.urls.api, CERTS: folder } });
}

describe('the example with curl', () => {
  it.each(['2026-01-31T12:00:00Z', '2026-12-09T23:30:00Z', undefined])(
    'walks from the consent to the accounts and back (clock at %s)',
    async (startAt) => {
      const gateway = await startGateway(startAt === undefined ? {} : { startAt });
      onTestFinished(gateway.close);
      const { stdout, stderr } = await bareShell(gateway);
      expect(stdout.split('\n')).toEqual([
        'account ACCOUNT_ID',
        expect.stringMatching(/^balances \{.*"balances"/),
        expect.stringMatching(/^transactions \{.*"booked"/),
        'done',
        '',
      ]);
      expect(stderr).toContain('204 DELETE /stdgroup/v1/consents/VALID_CONSENT_ID');
      expect(gateway).toComply();
      expect(gateway).toFollow([
        'consents.create',
        'oauth.discovery',
        'oauth.authorize',
        'oauth.token',
        'accounts.list',
        'accounts.balances',
        'accounts.transactions',
        'oauth.token',
        'accounts.list',
        'consents.delete',
      ]);
    },
  );

  it('ends with the bank’s words where it says no', async () => {
    const gateway = await startGateway();
    onTestFinished(gateway.close);
    gateway.clock.advance('500d');
    await expect(bareShell(gateway)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CERTIFICATE_EXPIRED'),
    });
  });
});
