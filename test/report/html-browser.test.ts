/** The HTML report in a real browser, opened from a file with no network. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlBytes } from '../../src/report/html/page.js';
import { faultsOf, openBrowser } from '../browser.js';
import { aReport } from './a-report.js';
import { aHostileReport, aLongReport } from './html-reports.js';

let browser: Browser;
let folder: string;
const files: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandgate-html-'));
  const reports = { plain: aReport(), hostile: aHostileReport(), long: aLongReport(5_000) };
  for (const [name, report] of Object.entries(reports)) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, htmlBytes(report));
    files[name] = pathToFileURL(file).href;
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** Addresses that the page asked for, itself apart. */
  readonly requests: readonly string[];
  /** What the console was told, and what was thrown. */
  readonly told: readonly string[];
}

async function open<T>(
  name: keyof typeof files,
  options: BrowserContextOptions,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ offline: true, ...options });
  const requests: string[] = [];
  const told: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  const page = await context.newPage();
  page.on('console', (message) => told.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => told.push(error.message));
  try {
    const address = files[name] ?? '';
    await page.goto(address);
    return await use({
      page,
      get requests() {
        return requests.filter(
          (url) => url !== address && !url.startsWith(`${address}#`) && url !== 'data:,',
        );
      },
      told,
    });
  } finally {
    await context.close();
  }
}

const openAll = 'document.querySelectorAll("details").forEach((one) => { one.open = true; })';
const NO_FILTER = '';
const filter = async (page: Page, word: string) => {
  await page.getByLabel('Search').fill(word);
  await page.keyboard.press('Enter');
};
const visibleRows = (page: Page) => page.locator('#appendix tbody tr:visible').count();

describe('the HTML report in a browser', () => {
  it.each(['plain', 'hostile'])('%s: asks for nothing, and the console stays empty', async (name) => {
    await open(name, {}, async ({ page, requests, told }) => {
      await page.evaluate(openAll);
      await page.mouse.wheel(0, 20_000);
      await filter(page, 'accounts');
      await page.getByRole('button', { name: 'Clear' }).click();
      expect(requests).toEqual([]);
      expect(told).toEqual([]);
    });
  });

  it.each(['plain', 'hostile'])('%s: recorded text runs nothing, wherever one points', async (name) => {
    await open(name, {}, async ({ page }) => {
      await page.evaluate(openAll);
      // A pointer would have to scroll to each of them, and miss some that move under it.
      const pointedAt = await page.evaluate(`(() => {
        const all = [...document.querySelectorAll('bdi')].filter((one) => one.checkVisibility());
        for (const one of all)
          for (const event of ['pointerover', 'mouseover', 'mouseenter', 'focusin', 'click'])
            one.dispatchEvent(new Event(event, { bubbles: event !== 'mouseenter', cancelable: true }));
        return all.length;
      })()`);
      expect(pointedAt).toBeGreaterThan(10);
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expect(await page.locator('iframe, img, script:not(:last-child), object, embed').count()).toBe(0);
    });
  });

  it('has pictures of journeys whose labels stand within them', () =>
    open('plain', { bypassCSP: true }, async ({ page }) => {
      const edges =
        await page.evaluate(`[...document.querySelectorAll('[id^="journey-picture"]')].flatMap((one) => {
        const picture = one.closest('svg');
        picture.style.contentVisibility = 'visible';
        return [...picture.querySelectorAll('text')].map((text) => {
          const { x, width } = text.getBBox();
          return [text.textContent, x > -0.5, x + width < picture.viewBox.baseVal.width + 0.5];
        });
      })`);
      expect(edges).toContainEqual(['Consent created', true, true]);
      expect((edges as unknown[][]).filter((one) => one.includes(false))).toEqual([]);
    }));

  it('refuses what was put into it later: the policy holds', async () => {
    await open('plain', {}, async ({ page, told }) => {
      await page.evaluate(`(() => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = 1';
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:9/x.png';
        document.body.append(script, image);
      })()`);
      await expect.poll(() => told.length).toBeGreaterThanOrEqual(2);
      expect(told.every((text) => text.includes('Content Security Policy'))).toBe(true);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    });
  });
});

