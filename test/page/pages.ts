/** A browser for the tests of a file, and pages in it that tell what went wrong in them. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../browser.js';

export interface Pages {
  /** Resolves with what `use` does; rejects where the page logged, threw, or asked for anything elsewhere. */
  readonly open: <T>(
    address: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<T>,
    /** What the browser may log by itself. */
    mayTell?: RegExp,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

export async function openPages(): Promise<Pages> {
  const browser: Browser = await openBrowser();
  return {
    open: async (address, options, use, mayTell) => {
      const context = await browser.newContext(options);
      const told: string[] = [];
      const { origin } = new URL(address);
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(origin) && !url.startsWith('data:')) told.push(`asked for ${url}`);
      });
      const page = await context.newPage();
      page.on('console', (message) => told.push(message.text()));
      page.on('pageerror', (error) => told.push(String(error.stack)));
      try {
        await page.goto(address);
        const result = await use(page);
        const wrong = told.filter((text) => mayTell?.test(text) !== true);
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
        return result;
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}
