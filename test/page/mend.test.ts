/** Wrong calls that somebody finds and mends from the live page alone (`dist/page/`): what can be known is filled in. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { type CallOptions, startTestGateway, type TestGateway } from '../e2e/harness.js';
import { linked, livingTpp } from '../e2e/living-tpp.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';
const BACK = { 'TPP-Redirect-URI': 'https://tpp.example/back', 'PSU-IP-Address': '192.0.2.1' };
const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  ...{
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  },
};

let gateway: TestGateway;
let pages: Pages;
/** Of two PSUs. */
let ibans: readonly object[];
/** A consent that its PSU gave, with its token. */
let given: { readonly id: string; readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living' });
  const { id, tokens } = await linked(livingTpp(gateway, 'tpp'), 'psu-1');
  given = { id, token: tokens.access };
  const psus = (await gateway.call('/api/bank/psus?limit=2', { side: 'admin' })).json;
  ibans = psus.map((psu: { accounts: { iban: string }[] }) => ({ iban: psu.accounts[0]?.iban }));
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway?.close();
});

const reading = (more: Record<string, string> = {}) => ({
  ...{ Authorization: `Bearer ${given.token}`, 'Consent-Id': given.id, 'PSU-IP-Address': '192.0.2.1' },
  ...more,
});
const consentWith = (more: object): CallOptions => ({ headers: BACK, json: { ...CONSENT, ...more } });

interface Wrong {
  readonly call: () => readonly [path: string, options: CallOptions];
  /** What the page says was changed. */
  readonly changed: readonly (string | RegExp)[];
  /** What only the TPP can know, by what is typed into which field; none: Enter is enough. */
  readonly typed?: readonly [field: string, was: string, is: string];
  readonly status: number;
}

const WRONG: Readonly<Record<string, Wrong>> = {
  'an X-Request-ID that is no UUID': {
    call: () => [`${V1}/accounts`, { headers: reading({ 'X-Request-ID': '12345' }) }],
    changed: [/X-Request-ID 12345 [0-9a-f-]{36}/],
    status: 200,
  },
  'no Consent-Id': {
    call: () => [
      `${V1}/accounts`,
      { headers: { Authorization: `Bearer ${given.token}`, 'PSU-IP-Address': '192.0.2.1' } },
    ],
    changed: [/Consent-Id \S+/],
    status: 200,
  },
  'a token of another environment': {
    call: () => [`${V1}/accounts`, { headers: reading({ Authorization: `Bearer ${'0a'.repeat(48)}` }) }],
    changed: [/Authorization .*Bearer \{token\}/],
    status: 200,
  },
  'no token': {
    call: () => [`${V1}/accounts`, { headers: { 'Consent-Id': given.id, 'PSU-IP-Address': '192.0.2.1' } }],
    changed: [/Authorization Bearer \{token\}/],
    status: 200,
  },
  'a consent until a day that has passed': {
    call: () => [`${V1}/consents`, consentWith({ validUntil: '2001-01-01' })],
    changed: [/validUntil 2001-01-01 \d{4}-\d\d-\d\d.*any day before is right/],
    status: 201,
  },
  'a consent for too many accesses a day': {
    call: () => [`${V1}/consents`, consentWith({ frequencyPerDay: 40 })],
    changed: [/frequencyPerDay 40 4/],
    status: 201,
  },
  'a consent with a truth value in quotation marks': {
    call: () => [`${V1}/consents`, consentWith({ recurringIndicator: 'true' })],
    changed: [/recurringIndicator "true" true/],
    status: 201,
  },
  'a one-off consent for four accesses': {
    call: () => [`${V1}/consents`, consentWith({ recurringIndicator: false })],
    changed: [/frequencyPerDay 4 1/],
    status: 201,
  },
  'a consent of two kinds of access, which only the TPP can choose between': {
    call: () => [
      `${V1}/consents`,
      consentWith({ access: { allPsd2: 'allAccounts', availableAccounts: 'allAccounts' } }),
    ],
    changed: [],
    typed: ['Body', ',"availableAccounts":"allAccounts"', ''],
    status: 201,
  },
  'no PSU-IP-Address at a creation': {
    call: () => [
      `${V1}/consents`,
      { headers: { 'TPP-Redirect-URI': 'https://tpp.example/back' }, json: CONSENT },
    ],
    changed: [/PSU-IP-Address 192\.0\.2\.1.*take the address of your PSU/],
    status: 201,
  },
  'an expired certificate': {
    call: () => [`${V1}/consents`, { ...consentWith({}), cert: 'bad-expired' }],
    changed: [/certificate .*tpp/],
    status: 201,
  },
  'transactions from a day before what a bank keeps open': {
    call: () => [
      `${V1}/accounts/acc-1-1/transactions?bookingStatus=booked&dateFrom=2026-13-01`,
      { headers: reading() },
    ],
    changed: [],
    typed: ['Path and query', '2026-13-01', '2026-01-01'],
    status: 200,
  },
  'a payment whose amount is a number': {
    call: () => [
      `${V1}/payments/sepa-credit-transfers`,
      {
        headers: BACK,
        json: {
          instructedAmount: { currency: 'EUR', amount: 12.5 },
          ...{ debtorAccount: ibans[0], creditorAccount: ibans[1], creditorName: 'Somebody' },
        },
      },
    ],
    changed: [/instructedAmount.amount 12.5 "12.5"/],
    status: 201,
  },
  'a token request that names no grant': {
    call: () => [
      `${V1}/token`,
      { form: { code: 'AIS_VALID_CODE', client_id: 'VALID_CLIENT_ID', code_verifier: 'a'.repeat(43) } },
    ],
    changed: [/grant_type authorization_code/],
    status: 200,
  },
};

