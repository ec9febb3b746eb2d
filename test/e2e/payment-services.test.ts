/** Periodic payments, bulk payments and pain.001 at the living bank over the wire, under a profile that offers them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Account, createPopulation, dayOfDate } from '../../src/bank/index.js';
import { aPain001, multipartOf } from '../answer/pain/a-pain-001.js';
import { aPath } from '../store/stores.js';
import { temporaryFolder } from './child.js';
import { type CallOptions, certificatesAt, started, startTestGateway } from './harness.js';
import { exported } from './judged-again.js';
import { BACK, type LivingTpp, livingTpp, V1 } from './living.js';

const JSON_SCT = { 'sepa-credit-transfers': { like: 'SCT' } };
const XML_SCT = { 'pain.001-sepa-credit-transfers': { like: 'SCT', media: ['application/xml'] } };
const PROFILE = {
  name: 'services',
  title: 'A bank with all services',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all of it' }],
  services: {
    payments: { ...JSON_SCT, ...XML_SCT },
    'bulk-payments': { ...JSON_SCT, ...XML_SCT },
    'periodic-payments': {
      ...JSON_SCT,
      'pain.001-sepa-credit-transfers': { like: 'SCT', media: ['multipart/form-data'] },
    },
  },
};
/** Before the first cut-off. */
const MONDAY = Date.parse('2026-11-23T08:30:00Z');
const DAY = 86_400_000;
const POPULATION = createPopulation({ seed: 42, count: 1_000 });
const isPayer = ({ resourceId, status, currency, owners }: Account) =>
  status === 'enabled' &&
  currency === 'EUR' &&
  owners.length === 1 &&
  POPULATION.balance(resourceId, dayOfDate(2026, 11, 23)) > 100_000;
const PAYER = POPULATION.psus(0, 200)
  .flatMap(({ id }) => POPULATION.accountsOf(id))
  .find(isPayer) as Account;
const PSU = PAYER.owners[0] ?? '';

