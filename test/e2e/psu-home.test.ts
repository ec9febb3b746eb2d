/** What stands at `/` of the PSU listener. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anEmulator } from '../answer/an-emulator.js';
import { startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

it.each(['sandbox', 'living'])(
  'says what it is at the %s bank, and on the machine itself where the other listeners are',
  async (bank) => {
    await gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { bank } });
    const { status, text, headers } = await gateway.call('/', { side: 'psu' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('Customers of this sandbox bank log in here');
    expect(text).toContain(gateway.urls.api);
    expect(text).toContain(`href="${gateway.urls.admin}"`);
    expect(text.includes('Access that you gave')).toBe(bank === 'living');
    expect((await gateway.records()).at(-1)).toMatchObject({ findings: [] });
    expect((await gateway.call('/elsewhere', { side: 'psu' })).status).toBe(404);
  },
);

it('does not say to others where those are', () => {
  const emulator = anEmulator();
  const from = (address: string): string => {
    const connection = { address, tls: { version: 'TLSv1.3', cipher: 'AES', resumed: false } };
    return emulator.ask({ listener: 'psu', method: 'GET', target: '/', connection }).body?.text ?? '';
  };
  expect(from('::1')).toContain('TPPs call');
  expect(from('192.0.2.7')).toContain('Customers of this sandbox bank');
  expect(from('192.0.2.7')).not.toContain('TPPs call');
});
