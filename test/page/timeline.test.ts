/** The strip of time on the live page, in a real browser: what it shows, and what a range of it filters. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';
const BACK = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

let gateway: TestGateway;
let pages: Pages;

const slots = async (): Promise<{ at: string; calls: number; must: number }[]> =>
  (await gateway.call('/api/time', { side: 'admin' })).json.slots;

/** Asks, which is no call, until the newest slot is over; then it calls. */
async function callInALaterSlot(): Promise<void> {
  const { width, slots } = (await gateway.call('/api/time', { side: 'admin' })).json;
  while (Date.now() < Date.parse(slots.at(-1).at) + width) await gateway.call('/api/time', { side: 'admin' });
  await gateway.call(`${V1}/payments/sepa-credit-transfers`, { headers: BACK, json: {} });
}

beforeAll(async () => {
  [gateway, pages] = await Promise.all([startTestGateway(), openPages()]);
  await gateway.call(`${V1}/consents`, { headers: BACK, json: { access: {} } });
  await callInALaterSlot();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const live = (use: (page: Page) => Promise<void>, options = {}, path = ''): Promise<void> =>
  pages.open(`${gateway.urls.admin}${path}`, options, async (page) => {
    await strip(page).waitFor();
    await page.locator('.pill.live').waitFor();
    await use(page);
  });
const strip = (page: Page) => page.getByRole('slider', { name: 'Range of time' });
const chosen = (page: Page) => page.locator('.timeline button.chip');
const rows = (page: Page, wanted: number): Promise<void> =>
  page.locator(`.rows:has(> .row:nth-child(${wanted}):last-child)`).waitFor();
const lanes = (page: Page) => page.locator('.lane').count();
const rangeIn = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return [searchParams.get('from'), searchParams.get('to')];
};
const all = async (): Promise<number> => (await slots()).reduce((sum, { calls }) => sum + calls, 0);

describe('the strip of time', () => {
  it('draws what was called, with findings, and goes on as calls come', () =>
    live(async (page) => {
      const before = await all();
      await page.locator('.timeline rect.must').first().waitFor();
      await callInALaterSlot();
      await page.locator(`.timeline svg > g:has(rect):nth-of-type(${(await slots()).length})`).waitFor();
      expect(await all()).toBeGreaterThan(before);
    }));

  it('draws a line of the bank’s times from the first slot in which a bank answered', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      await page.route('**/api/time**', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const bank = { calls: 1, ms: 20, longest: 30 };
        await route.fulfill({
          response,
          json: { ...json, slots: json.slots.map((one: object) => ({ ...one, bank })) },
        });
      });
      const line = page.locator('.timeline path.bank');
      await line.waitFor({ state: 'attached' });
      expect(await line.getAttribute('d')).toMatch(/^M0 [\d.]+H1/);
      await page.getByText('bank up to 20 ms').waitFor();
    }));

  it('filters calls and journeys by a range that the mouse draws, also after a reload, until it is cleared', () =>
    live(async (page) => {
      const [first] = await slots();
      const [calls, journeys] = [await all(), await lanes(page)];
      const box = await strip(page).boundingBox();
      if (box === null) throw new Error('The strip is not there.');
      const middle = box.y + box.height / 2;
      await page.mouse.move(box.x + 2, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + 4, middle);
      await page.mouse.up();
      await chosen(page).waitFor();
      expect(rangeIn(page)[0]).toBe(first?.at);
      await rows(page, first?.calls ?? 0);
      expect(await chosen(page).textContent()).toContain(`${first?.calls} call`);
      expect(await page.locator('.lane', { hasText: 'Consent that failed' }).count()).toBe(1);
      expect(await lanes(page)).toBeLessThan(journeys);
      await page.reload();
      await chosen(page).waitFor();
      await rows(page, first?.calls ?? 0);
      await chosen(page).click();
      await rows(page, calls);
      expect(rangeIn(page)).toEqual([null, null]);
      await page.goBack();
      await rows(page, first?.calls ?? 0);
    }));

  it('is moved over, selected and cleared by keyboard, and says the range and what is in it', () =>
    live(async (page) => {
      const [first, second] = await slots();
      await strip(page).focus();
      await page.keyboard.press('Home');
      expect(await strip(page).getAttribute('aria-valuetext')).toContain(`${first?.calls} call`);
      expect(rangeIn(page)).toEqual([null, null]);
      await page.keyboard.press('Enter');
      await rows(page, first?.calls ?? 0);
      const steps = (Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')) / 1_000;
      for (let i = 0; i < steps; i++) await page.keyboard.press('Shift+ArrowRight');
      const both = (first?.calls ?? 0) + (second?.calls ?? 0);
      await rows(page, both);
      await page
        .locator('.timeline [aria-live]', { hasText: `${both} calls` })
        .waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      await chosen(page).waitFor({ state: 'detached' });
      expect(rangeIn(page)).toEqual([null, null]);
    }));

  it('marks moves of the bank’s clock, faults and marks, and a moved clock moves no call', async () => {
    const admin = (path: string, method: string, json: unknown) =>
      gateway.call(path, { side: 'admin', method, headers: JSON_TYPE, json });
    await live(async (page) => {
      await admin('/api/clock', 'PUT', { advance: '40d' });
      await admin('/api/faults', 'POST', { id: 'slow-bank', where: 'path:/nowhere', do: { kind: 'hang' } });
      await admin('/api/sessions/test/mark', 'POST', { text: 'second try' });
      for (const [kind, text] of [
        ['clock', 'clock of the bank: '],
        ['faults', 'faults: slow-bank'],
        ['mark', 'second try'],
      ] as const)
        await page
          .locator(`.timeline .mark.${kind} title`, { hasText: text })
          .first()
          .waitFor({ state: 'attached' });
    });
    await callInALaterSlot();
    const { width } = (await gateway.call('/api/time', { side: 'admin' })).json;
    expect(width).toBeLessThanOrEqual(5_000);
  });

  it('stands a mark that came after the last call so much later, beside room of its own', () =>
    pages.open(gateway.urls.admin, {}, async (page) => {
      let last = 0;
      await page.route('**/api/time**', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const newest = Date.parse(json.slots.at(-1).at);
        last = (newest - Date.parse(json.slots[0].at)) / json.width;
        const at = new Date(newest + 80 * json.width).toISOString();
        await route.fulfill({
          response,
          json: { ...json, marks: [...json.marks, { at, kind: 'mark', text: 'much later' }] },
        });
      });
      const mark = page.locator('.timeline .mark', { hasText: 'much later' });
      await mark.waitFor({ state: 'attached' });
      expect(await mark.locator('path').getAttribute('d')).toBe(`M${last + 80} 0v40`);
      const view = await page.locator('.timeline svg').getAttribute('viewBox');
      expect(Number(view?.split(' ')[2])).toBeGreaterThan(last + 80);
    }));

  it.each([1440, 1024, 400])('is low, and no wider than the page where a range is chosen, %i wide', (width) =>
    live(
      async (page) => {
        const height = async () => (await page.locator('.timeline').boundingBox())?.height ?? 0;
        const before = await height();
        expect(before).toBeLessThan(48);
        await strip(page).focus();
        for (const key of ['Home', 'Shift+End']) await page.keyboard.press(key);
        await chosen(page).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        // What was under the pointer stays there.
        if (width > 820) expect(await height()).toBe(before);
      },
      { viewport: { width, height: 800 } },
    ),
  );

  it('says so where nothing was called in a range, and ignores what is no time', async () => {
    const empty = '?from=2020-01-01T00:00:00.000Z&to=2020-01-01T00:01:00.000Z';
    await live(
      async (page) => {
        await page.getByText('No call came in this range.').waitFor();
        await page.getByText('None had a call in this range.').waitFor();
        await page.getByRole('button', { name: 'Show the whole session' }).click();
        await rows(page, await all());
      },
      {},
      `/${empty}`,
    );
    await live(async (page) => rows(page, await all()), {}, '/?from=%3Cscript%3E&to=yesterday');
  });

  it.each([
    ['light', 1_440],
    ['dark', 1_440],
    ['light', 400],
  ] as const)('has no serious fault for who reads with help, %s, %i wide', (colorScheme, width) =>
    live(
      async (page) => {
        await strip(page).focus();
        await page.keyboard.press('Enter');
        await chosen(page).waitFor();
        expect(await faultsOf(page, colorScheme)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect((await strip(page).boundingBox())?.height).toBeLessThanOrEqual(56);
      },
      { bypassCSP: true, colorScheme, viewport: { width, height: 800 } },
    ),
  );
});