const open = <T>(id: string | undefined, use: (page: Page) => Promise<T>) =>
  pages.open(`${gateway.urls.admin}/?open=${id}`, { bypassCSP: true }, use);
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Send again' });

/** By the keyboard alone. */
async function sendAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send again', exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).getByLabel('Headers', { exact: true }).waitFor();
}
async function send(page: Page): Promise<void> {
  await dialogOf(page).getByRole('button', { name: 'Send', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/sent again/)
    .waitFor();
}

describe('on the page alone', () => {
  it.each(Object.entries(WRONG))(
    '%s is found and mended',
    async (_name, { call, changed, typed, status }) => {
      const [path, options] = call();
      const answer = await gateway.call(path, options);
      await open(answer.headers['sandgate-exchange'], async (page) => {
        await sendAgain(page);
        const changes = await dialogOf(page).getByRole('listitem').allTextContents();
        for (const one of changed) expect(changes.join('\n').replaceAll(/ +/g, ' ')).toMatch(one);
        if (typed !== undefined) {
          const [label, was, is] = typed;
          const field = dialogOf(page).getByLabel(label, { exact: true });
          expect(await field.getAttribute('name')).toBe(await page.evaluate('document.activeElement.name'));
          const before = await field.inputValue();
          expect(before).toContain(was);
          await field.fill(before.replace(was, is));
        }
        await send(page);
        const answers = page.getByRole('region', { name: 'This answer', exact: true });
        await answers.getByText(String(status), { exact: true }).waitFor();
      });
    },
  );
});

describe('a call that is sent again', () => {
  it('shows the two answers beside each other, green where it is right now, and takes mends back by a switch', async () => {
    const wrong = await gateway.call(`${V1}/accounts`, {
      headers: reading({ 'X-Request-ID': 'no-uuid', Authorization: `Bearer ${'0b'.repeat(48)}` }),
    });
    const id = wrong.headers['sandgate-exchange'];
    await open(id, async (page) => {
      await sendAgain(page);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await faultsOf(page, scheme)).toEqual([]);
      }
      const headers = dialogOf(page).getByLabel('Headers', { exact: true });
      expect(await headers.inputValue()).toContain('Authorization: Bearer {token}');
      await dialogOf(page)
        .getByRole('checkbox', { name: /^Mended in 2 places/ })
        .focus();
      await page.keyboard.press('Space');
      expect(await headers.inputValue()).toMatch(/X-Request-ID: no-uuid/);
      await page.keyboard.press('Space');
      await send(page);
      const comparison = page.getByRole('region', { name: 'Comparison' });
      await comparison
        .getByRole('region', { name: 'This answer' })
        .locator('.right', { hasText: '200' })
        .waitFor();
      await comparison
        .getByRole('region', { name: 'The other answer' })
        .locator('.wrong', { hasText: '401' })
        .waitFor();
      await comparison.locator('.wrong', { hasText: 'no-uuid' }).waitFor();
      expect(await faultsOf(page, 'dark')).toEqual([]);
    });
    const records = await gateway.records();
    const sent = records.at(-1)?.exchange.call.request.header.authorization ?? '';
    expect(sent).toMatch(/^Bearer fp_/);
  });

  it('on a phone: all actions are on the screen, what is said covers none of them, and the new answer is in sight', async () => {
    const wrong = await gateway.call(`${V1}/accounts`, { headers: reading({ 'X-Request-ID': 'no-uuid' }) });
    const phone = { bypassCSP: true, viewport: { width: 400, height: 800 } };
    const address = `${gateway.urls.admin}/?open=${wrong.headers['sandgate-exchange']}`;
    await pages.open(address, phone, async (page) => {
      await sendAgain(page);
      await send(page);
      const answer = page.getByRole('region', { name: 'This answer', exact: true });
      await answer.getByText('200', { exact: true }).waitFor();
      const boxOf = async (place: Locator) => (await place.boundingBox()) ?? expect.fail();
      expect((await boxOf(answer)).y).toBeLessThan(500);
      expect((await boxOf(answer)).y).toBeGreaterThanOrEqual(0);
      const buttons = await page.locator('.acts > button').all();
      const said = await boxOf(page.getByRole('status').locator('p'));
      for (const button of buttons) {
        const { x, y, width, height } = await boxOf(button);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(400);
        expect(y + height <= said.y || y >= said.y + said.height).toBe(true);
      }
    });
  });

  it('has the mended certificate, also before the list of all is there', async () => {
    const wrong = await gateway.call(`${V1}/consents`, { ...consentWith({}), cert: 'bad-expired' });
    await open(wrong.headers['sandgate-exchange'], async (page) => {
      await page.route('**/api/certificates*', (route) => route.fulfill({ json: [] }));
      await page.reload();
      await sendAgain(page);
      await send(page);
      await page.getByRole('region', { name: 'This answer' }).getByText('201', { exact: true }).waitFor();
    });
  });

  it('is shown as text, whatever it holds', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const wrong = await gateway.call(`${V1}/consents`, consentWith({ validUntil: hostile, [hostile]: 1 }));
    await open(wrong.headers['sandgate-exchange'], async (page) => {
      await sendAgain(page);
      await dialogOf(page).getByText(hostile).first().waitFor();
      await send(page);
      await page.getByRole('region', { name: 'This answer' }).getByText('201', { exact: true }).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
    });
  });
});
