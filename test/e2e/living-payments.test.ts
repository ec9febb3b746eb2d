/** Payments of the living bank over the wire: from the initiation over the SCA and the clock to the statement. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Account, amountText, createPopulation, dayOfDate } from '../../src/bank/index.js';
import { aPath } from '../store/stores.js';
import { certificatesAt } from './harness.js';
import { BACK, type LivingTpp, startLivingBank } from './living.js';

const POPULATION = createPopulation({ seed: 42, count: 1_000 });
/** A Monday, before the first cut-off. */
const MONDAY = Date.parse('2026-11-23T08:30:00Z');
const TODAY = dayOfDate(2026, 11, 23);
const HOUR = 3_600_000;
const STRANGER = 'DE89370400440532013000';

const isPayer = ({ resourceId, status, currency }: Account) =>
  status === 'enabled' && currency === 'EUR' && POPULATION.balance(resourceId, TODAY) > 10_000;
/** The first PSU that has money to spend, and one that has another account. */
const [PAYER, ACCOUNT] = (() => {
  for (const { id } of POPULATION.psus(0, 100)) {
    const account = POPULATION.accountsOf(id).find(isPayer);
    if (account !== undefined) return [id, account] as const;
  }
  throw new Error('nobody can pay');
})();
const PAYEE = POPULATION.psus(0, 100)
  .flatMap(({ id }) => POPULATION.accountsOf(id))
  .find((one) => isPayer(one) && !one.owners.includes(PAYER)) as Account;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(settings: Record<string, unknown> = {}): Promise<LivingTpp> {
  const tpp = await startLivingBank({ certs: await certificatesAt(MONDAY), ...settings });
  tpp.gateway.app.clock.change({ now: MONDAY, mode: 'frozen' });
  closing.push(async () => {
    const found = (await tpp.gateway.records()).flatMap(({ findings }) => findings);
    const faults = found.filter(({ severity, judges }) => severity === 'must' && judges === 'tpp');
    expect(faults.map(({ rule, place }) => `${rule}, ${place}`)).toEqual([]);
    await tpp.gateway.close();
  });
  return tpp;
}

