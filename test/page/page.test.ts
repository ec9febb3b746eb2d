/** The live page (`dist/page/`) of a running gateway in a real browser: what it shows, and what it withstands. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../browser.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const V1 = '/stdgroup/v1';

let gateway: TestGateway;
let pages: Pages;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.token();
  await gateway.call(`${V1}/konsents`, { headers: { 'X-Note': HOSTILE } });
  await gateway.call(`${V1}/consents?${encodeURIComponent(HOSTILE)}=1`, {
    json: { validUntil: HOSTILE, access: { [HOSTILE]: [] } },
    headers: { 'TPP-Redirect-URI': `https://tpp.example/${encodeURIComponent(HOSTILE)}` },
  });
  await read(3);
  pages = await openPages();
});
afterAll(async () => {
  await pages?.close();
  await gateway.close();
});

const read = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++)
    await gateway.call(`${V1}/accounts`, {
      headers: gateway.accountHeaders(token, { 'PSU-IP-Address': '192.0.2.1' }),
    });
};
const rows = (page: Page) => page.locator('.row');
const filter = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
/** In one look: a list that is empty while it is fetched has no row too many. */
const count = (page: Page, wanted: number): Promise<void> =>
  page.locator(`.rows:has(> .row:nth-child(${wanted}):last-child)`).waitFor();
const admin = () => gateway.urls.admin;

