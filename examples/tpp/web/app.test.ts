/** The application as its users see it: in a browser at the living bank, and by its cassette without either. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { type Gateway, type ReplayOptions, replaySession, startGateway } from 'sandgate/testing';
import 'sandgate/testing/vitest';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { authoriseAs } from '../psu-browser.js';
import { createApp } from './app.js';
import { createPurse } from './purse.js';

/** Serves the application on a free port, in front of a gateway; gives its address. */
async function serveAt(gateway: Gateway): Promise<string> {
  const dispatcher = new Agent(gateway.agent('tpp'));
  let origin = '';
  const bank = { api: `${gateway.urls.api}/stdgroup/v1`, clientId: 'VALID_CLIENT_ID', dispatcher };
  const parts = { bank, origin: () => origin, now: gateway.clock.now };
  const app = createApp(createPurse(parts, { ada: 'ada', grace: 'grace' }), parts.origin);
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await app.close();
    await dispatcher.close();
  });
  return origin;
}

describe('in a browser at the living bank', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await playwright.launch({
      // The arguments of the package are for functions in a cloud, and slow.
      args: ['--no-sandbox', '--disable-gpu'],
      executablePath: await chromium.executablePath(),
      headless: true,
    });
  }, 120_000);
  afterAll(() => browser?.close());

  async function signedIn(origin: string, name: string): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(origin);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }

  /** At the bank: logs in, takes what is selected, confirms, and goes back. */
  async function authorise(page: Page, psu: { login: string; password: string }): Promise<void> {
    await page.getByLabel('Login', { exact: true }).fill(psu.login);
    await page.getByLabel('Password', { exact: true }).fill(psu.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    const selection = page.getByRole('checkbox').first();
    await selection.or(page.getByLabel('Code')).first().waitFor();
    if (await selection.isVisible()) {
      await selection.check();
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
  }

  it('its user links a bank, sees accounts, pays, and takes the access back', {
    timeout: 60_000,
  }, async () => {
    const gateway = await startGateway({ bank: 'living' });
    onTestFinished(gateway.close);
    const [psu] = gateway.bank.psus();
    if (psu === undefined) throw new Error('The bank has no users.');
    const page = await signedIn(await serveAt(gateway), 'ada');

    await page.getByRole('button', { name: 'Link your bank' }).click();
    await authorise(page, psu);
    const iban = psu.accounts[0]?.iban ?? '';
    await page.getByRole('cell', { name: iban }).waitFor();

    await page.getByLabel('To (IBAN)').fill('BE86986509812450');
    await page.getByLabel('Name').fill('Fietsenatelier Roeland');
    await page.getByLabel('Amount in EUR').fill('12.50');
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(await page.getByRole('main').textContent()).toContain('12.50');
    await authorise(page, psu);
    await page.getByText('Your bank has taken this payment.').waitFor();

    gateway.clock.advance('6d');
    await page.getByRole('link', { name: 'Purse' }).click();
    await page.getByRole('cell', { name: 'ACSC' }).waitFor();
    await page.getByRole('row', { name: iban }).getByRole('link').click();
    await page.getByRole('cell', { name: 'Fietsenatelier Roeland' }).waitFor();

    await page.getByRole('link', { name: 'Purse' }).click();
    await page.getByRole('button', { name: 'Unlink the bank' }).click();
    await page.getByText('No bank is linked.').waitFor();
    expect(gateway.bank.consents()).toMatchObject([{ consentStatus: 'terminatedByTpp', psu: psu.id }]);
    expect(gateway).toComply();
  });

  it('a user whose PSU took the access back is told so, and the other user keeps hers', {
    timeout: 60_000,
  }, async () => {
    const gateway = await startGateway({ bank: 'living' });
    onTestFinished(gateway.close);
    const origin = await serveAt(gateway);
    const psus = gateway.bank.psus(0, 2);
    const pages: Page[] = [];
    for (const [at, name] of ['ada', 'grace'].entries()) {
      const page = await signedIn(origin, name);
      await page.getByRole('button', { name: 'Link your bank' }).click();
      await authorise(page, psus[at] as (typeof psus)[number]);
      pages.push(page);
    }
    const [ada, grace] = pages as [Page, Page];
    const of = (psu: string | undefined) => gateway.bank.consents().find((one) => one.psu === psu);
    await gateway.bank.revokeConsent(of(psus[0]?.id)?.consentId ?? '');
    gateway.clock.advance('5m');
    await ada.reload();
    expect(await ada.getByRole('alert').textContent()).toContain('The access has ended.');
    await grace.reload();
    await grace.getByRole('button', { name: 'Unlink the bank' }).waitFor();
  });
});

describe('by its cassette', () => {
  it('links a bank, shows accounts and transactions, pays, and takes the access back', async () => {
    const file = fileURLToPath(new URL('../cassettes/web.json', import.meta.url));
    const mode = process.env.RECORD as ReplayOptions['mode'];
    const gateway = await replaySession(file, { ...(mode === undefined ? {} : { mode }), bank: 'living' });
    onTestFinished(gateway.close);
    const origin = await serveAt(gateway);
    const psu = new Agent(gateway.agent(null));
    onTestFinished(() => psu.close());

    let cookie = '';
    const get = async (path: string) => {
      const answer = await fetch(`${origin}${path}`, { headers: { cookie }, redirect: 'manual' });
      return { text: await answer.text(), location: answer.headers.get('location') };
    };
    const post = async (path: string, form: Record<string, string>) => {
      const body = new URLSearchParams(form);
      const answer = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { cookie },
        body,
        redirect: 'manual',
      });
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return new URL(answer.headers.get('location') ?? '', origin);
    };
    const atTheBank = async (url: URL) => {
      const back = await authoriseAs('SCA_OK', url, psu);
      const { location } = await get(back.pathname + back.search);
      return get(location ?? '');
    };

    await post('/sign-in', { name: 'ada', password: 'ada' });
    const formToken = /name="formToken" value="([^"]+)"/.exec((await get('/')).text)?.[1] ?? '';
    await atTheBank(await post('/link', { formToken }));
    const home = (await get('/')).text;
    const [, account = ''] = /href="\/accounts\/([^"]+)"/.exec(home) ?? [];
    const [, iban = ''] = /<td>([A-Z]{2}\d{2}[A-Z0-9]+)<\/td>/.exec(home) ?? [];
    expect((await get(`/accounts/${account}`)).text).toContain('Transactions');
    const order = {
      debtorIban: iban,
      creditorIban: 'BE86986509812450',
      creditorName: 'Roeland',
      amount: '1.50',
    };
    const paid = await atTheBank(await post('/pay', { formToken, ...order }));
    expect(paid.text).toContain('Your bank has taken this payment.');
    await post('/revoke', { formToken });
    expect((await get('/')).text).toContain('No bank is linked.');

    expect(gateway).toComply();
    expect(gateway).toHaveUsedWholeRecording();
  });
});
