/** The test certificates of the user's cache, as tests have them: fourteen keys take longer to make than a small run. */
import { openTestCertificates } from '../src/testing/test-certificates.js';

/** Their folder. */
export async function benchCertificates(): Promise<string> {
  const { ofGateway } = await openTestCertificates(Date.now(), undefined, undefined);
  return ofGateway.dir;
}
