/** The PSU's pages in a real browser. */

import { mkdtempSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../browser.js';
import { CHALLENGE, startTestGateway, type TestGateway } from './harness.js';

let gateway: TestGateway;
let browser: Browser;
/** The TPP's side of the redirect. */
let tpp: Server;
let redirectUri: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  tpp = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('back'),
  );
  await new Promise<void>((resolve) => tpp.listen(0, '127.0.0.1', resolve));
  redirectUri = `http://127.0.0.1:${(tpp.address() as AddressInfo).port}/back`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  tpp?.close();
  await gateway.close();
});

function authorizeUrl(more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    scope: 'AIS:VALID_CONSENT_ID',
    client_id: 'VALID_CLIENT_ID',
    state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    redirect_uri: redirectUri,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    response_type: 'code',
    ...more,
  });
  return `${gateway.urls.psu}/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222?${query}`;
}

async function withPage<T>(
  options: { javaScriptEnabled?: boolean },
  use: (context: BrowserContext) => Promise<T>,
) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}

/** Chooses an outcome as a person does, and returns where the browser ends. */
async function choose(context: BrowserContext, scenario: string): Promise<{ end: URL; errors: string[] }> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(authorizeUrl());
  await page.getByRole('radio', { name: scenario }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('status').waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(`${redirectUri}**`);
  return { end: new URL(page.url()), errors };
}

describe('the SCA page', () => {
  for (const javaScriptEnabled of [true, false]) {
    it.each([
      ['SCA_OK', 'AIS_VALID_CODE', null],
      ['SCA_CANCEL', null, 'access_denied'],
      ['LOGIN_TIMEOUT', null, 'access_denied'],
    ])(
      `takes the choice %s, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`,
      async (scenario, code, error) => {
        const { end, errors } = await withPage({ javaScriptEnabled }, (context) => choose(context, scenario));
        expect(end.searchParams.get('code')).toBe(code);
        expect(end.searchParams.get('error')).toBe(error);
        expect(end.searchParams.get('state')).toBe('S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw');
        expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
      },
    );
  }

  it.each(['com.tpp.app://callback', 'com.tpp.app:/callback'])('leads back to an app at %s', async (app) => {
    await withPage({ javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(authorizeUrl({ redirect_uri: app }));
      await page.getByRole('radio', { name: 'SCA_OK' }).check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('status').waitFor();
      const told = await page.getByRole('main').textContent();
      for (const part of [app, 'a code', '&scenario=SCA_OK']) expect(told).toContain(part);
      const redirect = page.waitForResponse((response) => response.status() === 302);
      await page.getByRole('link', { name: 'Continue' }).click();
      // No app is installed here: that the browser was sent there, and let go, is what the bank can do.
      const location = (await redirect).headers().location;
      expect(location).toBe(`${app}?code=AIS_VALID_CODE&state=S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw`);
      expect(complaints.filter((text) => /Content.Security.Policy|form-action/i.test(text))).toEqual([]);
    });
  });

  it('takes the outcome of the address without a click', async () => {
    await withPage({}, async (context) => {
      const page = await context.newPage();
      await page.goto(authorizeUrl({ scenario: 'SCA_EXEMPTED' }));
      expect(new URL(page.url()).searchParams.get('code')).toBe('AIS_VALID_CODE');
    });
  });

  it('is worked by keyboard alone, names its language and fits a small screen', async () => {
    await withPage({}, async (context) => {
      const page = await context.newPage();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(authorizeUrl());
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect(wide).toBe(false);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('status').waitFor();
      expect(page.url()).toContain('choice=SCA_EXEMPTED');
    });
  });

  it('shows what is asked for, as a picture for who wants to see it', async () => {
    await withPage({}, async (context) => {
      const page = await context.newPage();
      await page.goto(
        authorizeUrl({ scope: 'PIS:PAYMENT_ID_RCVD_SCT' }).replaceAll(
          '22222222-2222-2222-2222-222222222222',
          '11111111-1111-1111-1111-111111111111',
        ),
      );
      await page.getByText('123.50 EUR').waitFor();
      const picture = join(mkdtempSync(join(tmpdir(), 'sandgate-pages-')), 'payment.png');
      await page.screenshot({ path: picture, fullPage: true });
      expect(statSync(picture).size).toBeGreaterThan(5_000);
    });
  });

  it('is recorded without its body', async () => {
    await withPage({}, async (context) => {
      await (await context.newPage()).goto(authorizeUrl());
    });
    const pages = (await gateway.records()).filter(
      ({ exchange }) => exchange.call.operation === 'oauth.authorize',
    );
    expect(pages.length).toBeGreaterThan(0);
    for (const { exchange } of pages) expect(exchange.answer?.body?.text ?? '').not.toContain('<html');
  });
});
