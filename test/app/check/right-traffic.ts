/** Calls and answers of clients and banks that are right, piece by piece, to be put together by a test. */

import type { AnswerParts, CallParts } from '../../builders.js';
import { REDIRECT_URI, VERIFIER } from '../../rules/ledger-of.js';
import {
  authorizeWith,
  CONSENT_BODY,
  exchangeWith,
  PAYMENT_BODY,
  refreshWith,
} from '../../rules/requests-of.js';

export interface Right {
  readonly call: CallParts;
  /** null: none was given. */
  readonly answer: AnswerParts | null;
  /** Ms since the one before; a second where absent. */
  readonly after?: number;
  /** Ms until the answer. */
  readonly takes?: number;
}

export const CONSENT = '4f9d2c10-7b1e-4a53-9c86-0d2e5f7a9b31';
export const PAYMENT = '7c1b0e52-3d64-4f1a-8e27-5a9b3c0d8f46';
export const AUTHORISATION = '0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801';
export const HOST = 'https://localhost:8443/stdgroup/v1';

let count = 0;
/** A new one each time. */
export const requestId = (): string => `99391c7e-ad88-49ec-a2ad-${String(++count).padStart(12, '0')}`;

const href = (path: string) => ({ href: `${HOST}${path}` });

/** With an X-Request-ID that the answer echoes. */
export function step(call: CallParts, answer: AnswerParts | null, rest: Partial<Right> = {}): Right {
  const id = call.headers?.['X-Request-ID'] ?? requestId();
  return {
    call: { ...call, headers: { 'X-Request-ID': id, ...call.headers } },
    answer: answer && { ...answer, headers: { 'X-Request-ID': id, ...answer.headers } },
    ...rest,
  };
}

const creation = { 'TPP-Redirect-URI': REDIRECT_URI, 'PSU-IP-Address': '93.184.216.34' };
const creationLinks = (path: string) => ({
  scaOAuth: {
    href: `https://localhost:8444/stdgroup/authorization/authorize/${AUTHORISATION}`,
  },
  scaStatus: href(`${path}/authorisations/${AUTHORISATION}`),
  self: href(path),
  status: href(`${path}/status`),
});

export function createConsent(body: Record<string, unknown> = {}): Right {
  const path = `/consents/${CONSENT}`;
  return step(
    { operation: 'consents.create', headers: creation, body: { ...CONSENT_BODY, ...body } },
    {
      status: 201,
      headers: { Location: `${HOST}${path}` },
      body: { consentId: CONSENT, consentStatus: 'received', _links: creationLinks(path) },
    },
  );
}

export function createPayment(): Right {
  const path = `/payments/sepa-credit-transfers/${PAYMENT}`;
  return step(
    { operation: 'payments.create', headers: creation, body: PAYMENT_BODY },
    {
      status: 201,
      headers: { Location: `${HOST}${path}` },
      body: { paymentId: PAYMENT, transactionStatus: 'RCVD', _links: creationLinks(path) },
    },
  );
}

export const onPayment = { params: { paymentId: PAYMENT } };
export const onConsent = { params: { consentId: CONSENT } };

/** The browser's way to the bank and back. */
export function authorise(
  fields: Record<string, string> = {},
  back: string = 'code=code-1',
  rest: Partial<Right> = {},
): Right {
  const call = authorizeWith({ scope: `AIS:${CONSENT}`, ...fields });
  const state = new URLSearchParams(call.query).get('state') ?? '';
  return {
    call,
    answer: { status: 302, headers: { Location: `${REDIRECT_URI}?${back}&state=${state}` } },
    ...rest,
  };
}

const noStore = { 'Cache-Control': 'no-store' };

export function exchangeCode(fields: Record<string, string> = {}, body: Record<string, unknown> = {}): Right {
  return {
    call: exchangeWith({ code: 'code-1', code_verifier: VERIFIER, ...fields }),
    answer: { headers: noStore, body: { ...tokens('1'), ...body } },
  };
}

export function refresh(token: string, body: Record<string, unknown>, rest: Partial<Right> = {}): Right {
  return { call: refreshWith({ refresh_token: token }), answer: { headers: noStore, body }, ...rest };
}

export const tokens = (number: string) => ({
  access_token: `access-${number}`,
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: `refresh-${number}`,
  scope: `AIS:${CONSENT}`,
});

export const bearer = (token = 'access-1') => ({
  Authorization: `Bearer ${token}`,
  'Consent-Id': CONSENT,
});

/** A consent with its SCA and its first token. */
export const consented = (): Right[] => [createConsent(), authorise(), exchangeCode()];

export const account = (id: string, links: Record<string, { href: string }> = {}) => ({
  resourceId: id,
  iban: 'BE68539007547034',
  currency: 'EUR',
  _links: {
    balances: href(`/accounts/${id}/balances`),
    transactions: href(`/accounts/${id}/transactions`),
    ...links,
  },
});

export function listAccounts(
  accounts: readonly unknown[] = [account('A1')],
  rest: Partial<Right> = {},
): Right {
  return step({ operation: 'accounts.list', headers: bearer() }, { body: { accounts } }, rest);
}

export const onAccount = { params: { accountId: 'A1' } };

/** `query` in the request; `links` of the report besides `account`. */
export function readTransactions(
  query: string,
  links: Record<string, string> = {},
  rest: Partial<Right> = {},
): Right {
  const all = { account: '/stdgroup/v1/accounts/A1', ...links };
  const _links = Object.fromEntries(Object.entries(all).map(([name, target]) => [name, { href: target }]));
  return step(
    { operation: 'accounts.transactions', ...onAccount, query, headers: bearer() },
    { body: { account: { iban: 'BE68539007547034' }, transactions: { booked: [], _links } } },
    rest,
  );
}
