/** Drives a journey in Chromium, by playwright-core: the application's pages by the steps of the plan, the bank's by themselves. */
import type { Browser, Page } from 'playwright-core';
import { SandgateError } from '../../spec/index.js';
import type { Journey, Plan } from '../plan.js';
import { callOf, filled } from '../request.js';
import type { Driver, Walk, WalkEnd } from './driver.js';

/** A page that has not moved for so long has ended. */
const STILL_MS = 200;
const REFRESH_MS = 2_000;
const POLL_MS = 50;
/** Pages at once: more of them take the time of this process, which is the bank, and the application would wait for it. */
const MOST_AT_ONCE = 10;
const LONGEST_TEXT = 4_000;

/** @throws SandgateError where playwright-core, or its browser, is not there */
export async function openBrowserDriver(settings: Plan['browser'], psuOrigin: string): Promise<Driver> {
  const browser = await launch(settings);
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    walk: async (walk) => {
      if (running < MOST_AT_ONCE) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await inBrowser(walk, browser, psuOrigin);
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    close: () => browser.close(),
  };
}

async function launch({ executable, args }: NonNullable<Plan['browser']> = {}): Promise<Browser> {
  const missing = (why: string, cause: unknown) => new SandgateError('rehearsal.browser', { why }, { cause });
  const playwright = await import('playwright-core').catch((cause: unknown) => {
    throw missing('playwright-core is not installed', cause);
  });
  try {
    const own = executable === undefined ? {} : { executablePath: executable };
    return await playwright.chromium.launch({ ...own, ...(args && { args }), headless: true });
  } catch (cause) {
    throw missing(firstLineOf(cause), cause);
  }
}

/** Errors of Playwright have a log of the call behind it. */
const firstLineOf = (error: unknown): string =>
  String(error)
    .replace(/^\w*Error: /, '')
    .split('\n', 1)[0] ?? '';

async function inBrowser(walk: Walk, browser: Browser, psuOrigin: string): Promise<WalkEnd> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const close = () => void context.close();
  walk.signal.addEventListener('abort', close);
  let status: number | null = null;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      status = response.status();
  });
  try {
    walk.signal.throwIfAborted();
    const problem = await walkOn(page, walk, psuOrigin);
    const text = (await page.locator('body').innerText()).slice(0, LONGEST_TEXT);
    const picture = (await page.screenshot()).toString('base64');
    return { url: page.url(), status, text, problem, picture };
  } catch (error) {
    const problem = walk.signal.aborted ? 'it did not end in time' : firstLineOf(error);
    return { url: page.url(), status, text: '', problem };
  } finally {
    walk.signal.removeEventListener('abort', close);
    await context.close();
  }
}

async function walkOn(page: Page, walk: Walk, psuOrigin: string): Promise<string | null> {
  const { journey, values } = walk;
  const { method, url } = callOf(journey.begin, values);
  if (method !== 'GET') return `${method} ${url.href} cannot be opened in a browser; begin with GET`;
  const steps = [...(journey.steps ?? [])];
  await page.goto(url.href);
  for (;;) {
    await settled(page);
    const at = page.url();
    if (at.startsWith(`${psuOrigin}/`)) {
      if (walk.leaves || !((await atTheBank(page, walk)) || (await movesOn(page, at)))) return null;
      continue;
    }
    const step = await nextStep(steps, page);
    if (step === undefined) return null;
    for (const [field, text] of Object.entries(step.fill ?? {})) await page.fill(field, filled(text, values));
    if (step.click !== undefined) await page.click(step.click);
    if (step.wait !== undefined) await page.waitForSelector(step.wait);
  }
}

/** The next that fits this page; those before it are over. */
async function nextStep(steps: NonNullable<Journey['steps']>, page: Page) {
  for (const [place, step] of steps.entries()) {
    const isHere =
      step.optional !== true || step.click === undefined || (await page.locator(step.click).count()) > 0;
    if (!page.url().includes(step.url) || !isHere) continue;
    steps.splice(0, place + 1);
    return step;
  }
  return undefined;
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  let at = page.url();
  for (let still = 0; still < STILL_MS; still += POLL_MS) {
    await page.waitForTimeout(POLL_MS);
    if (page.url() !== at) [at, still] = [page.url(), 0];
  }
  await page.waitForLoadState('load');
}

/** A page may refresh itself after a while. */
async function movesOn(page: Page, at: string): Promise<boolean> {
  for (let waited = 0; waited < REFRESH_MS && page.url() === at; waited += POLL_MS)
    await page.waitForTimeout(POLL_MS);
  return page.url() !== at;
}

/** Whether there was a way on. */
async function atTheBank(page: Page, { outcome, psu }: Walk): Promise<boolean> {
  const choice = page.locator(`input[name=choice][value=${outcome}]`);
  if ((await choice.count()) > 0) {
    await page.locator('details:has(input[name=choice])').evaluate((node) => node.setAttribute('open', ''));
    await choice.check();
    await page.fill('input[name=psu]', psu.id);
    await page.click('button[name=step][value=choice]');
    return true;
  }
  const onward = page.locator('a.button');
  if ((await onward.count()) === 0) return false;
  await onward.first().click();
  return true;
}
