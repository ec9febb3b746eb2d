/** docs/doctor.md has every row that doctor prints. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Examination } from '../../src/app/index.js';
import { startBank } from '../answer/upstream/bank.js';
import { createFiles, mintCertificates } from '../answer/upstream/certificates.js';
import { sandgate } from '../cli/run-command.js';
import { testCertificates } from '../e2e/harness.js';
import { ROOT } from './blocks.js';

const files = createFiles();
afterAll(files.remove);

it('docs/doctor.md has every row that doctor prints, of this machine and of the way to the bank', async () => {
  const certificates = mintCertificates();
  const bank = await startBank(certificates, (_, response) => response.writeHead(404).end());
  const own = {
    cert: files.write('own.pem', certificates.client.cert),
    key: files.write('own.key', certificates.client.key),
  };
  const config = files.write(
    'settings.json',
    JSON.stringify({
      ...{ upstream: bank.url.href, upstreamCa: files.write('ca.pem', certificates.ca.cert) },
      upstreamCertificates: { TPP: own },
    }),
  );
  const anywhere = ['--listen', '--psu-listen', '--admin-listen'].flatMap((flag) => [flag, '127.0.0.1:0']);
  const { out } = await sandgate(
    ['doctor', '--json', '--config', config, ...anywhere, '--certs', await testCertificates()],
    { clock: Date.now },
  );
  await bank.close();
  const names = (JSON.parse(out) as Examination[]).map(({ name }) =>
    name.replace(/^certificate .*/, 'certificate NAME'),
  );
  const text = readFileSync(join(ROOT, 'docs/doctor.md'), 'utf8');
  const told = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span));
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(names.filter((name) => !told.has(name))).toEqual([]);
});
