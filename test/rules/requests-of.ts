/** Valid requests of consents, payments and the OAuth flow, to be changed in one place by a test. */
import { type CallParts, TPP } from '../builders.js';
import {
  AUTHORISATION,
  CHALLENGE,
  CONSENT,
  REDIRECT_URI,
  REFRESH_TOKEN,
  STATE,
  VERIFIER,
} from './ledger-of.js';

type Members = Record<string, unknown>;
/** Members put over the valid ones; undefined takes one out. */
type Fields = Record<string, string | undefined>;

export const CONSENT_BODY: Members = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2026-09-13',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};

export function consentWith(members: Members, parts: CallParts = {}): CallParts {
  return { operation: 'consents.create', body: { ...CONSENT_BODY, ...members }, ...parts };
}

export const DEBTOR = 'BE68539007547034';
export const CREDITOR = 'DE89370400440532013000';
export const PAYMENT_BODY: Members = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: DEBTOR },
  creditorAccount: { iban: CREDITOR },
  creditorName: 'Example Merchant',
};

export function paymentWith(members: Members, parts: CallParts = {}): CallParts {
  return { operation: 'payments.create', body: { ...PAYMENT_BODY, ...members }, ...parts };
}

export const CROSS_BORDER: CallParts = { params: { paymentProduct: 'cross-border-payments' } };

export function fundsWith(members: Members): CallParts {
  const body = {
    account: { iban: DEBTOR },
    instructedAmount: { currency: 'EUR', amount: '123.50' },
    ...members,
  };
  return { operation: 'funds-confirmations.create', body };
}

export function simulationWith(members: Members): CallParts {
  const body = {
    paymentId: 'PAYMENT_ID_RCVD_SCT',
    tppNotificationUri: 'http://localhost:9000/notify',
    status: 'ACSC',
    ...members,
  };
  return { operation: 'notifications.simulate', body };
}

function present(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
}

const AUTHORIZE = {
  scope: `AIS:${CONSENT}`,
  client_id: TPP,
  state: STATE,
  redirect_uri: REDIRECT_URI,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  response_type: 'code',
};

export function authorizeWith(fields: Fields, parts: CallParts = {}): CallParts {
  const query = new URLSearchParams(present({ ...AUTHORIZE, ...fields })).toString();
  return { operation: 'oauth.authorize', params: { authorisationId: AUTHORISATION }, query, ...parts };
}

/** The same with more of it appended, as it stands: a parameter may come twice so. */
export function authorizeAnd(appended: string): CallParts {
  const query = `${new URLSearchParams(AUTHORIZE).toString()}&${appended}`;
  return { operation: 'oauth.authorize', params: { authorisationId: AUTHORISATION }, query };
}

export const CODE = 'code-of-the-tests';

export function exchangeWith(fields: Fields, parts: CallParts = {}): CallParts {
  const form = {
    grant_type: 'authorization_code',
    client_id: TPP,
    code: CODE,
    code_verifier: VERIFIER,
    ...fields,
  };
  return { operation: 'oauth.token', form: Object.fromEntries(present(form)), ...parts };
}

export function refreshWith(fields: Fields, parts: CallParts = {}): CallParts {
  const form = { grant_type: 'refresh_token', client_id: TPP, refresh_token: REFRESH_TOKEN, ...fields };
  return { operation: 'oauth.token', form: Object.fromEntries(present(form)), ...parts };
}

/** A form just as it is. */
export function formText(body: string): CallParts {
  return {
    operation: 'oauth.token',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  };
}
