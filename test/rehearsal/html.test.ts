/** The grid in a real browser, opened from a file with no network: light and dark, wide and narrow, by keyboard. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { renderHtml } from '../../src/rehearsal/index.js';
import { faultsOf, openBrowser } from '../browser.js';
import { folderOfFile } from '../folder.js';
import { aRehearsal } from './a-rehearsal.js';

const folder = folderOfFile();
const file = join(folder, 'grid.html');
let browser: Browser;
beforeAll(async () => {
  writeFileSync(file, renderHtml(aRehearsal()));
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function open(width: number, colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    offline: true,
    bypassCSP: true,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  return page;
}

describe('the grid', () => {
  it.each([
    [1440, 'light'],
    [400, 'light'],
    [1440, 'dark'],
  ] as const)('at %i px in %s has nothing in the way of people, and fits', async (width, scheme) => {
    const page = await open(width, scheme);
    expect(await faultsOf(page, scheme)).toEqual([]);
    const over = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(over).toBeLessThanOrEqual(0);
  });

  it('opens the first cell that failed, and any other by keyboard', async () => {
    const page = await open(1440);
    const shown = page.locator('article:visible');
    expect(await shown.count()).toBe(1);
    expect(await shown.locator('.tag').textContent()).toBe('silently wrong');
    expect(await shown.getByRole('table').textContent()).toContain('62');
    await page.getByRole('link', { name: /: hung$/ }).focus();
    await page.keyboard.press('Enter');
    expect(await shown.count()).toBe(1);
    expect(await shown.locator('.tag').textContent()).toBe('hung');
  });

  it('shows calls as a journey with what was injected, and runs nothing that an application wrote', async () => {
    const page = await open(1440);
    const shown = page.locator('article:visible');
    expect(await shown.locator('svg .injected').count()).toBe(1);
    expect(await shown.locator('figcaption li').count()).toBe(60);
    expect(await shown.locator('blockquote').textContent()).toContain('<script>alert(1)</script>');
    expect(await page.locator('script').count()).toBe(0);
  });
});