interface Asked {
  readonly amount?: string;
  readonly creditor?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

async function pay(tpp: LivingTpp, { amount = '12.50', creditor = STRANGER, body, headers }: Asked = {}) {
  const made = await tpp.ask('POST /payments/sepa-credit-transfers', {
    headers: { 'TPP-Redirect-URI': BACK, ...headers },
    json: {
      instructedAmount: { currency: 'EUR', amount },
      debtorAccount: { iban: ACCOUNT.iban },
      creditorAccount: { iban: creditor },
      creditorName: 'Fietsen Roeland',
      remittanceInformationUnstructured: 'Invoice 1',
      ...body,
    },
  });
  expect(made.status, made.text).toBe(201);
  const id: string = made.json.paymentId;
  const path = `/payments/sepa-credit-transfers/${id}`;
  return {
    ...{ id, path, made },
    authorisation: made.json._links.scaStatus?.href.split('/').at(-1) as string,
    status: async () => (await tpp.ask(`GET ${path}/status`)).json.transactionStatus,
    authorise: (authorisation: string, query: Record<string, string> = {}) =>
      tpp.authorise({ id, authorisation }, { scope: `PIS:${id}`, psu: PAYER, ...query }),
  };
}

/** What a TPP reads of an account with a new consent of its owner: the entries of payments, and balances. */
async function statementOf({ linked, ask }: LivingTpp, { resourceId, owners }: Account) {
  const { id, token } = await linked({}, { psu: owners[0] ?? '' });
  const sent = { consent: id, token };
  const path = `GET /accounts/${resourceId}`;
  const { json } = await ask(`${path}/transactions?bookingStatus=both&dateFrom=2026-11-23`, sent);
  const { balances } = (await ask(`${path}/balances`, sent)).json;
  const amountOf = (type: string) =>
    balances.find(({ balanceType }: { balanceType: string }) => balanceType === type).balanceAmount.amount;
  const ours = (entries: { transactionId: string; transactionAmount: { amount: string } }[]) =>
    entries
      .filter(({ transactionId }) => /-(?:debit|credit)$/.test(transactionId))
      .map(({ transactionAmount }) => transactionAmount.amount);
  const { booked, pending } = json.transactions;
  return {
    ...{ booked: ours(booked), pending: ours(pending) },
    ...{ balance: amountOf('interimBooked'), expected: amountOf('expected') },
  };
}

const held = ({ resourceId }: Account, less = 0) =>
  amountText(POPULATION.balance(resourceId, TODAY) + less, 'EUR');

describe('a payment of the living bank', () => {
  it('is authorised, pending, and booked at the next cut-off, as its statement shows', async () => {
    const tpp = await start();
    const payment = await pay(tpp);
    expect(await payment.status()).toBe('RCVD');
    const back = await payment.authorise(payment.authorisation);
    expect(back.searchParams.get('code')).toMatch(/./);
    expect(await payment.status()).toBe('ACTC');
    expect(await statementOf(tpp, ACCOUNT)).toEqual({
      booked: [],
      pending: ['-12.50'],
      balance: held(ACCOUNT),
      expected: held(ACCOUNT, -1250),
    });
    tpp.gateway.app.clock.change({ advance: 3 * HOUR });
    expect(await payment.status()).toBe('ACSP');
    tpp.gateway.app.clock.change({ advance: HOUR });
    expect(await statementOf(tpp, ACCOUNT)).toEqual({
      booked: ['-12.50'],
      pending: [],
      balance: held(ACCOUNT, -1250),
      expected: held(ACCOUNT, -1250),
    });
    expect(await payment.status()).toBe('ACSC');
    expect((await tpp.ask(`DELETE ${payment.path}`)).codes).toEqual(['CANCELLATION_INVALID']);
  });

  it.each([
    ['', {}],
    [', also where the store keeps nothing of the bank', { pseudonymise: true }],
  ])('is read whole however long its body is, and shown to its PSU%s', async (_, settings) => {
    const tpp = await start(settings);
    const body = { note: 'long '.repeat(2_000), remittanceInformationStructured: { reference: 'RF18' } };
    const payment = await pay(tpp, { body: { ...body, remittanceInformationUnstructured: null } });
    const read = async () => (await tpp.ask(`GET ${payment.path}`)).json;
    expect(await read()).toMatchObject({
      ...body,
      creditorName: 'Fietsen Roeland',
      transactionStatus: 'RCVD',
    });
    await payment.authorise(payment.authorisation);
    expect(await read()).toMatchObject({ ...body, transactionStatus: 'ACTC' });
    expect((await statementOf(tpp, ACCOUNT)).pending).toEqual(['-12.50']);
  });

  it('reaches a creditor of the same bank at once, and lessens what funds confirmation sees', async () => {
    const tpp = await start();
    const balance = POPULATION.balance(ACCOUNT.resourceId, TODAY) + ACCOUNT.overdraft;
    const confirm = async () => {
      const instructedAmount = { currency: 'EUR', amount: amountText(balance, 'EUR') };
      const json = { account: { iban: ACCOUNT.iban }, instructedAmount };
      return (await tpp.ask('POST /funds-confirmations', { json })).json;
    };
    expect(await confirm()).toEqual({ fundsAvailable: true });
    const payment = await pay(tpp, { creditor: PAYEE.iban });
    await payment.authorise(payment.authorisation);
    expect(await payment.status()).toBe('ACSC');
    expect(await confirm()).toEqual({ fundsAvailable: false });
    expect(await statementOf(tpp, PAYEE)).toMatchObject({ booked: ['12.50'], balance: held(PAYEE, 1250) });
  });

  it('is rejected without funds, after an SCA that was refused, and by no stranger authorised', async () => {
    const tpp = await start();
    const dear = await pay(tpp, { amount: '9999999.00', creditor: PAYEE.iban });
    await dear.authorise(dear.authorisation);
    expect(await dear.status()).toBe('RJCT');
    const refused = await pay(tpp);
    const back = await refused.authorise(refused.authorisation, { scenario: 'SCA_CANCEL' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(await refused.status()).toBe('RJCT');
    const strange = await pay(tpp);
    await strange.authorise(strange.authorisation, { psu: PAYEE.owners[0] ?? '' });
    expect(await strange.status()).toBe('RJCT');
  });

  it('to the account that it comes from is none', async () => {
    const tpp = await start();
    const same = await tpp.ask('POST /payments/sepa-credit-transfers', {
      headers: { 'TPP-Redirect-URI': BACK },
      json: {
        instructedAmount: { currency: 'EUR', amount: '1.00' },
        debtorAccount: { iban: ACCOUNT.iban },
        creditorAccount: { iban: ACCOUNT.iban },
        creditorName: 'Fietsen Roeland',
      },
    });
    expect([same.status, same.codes]).toEqual([400, ['PAYMENT_FAILED']]);
  });

  it('waits for the day that was asked for, and is cancelled before it with an SCA of its own', async () => {
    const tpp = await start();
    const body = { requestedExecutionDate: '2026-11-28' };
    const [first, second] = [await pay(tpp, { body }), await pay(tpp, { body })];
    for (const payment of [first, second]) await payment.authorise(payment.authorisation);
    tpp.gateway.app.clock.change({ advance: 24 * HOUR });
    expect([await first.status(), await second.status()]).toEqual(['ACTC', 'ACTC']);
    const asked = await tpp.ask(`DELETE ${first.path}`, { headers: { 'TPP-Redirect-URI': BACK } });
    expect(asked.status).toBe(202);
    const cancellation = asked.json._links.scaStatus.href.split('/').at(-1);
    await first.authorise(cancellation);
    expect(await first.status()).toBe('CANC');
    // The 28th is a Saturday: the payment goes with the first cut-off of Monday.
    tpp.gateway.app.clock.change({ now: Date.parse('2026-11-30T08:59:00Z') });
    expect(await second.status()).toBe('ACSP');
    tpp.gateway.app.clock.change({ advance: 60_000 });
    expect([await first.status(), await second.status()]).toEqual(['CANC', 'ACSC']);
  });

  it('is shown as far as it has come: not as authorised after a failed SCA, nor as ended before its cancellation is', async () => {
    const tpp = await start();
    const lane = async () => (await tpp.gateway.call('/api/journeys', { side: 'admin' })).json[0];
    const refused = await pay(tpp, { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } });
    const { json } = await tpp.ask(`POST ${refused.path}/authorisations`);
    await refused.authorise(json.authorisationId, { scenario: 'SCA_NOK' });
    await tpp.ask(`GET ${refused.path}`);
    const failed = await lane();
    const states = failed.chain.map(({ state }: { state: string }) => state);
    expect([failed.status, failed.broken, failed.next]).toEqual(['PATC', 'authorisation', 'psu']);
    expect(states).toEqual(['ok', 'ok', 'ok', 'broken', 'open', 'open', 'open']);
    const cancelled = await pay(tpp);
    await cancelled.authorise(cancelled.authorisation);
    expect((await tpp.ask(`DELETE ${cancelled.path}`)).status).toBe(202);
    expect(await lane()).toMatchObject({ status: 'ACTC', ended: false, next: null });
    expect((await lane()).steps.at(-1)).toMatchObject({ step: 'ended', outcome: 'waiting' });
  });

  it('is PATC until the TPP has started its authorisation and the PSU has ended it', async () => {
    const tpp = await start();
    const payment = await pay(tpp, { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } });
    expect(await payment.status()).toBe('PATC');
    const started = await tpp.ask(`POST ${payment.path}/authorisations`);
    await payment.authorise(started.json.authorisationId);
    const read = await tpp.ask(`GET ${payment.path}/authorisations/${started.json.authorisationId}`);
    expect([read.json.scaStatus, await payment.status()]).toEqual(['finalised', 'ACTC']);
  });
});

/** A TPP that hears notifications, and answers so many, where said; `until`: so many of them. */
async function aListener(isAnswered = (_: number) => true) {
  const told: string[] = [];
  let heard = () => {};
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      told.push(JSON.parse(text).transactionStatus);
      if (isAnswered(told.length)) response.writeHead(204).end();
      heard();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      heard = () => {
        if (told.length >= count) resolve();
      };
      heard();
    });
  return { told, until, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify` };
}

/** A gateway that ended, a day later, before the TPP had answered the first status of its payment. */
async function endedWhileItTold() {
  const { told, until, uri } = await aListener((count) => count > 1);
  const store = aPath();
  const before = await start({ bankNotify: 'all', store });
  const { authorise, authorisation } = await pay(before, { headers: { 'TPP-Notification-URI': uri } });
  await authorise(authorisation);
  await until(1);
  before.gateway.app.clock.change({ advance: 24 * HOUR });
  closing.pop();
  await before.gateway.app.close();
  return { told, until, store };
}

describe('notifications', () => {
  it('tell each status, as calls and the clock bring it, where all payments are notified of', async () => {
    const { told, until, uri } = await aListener();
    const tpp = await start({ bankNotify: 'all' });
    const payment = await pay(tpp, { headers: { 'TPP-Notification-URI': uri } });
    expect(payment.made.headers['aspsp-notification-support']).toBe('true');
    await payment.authorise(payment.authorisation);
    await until(1);
    tpp.gateway.app.clock.change({ now: Date.parse('2026-11-23T11:00:00Z') });
    await until(2);
    tpp.gateway.app.clock.change({ now: Date.parse('2026-11-23T12:00:00Z') });
    await until(3);
    expect(told).toEqual(['ACTC', 'ACSP', 'ACSC']);
    await tpp.gateway.app.notificationsDone();
    expect(await payment.status()).toBe('ACSC');
  });

  it('go to no listener of the gateway itself, and the payment goes on', async () => {
    const tpp = await start({ bankNotify: 'all' });
    const uri = `http://127.0.0.1:${new URL(tpp.gateway.urls.admin).port}/api/bank/reset`;
    const payment = await pay(tpp, { headers: { 'TPP-Notification-URI': uri } });
    await payment.authorise(payment.authorisation);
    const faults = async () => (await tpp.gateway.records()).map(({ exchange }) => exchange.fault?.message);
    await expect
      .poll(faults)
      .toContainEqual(expect.stringContaining('is a listener of Sandgate itself, to which no notification'));
    expect(await payment.status()).toBe('ACTC');
  });

  it('go on after a restart where they were, as the payment does', async () => {
    const { told, until, uri } = await aListener();
    const store = aPath();
    const before = await start({ bankNotify: 'all', store });
    const { id, path, authorise, authorisation } = await pay(before, {
      headers: { 'TPP-Notification-URI': uri },
    });
    await authorise(authorisation);
    await until(1);
    await before.gateway.app.notificationsDone();
    await closing.pop()?.();
    const after = await start({ bankNotify: 'all', store });
    expect((await after.ask(`GET ${path}/status`)).json.transactionStatus).toBe('ACTC');
    after.gateway.app.clock.change({ advance: 24 * HOUR });
    await until(3);
    await closing.pop()?.();
    const last = await start({ bankNotify: 'all', store });
    last.gateway.app.clock.change({ advance: 48 * HOUR });
    expect((await last.ask(`GET ${path}/status`)).json.transactionStatus).toBe('ACSC');
    await last.gateway.app.notificationsDone();
    expect(told, id).toEqual(['ACTC', 'ACSP', 'ACSC']);
  });

  it('are sent again by the next gateway where one ended before the TPP had answered', async () => {
    const { told, until, store } = await endedWhileItTold();
    expect(told).toEqual(['ACTC']);
    const after = await start({ bankNotify: 'all', store });
    after.gateway.app.clock.change({ advance: 24 * HOUR });
    await until(4);
    await after.gateway.app.notificationsDone();
    expect(told).toEqual(['ACTC', 'ACTC', 'ACSP', 'ACSC']);
  });

  it('are not sent by a gateway that notifies of no payment, also where one before left some untold', async () => {
    const { told, store } = await endedWhileItTold();
    const after = await start({ store });
    await after.gateway.app.notificationsDone();
    expect(told).toEqual(['ACTC']);
  });
});