describe('who reads with help', () => {
  // Colours are the same at any width, and all that is in sight with folds closed is so with folds open.
  it.each([
    ['light', 1280],
    ['light', 360],
    ['dark', 1280],
  ] as const)(
    'finds no serious fault in the %s scheme, %i wide, folds open and closed',
    async (colorScheme, width) => {
      // The policy of the page keeps axe out like any other script.
      const options = { colorScheme, bypassCSP: true, viewport: { width, height: 900 } };
      await open('plain', options, async ({ page }) => {
        if (colorScheme === 'light' && width === 1280) expect(await faultsOf(page, colorScheme)).toEqual([]);
        await page.evaluate(openAll);
        await page.evaluate(
          'document.querySelectorAll("*").forEach((one) => { one.style.contentVisibility = "visible"; })',
        );
        expect(await faultsOf(page, colorScheme)).toEqual([]);
      });
    },
  );

  it('reaches the verdict by the first key, and opens a finding by keyboard', async () => {
    await open('plain', {}, async ({ page }) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the verdict');
      await page.keyboard.press('Enter');
      expect(page.url()).toMatch(/#main$/);
      const finding = page.locator('#findings details').first();
      await finding.locator('summary').focus();
      expect(await finding.locator('pre').first().isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      expect(await finding.locator('pre').first().isVisible()).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.closest("#findings details") !== null')).toBe(true);
    });
  });

  it('sees where the focus is', async () => {
    await open('plain', {}, async ({ page }) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const style = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(style).toBe('solid');
    });
  });

  it.each([360, 768, 1280, 1920])('is not wider than a screen of %i', async (width) => {
    await open('plain', { viewport: { width, height: 800 } }, async ({ page }) => {
      await page.evaluate(openAll);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });

  it('has everything without JavaScript, and no filter that would do nothing', async () => {
    await open('plain', { javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator('#filter').isVisible()).toBe(false);
      expect(await page.locator('button:visible').count()).toBe(0);
      expect(await visibleRows(page)).toBe(aReport().appendix.exchanges.length);
      await page.locator('#findings details summary').first().click();
      expect(await page.locator('#findings details pre').first().isVisible()).toBe(true);
    });
  });
});

describe('the filter', () => {
  it('finds words in findings, rules, journeys and exchanges, and says how many fit', async () => {
    await open('plain', {}, async ({ page }) => {
      const told = page.locator('#filter output');
      expect(await told.textContent()).toBe('');
      await filter(page, 'balances 429');
      expect(await visibleRows(page)).toBe(1);
      expect(await page.locator('#findings article:visible').count()).toBe(1);
      expect(await page.locator('#findings .overview tbody tr:visible').count()).toBe(1);
      expect(await told.textContent()).toMatch(/^\d+ of \d+ entries fit the filter\.$/);
      await filter(page, 'nothing of that kind');
      expect(await visibleRows(page)).toBe(0);
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => visibleRows(page)).toBe(aReport().appendix.exchanges.length);
      expect(await told.textContent()).toBe('');
    });
  });

  it('tells severities and sides apart, in one and the same finding', async () => {
    await open('plain', {}, async ({ page }) => {
      const articles = page.locator('#findings article:visible h3');
      await page.getByLabel('Severity').selectOption('must');
      await expect.poll(() => articles.count()).toBe(2);
      expect(await visibleRows(page)).toBe(2);
      await page.getByLabel('At fault').selectOption('aspsp');
      await expect.poll(() => articles.count()).toBe(0);
      await page.getByLabel('Severity').selectOption('should');
      await expect.poll(() => articles.allTextContents()).toEqual(['The answer echoes X-Request-ID']);
      await page.getByLabel('hide waived').check();
      await expect.poll(() => articles.count()).toBe(0);
    });
  });

  it('finds its way among thousands of exchanges', async () => {
    await open('long', {}, async ({ page, told }) => {
      await filter(page, 'ACCOUNT_ID/balances 200');
      expect(await visibleRows(page)).toBeGreaterThan(1_250);
      expect(told).toEqual([]);
    });
  });
});

describe('links inside the report', () => {
  it('open the fold that they lead into', async () => {
    await open('plain', {}, async ({ page }) => {
      await page.locator('#appendix tbody a').first().click();
      const target = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`);
      await expect.poll(() => target.getAttribute('open')).not.toBeNull();
      expect(await target.locator('pre').first().isVisible()).toBe(true);
    });
  });

  it('take the filter away where it hides what they lead to', async () => {
    await open('plain', {}, async ({ page }) => {
      await filter(page, 'consents');
      await page.evaluate('location.hash = document.querySelector("#appendix tbody tr[hidden]").id');
      await expect.poll(() => visibleRows(page)).toBe(aReport().appendix.exchanges.length);
      expect(await page.getByLabel('Search').inputValue()).toBe(NO_FILTER);
    });
  });
});

describe('on paper', () => {
  it('is a PDF with every fold open, and light even where the screen is dark', async () => {
    await open('plain', { colorScheme: 'dark' }, async ({ page }) => {
      await page.evaluate(
        'addEventListener("beforeprint", () => { window.stillFolded = document.querySelectorAll("details:not([open])").length; })',
      );
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(await page.evaluate('window.stillFolded')).toBe(0);
      expect(await page.locator('#findings details[open]').count()).toBe(0);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      expect(await page.evaluate('getComputedStyle(document.querySelector("tbody tr")).breakInside')).toBe(
        'avoid',
      );
    });
  });

  it('shows what is in the folds without JavaScript too', async () => {
    await open('plain', { javaScriptEnabled: false }, async ({ page }) => {
      await page.emulateMedia({ media: 'print' });
      const boxes = await Promise.all(
        (await page.locator('#findings details pre').all()).map((one) => one.boundingBox()),
      );
      const heights = boxes.map((box) => box?.height ?? 0);
      expect(heights.length).toBeGreaterThan(0);
      for (const height of heights) expect(height).toBeGreaterThan(0);
    });
  });
});
