/** The live page of a session of 100,000 exchanges: it counts, finds and opens all of them, and holds few of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdSource } from '../../src/exchange/index.js';
import {
  createSqliteStore,
  indexPath,
  type LocalStore,
  type RecordedExchange,
} from '../../src/store/index.js';
import { openIndex } from '../../src/store/lookup/index-file.js';
import { createIndexWriter } from '../../src/store/lookup/index-writer.js';
import { openDatabase } from '../../src/store/sqlite/driver.js';
import { type AnswerParts, anExchange, type CallParts } from '../builders.js';
import { startTestGateway, type TestGateway } from '../e2e/harness.js';
import { openPages, type Pages } from './pages.js';

const ALL = 100_000;
/** Each is created and read, and then the list of accounts is asked for, which belongs to none of them. */
const OF_A_CONSENT = 10;
const consents = ALL / OF_A_CONSENT - 101;
/** Reads of the last consent, one after the other. */
const READS = 1_000;
const APART_MS = 30;
const BATCH = 1_000;
const THREAD = new URL('../../dist/store/lookup/thread.js', import.meta.url);
const FINDING: RecordedExchange['findings'][number] = {
  ...{ rule: 'requests/request-id-present', severity: 'must', judges: 'tpp' },
  ...{ place: 'header X-Request-ID', expected: 'a UUID', actual: 'absent' },
};

const consentId = (number: number): string => `consent-${String(number).padStart(6, '0')}`;

/** What is called as the `place`th of all, without an id. */
function calledAt(): (place: number) => ReturnType<typeof anExchange> {
  const made = (call: CallParts, answer: AnswerParts) => anExchange({ call, answer });
  const list = made({ operation: 'accounts.list' }, { body: { accounts: [] } });
  const body = {
    accounts: Array.from({ length: 10_000 }, (_, i) => ({
      resourceId: `account ${i}`,
      name: 'x'.repeat(70),
    })),
  };
  const long = made({ operation: 'accounts.list' }, { body });
  const read = (of: number) =>
    made(
      { operation: 'consents.read', params: { consentId: consentId(of) } },
      { body: { consentStatus: 'valid' } },
    );
  const last = read(consents);
  return (place) => {
    const [consent, step] = [Math.floor(place / OF_A_CONSENT), place % OF_A_CONSENT];
    if (place >= ALL - READS) return last;
    if (place === ALL - READS - 1) return long;
    if (consent > consents || step > 1) return list;
    if (step === 1) return read(consent);
    const answer = { status: 201, body: { consentId: consentId(consent), consentStatus: 'received' } };
    return made({ operation: 'consents.create', body: {} }, answer);
  };
}

function fill(path: string): { readonly first: string; readonly long: string } {
  const store = createSqliteStore({ path });
  const begin = Date.now() - ALL * APART_MS;
  let at = begin;
  const nextId = createIdSource({ clock: () => at });
  const called = calledAt();
  const ids: string[] = [];
  const recordAt = (place: number): RecordedExchange => {
    at = begin + place * APART_MS;
    const id = nextId();
    ids.push(id);
    const { call, ...rest } = called(place);
    const findings = place % 10 === 3 ? [FINDING] : [];
    return { exchange: { ...rest, call: call.with({ id, at, session: 'test' }) }, verdicts: {}, findings };
  };
  for (let from = 0; from < ALL; from += BATCH)
    store.append({ records: Array.from({ length: BATCH }, (_, i) => recordAt(from + i)), changes: [] });
  index(path, store);
  store.close();
  return { first: ids[0] ?? '', long: ids[ALL - READS - 1] ?? '' };
}

/** What the thread of a gateway makes, which rests in between, and gives way to all others. */
function index(path: string, store: LocalStore): void {
  const watch = openDatabase({ path, readonly: true });
  const identity = watch.prepare("SELECT store || ' ' || erasures FROM identity").pluck().get();
  watch.close();
  const db = openIndex(indexPath(path), String(identity));
  const { step } = createIndexWriter(db, store);
  while (step());
  db.close();
}

let folder: string;
let gateway: TestGateway;
let pages: Pages;
let known: ReturnType<typeof fill>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandgate-long-session-'));
  const store = join(folder, 'sandgate.db');
  known = fill(store);
  const settings = { store, session: 'test' };
  [gateway, pages] = await Promise.all([
    startTestGateway(settings, undefined, { indexThread: THREAD }),
    openPages(),
  ]);
  while ((await ask('/api/exchanges?session=test&limit=1')).behind !== 0);
});
afterAll(async () => {
  await pages?.close();
  await gateway?.app.close();
  rmSync(folder, { recursive: true });
});

