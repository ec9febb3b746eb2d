/** A real browser for tests, out of the npm registry, and who looks in it for what is in the way of people. */
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type LaunchOptions, type Page, chromium as playwright } from 'playwright-core';

/**
 * Not with the arguments that its package gives: they are for functions in a cloud, switch off what protects origins from
 * each other, and draw and start pages in ways that take four times as long.
 */
export const browserOptions = async (): Promise<LaunchOptions> => ({
  args: ['--no-sandbox', '--disable-gpu'],
  executablePath: await chromium.executablePath(),
  headless: true,
});

export const openBrowser = async (): Promise<Browser> => playwright.launch(await browserOptions());

const COLOURS = ['color-contrast', 'link-in-text-block'];
/** Nothing but colours differs in the dark, and they are the same at any width; to look at them takes longer than all else. */
const LOOKED_FOR = {
  light: {},
  narrow: { rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) },
  dark: { runOnly: COLOURS },
};
/** A page that is less wide has been looked at in its full width, too. */
const WIDE = 1_000;

/** Serious faults for who reads with help. The page is opened with `bypassCSP`, for axe to run in it. */
export async function faultsOf(page: Page, scheme: 'light' | 'dark'): Promise<readonly string[]> {
  const isNarrow = (page.viewportSize()?.width ?? WIDE) < WIDE;
  const look = scheme === 'light' && isNarrow ? 'narrow' : scheme;
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...LOOKED_FOR[look] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
