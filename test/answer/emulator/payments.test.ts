import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/index.js';
import {
  PAYMENT_PRODUCTS,
  type PaymentProduct,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_PAYMENTS,
} from '../../../src/spec/index.js';
import { type CallParts, REQUEST_ID } from '../../builders.js';
import { AUTHORISATION, anAuthorisation, aPayment } from '../../rules/ledger-of.js';
import { API, anEmulator, errorOf, jsonOf, PSU, V1 } from '../an-emulator.js';

const { ask } = anEmulator();
const PRODUCTS = Object.keys(PAYMENT_PRODUCTS) as PaymentProduct[];
const FIRST = '11111111-1111-1111-1111-111111111111';
const FLOW = 'f0000000-0000-4000-8000-000000000001';
/** One that has handed out no authorisation yet. */
const fresh = () => anEmulator().ask;
const PAYMENTS = [...SANDBOX_PAYMENTS].map(([paymentId, { status, product }]) => ({
  paymentId,
  status,
  paymentProduct: PRODUCTS.find((one) => PAYMENT_PRODUCTS[one] === product) as PaymentProduct,
}));
const on = (operation: NonNullable<CallParts['operation']>, params: Record<string, string>) =>
  ask({ operation, params });

describe('initiating a payment', () => {
  it.each(PRODUCTS)('authorises %s implicitly', (paymentProduct) => {
    const answer = fresh()({ operation: 'payments.create', params: { paymentProduct }, body: {} });
    const paymentId = `PAYMENT_ID_RCVD_${PAYMENT_PRODUCTS[paymentProduct]}`;
    const self = `${V1}/payments/${paymentProduct}/${paymentId}`;
    expect(answer.status).toBe(201);
    expect(jsonOf(answer)).toEqual({
      transactionStatus: 'RCVD',
      paymentId,
      _links: {
        scaOAuth: { href: `${API}/stdgroup/.well-known/openid-configuration?authorizationId=${FLOW}` },
        scaStatus: { href: `${self}/authorisations/${FLOW}` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    });
    expect(answer.header).toMatchObject({
      location: self,
      'aspsp-sca-approach': 'REDIRECT',
      'x-request-id': REQUEST_ID,
    });
  });

  it.each(['payments.create', 'consents.create'] as const)(
    'promises no notification at %s, and says so to a TPP that asks for one',
    (operation) => {
      const support = (headers = {}) =>
        ask({ operation, body: {}, headers }).header['aspsp-notification-support'];
      expect(support()).toBeUndefined();
      expect(support({ 'TPP-Notification-URI': 'https://tpp.example/notify' })).toBe('false');
    },
  );

  it.each(PRODUCTS)('leaves the authorisation of %s to the TPP where it prefers that', (paymentProduct) => {
    const answer = ask({
      operation: 'payments.create',
      params: { paymentProduct },
      body: {},
      headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' },
    });
    const paymentId = `PAYMENT_ID_PATC_${PAYMENT_PRODUCTS[paymentProduct]}`;
    const self = `${V1}/payments/${paymentProduct}/${paymentId}`;
    expect(jsonOf(answer)).toEqual({
      transactionStatus: 'PATC',
      paymentId,
      _links: {
        startAuthorisation: { href: `${self}/authorisations` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    });
    const started = fresh()({
      operation: 'payments.authorisations.create',
      params: { paymentProduct, paymentId },
    });
    expect(started.status).toBe(201);
    expect(jsonOf(started)).toMatchObject({
      scaStatus: 'received',
      authorisationId: FLOW,
      _links: { scaStatus: { href: `${self}/authorisations/${FLOW}` } },
    });
  });

  it('links the authorize address itself where that is configured', () => {
    const answer = anEmulator({ scaLink: 'direct' }).ask({ operation: 'payments.create', body: {} });
    expect(jsonOf(answer)._links.scaOAuth.href).toBe(`${PSU}/stdgroup/authorization/authorize/${FLOW}`);
  });
});

describe.each(PAYMENTS)('$paymentId', ({ paymentId, status, paymentProduct }) => {
  const params = { paymentId, paymentProduct };

  it('is read with its status', () => {
    expect(jsonOf(on('payments.status', params))).toEqual({ transactionStatus: status });
    expect(jsonOf(on('payments.read', params))).toMatchObject({
      transactionStatus: status,
      creditorName: expect.any(String),
      instructedAmount: { amount: expect.stringMatching(/^\d+\.\d\d$/) },
      requestedExecutionDate: expect.stringMatching(/^2026-06-1[67]$/),
    });
  });

  it('has its authorisations and those of its cancellation', () => {
    for (const kind of ['authorisations', 'cancellation-authorisations'] as const) {
      expect(jsonOf(on(`payments.${kind}.list`, params)).authorisationIds).toContain(FIRST);
      for (const [authorisationId, scaStatus] of Object.entries(SANDBOX_AUTHORISATIONS))
        expect(jsonOf(on(`payments.${kind}.read`, { ...params, authorisationId }))).toEqual({ scaStatus });
      const unknown = on(`payments.${kind}.read`, { ...params, authorisationId: 'other' });
      expect(errorOf(unknown)).toBe('404 RESOURCE_UNKNOWN');
    }
  });

  it('takes an authorisation only where it waits for one', () => {
    const answer = on('payments.authorisations.create', params);
    if (status === 'PATC') expect(answer.status).toBe(201);
    else expect(errorOf(answer)).toBe('409 STATUS_INVALID');
  });

  it('is cancelled unless it is final', () => {
    const answer = on('payments.cancel', params);
    if (['ACSC', 'RJCT', 'CANC'].includes(status)) {
      expect(errorOf(answer)).toBe('405 CANCELLATION_INVALID');
      expect(answer.header.allow).toBe('GET, HEAD');
    } else expect(answer).toMatchObject({ status: 204, body: null });
  });
});

const OPERATIONS = [
  'payments.read',
  'payments.status',
  'payments.cancel',
  'payments.authorisations.create',
  'payments.authorisations.list',
  'payments.authorisations.read',
  'payments.cancellation-authorisations.list',
  'payments.cancellation-authorisations.read',
] as const;

describe.each(OPERATIONS)('%s', (operation) => {
  it.each([
    ['an unknown payment', { paymentId: 'PAYMENT_ID_RCVD' }, '403 RESOURCE_UNKNOWN'],
    [
      'a payment of the other product',
      { paymentId: 'PAYMENT_ID_PATC_CBP', paymentProduct: 'sepa-credit-transfers' },
      '403 RESOURCE_UNKNOWN',
    ],
    ['an unknown product', { paymentProduct: 'target-2-payments' }, '404 PRODUCT_UNKNOWN'],
    ['another service', { paymentService: 'bulk-payments' }, '404 PRODUCT_UNKNOWN'],
  ])('refuses %s', (_, params, error) => {
    expect(errorOf(on(operation, params))).toBe(error);
  });
});

it('initiates no payment of an unknown product', () => {
  for (const params of [{ paymentProduct: 'constructor' }, { paymentService: 'periodic-payments' }])
    expect(errorOf(ask({ operation: 'payments.create', params, body: {} }))).toBe('404 PRODUCT_UNKNOWN');
});

it('takes no second authorisation of a payment that this TPP created with an implicit one', () => {
  const ledger = createLedger([aPayment({ id: 'PAYMENT_ID_PATC_SCT', implicit: true, status: 'PATC' })]);
  const parts = {
    operation: 'payments.authorisations.create',
    params: { paymentId: 'PAYMENT_ID_PATC_SCT' },
  } as const;
  expect(errorOf(ask(parts, { ledger }))).toBe('409 STATUS_INVALID');
});

describe('the authorisation of a payment that was handed out', () => {
  const ledger = createLedger([
    anAuthorisation({ scope: 'PIS:PAYMENT_ID_PATC_SCT', status: 'received' }),
    aPayment({ id: 'PAYMENT_ID_PATC_SCT', authorisations: [AUTHORISATION] }),
  ]);
  const params = { paymentId: 'PAYMENT_ID_PATC_SCT', authorisationId: AUTHORISATION };

  it('is listed and read with its own status', () => {
    const list = ask({ operation: 'payments.authorisations.list', params }, { ledger });
    expect(jsonOf(list).authorisationIds).toContain(AUTHORISATION);
    const one = ask({ operation: 'payments.authorisations.read', params }, { ledger });
    expect(jsonOf(one)).toEqual({ scaStatus: 'received' });
  });

  it('is none of another payment, nor of a cancellation', () => {
    const other = { ...params, paymentId: 'PAYMENT_ID_RCVD_SCT' };
    for (const [operation, asked] of [
      ['payments.authorisations.read', other],
      ['payments.cancellation-authorisations.read', params],
    ] as const)
      expect(errorOf(ask({ operation, params: asked }, { ledger }))).toBe('404 RESOURCE_UNKNOWN');
  });
});