const PART = {
  instructedAmount: { currency: 'EUR', amount: '1.25' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
};
const PERIODIC = {
  ...PART,
  debtorAccount: { iban: PAYER.iban },
  startDate: '2026-11-24',
  frequency: 'Monthly',
  executionRule: 'following',
};
const PAIN = aPain001().replace('BE68539007547034', PAYER.iban).replaceAll('2026-03-03', '2026-11-23');

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(settings: Record<string, unknown> = {}, slot?: number): Promise<LivingTpp> {
  const certs = await certificatesAt(MONDAY);
  const gateway = await startTestGateway({ bank: 'living', bankProfile: PROFILE, certs, ...settings }, slot);
  closing.push(async () => {
    const found = (await gateway.records()).flatMap(({ findings }) => findings);
    const musts = found.filter(({ severity }) => severity === 'must');
    expect(musts.map(({ rule, place }) => `${rule}, ${place}`)).toEqual([]);
    await gateway.close();
  });
  gateway.app.clock.change({ now: MONDAY, mode: 'frozen' });
  return livingTpp(gateway);
}

async function created(tpp: LivingTpp, path: string, sent: CallOptions) {
  const headers = { 'TPP-Redirect-URI': BACK, ...sent.headers };
  const made = await tpp.ask(`POST ${path}`, { ...sent, headers });
  expect(made.status, made.text).toBe(201);
  const id: string = made.json.paymentId;
  const authorisation: string = made.json._links.scaStatus.href.split('/').at(-1);
  const at = `${path}/${id}`;
  return {
    ...{ id, at },
    authorise: () => tpp.authorise({ id, authorisation }, { scope: `PIS:${id}`, psu: PSU }),
    read: (headers = {}) => tpp.ask(`GET ${at}`, { headers }),
    status: async () => (await tpp.ask(`GET ${at}/status`)).json.transactionStatus,
  };
}

async function order(tpp: LivingTpp, path: string, sent: CallOptions) {
  const made = await created(tpp, path, sent);
  await made.authorise();
  return made;
}

const xml = (body: string, type = 'application/xml') => ({ body, headers: { 'Content-Type': type } });

const admin = ({ gateway }: LivingTpp, asked: string, json?: unknown) => {
  const [method = '', path = ''] = asked.split(' ');
  const headers = { 'Content-Type': 'application/json' };
  return gateway.call(`/api${path}`, {
    side: 'admin',
    method,
    headers,
    ...(json === undefined ? {} : { json }),
  });
};

/** What the bank has paid for an order, as its operator sees it. */
async function paidFor(tpp: LivingTpp, id: string): Promise<string[]> {
  const { json } = await admin(tpp, 'GET /bank/payments?limit=100');
  return json
    .filter(({ paymentId }: { paymentId: string }) => paymentId.startsWith(`${id}-`))
    .map(({ bookings }: { bookings: { bookingDate: string; amount: number }[] }) =>
      bookings.map(({ bookingDate, amount }) => `${bookingDate} ${amount}`).join(),
    )
    .sort();
}

describe('a periodic payment', () => {
  it('is paid each month by the clock, also where that moves on by a year at once', async () => {
    const tpp = await start();
    const rent = await order(tpp, '/periodic-payments/sepa-credit-transfers', { json: PERIODIC });
    expect(await rent.status()).toBe('ACTC');
    expect((await rent.read()).json).toEqual({ ...PERIODIC, transactionStatus: 'ACTC' });
    tpp.gateway.app.clock.change({ advance: 365 * DAY });
    const paid = await paidFor(tpp, rent.id);
    expect(paid).toHaveLength(12);
    expect(paid.slice(0, 3)).toEqual(['2026-11-24 -125', '2026-12-24 -125', '2027-01-25 -125']);
  });

  it('is among the transactions as information, and in a snapshot as it was', async () => {
    const tpp = await start();
    const rent = await order(tpp, '/periodic-payments/sepa-credit-transfers', { json: PERIODIC });
    const { id, token } = await tpp.linked({}, { psu: PSU });
    const listed = await tpp.ask(`GET /accounts/${PAYER.resourceId}/transactions?bookingStatus=information`, {
      ...{ consent: id, token },
    });
    expect(listed.json.transactions.information).toMatchObject([
      { additionalInformationStructured: { standingOrderDetails: { frequency: 'Monthly' } } },
    ]);
    await admin(tpp, 'PUT /bank/snapshots/before');
    tpp.gateway.app.clock.change({ advance: 40 * DAY });
    expect(await paidFor(tpp, rent.id)).toHaveLength(2);
    await admin(tpp, 'POST /bank/snapshots/before/restore');
    expect(await paidFor(tpp, rent.id)).toEqual([]);
    expect(await rent.status()).toBe('ACTC');
  });

  it('pays once, whichever of several gateways looks', async () => {
    const store = aPath();
    const one = await start({ store }, 0);
    // Told to the store: the other would look at the bank by the machine's time as it starts.
    const frozen = { now: new Date(MONDAY).toISOString(), mode: 'frozen' };
    expect((await admin(one, 'PUT /clock', frozen)).status).toBe(200);
    const other = await start({ store }, 1);
    const rent = await order(one, '/periodic-payments/sepa-credit-transfers', { json: PERIODIC });
    for (const { gateway } of [one, other]) gateway.app.clock.change({ now: MONDAY + 70 * DAY });
    await Promise.all([one, other].map((tpp) => tpp.ask(`GET ${rent.at}/status`)));
    for (const tpp of [one, other])
      expect(await paidFor(tpp, rent.id)).toEqual(['2026-11-24 -125', '2026-12-24 -125', '2027-01-25 -125']);
  });
});

describe('a bulk payment', () => {
  it('is PART where the account has money for some of its payments', async () => {
    const tpp = await start();
    const much = { ...PART, instructedAmount: { currency: 'EUR', amount: '99999999.00' } };
    const json = { debtorAccount: { iban: PAYER.iban }, payments: [PART, much, PART] };
    const wages = await order(tpp, '/bulk-payments/sepa-credit-transfers', { json });
    tpp.gateway.app.clock.change({ advance: DAY });
    expect(await wages.status()).toBe('PART');
    expect(await paidFor(tpp, wages.id)).toEqual(['', '2026-11-23 -125', '2026-11-23 -125']);
  });
});

describe('a pain.001', () => {
  const path = '/payments/pain.001-sepa-credit-transfers';

  it('is taken, read as it was sent, and its status told as pain.002', async () => {
    const tpp = await start();
    const payment = await order(tpp, path, xml(PAIN));
    const read = await payment.read();
    expect([read.headers['content-type'], read.text]).toEqual(['application/xml', PAIN]);
    tpp.gateway.app.clock.change({ advance: DAY });
    const headers = { Accept: 'application/xml' };
    const report = await tpp.ask(`GET ${payment.at}/status`, { headers });
    expect(report.headers['content-type']).toBe('application/xml');
    expect(report.text).toContain('<OrgnlMsgId>MESSAGE-1</OrgnlMsgId>');
    expect(report.text).toContain('<GrpSts>ACSC</GrpSts>');
  });

  it('is a standing order with the JSON of its days beside it', async () => {
    const tpp = await start();
    const days = { startDate: '2026-11-23', frequency: 'Weekly' };
    const sent = xml(multipartOf('B-1', PAIN, days), 'multipart/form-data; boundary=B-1');
    const rent = await order(tpp, '/periodic-payments/pain.001-sepa-credit-transfers', sent);
    const read = await rent.read();
    expect([read.headers['content-type'], read.text]).toEqual([sent.headers['Content-Type'], sent.body]);
    tpp.gateway.app.clock.change({ advance: 8 * DAY });
    expect(await paidFor(tpp, rent.id)).toEqual(['2026-11-23 -1250', '2026-11-30 -1250']);
  });

  it.each(['cassette', 'har'] as const)('is in a %s as it was sent, and replayed', async (format) => {
    const tpp = await start({ session: 'xml' });
    const payment = await created(tpp, path, xml(PAIN));
    await payment.read();
    const text = await exported(tpp.gateway.app.store, 'xml', format);
    expect(text).toContain(JSON.stringify(PAIN).slice(1, -1));
    const file = join(temporaryFolder(), `xml.${format === 'har' ? 'har' : 'json'}`);
    writeFileSync(file, text);
    const again = await start({ source: 'replay', replay: file, stance: 'observe' }, 1);
    const made = await again.ask(`POST ${path}`, {
      ...xml(PAIN),
      headers: { ...xml(PAIN).headers, 'TPP-Redirect-URI': BACK },
    });
    expect([made.status, made.json?.paymentId]).toEqual([201, payment.id]);
    expect((await again.ask(`GET ${payment.at}`)).text).toBe(PAIN);
  });

  it('leaves no name and no account number in a session with pseudonyms', async () => {
    const tpp = await start({ pseudonymise: true });
    const days = { startDate: '2026-11-23', frequency: 'Weekly' };
    const sent = xml(multipartOf('B-1', PAIN, days), 'multipart/form-data; boundary=B-1');
    const rent = await order(tpp, '/periodic-payments/pain.001-sepa-credit-transfers', sent);
    const payment = await order(tpp, path, xml(PAIN));
    for (const { read } of [rent, payment]) expect((await read()).text).toContain(PAYER.iban);
    const kept = JSON.stringify((await tpp.gateway.records()).map(({ exchange }) => exchange));
    expect(
      [PAYER.iban, 'DE89370400440532013000', 'Anna Peeters', 'Fietsen', 'Invoice'].filter((one) =>
        kept.includes(one),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'a DTD',
      PAIN.replace('<Document', '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'),
      400,
    ],
    ['no XML', '{}', 400],
    ['too many bytes', PAIN.replace('Invoice 1', 'x'.repeat(30_000)), 400],
  ])('is refused with %s', async (_, body, status) => {
    const gateway = await started({ bank: 'living', bankProfile: PROFILE });
    const answer = await gateway.call(`${V1}${path}`, {
      method: 'POST',
      ...xml(body),
      headers: { 'TPP-Redirect-URI': BACK, 'PSU-IP-Address': '192.0.2.1', 'Content-Type': 'application/xml' },
    });
    expect([answer.status, answer.codes]).toEqual([status, ['FORMAT_ERROR']]);
  });
});

it('a bank deviates where its profile says so, whether living or not, and no rule blames it', async () => {
  const seen = { says: 'It was seen.', sample: 'as it was seen' };
  const deviations = [
    {
      ...{ id: 'no-location', rule: 'answers/location-present', emulate: 'no-location', ...seen },
      operations: ['payments.create'],
    },
    {
      ...{ id: 'numbers', rule: 'answers/amounts-are-strings', emulate: 'amounts-as-numbers', ...seen },
      operations: ['payments.read'],
    },
  ];
  for (const bank of ['living', 'sandbox']) {
    const gateway = await started({ bank, bankProfile: { ...PROFILE, deviations } });
    const tpp = livingTpp(gateway);
    const path = '/payments/sepa-credit-transfers';
    const json = { ...PART, debtorAccount: { iban: PAYER.iban } };
    const made = await tpp.ask(`POST ${path}`, { json, headers: { 'TPP-Redirect-URI': BACK } });
    expect([made.status, made.headers.location]).toEqual([201, undefined]);
    const read = await tpp.ask(`GET ${path}/${made.json.paymentId}`);
    expect(read.json.instructedAmount.amount).toBeTypeOf('number');
  }
});