const ask = async (path: string) => (await gateway.call(path, { side: 'admin' })).json;
const live = (query: string, use: (page: Page) => Promise<void>, mayTell?: RegExp): Promise<void> =>
  pages.open(`${gateway.urls.admin}/?${query}`, {}, use, mayTell);
const rows = (page: Page) => page.locator('.row');
const search = (q: string): string => `q=${encodeURIComponent(q)}`;

describe('the live page of a session of 100,000 exchanges', () => {
  it('counts all of them, in chips and in the strip of time', () =>
    live('', async (page) => {
      await page.getByRole('button', { name: 'must 10,000' }).waitFor();
      await page.locator('.ends', { hasText: 'of 100,000' }).waitFor();
      const { slots } = await ask('/api/time?session=test');
      const sum = (of: 'calls' | 'must') =>
        slots.reduce((all: number, slot: Record<typeof of, number>) => all + slot[of], 0);
      expect([sum('calls'), sum('must')]).toEqual([ALL, ALL / 10]);
      await page.locator(`.timeline svg > g:has(rect):nth-of-type(${slots.length})`).waitFor();
    }));

  it('goes through all of the list, and has no more rows in the document than are seen', () =>
    live('', async (page) => {
      await rows(page).first().waitFor();
      let most = 0;
      const look = async () => {
        most = Math.max(most, await page.locator('.row').count());
      };
      await look();
      await page.keyboard.press('End');
      await page.locator(`#call-${known.first}[aria-posinset="${ALL}"]`).waitFor();
      await look();
      // What was passed on the way there was dropped, and is fetched again.
      await page.locator('.list').evaluate((list, share) => list.scrollTo(0, list.scrollHeight * share), 0.4);
      await page.locator('.row.fetching').first().waitFor({ state: 'detached' });
      const shown = Number(await rows(page).nth(20).getAttribute('aria-posinset'));
      expect(shown).toBeGreaterThan(ALL * 0.39);
      expect(shown).toBeLessThan(ALL * 0.41);
      await look();
      await page.keyboard.press('Home');
      await page.locator('.row[aria-posinset="1"]').waitFor();
      await look();
      expect(most).toBeLessThan(100);
    }));

  it.each([
    ['of a chip', 'worst:must', '500+ found'],
    ['of an old consent', `journey:${consentId(17)}`, '2 found'],
    ['of a text', consentId(4_321), '2 found'],
  ])('finds the calls %s', (_, q, found) =>
    live(search(q), async (page) => {
      await page.locator('.ends', { hasText: found }).waitFor();
      await rows(page).first().waitFor();
    }),
  );

  it('shows a journey of a thousand calls, and those of 500 consents', () =>
    live('', async (page) => {
      const lanes = page.locator('.lanes');
      await page.getByRole('button', { name: '470 more' }).waitFor();
      await lanes
        .getByRole('link', { name: `Consent ${consentId(consents).slice(0, 8)}` })
        .first()
        .click();
      await page.locator('.pane', { hasText: '1,001' }).waitFor();
      await page.locator('.ends', { hasText: '500+ found' }).waitFor();
    }));

  it('opens a call with a body of a megabyte, and shows the first part of it', () =>
    live(`open=${known.long}`, async (page) => {
      const answer = page.locator('section[aria-label="Answer"]');
      await answer.getByRole('button', { name: 'Show more' }).waitFor();
      expect((await answer.locator('pre').textContent())?.length).toBeLessThan(25_000);
      await answer.getByRole('button', { name: 'Show more' }).click();
      await expect
        .poll(async () => (await answer.locator('pre').textContent())?.length)
        .toBeGreaterThan(100_000);
    }));

  it('goes to another session and back', async () => {
    await gateway.call('/stdgroup/v1/consents', { headers: { 'Sandgate-Session': 'other' } });
    const use = async (page: Page) => {
      await page.locator('.ends', { hasText: 'of 100,000' }).waitFor();
      await page.goto(`${gateway.urls.admin}/?session=other`);
      await page.locator('.ends', { hasText: /^1\D/ }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'must 10,000' }).waitFor();
    };
    // The other session has no clock of its own.
    await live('', use, /^Failed to load resource.*409/);
  });

  it('judges all of them where its report is asked for, and answers calls meanwhile', () =>
    pages.open(`${gateway.urls.admin}/report`, {}, async (page) => {
      await page.getByRole('button', { name: 'Judge all 100,000' }).click();
      const call = await gateway.call('/stdgroup/v1/accounts');
      expect([call.status, await page.getByText('violated a must').count()]).toEqual([400, 0]);
      await page.getByText('violated a must').first().waitFor();
    }));
});
