/** The views of rules, certificates, bank and report (`dist/page/`): what is found there, and what can be done. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SANDBOX_CONSENTS, SANDBOX_PAYMENTS } from '../../src/spec/index.js';
import { faultsOf } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { BACK, livingTpp } from '../e2e/living.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';
const HOSTILE = '<img src=x onerror=alert(1)>';

let gateway: TestGateway;
let pages: Pages;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.call(`${V1}/konsents`);
  await gateway.call(`${V1}/accounts`, { headers: { 'X-Request-ID': 'no-uuid' } });
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const at = (path: string) => `${gateway.urls.admin}${path}`;
const bodyRows = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr');

describe('the rules', () => {
  it('lead with their statements, by the keyboard down to those of an area that were violated, and to the calls', () =>
    pages.open(at('/rules'), {}, async (page) => {
      await bodyRows(page, 'Rules').nth(50).waitFor();
      const first = bodyRows(page, 'Rules').first();
      expect(await first.locator('summary').textContent()).toMatch(/^[A-Z].+ [a-z]+\/[a-z-]+$/);
      await page.getByLabel('Area').focus();
      await page.keyboard.type('requests');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: /^Found in this session: \d/, pressed: true }).waitFor();
      const ids = await bodyRows(page, 'Rules').locator('summary .mono').allTextContents();
      expect(ids).toContain('requests/known-path');
      expect(ids.filter((id) => !id.startsWith('requests/'))).toEqual([]);
      await page.getByLabel('Search').fill('known-path');
      await page.getByRole('status').getByText('1 rule,').waitFor();
      await bodyRows(page, 'Rules').getByRole('link').press('Enter');
      await page.waitForURL(/q=rule%3Arequests%2Fknown-path/);
      await page.locator('.row', { hasText: 'konsents' }).waitFor();
    }));
});

describe('the sandbox bank', () => {
  it('shows each fixed identifier with what it does, to be copied', () =>
    pages.open(at('/bank'), { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      const row = bodyRows(page, 'Identifiers').filter({ hasText: 'CONSENT_ID_TRANSACTION_90D_KO' }).last();
      await row.getByText('Transactions are answered 401 CONSENT_EXPIRED.').waitFor();
      await row.getByRole('button', { name: 'Copy CONSENT_ID_TRANSACTION_90D_KO' }).press('Enter');
      await page.getByRole('status').getByText('is copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('CONSENT_ID_TRANSACTION_90D_KO');
      const shown = await bodyRows(page, 'Identifiers').locator('th').allTextContents();
      for (const id of [...Object.keys(SANDBOX_CONSENTS), ...SANDBOX_PAYMENTS.keys()])
        expect(shown).toContain(id);
    }));
});

describe('the certificates', () => {
  const decoded = (page: Page) => page.getByRole('region', { name: 'Decoded certificate' });

  it('are taken apart, each fault beside the part that has it, with what to do and the clause', () =>
    pages.open(at('/certificates'), {}, async (page) => {
      await page.getByRole('link', { name: 'bad-eseal' }).press('Enter');
      const part = decoded(page).locator('li:has(> .hint)', { hasText: 'eseal' });
      const text = await part.textContent();
      expect(text).toMatch(/^Type eseal.*must.*certificate\/is-qwac$/s);
      expect(text).toMatch(/ETSI/);
      await page.getByRole('link', { name: 'Close' }).press('Enter');
      await decoded(page).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'tpp', exact: true }).press('Enter');
      await decoded(page).getByText('No rule finds a fault with it.').waitFor();
      const roles = decoded(page).locator('li li', { hasText: 'PSP_AI' }).last();
      expect(await roles.textContent()).toContain('0.4.0.19495.1.3');
      await page.reload();
      await decoded(page).getByText('organizationIdentifier', { exact: true }).waitFor();
    }));

  it('are made for tests and downloaded, as a zip with the key in it', () =>
    pages.open(at('/certificates'), {}, async (page) => {
      const before = readdirSync(gateway.certs).sort();
      await page.getByLabel('Name', { exact: true }).fill('new-one');
      await page.getByRole('combobox', { name: 'Key' }).selectOption('ec-p256');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Make and download' }).press('Enter'),
      ]);
      expect(download.suggestedFilename()).toBe('new-one.zip');
      const bytes = readFileSync(await download.path());
      for (const file of ['new-one.pem', 'new-one.key', 'new-one.p12', 'ca.pem'])
        expect(bytes.includes(file), file).toBe(true);
      await page.getByRole('status').getByText('is downloaded').waitFor();
      expect(readdirSync(gateway.certs).sort()).toEqual(before);
    }));
});

describe('the living bank', () => {
  let living: TestGateway;
  beforeAll(async () => {
    living = await startTestGateway({ bank: 'living' });
    const tpp = livingTpp(living);
    await tpp.linked();
    const [debtor, creditor] = (await living.call('/api/bank/psus?limit=2', { side: 'admin' })).json.map(
      (psu: { accounts: { iban: string }[] }) => ({ iban: psu.accounts[0]?.iban }),
    );
    const json = {
      instructedAmount: { currency: 'EUR', amount: '12.50' },
      ...{ debtorAccount: debtor, creditorAccount: creditor, creditorName: '<b>Shop</b>' },
    };
    const headers = { 'TPP-Redirect-URI': BACK };
    const payment = await tpp.ask('POST /payments/sepa-credit-transfers', { headers, json });
    const link: string = payment.json._links.scaStatus.href;
    await tpp.authorise(
      { id: payment.json.paymentId, authorisation: link.slice(link.lastIndexOf('/') + 1) },
      { scope: `PIS:${payment.json.paymentId}`, redirect_uri: BACK },
    );
  });
  afterAll(() => living.close());

  it('shows consents and payments with their times, access, creditor and the name of the TPP', () =>
    pages.open(`${living.urls.admin}/bank`, {}, async (page) => {
      for (const table of ['Consents', 'Payments'])
        await bodyRows(page, table).first().getByText('Test TPP').waitFor();
      const [consent] = await bodyRows(page, 'Consents').allTextContents();
      expect(consent).toMatch(
        /valid.*\d{4}-\d\d-\d\d \d\d:\d\d.*allPsd2, recurring.*Test TPP PSDBE-NBB-0123456789/,
      );
      const [payment] = await bodyRows(page, 'Payments').allTextContents();
      expect(payment).toContain('<b>Shop</b>');
      expect(payment?.match(/\d{4}-\d\d-\d\d \d\d:\d\d/g)?.length).toBe(2);
    }));

  it('has each id in one line, 1,024 wide, and no table that scrolls', () =>
    pages.open(`${living.urls.admin}/bank`, { viewport: { width: 1024, height: 768 } }, async (page) => {
      await bodyRows(page, 'Payments').first().waitFor();
      const heights = "[...document.querySelectorAll('td .id, th .id')].map((id) => id.offsetHeight)";
      expect(await page.evaluate(`Math.max(...${heights})`)).toBeLessThan(24);
      const tables =
        "[...document.querySelectorAll('.wide')].map((one) => one.scrollWidth - one.clientWidth)";
      expect(await page.evaluate(`Math.max(...${tables})`)).toBe(0);
    }));

  it('shows an account with its postings, and books, blocks and closes by the keyboard alone', () =>
    pages.open(`${living.urls.admin}/bank`, {}, async (page) => {
      const account = page.getByRole('region', { name: 'Account' });
      const press = (name: string) => account.getByRole('button', { name, exact: true }).press('Enter');
      await bodyRows(page, 'PSUs').first().getByRole('link').first().press('Enter');
      await account.getByLabel('Amount').fill('-1.25');
      await page.keyboard.press('Tab');
      await page.keyboard.type(HOSTILE);
      await page.keyboard.press('Enter');
      await bodyRows(page, 'Postings')
        .filter({ hasText: '-1.25 EUR' })
        .filter({ hasText: HOSTILE })
        .waitFor();
      await press('Block');
      await page.getByRole('status').getByText('is blocked').waitFor();
      await press('Unblock');
      await page.getByRole('status').getByText('is enabled').waitFor();
      await press('Close the account');
      await page.getByRole('status').getByText('is deleted').waitFor();
      await press('Reopen');
      await page.getByRole('status').getByText('is enabled').waitFor();
    }));

  it('sets how the next SCA of a consent that waits ends, from its row', async () => {
    const json = { access: { allPsd2: 'allAccounts' }, recurringIndicator: false, validUntil: '9999-12-31' };
    const sent = { ...json, frequencyPerDay: 1, combinedServiceIndicator: false };
    const made = await living.call(`${V1}/consents`, {
      headers: { 'TPP-Redirect-URI': BACK },
      json: sent,
    });
    await pages.open(`${living.urls.admin}/bank`, {}, async (page) => {
      const waiting = bodyRows(page, 'Consents').filter({ hasText: 'received' }).first();
      await waiting.getByRole('button', { name: /^Next outcome/ }).press('Enter');
      await page.getByRole('dialog').getByLabel('The next SCA').selectOption('SCA_NOK');
      await page.getByRole('button', { name: 'Set', exact: true }).last().press('Enter');
      const said = `The next SCA of AIS:${made.json.consentId} ends with SCA_NOK.`;
      await page.getByRole('status').getByText(said).waitFor();
      const valid = bodyRows(page, 'Consents').filter({ hasText: 'valid' }).first();
      expect(await valid.getByRole('button', { name: /^Next outcome/ }).count()).toBe(0);
    });
  });

  it('says what is wrong with a booking', () =>
    pages.open(
      `${living.urls.admin}/bank?open=acc-2-1`,
      {},
      async (page) => {
        await page.getByLabel('Amount').fill('much');
        await page.getByRole('textbox', { name: 'Text' }).fill('By hand');
        await page.keyboard.press('Enter');
        await page
          .getByRole('status')
          .getByText(/amount/)
          .waitFor();
      },
      /^Failed to load resource/,
    ));
});

describe('the report', () => {
  it('leads with the verdict for each TPP and the rules it violated, each with its calls, and has every format by one link', () =>
    pages.open(at('/report'), {}, async (page) => {
      const verdict = page.getByRole('region', { name: 'Verdict for Test TPP' });
      expect(await verdict.getByRole('heading').textContent()).toContain('violated a must');
      const rows = bodyRows(page, 'Rules that Test TPP violated');
      const known = rows.filter({ hasText: 'requests/known-path' });
      expect(await known.locator('th').textContent()).toMatch(/^[A-Z].* requests\/known-path$/);
      const said = (await verdict.locator('p').textContent()) ?? '';
      const [, musts = '0'] = /violated (\d+) rules? of severity must/.exec(said) ?? [];
      const [, shoulds = '0'] = /and (\d+) of severity should/.exec(said) ?? [];
      expect(await rows.count()).toBe(Number(musts) + Number(shoulds));
      const bank = page.getByRole('region', { name: 'Verdict for The bank' });
      expect(await bank.getByRole('heading').textContent()).toBe('The bank no bank answered');
      for (const format of ['html', 'json', 'pdf', 'junit', 'markdown']) {
        const href = await page
          .getByRole('link', { name: `${format} of`, exact: false })
          .getAttribute('href');
        expect(href).toMatch(/^\/api\/sessions\/.*\/report\?format=/);
      }
      await known.getByRole('link').press('Enter');
      await page.waitForURL(/q=rule%3Arequests%2Fknown-path\+tpp%3APSDBE/);
      await page.locator('.row', { hasText: 'konsents' }).waitFor();
    }));
});

describe('an open certificate, an open account and a report', () => {
  // The other views are looked at in page.test.ts.
  it.each([
    [1440, 'light'],
    [400, 'light'],
    [1440, 'dark'],
  ] as const)('have no serious fault for who reads with help, %i wide, %s', async (width, colorScheme) => {
    const bank = await startTestGateway({ bank: 'living' });
    onTestFinished(bank.close);
    const all: { name: string; fingerprint: string }[] = (
      await gateway.call('/api/certificates', { side: 'admin' })
    ).json;
    const bad = all.find(({ name }) => name === 'bad-no-psd2')?.fingerprint;
    const looks = { bypassCSP: true, colorScheme, viewport: { width, height: 900 } };
    for (const [address, shown] of [
      [at(`/certificates?open=${bad}`), '.tree .hint'],
      [`${bank.urls.admin}/bank?open=acc-1-1`, '[aria-label="Postings"]'],
      [at('/report'), '[aria-label^="Verdict"]'],
    ] as const)
      await pages.open(address, looks, async (page) => {
        await page.locator(shown).first().waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBe(width);
        expect(await faultsOf(page, colorScheme), address).toEqual([]);
      });
  });
});
