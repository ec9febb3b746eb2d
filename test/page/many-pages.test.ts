/** Many live pages (`dist/page/`) of one browser, which has six connections to the gateway for all of them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

let gateway: TestGateway;
let pages: Pages;

beforeAll(async () => {
  gateway = await startTestGateway();
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const call = (path: string) => gateway.call(`/stdgroup/v1/${path}`);
const has = (page: Page, text: string) => page.locator('.row', { hasText: text }).waitFor();
const paths = (page: Page) => page.locator('.row .path').allTextContents();

it('ten at once share a connection, and the next one takes it over', () =>
  pages.open(gateway.urls.admin, {}, async (first) => {
    const others: Page[] = [];
    for (let i = 0; i < 9; i++) {
      const page = await first.context().newPage();
      await page.goto(gateway.urls.admin);
      others.push(page);
    }
    for (const page of [first, ...others]) await page.locator('.pill.live').waitFor();
    await call('one');
    for (const page of [first, ...others]) await has(page, 'one');
    // Whoever holds the connection goes away; what comes in between is missed by nobody.
    await first.goto('about:blank');
    await call('two');
    await call('three');
    for (const page of others) await has(page, 'three');
    for (const page of others) expect(await paths(page)).toEqual(['three', 'two', 'one']);
  }));

it('with filters of their own each sees its own calls, and says so where there are too many', () =>
  pages.open(`${gateway.urls.admin}/?q=path:*one`, {}, async (first) => {
    await first.locator('.pill.live').waitFor();
    const others: Page[] = [];
    for (const path of ['two', 'three', 'four', 'five']) {
      const page = await first.context().newPage();
      await page.goto(`${gateway.urls.admin}/?q=path:*${path}`);
      others.push(page);
    }
    const last = others.at(-1) as Page;
    await last.locator('.pill.crowded').waitFor();
    await call('four');
    await has(others[2] as Page, 'four');
    expect(await others[0]?.locator('.row').allTextContents()).toHaveLength(1);
    await call('five');
    await first.goto('about:blank');
    await last.locator('.pill.live').waitFor();
    await has(last, 'five');
  }));

it('one that comes later counts nothing that was left out before it came', async () => {
  const missed = {
    ...{ id: 'missed', kind: 'missed', state: 'cleared', at: '2026-01-01T00:00:00Z', exchange: null },
    ...{ text: 'All calls are shown.', remedy: '', count: 12 },
    leftOut: { exchanges: 12, errors: 11, musts: 10 },
  };
  await pages.open(
    gateway.urls.admin,
    {},
    async (first) => {
      // They end at once, and are not asked for again.
      await first.context().route('**/api/events?**', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: `retry: 3600000\n\nevent: alert\ndata: ${JSON.stringify(missed)}\n\n`,
        }),
      );
      await first.goto(`${gateway.urls.admin}/?q=path:*one`);
      await first.getByText('· 11 errors').waitFor();
      const second = await first.context().newPage();
      await second.goto(first.url());
      await second.locator('.pill.lost').waitFor();
      expect(await second.locator('.rates').textContent()).toContain('· 0 errors');
    },
    /ERR_/,
  );
});
