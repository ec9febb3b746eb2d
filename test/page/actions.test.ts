/** What can be done on the live page (`dist/page/`), each by its button, over a living bank. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { livingTpp } from '../e2e/living.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';
const IBAN = 'BE68539007547034';
const BACK = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };

let gateway: TestGateway;
let pages: Pages;

beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living' });
  const validUntil = new Date(gateway.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const access = { allPsd2: 'allAccounts' };
  const terms = { recurringIndicator: true, frequencyPerDay: 4, combinedServiceIndicator: false };
  await gateway.call(`${V1}/consents`, { headers: BACK, json: { access, ...terms, validUntil } });
  await gateway.call(`${V1}/consents`, { headers: BACK, json: { access, ...terms, validUntil: 'never' } });
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const says = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const openFailed = async (page: Page) => {
  await page.locator('.row:has(.badge.must)').last().click();
  await page.locator('.detail').waitFor();
};
const asked = async (path: string) => (await gateway.call(path, { side: 'admin' })).json;

const accountOf = async (wanted: string) => {
  const psus: { id: string; accounts: { iban: string }[] }[] = await asked('/api/bank/psus');
  return { iban: psus.find(({ id }) => id === wanted)?.accounts[0]?.iban };
};

describe('an action on the live page', () => {
  it('adds a fault, shows how often it met a call, and removes it', () =>
    pages.open(`${gateway.urls.admin}/bank`, {}, async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('slow');
      await page.locator('select[name=kind]').selectOption('answer/status');
      await page.getByLabel('Parameters', { exact: true }).fill('status=503');
      await page.getByLabel('Where', { exact: true }).fill('path:/nowhere');
      await button(page, 'Add').click();
      await says(page, 'Calls meet the fault slow from now on.');
      expect(await asked('/api/faults')).toMatchObject([
        { id: 'slow', where: 'path:/nowhere', do: { kind: 'answer/status', status: 503 }, times: 0 },
      ]);
      await button(page, 'Remove slow').click();
      await says(page, 'The fault slow was removed.');
      expect(await asked('/api/faults')).toEqual([]);
    }));

  it('sends a call again, edited, and opens what came of it', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      await openFailed(page);
      await button(page, 'Send again').click();
      const body = page.getByLabel('Body', { exact: true });
      await body.fill((await body.inputValue()).replace(/\d{4}-\d\d-\d\d/, '2099-01-01'));
      await button(page, 'Send').click();
      await says(page, /sent again/);
      await page.getByText('"2099-01-01"').first().waitFor();
      await page.locator(`.row[aria-posinset="1"][aria-selected="true"]`).waitFor();
    }));

  it('keeps what is edited when other certificates come meanwhile', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      await openFailed(page);
      await button(page, 'Send again').click();
      const body = page.getByLabel('Body', { exact: true });
      await body.fill('{"edited":true}');
      await page.route('**/api/certificates*', async (route) => {
        const response = await route.fetch();
        const all: object[] = await response.json();
        await route.fulfill({ response, json: [...all, { ...all[0], name: 'another', canResend: true }] });
      });
      await gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { profile: 'production' } });
      await page.getByRole('option', { name: 'another' }).waitFor({ state: 'attached' });
      expect(await body.inputValue()).toBe('{"edited":true}');
      await gateway.call('/api/settings', { side: 'admin', method: 'PUT', json: { profile: 'sandbox' } });
    }));

  it('says why the bank refused a call that no must rule refused, and which secrets are to be put in', async () => {
    const { headers } = await gateway.call(`${V1}/consents`, {
      headers: { ...BACK, Authorization: 'Bearer 0123456789abcdef' },
      json: {
        ...{ access: { accounts: [{ iban: 'BE71096123456769' }] }, recurringIndicator: true },
        ...{ frequencyPerDay: 4, combinedServiceIndicator: false, validUntil: '2099-01-01' },
      },
    });
    await pages.open(
      `${gateway.urls.admin}/?open=${headers['sandgate-exchange']}`,
      { permissions: ['clipboard-read', 'clipboard-write'] },
      async (page) => {
        const why = /The bank answered 400: The bank has no account BE71096123456769/;
        await page.getByRole('heading', { level: 1, name: why }).waitFor();
        expect(await page.locator('.finding').first().getAttribute('open')).toBeNull();
        await button(page, 'Copy ticket').click();
        await says(page, 'The ticket is copied.');
        expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# POST /);
        await button(page, 'Send again').click();
        await page.getByRole('dialog').getByText(why).waitFor();
        await page.getByRole('dialog').getByText('the fingerprint of a secret').waitFor();
      },
    );
  });

  it('says of a payment that failed that it broke at the payment, and not what comes next', async () => {
    await gateway.call(`${V1}/payments/sepa-credit-transfers`, { headers: BACK, json: {} });
    await pages.open(gateway.urls.admin, {}, async (page) => {
      const lane = page.locator('.lane', { hasText: 'Payment that failed' });
      await lane.getByText('broken at payment').waitFor();
      expect(await lane.locator('.lane-line').first().textContent()).toMatch(/^created, refused \d\d:\d\d$/);
    });
  });

  it('copies code, compares with the last good call, and waives', () =>
    pages.open(gateway.urls.admin, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await openFailed(page);
      await button(page, 'Copy curl').click();
      await says(page, 'curl is copied.');
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl /);
      // Sandgate refused this call: the bank has nothing to say of it.
      expect(await button(page, 'Copy ticket').count()).toBe(0);
      await button(page, 'Compare').first().click();
      const differences = page.getByRole('region', { name: 'Differences of the request' });
      // What is to be taken away is red.
      await differences.locator('.wrong', { hasText: 'never' }).waitFor();
      const other = page.getByRole('region', { name: 'Comparison' }).getByLabel('With');
      await other.selectOption({ index: (await other.locator('option').count()) - 2 });
      await differences.getByText('never').waitFor();
      const chosen = await other.inputValue();
      await other.selectOption({ label: 'any other call, by its id' });
      await page.getByLabel('Its id', { exact: true }).fill(chosen);
      await page.keyboard.press('Enter');
      await differences.getByText('never').waitFor();
      await button(page, 'Waive').click();
      await page.getByLabel('Why').fill('The bank knows.');
      await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click();
      await says(page, /is waived until/);
      expect((await asked('/api/waivers')).waivers).toMatchObject([{ reason: 'The bank knows.' }]);
    }));

  it('keeps an id that is typed before the calls to choose from have come', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      const [good] = (await asked('/api/exchanges?q=operation:consents.create')).exchanges.slice(-1);
      await openFailed(page);
      let come = () => {};
      const held = new Promise<void>((resolve) => {
        come = resolve;
      });
      await page.route(/\/api\/exchanges\?.*limit=100/, (route) => held.then(() => route.continue()));
      await button(page, 'Compare').first().click();
      const comparison = page.getByRole('region', { name: 'Comparison' });
      await comparison.getByLabel('With').selectOption({ label: 'any other call, by its id' });
      await comparison.getByLabel('Its id', { exact: true }).fill(good.id);
      come();
      await comparison.locator('option').nth(2).waitFor({ state: 'attached' });
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Differences of the request' }).getByText('never').waitFor();
    }));

  it('sets a mark, goes on in a new session, and switches', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      await button(page, 'Set a mark').click();
      await page.getByLabel('What happens next').fill('retries are on');
      await page.keyboard.press('Enter');
      await says(page, 'The mark is set.');
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByLabel('stance').selectOption('observe');
      await says(page, /observe/);
      expect((await asked('/api/settings')).stance).toBe('observe');
      await button(page, 'New session').click();
      await page.getByLabel('Name').fill('another');
      await page.keyboard.press('Enter');
      await says(page, /the session another/);
      expect((await asked('/api/sessions'))[0]).toMatchObject({ name: 'another', current: true });
    }));

  it('steers bank and clock', () =>
    pages.open(`${gateway.urls.admin}/bank`, {}, async (page) => {
      await page.getByLabel(/^The next SCA/).selectOption('SCA_NOK');
      await page.locator('form', { hasText: 'The next SCA' }).getByRole('button').click();
      await says(page, /SCA_NOK/);
      const keep = page.getByLabel(/^Keep the present state/);
      const proposed = (await keep.getAttribute('placeholder')) ?? '';
      await keep.fill(proposed);
      await button(page, 'Keep').click();
      await says(page, `The snapshot ${proposed} was taken.`);
      await page
        .getByRole('button', { name: /^Reject / })
        .first()
        .click();
      await says(page, /is rejected/);
      const rejected = page.getByRole('row', { name: /rejected/ }).first();
      await rejected.waitFor();
      // It has ended: nothing is offered any more.
      expect(await rejected.getByRole('button').count()).toBe(0);
      await page.getByRole('button', { name: `Go back to it ${proposed}` }).click();
      await says(page, `The bank was restored to ${proposed}.`);
      await button(page, '+ 1d').click();
      await says(page, /running/);
      await page.locator('.pill', { hasText: 'running' }).waitFor();
      await page.getByRole('button', { name: 'Forget everything' }).click();
      await says(page, /was reset/);
      expect(await asked('/api/bank/consents')).toEqual([]);
    }));

  it('ends consents and settles payments, sets the next outcome, and drops a snapshot', async () => {
    const tpp = livingTpp(gateway);
    // A PSU's next consent for the same TPP would end the one before.
    const [first, second] = [await tpp.linked(), await tpp.linked({}, { psu: 'psu-2' })];
    const amount = { currency: 'EUR', amount: '12.50' };
    const payment = await tpp.ask('POST /payments/sepa-credit-transfers', {
      headers: { 'TPP-Redirect-URI': BACK['TPP-Redirect-URI'] },
      json: {
        instructedAmount: amount,
        debtorAccount: await accountOf('psu-1'),
        creditorName: 'Shop',
        creditorAccount: { iban: IBAN },
      },
    });
    const link: string = payment.json._links.scaStatus.href;
    await tpp.authorise(
      { id: payment.json.paymentId, authorisation: link.slice(link.lastIndexOf('/') + 1) },
      { scope: `PIS:${payment.json.paymentId}`, redirect_uri: BACK['TPP-Redirect-URI'] },
    );
    await pages.open(`${gateway.urls.admin}/bank`, {}, async (page) => {
      await button(page, `Revoke ${first.id}`).click();
      await says(page, /is revokedByPsu/);
      await button(page, `Expire ${second.id}`).click();
      await says(page, /is expired/);
      await button(page, `Settle ${payment.json.paymentId}`).click();
      await says(page, /is ACSC/);
      await page.getByLabel(/^The next SCA/).selectOption('SCA_NOK');
      await page.getByRole('textbox', { name: 'Of PSU' }).fill('psu-2');
      await page.locator('form', { hasText: 'The next SCA' }).getByRole('button').click();
      await says(page, /of psu-2 ends with SCA_NOK/);
      await page.getByLabel(/^Keep the present state/).fill('now');
      await button(page, 'Keep').click();
      await button(page, 'Drop now').click();
      await says(page, 'now is dropped.');
    });
    const kept: { name: string }[] = await asked('/api/bank/snapshots');
    expect(kept.map(({ name }) => name)).not.toContain('now');
    const statusOf = async (id: string) => (await asked(`/api/bank/consents/${id}`)).consentStatus;
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['revokedByPsu', 'expired']);
  });
});
