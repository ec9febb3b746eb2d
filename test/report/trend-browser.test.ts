/** The page of a trend in a real browser, opened from a file with no network. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTrend, loadConfig } from '../../src/app/index.js';
import { renderTrend, type Trend } from '../../src/report/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { faultsOf, openBrowser } from '../browser.js';
import { recordTrend } from './trend-sessions.js';

let browser: Browser;
let folder: string;
const files = new Map<string, string>();

const HOSTILE = '<script>window.ran = 1</script>"><img src=x onerror="window.ran = 1">\u202egnp';

/** Every text in which a TPP or an operator has a hand is hostile. */
const hostile = (trend: Trend): Trend => ({
  ...trend,
  head: { ...trend.head, title: HOSTILE, notes: [HOSTILE] },
  sessions: trend.sessions.map((one) => ({ ...one, name: HOSTILE, bankProfiles: HOSTILE })),
  tpps: trend.tpps.map((one) => ({ ...one, id: one.id + HOSTILE, name: HOSTILE })),
});

/** Fifty sessions, a week apart. */
const long = (trend: Trend): Trend => {
  const times = <T>(list: readonly T[]): T[] =>
    Array.from({ length: 50 }, (_, i) => list[i % list.length] as T);
  const rules = (all: Trend['rules']) => all.map((one) => ({ ...one, history: times(one.history) }));
  return {
    ...trend,
    sessions: times(trend.sessions),
    rules: rules(trend.rules),
    tpps: trend.tpps.map((one) => ({ ...one, rules: rules(one.rules) })),
  };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandgate-trend-'));
  const store = createSqliteStore({ path: join(folder, 'store.db') });
  recordTrend(store);
  const options = { version: '1.0.0', ownRules: [], leftOut: 0 };
  const plain = await drawTrend(store, store.sessions(), loadConfig({ flags: {} }), options);
  store.close();
  for (const [name, trend] of Object.entries({ plain, hostile: hostile(plain), long: long(plain) })) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, await renderTrend(trend, 'html'));
    files.set(name, pathToFileURL(file).href);
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open<T>(
  name: string,
  options: BrowserContextOptions,
  use: (page: Page, told: readonly string[]) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ offline: true, ...options });
  const told: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => told.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => told.push(error.message));
  page.on('request', (request) => void (request.url().startsWith('file:') || told.push(request.url())));
  try {
    await page.goto(files.get(name) ?? '');
    return await use(page, told);
  } finally {
    await context.close();
  }
}

const openAll = 'document.querySelectorAll("details").forEach((one) => { one.open = true; })';

describe('the page of a trend', () => {
  it.each(['plain', 'hostile', 'long'])(
    '%s: asks for nothing, says nothing, runs nothing of others',
    (name) =>
      open(name, {}, async (page, told) => {
        await page.evaluate(openAll);
        expect(told.filter((one) => !one.startsWith('data:'))).toEqual([]);
        expect(await page.evaluate('window.ran')).toBeUndefined();
        expect(await page.locator('img, iframe, script:not(:last-child)').count()).toBe(0);
      }),
  );

  it.each([
    ['light', 1280],
    ['light', 400],
    ['dark', 1280],
  ] as const)('has no serious fault for who reads with help, %s, %i wide', (colorScheme, width) =>
    open('plain', { colorScheme, bypassCSP: true, viewport: { width, height: 900 } }, async (page) => {
      await page.evaluate(openAll);
      expect(await faultsOf(page, colorScheme)).toEqual([]);
    }),
  );

  it.each([400, 768, 1280])('is not wider than a screen of %i, with fifty sessions', (width) =>
    open('long', { viewport: { width, height: 800 } }, async (page) => {
      await page.evaluate(openAll);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }),
  );

  it('is reached and moved by keyboard, and read without colours', () =>
    open('plain', {}, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to what came and went');
      await page.keyboard.press('Enter');
      expect(page.url()).toMatch(/#main$/);
      const row = page.locator('#rules tbody tr', { hasText: 'accounts/token-not-expired' });
      const cells = await row.locator('td').allTextContents();
      expect(cells.slice(-4)).toEqual(['✓ 1 complied', '✓ 7 complied', '✓ 2 complied', '■ 3 violated']);
    }));

  it('filters its rules by words, severity and party', () =>
    open('plain', {}, async (page) => {
      const rows = page.locator('#rules details[open] tbody tr:visible');
      const all = await rows.count();
      await page.getByLabel('At fault').selectOption('aspsp');
      await expect.poll(() => rows.count()).toBeLessThan(all);
      await page.getByLabel('Search').fill('no such rule');
      await expect.poll(() => rows.count()).toBe(0);
    }));

  it('prints light, with every fold open', () =>
    open('plain', { colorScheme: 'dark' }, async (page) => {
      await page.evaluate(
        'addEventListener("beforeprint", () => { window.stillFolded = document.querySelectorAll("details:not([open])").length; })',
      );
      expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
      expect(await page.evaluate('window.stillFolded')).toBe(0);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
    }));
});
