/** What holds for one gateway holds for several on one store: tests for any store that they can share. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Account, createPopulation } from '../../src/bank/index.js';
import { startBank } from '../answer/upstream/bank.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { all } from '../rows.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { endsOf, sendForm, settingsOfPages, showForm, TPP_BACK } from './bank-pages.js';
import { follow } from './follow.js';
import { certificatesAt, DAY_MS, eventually, startTestGateway, type TestGateway } from './harness.js';
import { exported, type Judgement, judgedFromFile, judgedFromStore, judgedLive } from './judged-again.js';
import { BACK, type LivingTpp, livingTpp, V1 } from './living.js';

const ACCOUNTS = `${V1}/accounts`;
const open: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

type Three = readonly [TestGateway, TestGateway, TestGateway];

let settingsOfStore: () => Record<string, unknown> = () => ({});

async function three(settings: Record<string, unknown> = {}): Promise<Three> {
  const ofStore = settingsOfStore();
  const start = async (slot: number) => {
    const gateway = await startTestGateway({ ...ofStore, ...settings }, slot);
    open.push(gateway);
    return gateway;
  };
  return [await start(0), await start(1), await start(2)];
}

const read = (gateway: TestGateway, token: string, headers: Record<string, string | undefined> = {}) =>
  gateway.call(ACCOUNTS, {
    headers: gateway.accountHeaders(token, { 'PSU-IP-Address': undefined, ...headers }),
  });

const statuses = (replies: readonly { readonly status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const admin = (
  gateway: TestGateway,
  path: string,
  json?: unknown,
  method = json === undefined ? 'GET' : 'PUT',
) =>
  gateway.call(path, {
    ...{ side: 'admin', method },
    ...(json === undefined ? {} : { json }),
    headers: { 'Content-Type': 'application/json' },
  });

/** Hears what TPPs are notified of. */
async function aListener() {
  const told: string[] = [];
  const server = createServer(async (request, response) => {
    told.push(((await json(request)) as { transactionStatus: string }).transactionStatus);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { told, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify` };
}

/** `store`: settings of a new one, which all of them open. */
export function testSeveralGateways(store: () => Record<string, unknown>): void {
  beforeEach(() => {
    settingsOfStore = store;
  });

  describe('three gateways on one store', () => {
    it('do not start with a living bank of which the store keeps nothing, so that each would have its own', async () => {
      const settings = { ...settingsOfStore(), bank: 'living', pseudonymise: true };
      await expect(startTestGateway(settings, 0)).rejects.toThrow(
        /--pseudonymise keeps nothing of the living bank/,
      );
    });

    it('know a token that another one gave', async () => {
      const [one, other, third] = await three();
      const token = await one.token();
      expect((await read(other, token)).status).toBe(200);
      expect((await read(third, token)).status).toBe(200);
      expect((await read(one, 'no-token')).status).toBe(401);
    });

    it('meet the faults that one of them was given, exactly as often as it says', async () => {
      const ofStore = settingsOfStore();
      const [one, other, third] = await three(ofStore);
      const token = await one.token();
      const attended = { 'PSU-IP-Address': '192.0.2.1' };
      const row = { id: 'f', where: 'operation:accounts.list', do: { kind: 'status', status: 503 } };
      await admin(one, '/api/faults', { ...row, count: 5 }, 'POST');
      const calls = Array.from({ length: 12 }, (_, i) =>
        read([one, other, third][i % 3] ?? one, token, attended),
      );
      expect(statuses(await Promise.all(calls))).toEqual({ 200: 7, 503: 5 });
      expect((await admin(third, '/api/faults')).json).toMatchObject([{ id: 'f', times: 5 }]);
      expect((await admin(other, '/api/faults/f', {}, 'DELETE')).json).toEqual([]);
      expect((await admin(third, '/api/faults', row, 'POST')).json).toMatchObject([{ id: 'f', times: 0 }]);
      expect((await read(one, token, attended)).status).toBe(503);
      const later = await startTestGateway(ofStore, 3);
      open.push(later);
      expect((await read(later, token, attended)).status).toBe(503);
      await admin(later, '/api/faults', {}, 'DELETE');
      expect((await read(other, token, attended)).status).toBe(200);
    });

    it('let exactly four accesses pass of a hundred that come at once', async () => {
      const all = await three();
      const token = await all[0].token();
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, i) => read(all[i % 3] as TestGateway, token)),
      );
      expect(statuses(replies)).toEqual({ 200: 4, 429: 96 });
      const [{ json }] = await Promise.all([admin(all[1], '/api/budgets')]);
      expect(json).toMatchObject([{ used: 4, left: 0 }]);
    });

    it('give one token for a code that comes to all of them at once', async () => {
      const all = await three({ bank: 'living' });
      const tpp = livingTpp(all[0]);
      const created = await tpp.create();
      const back = await tpp.authorise(created);
      const code = back.searchParams.get('code') ?? '';
      const replies = await Promise.all(all.map((gateway) => livingTpp(gateway).exchange({ code })));
      expect(statuses(replies)).toEqual({ 200: 1, 400: 2 });
      // A code that came again ends what it gave.
      const given = replies.find(({ status }) => status === 200)?.json.access_token;
      for (const gateway of all)
        expect(
          (await livingTpp(gateway).ask('GET /accounts', { consent: created.id, token: given })).status,
        ).toBe(401);
    });

    it('read the long body of a payment that another one took in, and its status', async () => {
      const [one, other, third] = await three({ bank: 'living' });
      const [account] = createPopulation({ seed: 42, count: 1_000 }).accountsOf('psu-1');
      const body = {
        instructedAmount: { currency: 'EUR', amount: '1.00' },
        debtorAccount: { iban: account?.iban },
        creditorAccount: { iban: 'DE89370400440532013000' },
        creditorName: 'Fietsen Roeland',
        note: 'long '.repeat(2_000),
      };
      const created = await livingTpp(one).ask('POST /payments/sepa-credit-transfers', {
        headers: { 'TPP-Redirect-URI': BACK },
        json: body,
      });
      const path = `/payments/sepa-credit-transfers/${created.json.paymentId}`;
      const read = async (gateway: TestGateway) => (await livingTpp(gateway).ask(`GET ${path}`)).json;
      expect(await Promise.all([one, other, third].map(read))).toEqual(
        Array(3).fill({ ...body, transactionStatus: 'RCVD' }),
      );
      await livingTpp(other).ask(`DELETE ${path}`);
      expect(await read(third)).toEqual({ ...body, transactionStatus: 'CANC' });
    });

    it('let a PSU authorise at one of them what began at another, and the TPP go on at the third', async () => {
      const [one, other, third] = await three({ bank: 'living' });
      const created = await livingTpp(one).create();
      const back = await livingTpp(other).authorise(created);
      const { status, json } = await livingTpp(third).exchange({ code: back.searchParams.get('code') ?? '' });
      expect(status).toBe(200);
      const answer = await livingTpp(one).ask('GET /accounts', {
        consent: created.id,
        token: json.access_token,
      });
      expect(answer.status).toBe(200);
      const gone = await livingTpp(other).ask(`DELETE /consents/${created.id}`);
      expect(gone.status).toBe(204);
      const late = await livingTpp(one).ask('GET /accounts', {
        consent: created.id,
        token: json.access_token,
      });
      expect(late.status).toBe(401);
    });

    it('are judged from the store as they judged live when one of them steers the bank', async () => {
      const [one, other, third] = await three({ bank: 'living', stance: 'observe' });
      const linked = await livingTpp(one).linked();
      const bank = one.app.bank.common;
      await bank.takeSnapshot('linked');
      const unattended = (gateway: TestGateway, session?: string) =>
        read(gateway, linked.token, {
          ...{ 'Consent-Id': linked.id, 'Sandgate-Session': session },
          'X-Request-ID': crypto.randomUUID(),
        });
      // One session that only this gateway knows of, and one of all.
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 4; i++) expect((await unattended(other, 'other')).status).toBe(200);
        await bank.restoreSnapshot('linked');
        const replies = await Promise.all(
          [one, other, third, one, other, third].map((gateway) => unattended(gateway)),
        );
        expect(statuses(replies)).toEqual({ 200: 4, 429: 2 });
        await bank.restoreSnapshot('linked');
      }
      for (let i = 0; i < 4; i++) expect((await unattended(other, 'other')).status).toBe(200);
      for (const gateway of [one, other, third]) await gateway.app.recorder.drain();
      const { store } = one.app;
      // Each session has each step once, between the calls before and behind it, whoever records it.
      const ids = (await all(store.read('other'))).map(({ exchange }) => exchange.call.id);
      const ofOther = await store.chains.steps('other');
      expect(ofOther.map(({ before: [first = ''] }) => ids.indexOf(first))).toEqual([0, 4, 4, 8, 8, 12, 12]);
      expect(await store.chains.steps('test')).toHaveLength(ofOther.length);
      const limits = (judged: readonly Judgement[]) => judged.map(({ limit = 'none' }) => limit).sort();
      for (const session of ['test', 'other']) {
        const live = limits(await judgedLive(store, session));
        expect(live.filter((limit) => limit === 'violated')).toHaveLength(session === 'test' ? 6 : 0);
        expect(limits(await judgedFromStore(store, session))).toEqual(live);
        for (const format of ['har', 'cassette'] as const)
          expect(limits(await judgedFromFile(await exported(store, session, format)))).toEqual(live);
      }
    });

    it('hear of each of several steps that were taken at once', async () => {
      const [one, other] = await three({ bank: 'living', stance: 'observe' });
      const linked = await livingTpp(one).linked();
      const asked = () => read(other, linked.token, { 'Consent-Id': linked.id, 'Sandgate-Session': 'other' });
      await asked();
      const { common } = one.app.bank;
      await Promise.all(['a', 'b', 'c'].map((name) => common.takeSnapshot(name)));
      await asked();
      for (const gateway of [one, other]) await gateway.app.recorder.drain();
      for (const session of ['test', 'other']) {
        const steps = await one.app.store.chains.steps(session);
        const told = steps.map(({ note }) => {
          const { name, step } = note.settings as Record<string, unknown>;
          return [name, step];
        });
        expect(told).toEqual([
          ['a', 1],
          ['b', 2],
          ['c', 3],
        ]);
      }
    });

    it('know of a snapshot what was known then, also in a session that began later elsewhere', async () => {
      const [one, other] = await three({ bank: 'living', stance: 'observe' });
      const linked = await livingTpp(one).linked();
      const unattended = (gateway: TestGateway, session?: string) =>
        read(gateway, linked.token, {
          ...{ 'Consent-Id': linked.id, 'Sandgate-Session': session },
          'X-Request-ID': crypto.randomUUID(),
        });
      await one.app.bank.common.takeSnapshot('linked');
      for (let i = 0; i < 3; i++) await unattended(one);
      await unattended(other, 'other');
      await one.app.bank.common.restoreSnapshot('linked');
      for (let i = 0; i < 4; i++) expect((await unattended(other, 'other')).status).toBe(200);
      for (const gateway of [one, other]) await gateway.app.recorder.drain();
      const { store } = one.app;
      const live = await judgedLive(store, 'other');
      expect(live.map(({ limit }) => limit)).toEqual(Array(5).fill('complied'));
      expect(await judgedFromStore(store, 'other')).toEqual(live);
    });

    it('go by one clock', async () => {
      const [one, other] = await three();
      const token = await one.token();
      for (let i = 0; i < 4; i++) await read(one, token);
      expect((await read(other, token)).status).toBe(429);
      const moved = await admin(other, '/api/clock', { advance: '1d', mode: 'frozen' });
      expect(moved.status, moved.text).toBe(200);
      expect((await read(one, await one.token())).status).toBe(200);
      expect(one.app.clock.now()).toBe(other.app.clock.now());
      expect(one.app.clock.now()).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
    });

    it('are all switched by one', async () => {
      const [one, other] = await three();
      expect((await admin(one, '/api/settings', { stance: 'observe' })).status).toBe(200);
      const stranger = await other.call(`${V1}/nowhere?x=1`);
      expect(stranger.status).toBe(404);
      expect((await admin(other, '/api/settings')).json.stance).toBe('observe');
    });

    it('show calls, journeys and settings of all on the page of any, which goes on at another one', async () => {
      const [one, other, third] = await three({ bank: 'living' });
      const page = await follow(`${one.urls.admin}/api/events`);
      onTestFinished(page.close);
      const created = await livingTpp(other).create();
      const seen = await page.until(
        ({ event, data }) => event === 'exchange' && data.operation === 'consents.create',
      );
      await page.until(({ event, data }) => event === 'journey' && data.resource === created.id);
      const own = await one.call(`${V1}/nowhere`);
      await page.until(({ id }) => id === own.headers['sandgate-exchange']);
      expect((await admin(third, `/api/bank/consents/${created.id}/expire`, {}, 'POST')).status).toBe(200);
      await page.until(({ event, data }) => event === 'journey' && data.status === 'expired');
      await admin(third, '/api/settings', { stance: 'observe' });
      await page.until(({ event, data }) => event === 'settings' && data.settings.stance === 'observe');
      const told = () => page.events.filter(({ event }) => event === 'settings').length;
      const before = told();
      await admin(third, '/api/sessions/test/mark', { text: 'now it breaks' }, 'POST');
      await page.until(({ event }) => event === 'settings' && told() > before);
      const listed = (await admin(one, '/api/sessions')).json;
      expect(listed[0].marks).toMatchObject([{ text: 'now it breaks' }]);
      page.close();
      const missed = await other.call(`${V1}/missed`);
      const again = await follow(`${third.urls.admin}/api/events`, { 'Last-Event-ID': seen.id ?? '' });
      onTestFinished(again.close);
      for (const { headers } of [own, missed])
        await again.until(({ id }) => id === headers['sandgate-exchange']);
      const next = await one.call(`${V1}/next`);
      await again.until(({ id }) => id === next.headers['sandgate-exchange']);
      const ids = again.events.filter(({ event }) => event === 'exchange').map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)]);
    });

    it('forget, take and go back to snapshots together', async () => {
      const [one, other, third] = await three({ bank: 'living' });
      const kept = await livingTpp(one).create();
      expect((await admin(other, '/api/bank/snapshots/before', undefined, 'PUT')).status).toBe(200);
      const later = await livingTpp(third).create();
      const known = async (gateway: TestGateway) => {
        const seen = [];
        for (const { id } of [kept, later])
          seen.push((await livingTpp(gateway).ask(`GET /consents/${id}`)).status);
        return seen;
      };
      for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([200, 200]);
      expect((await admin(third, '/api/bank/snapshots/before/restore', undefined, 'POST')).status).toBe(200);
      for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([200, 403]);
      expect((await admin(one, '/api/bank/reset', undefined, 'POST')).status).toBe(200);
      for (const gateway of [one, other, third]) expect(await known(gateway)).toEqual([403, 403]);
    });

    it('record each exchange once, under ids that differ, in chains that are sound', async () => {
      const all = await three();
      const token = await all[0].token();
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          read(all[i % 3] as TestGateway, token, { 'PSU-IP-Address': '192.0.2.1' }),
        ),
      );
      const told = replies.map(({ headers }) => headers['sandgate-exchange']);
      expect(new Set(told).size).toBe(60);
      for (const gateway of all) await gateway.app.recorder.drain();
      const records = await all[0].records();
      expect(records.map(({ exchange }) => exchange.call.id)).toEqual(expect.arrayContaining(told));
      expect(records).toHaveLength(61);
      const breaks: unknown[] = [];
      for await (const found of all[0].app.store.chains.verify('test')) breaks.push(found);
      expect(breaks).toEqual([]);
      expect(await all[0].app.store.chains.notes('test', 'disturbed')).toEqual([]);
    });
  });

  describe('payments of the living bank at three gateways', () => {
    /** A Monday, before the first cut-off. */
    const MONDAY = '2026-11-23T08:30:00Z';
    const PSU = 'psu-1';
    const POPULATION = createPopulation({ seed: 42, count: 10 });
    const [FROM, TO] = POPULATION.psus(0, 10)
      .flatMap(({ id }) => POPULATION.accountsOf(id))
      .filter(({ status, currency }) => status === 'enabled' && currency === 'EUR') as [Account, Account];

    it('are executed and told of once, whoever looks first, and the books balance', async () => {
      const { told, uri } = await aListener();
      const certs = await certificatesAt(Date.parse(MONDAY));
      const all = await three({ bank: 'living', bankNotify: 'all', certs });
      await admin(all[0], '/api/clock', { now: MONDAY, mode: 'frozen' });
      const tpps = all.map((gateway) => livingTpp(gateway));
      const [first, second, third] = tpps as [LivingTpp, LivingTpp, LivingTpp];
      const owner = FROM.owners[0] ?? PSU;
      const made = await Promise.all(
        tpps.map(async (tpp) => {
          const { status, json, text } = await tpp.ask('POST /payments/sepa-credit-transfers', {
            headers: { 'TPP-Redirect-URI': BACK, 'TPP-Notification-URI': uri },
            json: {
              instructedAmount: { currency: 'EUR', amount: '10.00' },
              ...{ debtorAccount: { iban: FROM.iban }, creditorAccount: { iban: TO.iban } },
              ...{ creditorName: 'Fietsen Roeland', remittanceInformationUnstructured: 'Invoice' },
            },
          });
          expect(status, text).toBe(201);
          return { id: json.paymentId as string, link: json._links.scaStatus.href as string };
        }),
      );
      for (const [i, { id, link }] of made.entries()) {
        const authorisation = link.slice(link.lastIndexOf('/') + 1);
        const at = tpps[(i + 1) % 3] as LivingTpp;
        await at.authorise({ id, authorisation }, { scope: `PIS:${id}`, psu: owner });
      }
      await admin(all[1], '/api/clock', { advance: '3d' });
      const paths = made.map(({ id }) => `GET /payments/sepa-credit-transfers/${id}/status`);
      const seen = await Promise.all(
        [first, second, third].flatMap((tpp) => paths.map((path) => tpp.ask(path))),
      );
      expect(new Set(seen.map(({ json }) => json.transactionStatus))).toEqual(new Set(['ACSC']));
      for (const { app } of all) await app.recorder.drain();
      await Promise.all(tpps.map((tpp) => tpp.ask(paths[0] as string)));
      for (const { app } of all) await app.notificationsDone();
      expect(told).toEqual(['ACSC', 'ACSC', 'ACSC']);
      const booked = async (gateway: TestGateway) => {
        const listed = (await admin(gateway, '/api/bank/payments')).json as {
          bookings: { account: string; amount: number }[];
        }[];
        const sums = new Map<string, number>();
        for (const { account, amount } of listed.flatMap(({ bookings }) => bookings))
          sums.set(account, (sums.get(account) ?? 0) + amount);
        return Object.fromEntries(sums);
      };
      for (const gateway of all)
        expect(await booked(gateway)).toEqual({ [FROM.resourceId]: -3_000, [TO.resourceId]: 3_000 });
    });
  });

  /** A bank that answers accounts when it is told to. */
  async function slowBank() {
    const waiting: (() => void)[] = [];
    const bank = await startBank(bankCertificates, (request, response) => {
      const answer = (body: object) => {
        const id = String(request.headers['x-request-id']);
        const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
        response.writeHead(200, { ...headers, 'X-Request-ID': id });
        response.end(JSON.stringify(body));
      };
      const scope = 'AIS:VALID_CONSENT_ID';
      if (request.url?.endsWith('/token') === true)
        return answer({
          access_token: 'a',
          token_type: 'Bearer',
          expires_in: 3_600,
          refresh_token: 'r',
          scope,
        });
      waiting.push(() => answer({ accounts: [] }));
    });
    const files = createFiles();
    onTestFinished(async () => {
      await bank.close();
      files.remove();
    });
    return { waiting, settings: { ...settingsFor(bank.url, files), source: 'upstream', stance: 'enforce' } };
  }

  describe('three gateways before one bank', () => {
    it('send it exactly four of the accesses that come at once, and count one whose gateway was slow to answer', async () => {
      const { waiting, settings } = await slowBank();
      const all = await three(settings);
      const token = await all[0].token();
      const replies = Promise.all(
        Array.from({ length: 30 }, (_, i) => read(all[i % 3] as TestGateway, token)),
      );
      await eventually(() => expect(waiting).toHaveLength(4));
      // Nothing of them has been answered, and one more comes to each gateway.
      const late = await Promise.all(all.map((gateway) => read(gateway, token)));
      expect(statuses(late)).toEqual({ 429: 3 });
      for (const answer of waiting) answer();
      expect(statuses(await replies)).toEqual({ 200: 4, 429: 26 });
      expect(waiting).toHaveLength(4);
      expect(statuses(await Promise.all(all.map((gateway) => read(gateway, token))))).toEqual({ 429: 3 });
      for (const { app } of all) {
        await app.recorder.drain();
        expect(app.ledger.underWay.size).toBe(0);
      }
    });

    it('count what a gateway sent that ended meanwhile until its calls must have ended, and no longer', async () => {
      const { waiting, settings } = await slowBank();
      const [one, other] = await three({
        ...settings,
        'upstreamLimits.stream': '20s',
        'upstreamLimits.queue': '5s',
      });
      const token = await one.token();
      // It hears no end of them, as if it were gone.
      const lost = Promise.all([1, 2, 3, 4].map(() => read(one, token)));
      await eventually(() => expect(waiting).toHaveLength(4));
      expect((await read(other, token)).status).toBe(429);
      other.move(120_000);
      const again = read(other, token);
      await eventually(() => expect(waiting).toHaveLength(5));
      for (const answer of waiting) answer();
      expect((await again).status).toBe(200);
      await lost;
    });

    it.each([
      ['is allowed no more', 4, 429],
      ['is still allowed', 0, 503],
    ])(
      'send no call whose beginning is acknowledged when others count it no more: one that %s',
      async (_name, others, status) => {
        const { waiting, settings } = await slowBank();
        const [one, other] = await three({ ...settings, 'upstreamLimits.queue': '5s' });
        const token = await one.token();
        let hear = (): void => {};
        const heard = new Promise<void>((resolve) => {
          hear = resolve;
        });
        const { append } = one.app.store;
        let isKept = false;
        const slow = vi.spyOn(one.app.store, 'append').mockImplementationOnce(async (batch) => {
          await append(batch);
          isKept = true;
          await heard;
        });
        const late = read(one, token);
        await eventually(() => expect(isKept).toBe(true));
        slow.mockRestore();
        for (const { move } of [one, other]) move(DAY_MS / 48);
        const sent = Array.from({ length: others }, () => read(other, token));
        await eventually(() => expect(waiting).toHaveLength(others));
        hear();
        expect((await late).status).toBe(status);
        for (const answer of waiting) answer();
        expect(statuses(await Promise.all(sent))).toEqual(others === 0 ? {} : { 200: others });
        expect(waiting).toHaveLength(others);
        const records = await one.records();
        expect(records.filter(({ exchange }) => exchange.fault?.kind === 'unfinished')).toEqual([]);
      },
    );

    it('record the redirect that ends an authorisation once, wherever the browser comes, and whoever showed the page', async () => {
      const settings = { ...settingsOfStore(), ...(await settingsOfPages()) };
      const all = await three(settings);
      const [one, other, third] = all;
      // What this bank does wrong is no fault of the emulator, for which `close` looks.
      for (const { app } of open.splice(0)) onTestFinished(app.close);
      const ends = async () => endsOf(await third.records());

      const many = Array.from({ length: 20 }, (_, i) => `of-many-${i}`);
      const at = (i: number) => all[i % 3] as TestGateway;
      await Promise.all(many.map((state, i) => showForm(at(i), state)));
      await Promise.all(
        many.map((state, i) => sendForm(at(i + 1), `${TPP_BACK}?code=c-${i}&state=${state}`)),
      );
      const inTurn = await ends();
      expect(inTurn.toSorted()).toEqual(many.map((state) => [state, 'complied']).toSorted());

      for (const state of ['state-one', 'state-two', 'state-three']) await showForm(one, state);
      await sendForm(other, 'https://idp.example/login?state=state-one');
      expect(await ends()).toEqual(inTurn);
      await sendForm(other, `${TPP_BACK}?code=a-code-of-the-bank&state=state-two`);
      inTurn.push(['state-two', 'complied']);
      expect(await ends()).toEqual(inTurn);
      await one.app.close();
      await sendForm(third, `${TPP_BACK}?code=lost-its-state`);
      inTurn.push(['state-three', 'violated']);
      expect(await ends()).toEqual(inTurn);
      const late = await startTestGateway(settings, 0);
      onTestFinished(late.app.close);
      await sendForm(late, `${TPP_BACK}?error=invalid_request&state=state-one`);
      inTurn.push(['state-one', 'complied']);
      expect(await ends()).toEqual(inTurn);
      for (const gateway of [third, other, late]) {
        await sendForm(gateway, `${TPP_BACK}?code=a-code-of-the-bank&state=state-two`);
        await sendForm(gateway, `${TPP_BACK}?code=nobody-waits`);
      }
      expect(await ends()).toEqual(inTurn);
      expect(third.app.ledger.codes.has(third.app.fingerprint('a-code-of-the-bank'))).toBe(true);
      expect(JSON.stringify(await third.records())).not.toMatch(/hunter2|a-code-of-the-bank/);
    });
  });
}
