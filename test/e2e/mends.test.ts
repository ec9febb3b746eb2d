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
  ...consents({ validUntil: '31/12/2099' }, { validUntil: '25.12.2020' }, { validUntil: 'soon' }),
  ...payments({ requestedExecutionDate: '25/12/2099' }, { requestedExecutionDate: '25/12/2020' }),
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

const FORM = 'application/x-www-form-urlencoded';
const GRANT = {
  ...{ grant_type: 'authorization_code', code: 'AIS_VALID_CODE', client_id: 'VALID_CLIENT_ID' },
  ...{ code_verifier: 'a'.repeat(43), redirect_uri: 'https://tpp.example/back?a=1&b=2' },
};
const query = new URLSearchParams(GRANT).toString();
const { redirect_uri: redirectUri, ...WITHOUT_REDIRECT } = GRANT;

it.each<[string, string, object]>([
  ['JSON', 'token', { json: GRANT }],
  [
    'JSON that is called text',
    'token',
    { body: JSON.stringify(GRANT), headers: { 'Content-Type': 'text/plain' } },
  ],
  ['a form without media type', 'token', { body: query, method: 'POST' }],
  ['a query', `token?${query}`, { method: 'POST' }],
  [
    'a query and a form',
    `token?${new URLSearchParams({ redirect_uri: redirectUri })}`,
    { form: WITHOUT_REDIRECT },
  ],
  ['a query and a form that say the same', `token?${query}`, { form: GRANT }],
])('a token request as %s is mended to the form with every field', async (_name, path, options) => {
  const wrong = await gateway.call(`${V1}/${path}`, options);
  const id = wrong.headers['sandgate-exchange'];
  const { target, headers, body, open, recorded } = await mendOf(gateway, id);
  expect(recorded).toMatchObject({ method: 'POST', certificate: null });
  expect(recorded.target.startsWith(`${V1}/token`)).toBe(true);
  const names = [...headers, ...recorded.headers].map(([name]: [string]) => name.toLowerCase());
  expect(names).not.toContain('host');
  expect(names).not.toContain('content-length');
  const others = open.filter(({ rule }: { rule: string }) => rule !== 'oauth/code-used-once');
  expect([target, others]).toEqual([`${V1}/token`, []]);
  const { redirect_uri, ...rest } = Object.fromEntries(new URLSearchParams(body));
  expect(Object.keys(rest).sort()).toEqual(Object.keys(WITHOUT_REDIRECT).sort());
  expect(redirect_uri).toContain('https://tpp.example/back');
  const types = headers.filter(([name]: [string]) => name.toLowerCase() === 'content-type');
  expect(types).toEqual([['Content-Type', FORM]]);
});

it.each<[string, string, object]>([
  ['two values of one field', `token?${query}`, { form: { ...GRANT, code: 'PIS_VALID_CODE' } }],
  ['JSON with a list', 'token', { json: { ...GRANT, code: ['AIS_VALID_CODE'] } }],
  ['XML', 'token', { body: '<grant/>', headers: { 'Content-Type': 'text/xml' } }],
  ['a form where JSON belongs', 'consents', { form: { validUntil: '2026-12-31' } }],
])('%s is left to the TPP, and no part of it is changed', async (_name, path, options) => {
  const wrong = await gateway.call(`${V1}/${path}`, options);
  const { changes, open } = await mendOf(gateway, wrong.headers['sandgate-exchange']);
  const ofForm = changes.filter(({ place }: { place: string }) => /Content-Type|^query|^body/.test(place));
  expect([ofForm, open.length > 0]).toEqual([[], true]);
});

