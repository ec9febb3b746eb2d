/** The pages without script of a running gateway in a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, openBrowser } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway();
  const token = await gateway.token();
  const headers = gateway.accountHeaders(token, { 'PSU-IP-Address': undefined });
  for (let i = 0; i < 5; i++) await gateway.call('/stdgroup/v1/accounts', { headers });
  await gateway.call('/stdgroup/v1/konsents', { headers: { 'X-Note': '<img src=x onerror=alert(1)>' } });
  await gateway.call('/stdgroup/v1/consents', { json: { validUntil: 'never' } });
  await gateway.records();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gateway.close();
});

async function open<T>(
  options: BrowserContextOptions,
  use: (page: Page, told: string[]) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  // What looks for faults is script: for it, the page is given as where none runs.
  if (options.javaScriptEnabled === true)
    await context.route(`${gateway.urls.admin}/**`, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replace(/<\/?noscript>|<script.*?<\/script>|<link rel="stylesheet".*?>/g, '');
      await route.fulfill({ response, body });
    });
  const told: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(gateway.urls.admin)) told.push(request.url());
  });
  const page = await context.newPage();
  page.on('console', (message) => told.push(message.text()));
  try {
    await page.goto(gateway.urls.admin);
    return await use(page, told);
  } finally {
    await context.close();
  }
}

const count = (page: Page) => page.locator('.exchanges tbody tr').count();

describe('the dashboard', () => {
  it('leads from the overview to one exchange', async () => {
    await open({}, async (page, told) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Overview');
      expect(await page.getByRole('meter').count()).toBe(1);
      await page.getByRole('link', { name: 'All exchanges of the session' }).click();
      expect(await count(page)).toBe(8);
      await page.getByLabel('Filter').fill('status>=400 severity:must operation:accounts.*');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=/);
      expect(await count(page)).toBe(1);
      await page.getByRole('link', { name: 'accounts.list' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('GET /stdgroup/v1/accounts');
      expect(await page.locator('main').textContent()).toContain('accounts/within-daily-limit');
      expect(await page.locator('main').textContent()).toContain('ACCESS_EXCEEDED');
      expect(told.filter((text) => !text.startsWith('data:'))).toEqual([]);
    });
  });

  it('shows a problem with the filter beside it, and keeps what was typed', async () => {
    await open({}, async (page) => {
      await page.goto(`${gateway.urls.admin}/exchanges?q=stat%3A400`);
      expect(await page.getByRole('alert').textContent()).toContain('Did you mean «status»?');
      expect(await page.getByLabel('Filter').inputValue()).toBe('stat:400');
    });
  });

  it('shows no secret: tokens are fingerprints', async () => {
    await open({}, async (page) => {
      await page.goto(`${gateway.urls.admin}/exchanges?q=operation%3Aaccounts.*`);
      await page.locator('.exchanges tbody a').first().click();
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).toMatch(/Bearer fp_/);
    });
  });

  // Colours are the same at any width.
  it.each([
    ['light', '/', 1280],
    ['light', '/', 360],
    ['light', '/exchanges', 1280],
    ['light', '/exchanges', 360],
    ['light', '/exchanges?q=wrong', 1280],
    ['light', 'one exchange', 1280],
    ['light', 'one exchange', 360],
    ['dark', '/', 1280],
    ['dark', '/exchanges', 1280],
    ['dark', '/exchanges?q=wrong', 360],
    ['dark', 'one exchange', 1280],
  ] as const)(
    'has no serious fault for who reads with help, %s: %s, %i wide',
    async (colorScheme, path, width) => {
      await open(
        { colorScheme, bypassCSP: true, javaScriptEnabled: true, viewport: { width, height: 900 } },
        async (page) => {
          if (path === 'one exchange') {
            await page.goto(`${gateway.urls.admin}/exchanges?q=severity%3Amust`);
            await page.locator('.exchanges tbody a').first().click();
          } else await page.goto(`${gateway.urls.admin}${path}`);
          await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          expect(await faultsOf(page, colorScheme)).toEqual([]);
        },
      );
    },
  );
});
