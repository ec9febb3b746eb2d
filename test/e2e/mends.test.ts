/** What the gateway proposes for a wrong call is judged by the very rules that found it. */
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, started, startTestGateway, type TestGateway } from './harness.js';
import { linked, livingTpp } from './living-tpp.js';

const V1 = '/stdgroup/v1';
const BACK = { 'TPP-Redirect-URI': 'https://tpp.example/back', 'PSU-IP-Address': '192.0.2.1' };
const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  ...{ recurringIndicator: true, validUntil: '9999-12-31' },
  ...{ frequencyPerDay: 4, combinedServiceIndicator: false },
};
const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  debtorAccount: { iban: 'BE68539007547034' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Somebody',
};

const admin = async (gateway: TestGateway, path: string, json?: object) =>
  (await gateway.call(path, { side: 'admin', json })).json;
const mendOf = (gateway: TestGateway, id: string | undefined) => admin(gateway, `/api/exchanges/${id}/mend`);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living' });
  return gateway.close;
});

const amounts = (...all: unknown[]) =>
  all.map((amount) => [
    'payments/sepa-credit-transfers',
    PAYMENT,
    { instructedAmount: { currency: 'EUR', amount } },
  ]);
const payments = (...all: object[]) => all.map((more) => ['payments/sepa-credit-transfers', PAYMENT, more]);
const consents = (...all: object[]) => all.map((more) => ['consents', CONSENT, more]);

it.each([
  ...amounts('0', '000', '12,50', '-5', 1e21, 12.3456, 0, true, 12.5),
  ...payments({ debtorAccount: 'true' }, { debtorAccount: '123' }, { creditorAccount: { iban: 123 } }),
  ...payments({ creditorName: 12 }, { creditorName: true }, { requestedExecutionDate: 20261201 }),
  ...consents(
    { access: '1234' },
    { access: { accounts: [{ iban: 1234 }] } },
    { access: { accounts: 'true' } },
  ),
  ...consents({ frequencyPerDay: '0' }, { frequencyPerDay: 'true' }, { frequencyPerDay: '3' }),
  ...consents({ recurringIndicator: '1' }, { recurringIndicator: 'TRUE ' }, { validUntil: 20261201 }),
])('what is proposed at %s with $2 is right, or nothing is', async (path, whole, more) => {
  const json = { ...Object(whole), ...Object(more) };
  const wrong = await gateway.call(`${V1}/${path}`, { headers: BACK, json });
  const id = wrong.headers['sandgate-exchange'];
  const { body, changes, open } = await mendOf(gateway, id);
  const { exchange } = await admin(gateway, `/api/exchanges/${id}/resend`, { body });
  const { findings } = await admin(gateway, `/api/exchanges/${exchange}`);
  const placesOf = (list: readonly { place: string }[]) =>
    list.map(({ place }) => place).filter((one) => one.startsWith('body'));
  const mended = placesOf(changes);
  expect(placesOf(findings).filter((one) => mended.includes(one))).toEqual([]);
  expect(mended.length + open.length).toBeGreaterThan(0);
});

it('a consent is proposed as long as it is valid, and not as the only one', async () => {
  const moving = await started({ bank: 'living' });
  const { id } = await linked(livingTpp(moving, 'tpp'), 'psu-1', { days: 10 });
  const proposed = async () => {
    const wrong = await moving.call(`${V1}/accounts`, { headers: { 'PSU-IP-Address': '192.0.2.1' } });
    const { changes } = await mendOf(moving, wrong.headers['sandgate-exchange']);
    return changes.find(({ place }: { place: string }) => place === 'header Consent-Id');
  };
  expect(await proposed()).toMatchObject({ now: id, note: expect.stringContaining('another one') });
  moving.move(11 * DAY_MS);
  expect(await proposed()).toMatchObject({ now: 'VALID_CONSENT_ID' });
});