it('a PSU is never claimed to be there: that is left to the TPP, with its words', async () => {
  const bank = await started({ bank: 'living' });
  const { id, tokens } = await linked(livingTpp(bank, 'tpp'), 'psu-1');
  const read = () =>
    bank.call(`${V1}/accounts`, {
      headers: { Authorization: `Bearer ${tokens.access}`, 'Consent-Id': id },
    });
  for (let i = 0; i < 4; i++) await read();
  const refused = await read();
  expect(refused.status).toBe(429);
  const { headers, changes, open } = await mendOf(bank, refused.headers['sandgate-exchange']);
  expect(changes.map(({ rule }: { rule: string }) => rule)).not.toContain('accounts/within-daily-limit');
  expect(JSON.stringify(headers)).not.toMatch(/psu-ip-address/i);
  expect(open).toMatchObject([
    { rule: 'accounts/within-daily-limit', note: expect.stringMatching(/^only if the PSU asks now/) },
  ]);
});

it.each<[string, string, unknown, string | null]>([
  ['currency', 'instructedAmount', { currency: 'eur', amount: '1.00' }, 'EUR'],
  ['currency', 'instructedAmount', { currency: 'euro', amount: '1.00' }, null],
  ['iban', 'debtorAccount', { iban: 'be68 5390 0754 7034' }, 'BE68539007547034'],
  ['iban', 'debtorAccount', { iban: 'BE68 5390 0754 7035' }, null],
  ['amount', 'instructedAmount', { currency: 'EUR', amount: 12.5 }, '"12.5"'],
  ['amount', 'instructedAmount', { currency: 'EUR', amount: '10,00' }, '10.00'],
  ['amount', 'instructedAmount', { currency: 'EUR', amount: '10,000' }, null],
])('a %s in %s is %j: proposed is %s', async (name, member, value, now) => {
  const json = { ...PAYMENT, [member]: value };
  const wrong = await gateway.call(`${V1}/payments/sepa-credit-transfers`, { headers: BACK, json });
  const { changes } = await mendOf(gateway, wrong.headers['sandgate-exchange']);
  const found = changes.find(({ place }: { place: string }) => place.endsWith(`.${name}`));
  const sent = Object(value)[name];
  const was = typeof sent === 'string' ? sent : JSON.stringify(sent);
  expect(found ?? null).toEqual(now === null ? null : expect.objectContaining({ was, now }));
});

it.each([
  ['25/12/2025', '2025-12-25'],
  ['1.10.2025', '2025-10-01'],
  ['01/10/2025', undefined],
  ['31/02/2025', undefined],
])('dateFrom=%s is a date of another form: proposed is %s', async (sent, now) => {
  const wrong = await gateway.call(`${V1}/accounts/acc-1-1/transactions?dateFrom=${sent}`, { headers: BACK });
  const { changes, open } = await mendOf(gateway, wrong.headers['sandgate-exchange']);
  const ofDate = changes.find(({ rule }: { rule: string }) => rule === 'accounts/date-range');
  expect(ofDate?.now).toBe(now);
  expect(open.some(({ rule }: { rule: string }) => rule === 'accounts/date-range')).toBe(now === undefined);
});

it('a bookingStatus in other letters is mended', async () => {
  const path = `${V1}/accounts/acc-1-1/transactions?bookingStatus=Booked`;
  const wrong = await gateway.call(path, { headers: BACK });
  const { target } = await mendOf(gateway, wrong.headers['sandgate-exchange']);
  expect(target).toContain('bookingStatus=booked');
});

it.each([
  ['v1/account/acc-1-1/transaction?dateFrom=2026-01-01', 'accounts/acc-1-1/transactions?dateFrom=2026-01-01'],
  ['v1/accounts/a%2Fb/balance', 'accounts/a%2Fb/balances'],
  ['v1/accounts/', 'accounts'],
  ['v1/accounts//acc-1-1', 'accounts/acc-1-1'],
])('the nearest path to %s is proposed with the ids of the call', async (path, proposed) => {
  const wrong = await gateway.call(`/stdgroup/${path}`, { headers: BACK });
  const { target } = await mendOf(gateway, wrong.headers['sandgate-exchange']);
  expect(target).toBe(`${V1}/${proposed}`);
});
