/** No TPP reaches a listener of a gateway through the notifications of one that shares its store. */
import { afterEach, describe, expect, it } from 'vitest';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { livingTpp } from './living-tpp.js';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function started(settings: Record<string, unknown> = {}, slot?: number): Promise<TestGateway> {
  const gateway = await startTestGateway({ bank: 'living', ...settings }, slot);
  open.push(gateway);
  return gateway;
}

/** What became of notifications so far, in their order. */
async function notified(gateway: TestGateway): Promise<readonly (string | number | undefined)[]> {
  const records = await all(gateway.app.store.read('test'));
  const callbacks = records.filter(({ exchange }) => exchange.call.listener === 'callback');
  return callbacks.map(({ exchange: { answer, fault } }) => answer?.status ?? fault?.message);
}

async function notify(gateway: TestGateway, tppNotificationUri: string): Promise<void> {
  const json = { paymentId: 'PAYMENT_ID_RCVD_SCT', tppNotificationUri, status: 'ACSC' };
  const answer = await gateway.call('/internal/stdgroup/authorization/v1/tpp/notify', { json });
  expect(answer.status, answer.text).toBe(202);
}

async function consentAt(gateway: TestGateway): Promise<() => Promise<string>> {
  const tpp = livingTpp(gateway, 'tpp');
  const { id } = await tpp.createConsent();
  return async () => (await tpp.consentStatus(id)).json.consentStatus;
}

const REFUSED = expect.stringContaining('is a listener of Sandgate itself');
const portOf = (url: string) => new URL(url).port;

describe('a notification', () => {
  it('is sent to no listener of the gateway itself, whatever its address looks like', async () => {
    const gateway = await started({ notificationAllow: 'localhost,0.0.0.0' });
    const { admin, api, psu } = gateway.urls;
    const status = await consentAt(gateway);
    const hosts = ['localhost', '127.0.0.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'LOCALHOST.'];
    for (const host of hosts) await notify(gateway, `http://${host}:${portOf(admin)}/api/bank/reset`);
    await notify(gateway, `https://localhost:${portOf(api)}/stdgroup/v1/consents`);
    await notify(gateway, `https://localhost:${portOf(psu)}/`);
    await expect
      .poll(() => notified(gateway))
      .toEqual(Array.from({ length: hosts.length + 2 }, () => REFUSED));
    expect(await status()).toBe('received');
  });

  it('is sent to no listener of another gateway on the store', async () => {
    const settings = { store: aPath() };
    const one = await started(settings, 0);
    const other = await started(settings, 1);
    const status = await consentAt(one);
    await notify(one, `http://127.0.0.1:${portOf(other.urls.admin)}/api/bank/reset`);
    await notify(other, `http://127.0.0.1:${portOf(one.urls.admin)}/api/bank/reset`);
    await expect.poll(() => notified(one)).toEqual([REFUSED, REFUSED]);
    expect(await status()).toBe('received');
  });

  it('does nothing at the admin listener of a gateway that is not known here', async () => {
    const [stranger, gateway] = [await started(), await started()];
    const status = await consentAt(stranger);
    await notify(gateway, `http://127.0.0.1:${portOf(stranger.urls.admin)}/api/bank/reset`);
    await expect.poll(async () => (await notified(gateway))[0]).toBe(403);
    expect(await status()).toBe('received');
    // Nobody waits for what would be sent again.
    await open.pop()?.app.close();
  });
});
