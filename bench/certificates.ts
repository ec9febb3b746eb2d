/** The test certificates of the user's cache, as tests have them: fourteen keys take longer to make than a small run. */
import { cpSync } from 'node:fs';
import { issueInto } from '../src/app/index.js';
import { openTestCertificates } from '../src/testing/test-certificates.js';

/** Their folder. */
export async function benchCertificates(): Promise<string> {
  const { ofGateway } = await openTestCertificates(Date.now(), undefined, undefined);
  return ofGateway.dir;
}

/** A folder with them, and certificates of further TPPs by these names, each an organisation of its own. */
export async function benchTpps(folder: string, names: readonly string[]): Promise<void> {
  cpSync(await benchCertificates(), folder, { recursive: true });
  const now = Date.now();
  for (const [i, name] of names.entries())
    await issueInto(
      folder,
      {
        ...{
          name,
          keyType: 'ec-p256',
          qcType: 'web',
          encoding: 'standard',
          roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
        },
        organisation: { name: `Bench ${name}`, country: 'BE', nca: 'NBB', number: String(1_000 + i) },
        ...{ notBefore: now - 86_400_000, notAfter: now + 86_400_000 },
      },
      { p12: null, force: true },
      now,
    );
}
