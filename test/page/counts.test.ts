/** Counts of the session on the live page: what they say, and what they show. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const V1 = '/stdgroup/v1';

let gateway: TestGateway;
let pages: Pages;
let store: string;
beforeAll(async () => {
  store = join(mkdtempSync(join(tmpdir(), 'sandgate-counts-')), 'sandgate.db');
  gateway = await startTestGateway({ store }, 0);
  pages = await openPages();
  await gateway.call(`${V1}/konsents`);
  await gateway.call(`${V1}/konsents`);
  await gateway.token();
  await sendPlainHttp();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
  rmSync(dirname(store), { recursive: true });
});

async function sendPlainHttp(): Promise<void> {
  const socket = connect(Number(new URL(gateway.urls.api).port), '127.0.0.1');
  socket.end('GET / HTTP/1.1\r\n\r\n').resume();
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
}

const chips = (page: Page) => page.getByRole('group', { name: 'Counts of the session' });
const chip = (page: Page, name: string) => chips(page).getByRole('button', { name });
const rows = (page: Page) => page.locator('.row');
const count = (page: Page, wanted: number): Promise<void> =>
  page.locator(`.rows:has(> .row:nth-child(${wanted}):last-child)`).waitFor();

describe('the counts of a session', () => {
  it('are of all of it, also after a restart, and go on as calls come', async () => {
    await gateway.records();
    await gateway.close();
    gateway = await startTestGateway({ store }, 0);
    await pages.open(gateway.urls.admin, {}, async (page) => {
      await chip(page, 'must 2').waitFor();
      await chip(page, 'handshake 1').waitFor();
      await page.locator('.ends', { hasText: /^4/ }).waitFor();
      await gateway.call(`${V1}/konsents`);
      await chip(page, 'must 3').waitFor();
      await page.locator('.ends', { hasText: /^5/ }).waitFor();
      // There are none, and nobody waits for them.
      for (const name of ['failed', 'injected', 'unfinished']) expect(await chip(page, name).count()).toBe(0);
    });
  });

  it('show what they count, with the filter that is there, by the keyboard alone', () =>
    pages.open(
      `${gateway.urls.admin}/?q=${encodeURIComponent('method:GET OR fault:*')}`,
      {},
      async (page) => {
        await chip(page, 'handshake').waitFor();
        await count(page, 4);
        await page.keyboard.press('/');
        await page.keyboard.press('Shift+Tab');
        while ((await page.locator(':focus').textContent())?.startsWith('handshake') !== true)
          await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Enter');
        await count(page, 1);
        expect(await rows(page).textContent()).toContain('plain HTTP was sent');
        expect(new URL(page.url()).searchParams.get('q')).toBe('(method:GET OR fault:*) fault:handshake');
        expect(await chip(page, 'handshake').getAttribute('aria-pressed')).toBe('true');
        // Another is added.
        await chip(page, 'must').click();
        await count(page, 4);
        expect(new URL(page.url()).searchParams.get('q')).toBe(
          '(method:GET OR fault:*) (worst:must OR fault:handshake)',
        );
        await chip(page, 'handshake').click();
        await count(page, 3);
        expect(await chip(page, 'handshake').getAttribute('aria-pressed')).toBe('false');
        expect(await chip(page, 'must').getAttribute('aria-pressed')).toBe('true');
        await chip(page, 'must').click();
        await count(page, 4);
      },
    ));

  it('have the calls of other gateways on the same store', async () => {
    const other = await startTestGateway({ store }, 1);
    try {
      await pages.open(gateway.urls.admin, {}, async (page) => {
        await chip(page, 'must 3').waitFor();
        await other.call(`${V1}/konsents`);
        await chip(page, 'must 4').waitFor();
        await page.locator('.ends', { hasText: /^6/ }).waitFor();
      });
    } finally {
      await other.close();
    }
  });

  it('are of the session that the page shows', async () => {
    const call = () => gateway.call(`${V1}/konsents`, { headers: { 'Sandgate-Session': 'other' } });
    await call();
    await gateway.records();
    await pages.open(
      `${gateway.urls.admin}/?session=other`,
      {},
      async (page) => {
        await chip(page, 'must 1').waitFor();
        await call();
        await chip(page, 'must 2').waitFor();
      },
      // The session has no clock of its own.
      /^Failed to load resource.*409/,
    );
  });

  it.each(['light', 'dark'] as const)(
    'have no serious fault for who reads with help, 400 wide, %s',
    (colorScheme) =>
      pages.open(
        gateway.urls.admin,
        { bypassCSP: true, colorScheme, viewport: { width: 400, height: 800 } },
        async (page) => {
          await chip(page, 'must').click();
          await page.locator('.row .badge.must').first().waitFor();
          expect(await faultsOf(page, colorScheme)).toEqual([]);
        },
      ),
  );
});
