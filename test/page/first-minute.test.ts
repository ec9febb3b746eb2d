/** The empty page (`dist/page/`): command lines that work as they stand, a first journey by a button, and the way out of a filter. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { started } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const run = promisify(execFile);
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'], bypassCSP: true };

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const says = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

describe('an empty page', () => {
  it.each([
    ['sandbox', ['Get a token', 'Get a token, and list the accounts'], '"accounts"'],
    [
      'living',
      ['Create a consent, and print the address at which its PSU authorises it: open that in a browser'],
      '/authorize/',
    ],
  ] as const)(
    'of the %s bank gives command lines that work in any folder',
    async (bank, titles, answered) => {
      const gateway = await started({ bank });
      await pages.open(gateway.urls.admin, CLIPBOARD, async (page) => {
        await page.getByText(gateway.certs, { exact: true }).waitFor();
        expect(await faultsOf(page, 'light')).toEqual([]);
        const lines: string[] = [];
        for (const title of titles) {
          await button(page, `Copy ${title}`).click();
          await says(page, `${title} is copied.`);
          lines.push((await page.evaluate('navigator.clipboard.readText()')) as string);
        }
        let output = '';
        for (const line of lines) output = (await run('sh', ['-c', line], { cwd: '/' })).stdout;
        expect(output).toContain(answered);
        await page.locator('.row').first().waitFor();
      });
    },
  );

  it.each(['sandbox', 'living'] as const)(
    'of the %s bank makes a first journey, by keyboard, from the consent to its accounts',
    async (bank) => {
      const gateway = await started({ bank });
      await pages.open(gateway.urls.admin, CLIPBOARD, async (page) => {
        await button(page, 'Make a first journey').focus();
        await page.keyboard.press('Enter');
        await says(page, 'A journey of 5 calls was made: this is its last.');
        await page.locator('.detail', { hasText: 'accounts.list' }).waitFor();
        await page.locator('.lane').first().waitFor();
      });
      const records = await gateway.records();
      expect(records.map(({ exchange }) => [exchange.call.operation, exchange.answer?.status])).toEqual([
        ['consents.create', 201],
        ['oauth.discovery', 200],
        ['oauth.authorize', 302],
        ['oauth.token', 200],
        ['accounts.list', 200],
      ]);
      expect(records.flatMap(({ findings }) => findings)).toEqual([]);
    },
  );

  it('offers no journey where the emulator does not answer, or where nothing may be done', async () => {
    const ofBank = await started({ source: 'upstream', upstream: 'https://bank.example' });
    await pages.open(ofBank.urls.admin, {}, async (page) => {
      await page.getByRole('heading', { name: 'Create a consent' }).waitFor();
      expect(await button(page, 'Make a first journey').count()).toBe(0);
    });
    const headers = { 'Content-Type': 'application/json' };
    const refused = await ofBank.call('/api/journeys', { side: 'admin', method: 'POST', headers });
    expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining('emulator')]);
    expect(await ofBank.records()).toEqual([]);
    const quiet = await started({ actions: false });
    await pages.open(quiet.urls.admin, {}, async (page) => {
      await page.getByRole('heading', { name: 'Get a token' }).first().waitFor();
      expect(await button(page, 'Make a first journey').count()).toBe(0);
    });
  });
});

it('a filter that nothing matches is named, as text, and cleared by a button', async () => {
  const gateway = await started();
  await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID');
  const hostile = '"<img src=x onerror=alert(1)>"';
  await pages.open(`${gateway.urls.admin}/?q=${encodeURIComponent(hostile)}`, {}, async (page) => {
    await page.getByText(`No call matches ${hostile}`).waitFor();
    await button(page, 'Clear the filter').last().click();
    await page.locator('.row').first().waitFor();
    expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('');
  });
});

it('the search completes names, values and examples, and keeps searches under a name', async () => {
  const gateway = await started();
  await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID');
  await pages.open(gateway.urls.admin, {}, async (page) => {
    const field = page.getByLabel('Filter', { exact: true });
    const suggested = (text: string | RegExp) => page.getByRole('option').filter({ hasText: text }).first();
    await page.locator('.row').first().waitFor();
    await field.fill('oper');
    await suggested(/operation:.*as in operation:/).waitFor();
    await field.fill('operation:');
    await suggested('operation:consents.read').waitFor();
    await field.fill('status:200');
    await page.keyboard.press('Enter');
    await button(page, 'Saved searches').click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Name of/)
      .fill('Good <b>ones</b>');
    await page.keyboard.press('Enter');
    await page.reload();
    await field.fill('');
    await field.fill('Good');
    await suggested('saved: Good <b>ones</b>').waitFor();
    await button(page, 'Saved searches').click();
    await button(page, 'Good <b>ones</b>').click();
    expect(await field.inputValue()).toBe('status:200');
    await button(page, 'Saved searches').click();
    await button(page, 'Delete Good <b>ones</b>').click();
    await page.getByText('None is saved yet.').waitFor();
  });
});
