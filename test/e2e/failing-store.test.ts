/** A store that fails under a gateway: nothing counts, and nothing moves, that is not recorded. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import { startTestGateway, type TestGateway } from './harness.js';

const ACCOUNTS = '/stdgroup/v1/accounts';

/** The store refuses to be written to, as on a full disk, until it is mended. */
function breakStore({ app }: TestGateway): () => void {
  const append = vi.spyOn(app.store, 'append').mockImplementation(() => {
    throw new SandgateError('surroundings', 'The store cannot be used: the disk is full.');
  });
  return () => append.mockRestore();
}

async function aGateway(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(settings);
  onTestFinished(gateway.app.close);
  return gateway;
}

describe('what is learned of a call', () => {
  it('counts when the call is recorded, and not before: calls that were not use up no daily limit', async () => {
    const gateway = await aGateway();
    const token = await gateway.token();
    const read = () =>
      gateway.call(ACCOUNTS, { headers: gateway.accountHeaders(token, { 'PSU-IP-Address': undefined }) });
    const mend = breakStore(gateway);
    await Promise.allSettled([read(), read(), read()]);
    await Promise.allSettled([read(), read(), read()]);
    mend();
    for (let i = 0; i < 4; i++) expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
  });
});
