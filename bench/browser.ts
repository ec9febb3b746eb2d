/** A real browser whose use of the processor can be told. */
import { type Browser, chromium as playwright } from 'playwright-core';
import { browserOptions } from '../test/browser.js';
import { processorSecondsOfAll } from './processes.js';

export interface MeasuredBrowser {
  readonly browser: Browser;
  /** Seconds of the processor that it has used, all its processes together. */
  readonly cpu: () => number;
  readonly close: () => Promise<void>;
}

export async function startBrowser(): Promise<MeasuredBrowser> {
  const server = await playwright.launchServer(await browserOptions());
  const browser = await playwright.connect(server.wsEndpoint());
  return {
    browser,
    cpu: () => processorSecondsOfAll(server.process().pid ?? 0),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
