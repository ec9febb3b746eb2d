/** A TPP at the living bank, in short verbs; its PSUs decide by link, without a browser. */

import { expect } from 'vitest';
import { bankDateAt } from '../../src/spec/index.js';
import { CHALLENGE, DAY_MS, type Reply, type TestGateway, VERIFIER } from './harness.js';

const V1 = '/stdgroup/v1';
const REDIRECT_URI = 'https://tpp.example/back';
const CLIENT_ID = 'VALID_CLIENT_ID';
const PSU_IP = '192.0.2.1';
const PRODUCT = `${V1}/payments/sepa-credit-transfers`;

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** What was created, and the link that leads to its authorisation. */
export interface Created {
  readonly id: string;
  readonly link: string;
}

export interface Decision {
  readonly psu: string;
  readonly outcome?: string;
}

export interface ConsentOrder {
  readonly access?: object;
  readonly recurring?: boolean;
  /** Of validity, today counted. */
  readonly days?: number;
}

export interface PaymentOrder {
  readonly debtorIban: string;
  readonly creditorIban: string;
  readonly amount: string;
  /** YYYY-MM-DD. */
  readonly on?: string;
  /** Members put over these. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface LivingTpp {
  readonly createConsent: (order?: ConsentOrder) => Promise<Created>;
  readonly createPayment: (order: PaymentOrder) => Promise<Created>;
  /** As it is answered, also where the bank refuses it. */
  readonly postPayment: (order: PaymentOrder) => Promise<Reply>;
  readonly readPayment: (id: string) => Promise<Reply>;
  /** The parameters with which the PSU's browser came back; null where the bank sent it nowhere. */
  readonly authorise: (scope: string, link: string, decision: Decision) => Promise<URLSearchParams | null>;
  readonly exchange: (code: string) => Promise<Reply>;
  readonly refresh: (token: string) => Promise<Reply>;
  readonly consentStatus: (id: string) => Promise<Reply>;
  readonly paymentStatus: (id: string) => Promise<Reply>;
  readonly deleteConsent: (id: string) => Promise<Reply>;
  readonly cancelPayment: (id: string) => Promise<Reply>;
  /** Account information; `psuIp` null: nobody is asking. */
  readonly read: (path: string, consent: string, token: string, psuIp?: string | null) => Promise<Reply>;
}

export const tokensOf = ({ json }: Reply): Tokens => ({
  access: json.access_token,
  refresh: json.refresh_token,
});

export function createdBy(created: Reply): Created {
  expect(created.status, created.text).toBe(201);
  const { consentId, paymentId = consentId, _links } = created.json;
  return { id: paymentId, link: _links.scaOAuth.href };
}

export function livingTpp(gateway: TestGateway, cert: string): LivingTpp {
  const dayAfter = (days: number) => bankDateAt(gateway.app.clock.now() + days * DAY_MS);
  const creation = { 'TPP-Redirect-URI': REDIRECT_URI, 'PSU-IP-Address': PSU_IP };
  const post = (path: string, json: object) => gateway.call(path, { cert, headers: creation, json });
  const postPayment: LivingTpp['postPayment'] = ({ debtorIban, creditorIban, amount, on, more }) =>
    post(PRODUCT, {
      instructedAmount: { currency: 'EUR', amount },
      creditorAccount: { iban: creditorIban },
      creditorName: 'Fietsenatelier Roeland',
      ...(on === undefined ? {} : { requestedExecutionDate: on }),
      ...more,
      debtorAccount: { iban: debtorIban, ...(more?.debtorAccount as object | undefined) },
    });
  return {
    createConsent: async ({ access = { allPsd2: 'allAccounts' }, recurring = true, days = 90 } = {}) =>
      createdBy(
        await post(`${V1}/consents`, {
          access,
          recurringIndicator: recurring,
          validUntil: dayAfter(days - 1),
          frequencyPerDay: recurring ? 4 : 1,
          combinedServiceIndicator: false,
        }),
      ),
    createPayment: async (order) => createdBy(await postPayment(order)),
    postPayment,
    readPayment: (id) => gateway.call(`${PRODUCT}/${id}`, { cert, headers: { 'Consent-Id': id } }),
    authorise: async (scope, link, { psu, outcome = 'SCA_OK' }) => {
      // Started again, the gateway has other ports.
      const { pathname, search } = new URL(link);
      const discovery = await gateway.call(pathname + search, { cert });
      expect(discovery.status, discovery.text).toBe(200);
      const url = new URL(discovery.json.authorization_endpoint);
      url.search = new URLSearchParams({
        scope,
        client_id: CLIENT_ID,
        state: url.pathname,
        redirect_uri: REDIRECT_URI,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        response_type: 'code',
        scenario: outcome,
        psu,
      }).toString();
      const { headers } = await gateway.call(url.href, { cert: null });
      return headers.location === undefined ? null : new URL(headers.location).searchParams;
    },
    exchange: (code) => {
      const form = { grant_type: 'authorization_code', client_id: CLIENT_ID, code, code_verifier: VERIFIER };
      return gateway.call(`${V1}/token`, { cert, form: { ...form, redirect_uri: REDIRECT_URI } });
    },
    refresh: (token) => {
      const form = { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: token };
      return gateway.call(`${V1}/token`, { cert, form });
    },
    consentStatus: (id) => gateway.call(`${V1}/consents/${id}/status`, { cert }),
    paymentStatus: (id) => gateway.call(`${PRODUCT}/${id}/status`, { cert, headers: { 'Consent-Id': id } }),
    deleteConsent: (id) => gateway.call(`${V1}/consents/${id}`, { cert, method: 'DELETE' }),
    cancelPayment: (id) =>
      gateway.call(`${PRODUCT}/${id}`, { cert, method: 'DELETE', headers: { 'Consent-Id': id } }),
    read: (path, consent, token, psuIp = PSU_IP) => {
      const headers = { Authorization: `Bearer ${token}`, 'Consent-Id': consent };
      const asked = psuIp === null ? headers : { ...headers, 'PSU-IP-Address': psuIp };
      return gateway.call(`${V1}${path}`, { cert, headers: asked });
    },
  };
}

/** A consent that its PSU gave, with its tokens. */
export async function linked(tpp: LivingTpp, psu: string, order?: ConsentOrder) {
  const { id, link } = await tpp.createConsent(order);
  const back = await tpp.authorise(`AIS:${id}`, link, { psu });
  const answer = await tpp.exchange(back?.get('code') ?? '');
  expect(answer.status, answer.text).toBe(200);
  return { id, tokens: tokensOf(answer) };
}
