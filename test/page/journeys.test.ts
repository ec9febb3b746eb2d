/** Journeys and what needs attention on the live page, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';
const BACK = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };
const DAY = 86_400_000;

let gateway: TestGateway;
let pages: Pages;

beforeAll(async () => {
  [gateway, pages] = await Promise.all([startTestGateway(), openPages()]);
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const live = (use: (page: Page) => Promise<void>, options = {}): Promise<void> =>
  pages.open(gateway.urls.admin, options, async (page) => {
    await page.locator('.pill.live').waitFor();
    await use(page);
  });

describe('what needs attention', () => {
  it('stands above the journeys, and says what to do and where', async () => {
    await live(async (page) => {
      await page.locator('.side h2', { hasText: 'Journeys' }).waitFor();
      expect(await page.locator('.side h2', { hasText: 'Needs attention' }).count()).toBe(0);
      const { headers } = await gateway.call(`${V1}/consents`, { headers: BACK, json: { access: {} } });
      const finding = page.locator('.alerts li', { hasText: 'Finding' }).first();
      await finding.waitFor();
      expect(await page.locator('.side h2').first().textContent()).toContain('Needs attention');
      await finding.getByRole('link', { name: 'Open call' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('open') === headers['sandgate-exchange']);
    });
  });
});

describe('journeys', () => {
  it('stand in the order of what happened last, whatever the clock of the bank says', async () => {
    const now = gateway.app.clock.now();
    gateway.app.clock.change({ advance: DAY });
    await gateway.call(`${V1}/payments/sepa-credit-transfers`, { headers: BACK, json: {} });
    gateway.app.clock.change({ now });
    await live(async (page) => {
      const first = page.locator('.lane').first();
      await first.filter({ hasText: 'Payment that failed' }).waitFor();
      await gateway.call(`${V1}/consents`, { headers: BACK, json: { access: {} } });
      await first.filter({ hasText: 'Consent that failed' }).waitFor();
      await page.reload();
      await first.filter({ hasText: 'Consent that failed' }).waitFor();
    });
  });
});

describe('a journey that is opened', () => {
  const calls = (page: Page) => page.getByRole('list', { name: /^Calls of / }).getByRole('listitem');

  it('is a list of its calls drawn between TPP, gateway, PSU and bank, each a link to its exchange, by keyboard', async () => {
    const made = await gateway.call('/api/journeys', {
      ...{ side: 'admin', method: 'POST', headers: { 'Content-Type': 'application/json' } },
    });
    const last = made.json.exchanges.at(-1);
    await live(
      async (page) => {
        await page.locator('.lane', { hasText: 'reads: ok' }).getByRole('link').first().focus();
        await page.keyboard.press('Enter');
        await page.waitForURL((url) => url.searchParams.get('journey') === 'VALID_CONSENT_ID');
        await calls(page).last().waitFor();
        expect((await calls(page).allTextContents()).map((text) => text.split(':')[0])).toEqual([
          ...Array.from({ length: 5 }, () => 'Sandgate to bank'),
        ]);
        expect(await page.locator('.sequence svg.arrow').count()).toBe(5);
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme });
          expect(await faultsOf(page, scheme)).toEqual([]);
        }
        await calls(page).last().getByRole('link').focus();
        await page.keyboard.press('Enter');
        await page.waitForURL((url) => url.searchParams.get('open') === last);
        await page.keyboard.press('Escape');
        await calls(page).last().waitFor();
        await page.keyboard.press('Escape');
        await calls(page).last().waitFor({ state: 'detached' });
      },
      { bypassCSP: true },
    );
  });

  it('says where it broke and what to send instead, and folds many reads with the number of findings', async () => {
    const token = await gateway.token();
    const read = (id: string) =>
      gateway.call(`${V1}/accounts`, {
        headers: gateway.accountHeaders(token, { 'PSU-IP-Address': '192.0.2.1', 'X-Request-ID': id }),
      });
    const ids = Array.from({ length: 5 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    for (const id of [...ids, 'no uuid <img src=x onerror=alert(1)>']) await read(id);
    await live(async (page) => {
      await page.goto(`${gateway.urls.admin}/?journey=VALID_CONSENT_ID`);
      await page.locator('.pill.live').waitFor();
      await page.locator('.hop.run', { hasText: /[56] reads/ }).waitFor();
      const { headers } = await gateway.call(`${V1}/accounts`, {
        headers: gateway.accountHeaders(token, { 'Consent-Id': 'CONSENT_ID_BALANCES' }),
      });
      await page.locator('.hop.broken').waitFor();
      expect(await page.locator('.pane .problem').textContent()).toContain('Broken at Consent-Id');
      expect(await calls(page).last().textContent()).toMatch(/^Send next: ./);
      // The list and the call say the same.
      const wrong = headers['sandgate-exchange'];
      for (const id of ['VALID_CONSENT_ID', 'CONSENT_ID_BALANCES']) {
        await page.goto(`${gateway.urls.admin}/?q=journey:${id}`);
        await page.locator(`#call-${wrong}`).click();
        for (const named of ['VALID_CONSENT_ID', 'CONSENT_ID_BALANCES'])
          await page.locator('.neighbours').getByTitle(named).waitFor();
      }
    });
  });

  it('under a hostile name and at 400 px is drawn without overflow', async () => {
    const text = '<img src=x onerror=alert(1)>"\u202e';
    await gateway.call(`${V1}/consents/${encodeURIComponent(text)}`);
    await live(
      async (page) => {
        const lane = page.locator('.lane', { hasText: 'Consent <img s' });
        await page.locator('button.fold').click();
        await lane.getByRole('link').first().click();
        await calls(page).last().waitFor();
        const wide = 'document.documentElement.scrollWidth <= innerWidth';
        expect(await page.evaluate(wide)).toBe(true);
      },
      { viewport: { width: 400, height: 800 } },
    );
  });
});
