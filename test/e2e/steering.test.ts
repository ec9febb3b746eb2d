/** The operator of the living bank looks at what TPPs created, and does what a PSU or a bank does to it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './harness.js';
import { type Created, type LivingTpp, linked, livingTpp } from './living-tpp.js';

const TPP = 'PSDBE-NBB-0123456789';
const OUTSIDE = 'BE86986509812450';

let gateway: TestGateway;
let tpp: LivingTpp;
beforeEach(async () => {
  gateway = await startTestGateway({ bank: 'living' });
  tpp = livingTpp(gateway, 'tpp');
});
afterEach(() => gateway.close());

const get = (path: string) => gateway.call(`/api/bank${path}`, { side: 'admin' });
const post = (path: string) => gateway.call(`/api/bank${path}`, { side: 'admin', json: {} });

async function pay(amount = '12.50'): Promise<Created & { iban: string; account: string }> {
  const { id, tokens } = await linked(tpp, 'psu-1');
  const [{ iban, resourceId: account }] = (await tpp.read('/accounts', id, tokens.access)).json.accounts;
  return { ...(await tpp.createPayment({ debtorIban: iban, creditorIban: OUTSIDE, amount })), iban, account };
}

describe('a consent', () => {
  it('is shown as its TPP reads it, with who created it, who gave it, and its authorisations', async () => {
    const { id } = await linked(tpp, 'psu-2');
    const { json } = await get(`/consents/${id}`);
    expect(json).toMatchObject({
      ...{ consentId: id, tpp: TPP, psu: 'psu-2', consentStatus: 'valid', frequencyPerDay: 4 },
      authorisations: [{ scaStatus: 'finalised', psu: 'psu-2', outcome: 'SCA_OK' }],
    });
    const read = await gateway.call(`/stdgroup/v1/consents/${id}`);
    expect(json).toMatchObject(read.json);
    expect((await get('/consents?limit=1')).json).toEqual([json]);
    expect((await get('/consents?from=1')).json).toEqual([]);
  });

  it.each([
    ['revoke', 'revokedByPsu', 'CONSENT_INVALID'],
    ['expire', 'expired', 'CONSENT_EXPIRED'],
  ])('is ended by %s: its TPP reads %s, and accounts no more', async (action, status, code) => {
    const { id, tokens } = await linked(tpp, 'psu-1');
    const ended = await post(`/consents/${id}/${action}`);
    expect([ended.status, ended.json.consentStatus]).toEqual([200, status]);
    expect((await tpp.consentStatus(id)).json).toEqual({ consentStatus: status });
    const read = await tpp.read('/accounts', id, tokens.access);
    expect([read.status, read.codes]).toEqual([401, [code]]);
    expect((await tpp.refresh(tokens.refresh)).json.error).toBe('invalid_grant');
  });

  it('is rejected only as long as it waits for its PSU', async () => {
    const { id } = await tpp.createConsent();
    expect((await post(`/consents/${id}/reject`)).json.consentStatus).toBe('rejected');
    const again = await post(`/consents/${id}/revoke`);
    expect([again.status, again.json.error]).toEqual([
      409,
      'The consent is rejected, which revoke does not change: create another one.',
    ]);
  });
});

describe('a payment', () => {
  it('is settled at once: it is booked where its TPP reads it, and shown with its bookings', async () => {
    const { id, link, account } = await pay();
    await tpp.authorise(`PIS:${id}`, link, { psu: 'psu-1' });
    expect((await get(`/payments/${id}`)).json).toMatchObject({ transactionStatus: 'ACTC', bookings: [] });
    const settled = await post(`/payments/${id}/settle`);
    expect(settled.json).toMatchObject({
      ...{
        paymentId: id,
        tpp: TPP,
        psu: 'psu-1',
        transactionStatus: 'ACSC',
        creditorName: expect.anything(),
      },
      bookings: [{ account, amount: -1250 }],
    });
    expect((await tpp.paymentStatus(id)).json).toEqual({ transactionStatus: 'ACSC' });
  });

  it('is rejected before it is executed', async () => {
    const { id, link } = await pay();
    await tpp.authorise(`PIS:${id}`, link, { psu: 'psu-1' });
    expect((await post(`/payments/${id}/reject`)).json.transactionStatus).toBe('RJCT');
    expect((await tpp.paymentStatus(id)).json).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('is not settled before its PSU has authorised it', async () => {
    const { id } = await pay();
    const answer = await post(`/payments/${id}/settle`);
    expect([answer.status, answer.json.error]).toEqual([
      409,
      'The payment is RCVD, which settle does not change: the PSU has to authorise it first.',
    ]);
  });
});

it('is told the nearest id where nothing has the one that was typed', async () => {
  expect((await post('/consents/abc/revoke')).json.error).toContain('create one first');
  const { id } = await tpp.createConsent();
  const answer = await get(`/consents/${id.slice(0, -1)}x`);
  expect([answer.status, answer.json.error]).toEqual([
    404,
    `The living bank knows no consent “${id.slice(0, -1)}x”. Did you mean “${id}”?`,
  ]);
  expect((await post('/payments/nothing/settle')).status).toBe(404);
});

it('cannot be reached by a form of another site, and steers nothing while the sandbox bank is in force', async () => {
  const { id } = await linked(tpp, 'psu-1');
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const path = `/api/bank/consents/${id}/revoke`;
  const sent = await gateway.call(path, { side: 'admin', method: 'POST', body: 'a=b', headers: form });
  expect(sent.status).toBe(415);
  const switched = { side: 'admin', method: 'PUT', json: { bank: 'sandbox' } } as const;
  expect((await gateway.call('/api/settings', switched)).status).toBe(200);
  expect((await post(`/consents/${id}/revoke`)).status).toBe(409);
  expect((await get(`/consents/${id}`)).json.consentStatus).toBe('valid');
});