describe('the live page', () => {
  it('shows each call as it comes, and the journey that it belongs to', () =>
    pages.open(admin(), {}, async (page) => {
      await page.locator('.pill.live').waitFor();
      const before = await rows(page).count();
      await read(1);
      await count(page, before + 1);
      expect(await rows(page).first().textContent()).toContain('accounts');
      await page.locator('.lane', { hasText: 'reads: ok' }).waitFor();
    }));

  it.each([1440, 1024, 400])('says in the row why a call stands out, %i wide', (width) =>
    pages.open(admin(), { viewport: { width, height: 800 } }, async (page) => {
      const wrong = rows(page).filter({ hasText: 'konsents' });
      await wrong.getByText(`path: ${V1}/konsents; expected ${V1}/consents`).waitFor();
      expect(await wrong.locator('.reason').getAttribute('title')).toContain('requests/known-path');
      const [reason, row] = [await wrong.locator('.reason bdi').boundingBox(), await wrong.boundingBox()];
      expect(reason?.width).toBeGreaterThan(100);
      expect((reason?.y ?? 0) + (reason?.height ?? 0)).toBeLessThan((row?.y ?? 0) + (row?.height ?? 0));
    }),
  );

  it('leaves room for reasons beside an open call: rows of a narrow list are cards, and the call stays in sight', () =>
    pages.open(admin(), { viewport: { width: 1400, height: 800 } }, async (page) => {
      await page.locator('.row:has(.badge.must)').first().click();
      await page.locator('.detail > .acts').waitFor();
      const open = page.locator('.row.open');
      const [row, reason] = [await open.boundingBox(), await open.locator('.reason').boundingBox()];
      expect(row?.height).toBe(56);
      expect(reason?.width).toBeGreaterThan(500);
      expect(row?.y).toBeGreaterThan(0);
      expect(row?.y).toBeLessThan(744);
      // A card without a reason says how long its call took.
      await page.locator('.row:not(:has(.badge)) .ms').first().waitFor();
    }));

  it('has one row of chrome on a narrow screen, cards for tables, and what acts at the thumb', () =>
    pages.open(admin(), { viewport: { width: 400, height: 800 } }, async (page) => {
      await rows(page).first().waitFor();
      const bottomOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height ?? 0;
      expect(await bottomOf('.top')).toBe(800);
      expect(await heightOf('.top')).toBeLessThan(56);
      // Most of the screen is for the calls.
      expect(await heightOf('.list')).toBeGreaterThan(550);
      const journeys = page.getByRole('button', { name: /journey/ });
      expect(await page.locator('.lane').first().isVisible()).toBe(false);
      await journeys.press('Enter');
      await page.locator('.lane').first().waitFor();
      await journeys.press('Enter');
      await page.locator('.row:has(.badge.must)').first().click();
      await page.locator('.detail > .acts > .go').waitFor();
      expect(await bottomOf('.detail > .acts > .go')).toBeGreaterThan(700);
      await page.keyboard.press('Escape');
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.press('Enter');
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
      await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'hidden' });
      const card = page.locator('tbody tr').first();
      const [name, calls] = [card.locator('th'), card.locator('td[data-title="Calls"]')];
      const [above, below] = [await name.boundingBox(), await calls.boundingBox()];
      expect(below?.y).toBeGreaterThan((above?.y ?? 0) + 10);
      expect(below?.x).toBe(above?.x);
    }));

  it('goes to its other views without being loaded again', () =>
    pages.open(admin(), {}, async (page) => {
      await page.locator('.pill.live').waitFor();
      await page.evaluate('globalThis.isTheSame = true');
      await page.getByRole('navigation').getByRole('link', { name: 'Rules', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
      expect(await page.evaluate('globalThis.isTheSame')).toBe(true);
    }));

  it('shows where one is, and the colour of a journey, where colours are forced', () =>
    pages.open(admin(), { forcedColors: 'active' }, async (page) => {
      await page.locator('.lane').first().waitFor();
      const colours = (of: string, property: string) =>
        page.evaluate(
          `[...document.querySelectorAll('${of}')].map((one) => getComputedStyle(one).${property})`,
        );
      const [here, ...others] = (await colours('nav a', 'borderBottomColor')) as string[];
      expect(others).not.toContain(here);
      const [canvas] = (await colours('body', 'backgroundColor')) as string[];
      expect(new Set(others)).toEqual(new Set([canvas]));
      expect(await colours('.row .dot:not(.none)', 'backgroundColor')).not.toContain(canvas);
    }));

  it('says while journeys are of some of the calls', () =>
    pages.open(admin(), {}, async (page) => {
      await page.route('**/api/journeys**', async (route) => {
        const response = await route.fetch();
        const json = (await response.json()).map((one: object) => ({ ...one, isPartial: true }));
        await route.fulfill({ response, json });
      });
      await page.reload();
      await page.locator('.pill.live').waitFor();
      const notice = page.getByText('some steps are missing until fewer come');
      await notice.waitFor();
      await read(1);
      await notice.waitFor({ state: 'detached' });
    }));

  it('gives what is open as much of the width as one wants, by pointer and by keyboard', () =>
    pages.open(admin(), { viewport: { width: 1440, height: 800 } }, async (page) => {
      await rows(page).nth(1).click();
      const pane = page.locator('.pane');
      const left = async () => (await pane.boundingBox())?.x ?? 0;
      await page.locator('.detail').waitFor();
      const before = await left();
      await page.mouse.move(before, 400);
      await page.mouse.down();
      await page.mouse.move(720, 400);
      await page.mouse.up();
      expect(await left()).toBeCloseTo(720, -1);
      const divider = page.getByRole('separator', { name: 'Width of what is open' });
      await divider.press('ArrowLeft');
      expect(await divider.getAttribute('aria-valuenow')).toBe('53');
      expect(await left()).toBeLessThan(720);
      await divider.press('End');
      await page.getByRole('navigation').getByRole('link', { name: 'Bank' }).click();
      await page.goBack();
      await pane.waitFor();
      expect(await left()).toBeLessThan(720);
      await divider.dblclick();
      expect(await left()).toBe(before);
    }));

  it('does not move the call that is read: new ones wait, and are shown when they are wanted', () =>
    pages.open(admin(), {}, async (page) => {
      await rows(page).nth(1).click();
      const id = await page.locator('.row.open').getAttribute('id');
      const place = await page.locator('.row.open').boundingBox();
      await read(2);
      await page.getByRole('button', { name: '2 new' }).waitFor();
      expect(await page.locator('.row.open').boundingBox()).toEqual(place);
      expect(await page.locator('.row.open').getAttribute('id')).toBe(id);
      const shown = await rows(page).count();
      await page.getByRole('button', { name: '2 new' }).click();
      await count(page, shown + 2);
    }));

  it('says where another day begins, in the list and in journeys', async () => {
    const moved = await startTestGateway();
    try {
      const day = () => new Date(moved.app.clock.now()).toISOString().slice(0, 10);
      const before = day();
      await moved.token();
      moved.app.clock.change({ advance: 86_400_000 });
      for (let i = 0; i < 2; i++) await moved.token();
      await pages.open(moved.urls.admin, {}, async (page) => {
        await rows(page).nth(2).waitFor();
        const told = rows(page).locator('.day-text');
        expect([await told.allTextContents(), await rows(page).nth(1).locator('.day-text').count()]).toEqual([
          [day()],
          1,
        ]);
        await page.locator('.lane', { hasText: `since ${before} ` }).waitFor();
      });
    } finally {
      await moved.close();
    }
  });

  it('can be gone on from the end of a list that is no whole, by who reads with help too', () =>
    pages.open(admin(), { bypassCSP: true }, async (page) => {
      await page.route('**/api/exchanges?**', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const before = new URL(route.request().url()).searchParams.get('before');
        await route.fulfill({ response, json: { ...json, next: json.exchanges.at(-1)?.id ?? before } });
      });
      await page.reload();
      await page.getByRole('button', { name: 'Search further back' }).waitFor();
      expect(await faultsOf(page, 'light')).toEqual([]);
      // A request under way has no answer once the page is closed.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }));

  it('is used by the keyboard alone', () =>
    pages.open(admin(), {}, async (page) => {
      await rows(page).first().waitFor();
      await page.keyboard.press('End');
      await page.locator('.row', { hasText: 'token' }).waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('/');
      await page.keyboard.type('oper');
      await page.getByRole('option', { name: /^operation:/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await filter(page).inputValue()).toBe('operation:');
      // Nobody has to say that it is done: it applies while it is typed.
      await page.keyboard.type('consents.*');
      await count(page, 1);
      expect(new URL(page.url()).searchParams.get('q')).toBe('operation:consents.*');
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /TPP sent/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.pane').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys and colours' }).waitFor();
      await page.keyboard.press('Escape');
      // Closed, it is hidden at once, and gone a moment later: keys count from then on.
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('p');
      await page.getByRole('button', { name: 'Resume' }).waitFor();
    }));

  it('has a way past the journeys to the list of calls', () =>
    pages.open(admin(), {}, async (page) => {
      await page.locator('.lane').first().waitFor();
      const { x = 0, y = 0 } = (await page.locator('.side .skip').boundingBox()) ?? {};
      const under = `document.elementFromPoint(${x} + 9, ${y} + 9).className`;
      expect(await page.evaluate(under)).not.toBe('skip');
      await page.locator('.side a:not(.skip)').first().focus();
      await page.keyboard.press('Shift+Tab');
      const skip = page.getByRole('link', { name: 'Skip to the calls' });
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
      expect(await page.evaluate(under)).toBe('skip');
      await page.keyboard.press('Enter');
      await page.locator('.rows:focus').waitFor();
    }));

  it('does what keys say that are pressed while the calls are fetched, once they are there', () =>
    pages.open(admin(), {}, async (page) => {
      await rows(page).first().waitFor();
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/api/exchanges?**', async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.press('/');
      await page.keyboard.type('operation:accounts.*');
      await page.keyboard.press('Escape');
      await rows(page).first().waitFor({ state: 'detached' });
      for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
      answer();
      await page.locator('.row.open[aria-posinset="2"]').waitFor();
      expect(await page.locator('.row.open').textContent()).toContain('accounts');
    }));

  it('loses nothing that is typed while a filter is applied', () =>
    pages.open(admin(), {}, async (page) => {
      await rows(page).first().waitFor();
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.keyboard.press('/');
      await page.keyboard.type('status:4');
      // What is typed next is not painted when what is there already is applied.
      await page.clock.runFor(300);
      await page.keyboard.type('0');
      await page.clock.runFor(50);
      await page.keyboard.type('4');
      expect(await filter(page).inputValue()).toBe('status:404');
      await page.clock.runFor(1_000);
      await count(page, 1);
    }));

  it('says what is wrong with a filter, and finds the calls of one that it was opened with', async () => {
    await pages.open(
      `${admin()}/?q=stat%3A400`,
      {},
      async (page) => {
        expect(await page.getByRole('alert').textContent()).toContain('Did you mean “status”?');
        expect(await page.locator('.pill .word').first().textContent()).toBe('not live');
      },
      /^Failed to load resource/,
    );
    await pages.open(`${admin()}/exchanges?q=status%3A404`, {}, (page) => count(page, 1));
  });

  it('asks for the calls again where the gateway failed for a moment', async () => {
    await pages.open(
      admin(),
      { bypassCSP: true },
      async (page) => {
        let failures = 1;
        await page.route('**/api/exchanges?**', (route) =>
          failures-- > 0
            ? route.fulfill({ status: 503, json: { error: 'The store is away.' } })
            : route.continue(),
        );
        await page.reload();
        await page.getByText('The store is away.').waitFor();
        await page.locator('.pill.lost').waitFor();
        await page.locator('.pill.live').waitFor();
        await rows(page).first().waitFor();
        expect(await page.getByText('The store is away.').count()).toBe(0);
      },
      /^Failed to load resource/,
    );
  });

  it('says how many of the newest the index does not know yet, until it knows them', () =>
    pages.open(admin(), {}, async (page) => {
      let behind = 7;
      await page.route('**/api/exchanges?**', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), behind } });
      });
      await filter(page).fill('status:404');
      await page.getByText('The newest 7 are not in the index yet').waitFor();
      behind = 0;
      await page.getByText('are not in the index yet').waitFor({ state: 'detached' });
      await count(page, 1);
    }));

  it('marks in header, query and body what a finding is about, and shows hostile text as text', () =>
    pages.open(`${admin()}/?q=operation%3Aconsents.create`, {}, async (page) => {
      await rows(page).first().click();
      await page.locator('.detail').waitFor();
      expect(await page.locator('.detail mark').count()).toBeGreaterThan(1);
      expect(await page.locator('section[aria-label="Request"]').textContent()).toContain('onerror=alert(1)');
      expect(await page.locator('.detail :is(img, script)').count()).toBe(0);
      await page.keyboard.press('o');
      await page.waitForURL(/\/exchanges\//);
      await page.locator('.own .detail').waitFor();
    }));

  it('keeps its own policy: no script of a page runs but its file, and no text becomes markup', async () => {
    const answer = await gateway.call('/', { side: 'admin' });
    const policy = answer.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    const file = await gateway.call('/page/main.js', { side: 'admin' });
    const again = await gateway.call('/page/main.js', {
      side: 'admin',
      headers: { 'If-None-Match': file.headers.etag },
    });
    expect([file.status, again.status, again.text]).toEqual([200, 304, '']);
  });

  // Colours are the same at any width.
  it.each([
    [1440, 'light'],
    [400, 'light'],
    [1440, 'dark'],
  ] as const)('has no serious fault for who reads with help, %i wide, %s', (width, colorScheme) =>
    pages.open(admin(), { bypassCSP: true, colorScheme, viewport: { width, height: 900 } }, async (page) => {
      const faults: Record<string, readonly string[]> = {};
      const look = async (name: string) => {
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width);
        // Columns that are too narrow for their words make towers of letters.
        const heights = "[...document.querySelectorAll('th, td')].map((cell) => cell.offsetHeight)";
        expect(await page.evaluate(`Math.max(0, ...${heights})`), name).toBeLessThan(300);
        const longer = '(one) => one.scrollHeight > one.clientHeight';
        const still = "[document.documentElement, ...document.querySelectorAll('.calls, .columns')]";
        expect(await page.evaluate(`${still}.filter(${longer}).length`), name).toBe(0);
        // The outline of what has the focus is not cut where its surroundings scroll.
        const left = (of: string) => `${of}.getBoundingClientRect().left`;
        const links = "[...document.querySelectorAll('nav a, .wide a, .wide summary')]";
        const cut = `(one) => one.checkVisibility() && ${left('one')} - 4 < ${left("one.closest('nav, .wide')")}`;
        expect(await page.evaluate(`${links}.filter(${cut}).length`), name).toBe(0);
        faults[name] = await faultsOf(page, colorScheme);
      };
      await rows(page).first().waitFor();
      await look('Calls');
      await page.locator('.row:has(.badge.must)').first().click();
      await page.locator('.detail').waitFor();
      await look('one call');
      await page.keyboard.press('o');
      await page.locator('.own .detail').waitFor();
      await look('its page');
      for (const name of ['Bank', 'Rules', 'Certificates', 'Sessions', 'Settings', 'Report']) {
        if (width === 400) await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.getByText('Loading…').first().waitFor({ state: 'detached' });
        await look(name);
      }
      expect(Object.fromEntries(Object.entries(faults).filter(([, all]) => all.length > 0))).toEqual({});
    }),
  );
});

describe('a gateway with a token and without actions', () => {
  it('has the page for who knows the token, and nothing on it that it would refuse', async () => {
    const closed = await startTestGateway({ adminToken: '0123456789abcdef', actions: false });
    try {
      const httpCredentials = { username: 'me', password: '0123456789abcdef', send: 'always' } as const;
      await closed.call(`${V1}/konsents`);
      await pages.open(closed.urls.admin, { httpCredentials }, async (page) => {
        await page.locator('.pill.live').waitFor();
        await rows(page).first().click();
        await page.getByRole('button', { name: 'Copy curl' }).waitFor();
        for (const name of ['Set a mark', 'New session', 'Send again', 'Waive'])
          expect(await page.getByRole('button', { name }).count(), name).toBe(0);
        await page.getByRole('link', { name: 'Settings' }).click();
        expect(await page.getByLabel('stance').isDisabled()).toBe(true);
      });
    } finally {
      await closed.close();
    }
  });
});
