/** A browser for the tests of a file, and pages in it that tell what went wrong in them. */
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';

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
  const browser: Browser = await playwright.launch({
    args: chromium.args.filter((arg) => arg !== '--single-process'),
    executablePath: await chromium.executablePath(),
    headless: true,
  });
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

/** Serious faults for who reads with help. The page is opened with `bypassCSP`, for axe to run in it. */
export async function faultsOf(page: Page, rules: object): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
