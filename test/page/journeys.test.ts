/** Journeys and what needs attention on the live page, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
