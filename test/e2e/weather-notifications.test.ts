/** Faults of notifications: what a TPP is told, in which order, and what is recorded of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecordedExchange } from '../../src/store/index.js';
import { certificatesAt, started } from './harness.js';
import { BACK, type LivingTpp, livingTpp } from './living.js';

const HOUR = 3_600_000;
const MONDAY = Date.parse('2026-11-23T08:30:00Z');

interface Told {
  readonly 'payment-ID'?: string;
  readonly transactionStatus: string;
}

/** A TPP's endpoint; `until` waits for so many notifications. */
async function anEndpoint() {
  const told: Told[] = [];
  let onTold = (): void => {};
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      told.push(JSON.parse(text));
      response.writeHead(204).end();
      onTold();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      onTold = () => {
        if (told.length >= count) resolve();
      };
      onTold();
    });
  const statuses = () => told.map(({ transactionStatus }) => transactionStatus);
  return { told, statuses, until, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function aPayment(fault: object) {
  const endpoint = await anEndpoint();
  const certs = await certificatesAt(MONDAY);
  const gateway = await started({ bank: 'living', bankNotify: 'all', certs });
  gateway.app.clock.change({ now: MONDAY, mode: 'frozen' });
  const tpp = livingTpp(gateway);
  await gateway.app.faults.add({ id: 'f', ...fault });
  const iban = await payer(tpp);
  const made = await tpp.ask('POST /payments/sepa-credit-transfers', {
    headers: { 'TPP-Redirect-URI': BACK, 'TPP-Notification-URI': endpoint.uri },
    json: {
      instructedAmount: { currency: 'EUR', amount: '1.50' },
      debtorAccount: { iban },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Fietsenatelier Roeland',
    },
  });
  expect(made.status, made.text).toBe(201);
  const id: string = made.json.paymentId;
  const link: string = made.json._links.scaStatus.href;
  const authorisation = link.slice(link.lastIndexOf('/') + 1);
  return {
    ...{ gateway, endpoint, id },
    authorise: () => tpp.authorise({ id, authorisation }, { scope: `PIS:${id}` }),
    advance: (hours: number) => void gateway.app.clock.change({ advance: hours * HOUR }),
    /** The notifications that are recorded: the status told, what became of it, and the mark. */
    recorded: async () => (await gateway.records()).flatMap(shownNotification),
  };
}

async function payer(tpp: LivingTpp): Promise<string> {
  const { id, token } = await tpp.linked();
  const { json } = await tpp.ask('GET /accounts', { consent: id, token });
  return json.accounts.find(({ currency }: { currency: string }) => currency === 'EUR').iban;
}

function shownNotification({ exchange, findings }: RecordedExchange): string[] {
  const { call, answer, fault, injected } = exchange;
  if (call.direction === 'to-bank') return [];
  const body = JSON.parse(call.request.body?.text ?? '{}');
  const mark = injected === undefined ? '' : ` ${injected.kind}`;
  return [
    `${body.transactionStatus} ${answer?.status ?? fault?.kind}${mark}${findings.length > 0 ? ' blamed' : ''}`,
  ];
}

describe('a fault of notifications', () => {
  it.each<[string, object, string[], string[]]>([
    ['lost', { count: 1 }, ['ACSP', 'ACSC'], ['ACTC injected notification/lost', 'ACSP 204', 'ACSC 204']],
    [
      'twice',
      { where: 'text:ACSP' },
      ['ACTC', 'ACSP', 'ACSP', 'ACSC'],
      ['ACTC 204', 'ACSP 204', 'ACSP 204 notification/twice', 'ACSC 204'],
    ],
    [
      'out-of-order',
      { after: 1 },
      ['ACTC', 'ACSC', 'ACSP'],
      ['ACTC 204', 'ACSC 204', 'ACSP 204 notification/out-of-order'],
    ],
    [
      'without-id',
      { where: 'text:ACSC listener:callback' },
      ['ACTC', 'ACSP', 'ACSC'],
      ['ACTC 204', 'ACSP 204', 'ACSC 204 notification/without-id'],
    ],
  ])('%s: %j has the TPP told %j', async (name, row, statuses, recorded) => {
    const payment = await aPayment({ ...row, do: { kind: `notification/${name}` } });
    await payment.authorise();
    await payment.gateway.app.notificationsDone();
    payment.advance(2.5);
    await payment.gateway.app.notificationsDone();
    payment.advance(24);
    await payment.endpoint.until(statuses.length);
    expect(await payment.recorded()).toEqual(recorded);
    expect(payment.endpoint.statuses()).toEqual(statuses);
    const ids = new Set(payment.endpoint.told.map((one) => one['payment-ID']));
    expect([...ids]).toEqual(name === 'without-id' ? [payment.id, undefined] : [payment.id]);
  });

  it('late holds the notification back, and those behind it', async () => {
    const payment = await aPayment({ count: 1, do: { kind: 'notification/late', ms: 300 } });
    const before = performance.now();
    await payment.authorise();
    payment.advance(24);
    await payment.endpoint.until(3);
    expect(performance.now() - before).toBeGreaterThan(290);
    expect(payment.endpoint.statuses()).toEqual(['ACTC', 'ACSP', 'ACSC']);
    expect(await payment.recorded()).toEqual(['ACTC 204 notification/late', 'ACSP 204', 'ACSC 204']);
  });

  it('before-the-answer holds back the answer to the call that causes it, and marks that', async () => {
    const payment = await aPayment({ count: 1, do: { kind: 'before-the-answer', ms: 5_000 } });
    const order: string[] = [];
    const answered = payment.authorise().then(() => order.push('answer'));
    await payment.endpoint.until(1).then(() => order.push('notification'));
    await answered;
    expect(order).toEqual(['notification', 'answer']);
    const marked = (await payment.gateway.records()).filter(
      ({ exchange }) => exchange.injected !== undefined,
    );
    expect(marked.map(({ exchange }) => [exchange.call.operation, exchange.injected])).toEqual([
      ['oauth.authorize', { fault: 'f', kind: 'notification/before-the-answer', ms: 5_000 }],
    ]);
  });

  it('is chosen by payment and TPP, and is not met where those differ', async () => {
    const payment = await aPayment({ where: 'payment:other', do: { kind: 'notification/lost' } });
    await payment.gateway.app.faults.add({
      id: 'mine',
      where: `payment:${payment.id} consent:${payment.id} tpp:PSDBE-NBB-0123456789`,
      do: { kind: 'notification/lost' },
    });
    await payment.authorise();
    await payment.gateway.app.notificationsDone();
    const [lost] = (await payment.gateway.records()).flatMap(({ exchange }) => exchange.injected ?? []);
    expect(lost).toEqual({ fault: 'mine', kind: 'notification/lost' });
    expect(payment.gateway.app.faults.unused()).toEqual(['f']);
  });

  it('meets a simulated notification of the sandbox bank too', async () => {
    const endpoint = await anEndpoint();
    const gateway = await started();
    await gateway.app.faults.add({ id: 'f', do: { kind: 'notification/twice' } });
    const json = { paymentId: 'PAYMENT_ID_RCVD_SCT', tppNotificationUri: endpoint.uri, status: 'ACSC' };
    const simulated = await gateway.call('/internal/stdgroup/authorization/v1/tpp/notify', { json });
    expect(simulated.status, simulated.text).toBe(202);
    await endpoint.until(2);
    expect((await gateway.records()).flatMap(shownNotification)).toEqual([
      'ACSC 204',
      'ACSC 204 notification/twice',
    ]);
  });
});
