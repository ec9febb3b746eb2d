/** The SCA pages of the living bank in a real browser: what a PSU does there, and what the TPP gets of it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../../src/spec/index.js';
import { faultsOf, openBrowser } from '../../browser.js';
import { folderOfFile } from '../../folder.js';
import { eventually, startTestGateway, type TestGateway } from '../harness.js';
import { type ATpp, aTpp, type Flow } from './a-tpp.js';

const CODE = '123456';
const OFFERED = { balances: [], transactions: [] };
const folder = folderOfFile();

interface User {
  readonly login: string;
  readonly password: string;
  readonly accounts: readonly { readonly resourceId: string; readonly iban: string }[];
}

let gateway: TestGateway;
/** The first, with a current and a savings account, and another. */
let psu: User;
let other: User;
let browser: Browser;
let callback: Server;
let tpp: ATpp;
let redirectUri: string;

beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living', store: join(folder, 'store.db') });
  [psu, other] = (await gateway.call('/api/bank/psus?limit=2', { side: 'admin' })).json;
  callback = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('back'),
  );
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/back`;
  tpp = aTpp(gateway, redirectUri);
  browser = await openBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  callback?.close();
  await gateway.close();
});

async function inBrowser<T>(
  use: (page: Page, context: BrowserContext) => Promise<T>,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  try {
    const used = await use(await context.newPage(), context);
    expect(complaints.filter((text) => !/favicon|400/.test(text))).toEqual([]);
    return used;
  } finally {
    await context.close();
  }
}

async function logIn(page: Page, { login, password }: Pick<User, 'login' | 'password'> = psu): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const openOutcomes = (page: Page) => page.getByText('Or choose how it ends').click();

async function confirm(page: Page, code = CODE): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** Follows the information page, and returns what the TPP gets. */
async function back(page: Page): Promise<URLSearchParams> {
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(`${redirectUri}**`);
  return new URL(page.url()).searchParams;
}

const current = (): string => psu.accounts[0]?.iban ?? '';
const payment = () => ({
  instructedAmount: { amount: '123.50', currency: 'EUR' },
  debtorAccount: { iban: current() },
  creditorName: 'Fietsen Roeland',
  creditorAccount: { iban: 'DE89370400440532013000' },
  remittanceInformationUnstructured: 'Invoice 2026-118',
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

async function readAccounts(flow: Flow, token: string) {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Consent-Id': flow.resource,
    'PSU-IP-Address': '192.0.2.1',
  };
  return await gateway.call('/stdgroup/v1/accounts', {
    headers: { 'X-Request-ID': randomUUID(), ...headers },
  });
}

describe('an SCA in the browser', () => {
  it.each([true, false])(
    'goes from the log-in to the token, with its status, JavaScript %s',
    async (javaScriptEnabled) => {
      const flow = await tpp.consent(OFFERED);
      const given = await inBrowser(
        async (page) => {
          await page.goto(flow.url.href);
          expect(await page.getByRole('main').textContent()).toContain('Test TPP (PSDBE-NBB-0123456789)');
          await logIn(page, { ...psu, password: 'wrong' });
          expect(await page.getByRole('alert').textContent()).toBe(
            'The password is wrong. 2 attempts are left.',
          );
          expect(await flow.scaStatus()).toBe('psuIdentified');
          await logIn(page);
          await page.getByRole('group', { name: 'Which accounts may be read?' }).waitFor();
          expect(await flow.scaStatus()).toBe('psuAuthenticated');
          await page.getByRole('button', { name: 'Continue' }).click();
          expect(await page.getByRole('alert').textContent()).toBe('Choose at least one account.');
          await page.getByRole('checkbox', { name: /Savings account/ }).check();
          await page.getByRole('button', { name: 'Continue' }).click();
          await confirm(page, '000000');
          expect(await page.getByRole('alert').textContent()).toBe('The code is wrong. 2 attempts are left.');
          expect([await flow.scaStatus(), await flow.status()]).toEqual(['started', 'received']);
          await confirm(page);
          expect(await page.getByRole('status').textContent()).toContain('You have authorised the request.');
          expect([await flow.scaStatus(), await flow.status()]).toEqual(['finalised', 'valid']);
          const shown = await page.getByLabel('The redirect').inputValue();
          const query = await back(page);
          expect(page.url()).toBe(shown);
          return query;
        },
        { javaScriptEnabled },
      );
      expect(given.get('state')).toBe(flow.state);
      const accounts = await readAccounts(flow, await flow.token(given.get('code') ?? ''));
      expect(accounts.json.accounts.map(({ name }: { name: string }) => name)).toEqual(['Savings account']);
    },
  );

  it('shows the payment that was posted, and what became of it', async () => {
    const flow = await tpp.payment(payment());
    await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      const text = await page.getByRole('main').innerText();
      for (const part of [
        '123.50 EUR',
        'Fietsen Roeland',
        'DE89 3704 0044 0532 0130 00',
        current().replace(/(.{4})(?=.)/g, '$1 '),
        'Invoice 2026-118',
        'as soon as possible',
      ])
        expect(text).toContain(part);
      await logIn(page);
      await confirm(page);
      expect((await back(page)).get('code')).not.toBeNull();
    });
    expect([await flow.scaStatus(), await flow.status()]).toEqual(['finalised', 'ACTC']);
  });

  it('tells a PSU that the account is not theirs', async () => {
    const flow = await tpp.payment(payment());
    await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      await logIn(page, other);
      expect(await page.getByRole('alert').textContent()).toContain('not of this user. Log in as its owner');
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect((await back(page)).get('error')).toBe('access_denied');
    });
    expect([await flow.scaStatus(), await flow.status()]).toEqual(['failed', 'RJCT']);
  });

  it('fails with the third wrong password', async () => {
    const flow = await tpp.consent(OFFERED);
    await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      for (let i = 0; i < 3; i++) await logIn(page, { ...psu, password: 'wrong' });
      expect(await heading(page)).toBe('Login with a bad password');
      expect((await back(page)).get('error_description')).toContain('BAD_PASSWORD_LOGIN');
    });
    expect([await flow.scaStatus(), await flow.status()]).toEqual(['failed', 'rejected']);
  });

  it.each(SCA_SCENARIO_IDS)(
    'ends with %s, chosen on the page and by the link that the page shows',
    async (id) => {
      const { error, scaStatus, meaning } = SCA_SCENARIOS[id];
      const [byPage, byLink] = [await tpp.consent(OFFERED), await tpp.consent(OFFERED)];
      await inBrowser(async (page) => {
        await page.goto(byPage.url.href);
        await openOutcomes(page);
        await page.getByRole('radio', { name: id }).check();
        await page.getByRole('button', { name: 'Continue' }).click();
        expect(await heading(page)).toBe(meaning);
        const link = new URL(await page.getByLabel('For tests').inputValue());
        const query = await back(page);
        expect([query.get('error'), query.has('code'), query.get('state')]).toEqual([
          error,
          error === null,
          byPage.state,
        ]);
        const direct = byLink.url;
        for (const name of ['scenario', 'psu']) {
          const value = link.searchParams.get(name);
          if (value !== null) direct.searchParams.set(name, value);
        }
        await page.goto(direct.href);
        const end = new URL(page.url());
        expect(`${end.origin}${end.pathname}`).toBe(redirectUri);
        expect([end.searchParams.get('error'), end.searchParams.has('code')]).toEqual([
          error,
          error === null,
        ]);
      });
      for (const flow of [byPage, byLink]) expect(await flow.scaStatus()).toBe(scaStatus);
    },
  );

  it('is over once it has ended: by the back button, in another tab, and for whoever opens it again', async () => {
    const flow = await tpp.consent({ allPsd2: 'allAccounts' });
    await inBrowser(async (page, context) => {
      const second = await context.newPage();
      for (const tab of [page, second]) {
        await tab.goto(flow.url.href);
        await logIn(tab);
      }
      await confirm(page);
      await page.getByRole('status').waitFor();
      await confirm(second);
      expect(await heading(second)).toBe('This authorisation has ended');
      await back(page);
      await second.goto(flow.url.href);
      expect(await heading(second)).toBe('This authorisation has ended');
      await page.goto(flow.url.href);
      await page.goBack();
      expect(page.url(), 'the TPP, as it was').toContain('code=');
    });
    expect(await flow.scaStatus()).toBe('finalised');
  });

  it('goes back to the log-in, and on again', async () => {
    const flow = await tpp.consent({ allPsd2: 'allAccounts' });
    await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      await logIn(page);
      await page.getByLabel('Code').waitFor();
      await page.goBack();
      await logIn(page);
      await confirm(page);
      expect((await back(page)).has('code')).toBe(true);
    });
  });

  it('gives one code to a button that is pressed twice, and to a link', async () => {
    const flow = await tpp.consent({ allPsd2: 'allAccounts' });
    const code = await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      await logIn(page);
      await page.getByLabel('Code').fill(CODE);
      await page.getByRole('button', { name: 'Confirm' }).dblclick();
      await page.getByRole('status').waitFor();
      await page.getByRole('link', { name: 'Continue' }).dblclick({ noWaitAfter: true });
      await page.waitForURL(`${redirectUri}**`);
      return new URL(page.url()).searchParams.get('code') ?? '';
    });
    expect((await readAccounts(flow, await flow.token(code))).status).toBe(200);
  });

  it('is done by keyboard alone', async () => {
    const flow = await tpp.consent(OFFERED);
    await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      // Somebody who can authorise it stands in the fields.
      await press('Tab', 'Tab', 'Enter');
      await page.getByRole('checkbox').first().waitFor();
      await press('Tab', 'Space', 'Enter');
      await page.getByLabel('Code').waitFor();
      await press('Tab');
      await page.keyboard.type(CODE);
      await press('Enter');
      await page.getByRole('status').waitFor();
      await press('Tab', 'Enter');
      await page.waitForURL(`${redirectUri}**`);
      expect(page.url()).toContain('code=');
    });
  });
});

describe('a PSU at its bank', () => {
  it('takes back the access that it gave, and the TPP reads nothing more', async () => {
    const flow = await tpp.consent({ allPsd2: 'allAccounts' });
    const token = await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      await logIn(page);
      await confirm(page);
      const bearer = await flow.token((await back(page)).get('code') ?? '');
      expect((await readAccounts(flow, bearer)).status).toBe(200);
      await page.goto(gateway.urls.psu);
      await page.getByRole('link', { name: 'Access that you gave' }).click();
      await logIn(page);
      await page.getByRole('button', { name: 'Take back' }).first().click();
      expect(await page.getByRole('status').textContent()).toContain('Taken back.');
      return bearer;
    });
    const refused = await readAccounts(flow, token);
    expect([refused.status, refused.codes]).toEqual([401, ['CONSENT_INVALID']]);
    expect(await flow.status()).toBe('revokedByPsu');
  });
});

describe('every page', () => {
  const PAGES: Record<string, (page: Page) => Promise<unknown>> = {
    start: async () => {},
    'wrong password': (page) => logIn(page, { ...psu, password: 'wrong' }),
    accounts: (page) => logIn(page),
    confirm: async (page) => {
      await logIn(page);
      await page.getByRole('checkbox').first().check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Code').waitFor();
    },
    information: async (page) => {
      await openOutcomes(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('status').waitFor();
    },
    failure: async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('status').waitFor();
    },
    ended: async (page) => {
      const address = page.url();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('status').waitFor();
      await page.goto(address);
    },
    home: (page) => page.goto(gateway.urls.psu),
    'log-in to the access': (page) => page.goto(`${gateway.urls.psu}/stdgroup/authorization/access`),
    access: async (page) => {
      await page.goto(`${gateway.urls.psu}/stdgroup/authorization/access`);
      await logIn(page);
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
    },
  };
  /** Colours are the same at any width. */
  const LOOKS = [
    ['light', 1440],
    ['light', 400],
    ['dark', 1440],
  ] as const;

  it.each(Object.entries(PAGES))(
    'has no serious fault for who reads with help, and fits, light and dark: %s',
    async (name, reach) => {
      const pictures = process.env.SANDGATE_PICTURES;
      if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
      const flow = await tpp.consent(OFFERED);
      await inBrowser(
        async (page) => {
          await page.goto(flow.url.href);
          await reach(page);
          await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
          for (const [colorScheme, width] of LOOKS) {
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize({ width, height: 900 });
            const picture = `${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`;
            if (pictures !== undefined)
              await page.screenshot({ path: join(pictures, picture), fullPage: true });
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
            expect(await faultsOf(page, colorScheme)).toEqual([]);
          }
        },
        { bypassCSP: true },
      );
    },
  );
});

describe('what is kept of the pages', () => {
  it('holds no password, no code of a second factor and no ticket, and our own rules find nothing', async () => {
    const flow = await tpp.consent(OFFERED);
    const ticket = await inBrowser(async (page) => {
      await page.goto(flow.url.href);
      await logIn(page);
      await page.getByRole('checkbox').first().check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await confirm(page, '987654');
      const held = await page.locator('input[name=sca_token]').first().inputValue();
      await confirm(page);
      await back(page);
      return held;
    });
    const records = await gateway.records();
    const posted = records.filter(
      ({ exchange }) => exchange.call.request.method === 'POST' && exchange.call.listener === 'psu',
    );
    expect(posted.length).toBeGreaterThan(10);
    expect(posted.flatMap(({ findings }) => findings)).toEqual([]);
    const ours = records.flatMap(({ findings }) => findings.filter(({ severity }) => severity !== 'note'));
    expect(ours.map(({ rule, actual }) => `${rule}: ${actual}`)).toEqual([]);
    await eventually(() => {
      const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
      expect(kept.join('').length).toBeGreaterThan(10_000);
      for (const secret of [psu.password, '987654', ticket, ticket.split('.')[1] ?? ''])
        for (const text of kept) expect(text.includes(secret), secret).toBe(false);
    });
  });
});

describe('a hundred SCAs at once', () => {
  it('each end for themselves', async () => {
    const flows = await Promise.all(Array.from({ length: 100 }, () => tpp.consent(OFFERED)));
    const ends = await Promise.all(
      flows.map(async ({ url }, i) => {
        let page = await gateway.call(url.href, { side: 'psu' });
        const post = async (form: Record<string, string>) => {
          const ticket = /name="sca_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
          page = await gateway.call(url.href, { side: 'psu', form: { sca_token: ticket, ...form } });
        };
        await post({ step: 'login', login: psu.login, password: psu.password });
        if (i % 4 === 0) await post({ step: 'cancel' });
        else await post({ step: 'confirm', otp: CODE, account: psu.accounts[i % 2]?.resourceId ?? '' });
        return /<h1>(.*?)<\/h1>/.exec(page.text)?.[1];
      }),
    );
    expect(ends).toEqual(
      flows.map((_, i) => (i % 4 === 0 ? 'SCA cancelled by the PSU' : 'Successful authorisation')),
    );
    const statuses = await Promise.all(flows.map(({ scaStatus }) => scaStatus()));
    expect(statuses).toEqual(flows.map((_, i) => (i % 4 === 0 ? 'failed' : 'finalised')));
  });
});