interface PageOfEntries {
  readonly booked: readonly { readonly transactionId: string }[];
  readonly _links: { readonly first: { readonly href: string }; readonly next?: { readonly href: string } };
}

describe('pages of transactions', () => {
  it('go on from what the first page saw, while payments are booked', async () => {
    const tpp = await start();
    const { id, refresh, ...linked } = await tpp.linked({}, { psu: PAYER });
    let { token } = linked;
    const read = async (target: string): Promise<PageOfEntries> => {
      const headers = tpp.gateway.accountHeaders(token, { 'Consent-Id': id });
      const answer = await tpp.gateway.call(target, { headers });
      expect(answer.status, answer.text).toBe(200);
      return answer.json.transactions;
    };
    const book = async () => {
      const payment = await pay(tpp, { amount: '0.01', creditor: PAYEE.iban });
      await payment.authorise(payment.authorisation);
      expect(await payment.status()).toBe('ACSC');
    };
    const idsOf = ({ booked }: PageOfEntries) => booked.map(({ transactionId }) => transactionId);
    const query = 'bookingStatus=booked&dateFrom=2026-10-26&dateTo=2026-12-01';
    const all = `/stdgroup/v1/accounts/${ACCOUNT.resourceId}/transactions?${query}`;
    const whole = idsOf(await read(all));
    let page = await read(`${all}&itemsPerPage=4`);
    const paged = idsOf(page);
    for (let day = 0; page._links.next !== undefined; day++) {
      await book();
      if (day === 1) {
        tpp.gateway.app.clock.change({ now: MONDAY + 24 * HOUR });
        const refreshed = await tpp.exchange({ grant_type: 'refresh_token', refresh_token: refresh });
        token = refreshed.json.access_token;
      }
      page = await read(page._links.next.href);
      paged.push(...idsOf(page));
    }
    expect(whole.length).toBeGreaterThan(12);
    expect(paged).toEqual(whole);
    const [newest] = idsOf(await read(page._links.first.href));
    expect(whole).not.toContain(newest);
  });
});
