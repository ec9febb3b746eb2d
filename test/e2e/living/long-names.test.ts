/** The PSU's pages in a real browser on a narrow screen, where people, accounts and creditors have the longest names. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, openBrowser } from '../../browser.js';
import { startTestGateway, type TestGateway } from '../harness.js';
import { type ATpp, aTpp } from './a-tpp.js';

const BACK = `https://${'application-with-a-very-long-name-'.repeat(3)}.tpp.example/cb`;
const WIDTH = 400;
/** Nothing at which a line could break. */
const long = (of: string, length = 70) => of.repeat(length).slice(0, length);
const psu = {
  id: long('psu', 60),
  name: long('Wolfeschlegelstein'),
  login: long('login'),
  password: long('pass'),
};
const account = (name: string, iban: string) => ({
  ...{ resourceId: long(name, 60), iban, currency: 'EUR', name: long(name), owners: [psu.id] },
  ownerName: long('Owner', 140),
});
const IBAN = 'BE71096123456769';

let gateway: TestGateway;
let browser: Browser;
let tpp: ATpp;
beforeAll(async () => {
  const bankData = mkdtempSync(join(tmpdir(), 'sandgate-names-'));
  const write = (name: string, rows: readonly object[]) =>
    writeFileSync(join(bankData, name), JSON.stringify(rows));
  write('psus.json', [psu]);
  write('accounts.json', [account('Huishoudrekening', IBAN), account('Spaarrekening', 'BE68539007547034')]);
  write('postings.json', []);
  gateway = await startTestGateway({ bank: 'living', bankData });
  tpp = aTpp(gateway, BACK);
  browser = await openBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

describe('on a narrow screen, the longest names fit', () => {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const PAGES: Record<string, (page: Page, url: string) => Promise<unknown>> = {
    'the log-in': async () => {},
    'the accounts': (page) => press(page, 'Log in'),
    'the second factor': async (page) => {
      await press(page, 'Log in');
      await press(page, 'All accounts');
    },
    'the end': (page) => press(page, 'Cancel'),
    'an authorisation that has ended': async (page, url) => {
      await press(page, 'Cancel');
      await page.goto(url);
    },
    'an unknown outcome': (page, url) => page.goto(`${url}&scenario=${long('SCA_FINE', 200)}`),
    'an unknown PSU': (page, url) => page.goto(`${url}&psu=${long('nobody', 200)}`),
    'an unknown account': (page, url) => page.goto(`${url}&psu=${psu.id}&accounts=${long('none', 200)}`),
    'the access that was given': async (page, url) => {
      await gateway.call(`${url}&psu=${psu.id}&scenario=SCA_OK`, { side: 'psu' });
      const wire = { amount: '1234567890.12', currency: 'EUR' };
      const paid = await tpp.payment({
        ...{
          instructedAmount: wire,
          debtorAccount: { iban: IBAN },
          creditorAccount: { iban: 'DE89370400440532013000' },
        },
        creditorName: long('Creditor'),
      });
      await gateway.call(`${paid.url.href}&psu=${psu.id}&scenario=SCA_OK`, { side: 'psu' });
      await page.goto(`${gateway.urls.psu}/stdgroup/authorization/access`);
      await press(page, 'Log in');
      await page.getByText(long('Creditor')).first().waitFor();
    },
  };

  it.each(Object.entries(PAGES))('%s', async (name, reach) => {
    const flow = await tpp.consent({ balances: [], transactions: [] });
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      bypassCSP: true,
      viewport: { width: WIDTH, height: 900 },
    });
    try {
      const page = await context.newPage();
      await page.goto(flow.url.href);
      await reach(page, flow.url.href);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      const pictures = process.env.SANDGATE_PICTURES;
      if (pictures !== undefined)
        await page.screenshot({
          path: join(pictures, `long-${name.replaceAll(' ', '-')}.png`),
          fullPage: true,
        });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(WIDTH);
      expect(await faultsOf(page, 'light')).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
