/** The live page (`dist/page/`) when more calls come than it wants to be told: here two a second. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

let pages: Pages;
const open: TestGateway[] = [];

beforeAll(async () => {
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  for (const one of open) await one.close();
});

/** A page of a gateway that has been called three times. */
async function opened() {
  const gateway = await startTestGateway();
  open.push(gateway);
  const call = (path: string) => gateway.call(`/stdgroup/v1/${path}`);
  for (const path of ['first', 'second', 'third']) await call(path);
  const recorded = async () =>
    (await gateway.records()).map(({ exchange }) => exchange.call.request.path.replace('/stdgroup/v1/', ''));
  const withPage = (use: (page: Page) => Promise<void>): Promise<void> =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      await page.route('**/api/events?**', (route) =>
        route.continue({ url: route.request().url().replace('most=250', 'most=2') }),
      );
      await page.reload();
      await page.locator('.pill.live').waitFor();
      await page.locator('.row', { hasText: 'third' }).waitFor();
      return use(page);
    });
  return {
    ...{ call, recorded, withPage },
    /** More at once than it wants. */
    rush: (count: number) => Promise.all(Array.from({ length: count }, (_, i) => call(`quick-${i}`))),
    /** All calls there are stand in the list. */
    whole: async (page: Page): Promise<void> => {
      const all = await recorded();
      await page
        .locator('.row')
        .nth(all.length - 1)
        .waitFor();
      expect((await pathsIn(page)).toReversed()).toEqual(all);
    },
  };
}
const pathsIn = (page: Page) => page.locator('.row .path bdi').allTextContents();
const notice = (page: Page) =>
  page.locator('.behind', { hasText: 'calls a second: only the newest are shown.' });
const newest = (page: Page) => page.getByText('the newest', { exact: true });

it('says so, counts all of them, and lists them when fewer come', async () => {
  const { rush, recorded, withPage, whole, call } = await opened();
  await withPage(async (page) => {
    await rush(15);
    await notice(page).waitFor();
    await newest(page).waitFor();
    expect((await pathsIn(page)).length).toBeLessThan((await recorded()).length);
    await newest(page).waitFor({ state: 'detached' });
    await whole(page);
    await page.getByText('15 calls · 15 errors').waitFor();
    await call('last');
    await page.locator('.row', { hasText: 'last' }).waitFor();
    await whole(page);
  });
});

it('leaves what is read where it is, until somebody wants the newest', async () => {
  const { rush, withPage, whole } = await opened();
  await withPage(async (page) => {
    await page.locator('.row').nth(1).click();
    const before = await pathsIn(page);
    await rush(15);
    await page.getByText('calls are missing from this list.').waitFor();
    expect(await pathsIn(page)).toEqual(before);
    await page.getByRole('button', { name: '15 new' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await whole(page);
  });
});

it('loads the list at once where somebody wants to stop and look', async () => {
  const { call, recorded, withPage } = await opened();
  await withPage(async (page) => {
    let isOver = false;
    const rushing = (async () => {
      for (let i = 0; !isOver; i++) await Promise.all([call(`a-${i}`), call(`b-${i}`), call(`c-${i}`)]);
    })();
    await page.getByRole('button', { name: 'Pause and load it now' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await newest(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: / new$/ }).waitFor();
    const listed = (await pathsIn(page)).toReversed();
    isOver = true;
    await rushing;
    const all = await recorded();
    const from = all.indexOf(listed[0] ?? '');
    expect(listed).toEqual(all.slice(from, from + listed.length));
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.row', { hasText: all.at(-1) ?? '' }).waitFor();
  });
});

it('says so no longer when the connection is back where there is no call to go on behind', async () => {
  const gateway = await startTestGateway();
  open.push(gateway);
  const missed = {
    ...{ id: 'missed', kind: 'missed', state: 'raised', at: '2026-01-01T00:00:00Z', exchange: null },
    ...{ text: '9 calls a second: only the newest are shown.', remedy: '', count: 9 },
  };
  const use = async (page: Page) => {
    let [times, goOn] = [0, () => {}];
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // A stream that the first load opens late would be taken for the one after the next load.
    await page.locator('.pill.live').waitFor();
    await page.route('**/api/events?**', async (route) => {
      times += 1;
      if (times > 1) return seen.then(() => route.continue());
      const body = `retry: 1\n\nevent: alert\ndata: ${JSON.stringify(missed)}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    await page.reload();
    await notice(page).waitFor();
    goOn();
    await notice(page).waitFor({ state: 'detached' });
    await gateway.call('/stdgroup/v1/first');
    await page.locator('.row', { hasText: 'first' }).waitFor();
  };
  await pages.open(gateway.urls.admin, {}, use, /ERR_/);
});
