/** One call on the live page (`dist/page/`): long bodies, code that is copied and run, sleep, and no script at all. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const V1 = '/stdgroup/v1';
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const run = promisify(execFile);

let gateway: TestGateway;
let pages: Pages;
/** Below the project, so that what is copied finds the project's packages. */
let folder: string;

beforeAll(async () => {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'dist/copied-'));
  gateway = await startTestGateway();
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { testTimeout: 120_000 } };');
  symlinkSync(gateway.certs, join(folder, 'certs'));
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const consent = (more: object = {}) => {
  const validUntil = new Date(gateway.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const terms = { recurringIndicator: true, frequencyPerDay: 4, combinedServiceIndicator: false };
  return gateway.call(`${V1}/consents`, {
    headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' },
    json: { access: { allPsd2: 'allAccounts' }, ...terms, validUntil, ...more },
  });
};
const pageOf = (id: string | undefined) => `${gateway.urls.admin}/exchanges/${id}`;
const copied = async (page: Page, as: string): Promise<string> => {
  await page.getByRole('button', { name: as, exact: true }).click();
  await page.getByRole('status').getByText('is copied').waitFor();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
};

describe('one call', () => {
  it('with a body of a megabyte shows its beginning, more when asked, and gives all of it', async () => {
    const note = Array.from({ length: 20_000 }, (_, i) => ({ line: i, text: 'a'.repeat(20) }));
    const { headers } = await consent({ note });
    await pages.open(pageOf(headers['sandgate-exchange']), CLIPBOARD, async (page) => {
      const shown = async () => (await page.locator('section.body pre').first().textContent())?.length ?? 0;
      await page.getByText(/are not shown/).waitFor();
      const before = await shown();
      expect(before).toBeLessThan(30_000);
      await page.getByRole('button', { name: 'Show more' }).click();
      expect(await shown()).toBeGreaterThan(before);
      expect(JSON.parse(await copied(page, 'Copy all')).note).toEqual(note);
    });
  });

  it('that was right is not blamed for what came after it in its journey', async () => {
    const { headers } = await consent();
    const bad = await gateway.call(`${V1}/consents/VALID_CONSENT_ID`, { cert: 'bad-expired' });
    expect(bad.status).toBe(401);
    await pages.open(pageOf(headers['sandgate-exchange']), {}, async (page) => {
      await page.getByRole('link', { name: 'Consent VALID_CONSENT_ID, as it stands now' }).waitFor();
      expect(await page.locator('.detail').getByText('broken').count()).toBe(0);
    });
  });

  it('opens from the keyboard at its heading; a key sends it again, and one more its form, and it says who sent that', async () => {
    await consent();
    await pages.open(gateway.urls.admin, {}, async (page) => {
      await page.locator('.row').first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.locator('.detail h1:focus').waitFor();
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Send again');
      const marked = page.locator('.row .badge', { hasText: 'by Sandgate' });
      expect(await marked.count()).toBe(0);
      await page.keyboard.press('s');
      await page.getByRole('dialog', { name: 'Send again' }).getByLabel('Body').focus();
      await page.keyboard.press('Control+Enter');
      await marked.waitFor();
      await page.getByText('Sandgate, for its operator').waitFor();
      const others = page.getByRole('region', { name: 'Comparison' }).locator('option');
      expect((await others.allTextContents()).filter((text) => text.includes('by Sandgate'))).toEqual([]);
      await page.locator('.row').last().click();
      await page.getByRole('button', { name: 'Compare' }).click();
      await others.filter({ hasText: 'by Sandgate' }).first().waitFor({ state: 'attached' });
    });
  });

  it('of a page of the PSU says that its body was not recorded', async () => {
    const { headers } = await gateway.call('/authorization/authorize/NO_SUCH', { side: 'psu' });
    await pages.open(pageOf(headers['sandgate-exchange']), {}, async (page) => {
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText(/that was not recorded|Only the first part/).waitFor();
      if ((await answer.getByText('Only the first part').count()) > 0)
        expect(await answer.locator('section.body pre').textContent()).toMatch(/^<title>.+<\/title>$/);
    });
  });

  it('is copied as code that does it again: with fetch, and as a test', async () => {
    const { headers } = await consent();
    await pages.open(pageOf(headers['sandgate-exchange']), CLIPBOARD, async (page) => {
      writeFileSync(join(folder, 'again.mjs'), await copied(page, 'Copy fetch'));
      await page.getByRole('button', { name: 'Close' }).click();
      writeFileSync(join(folder, 'again.test.mjs'), await copied(page, 'Copy vitest'));
    });
    const { stdout } = await run(process.execPath, ['again.mjs'], { cwd: folder });
    expect(stdout).toMatch(/^201 .*VALID_CONSENT_ID/);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const tested = await run(process.execPath, [vitest, 'run', '--root', folder, '--no-color'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
    });
    expect(tested.stdout).toMatch(/Tests +1 passed/);
  });
});

describe('a browser that was away', () => {
  const came = (page: Page, path: string) => page.locator('.row', { hasText: path }).waitFor();

  it('asleep or without a network shows what came meanwhile', () =>
    pages.open(
      gateway.urls.admin,
      {},
      async (page) => {
        await page.locator('.pill.live').waitFor();
        const session = await page.context().newCDPSession(page);
        await session.send('Page.setWebLifecycleState', { state: 'frozen' });
        await gateway.call(`${V1}/while-asleep`);
        await session.send('Page.setWebLifecycleState', { state: 'active' });
        await came(page, 'while-asleep');
        await page.context().setOffline(true);
        await gateway.call(`${V1}/while-offline`);
        await page.context().setOffline(false);
        await came(page, 'while-offline');
        await page.locator('.pill.live').waitFor();
      },
      /^Failed to load resource|ERR_/,
    ));
});
