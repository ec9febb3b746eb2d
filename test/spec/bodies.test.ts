/** The body schemas: what each takes, and where it points when it does not. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  ANSWER_BODIES,
  accountList,
  balances,
  callback,
  consent,
  consentCreation,
  consentRequest,
  crossBorderPaymentRequest,
  DISCOVERY_VALUES,
  discovery,
  fundsConfirmationRequest,
  OPERATION_IDS,
  oauthError,
  payment,
  paymentRequest,
  problem,
  simulationRequest,
  token,
  tppMessages,
  transactions,
} from '../../src/spec/index.js';

const IBAN = 'BE68539007547034';
const consentBody = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2026-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const paymentBody = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  debtorAccount: { iban: IBAN },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Merchant',
  requestedExecutionDate: '2026-12-01',
};
const links = { self: { href: '/stdgroup/v1/consents/VALID_CONSENT_ID' } };
const link = { href: 'https://localhost:8443/x' };
const discoveryBody = {
  issuer: 'https://localhost:8443',
  authorization_endpoint: 'https://localhost:8444/stdgroup/authorization/authorize/1',
  token_endpoint: 'https://localhost:8443/stdgroup/v1/token',
  userinfo_endpoint: 'https://localhost:8443/stdgroup/v1/accounts',
  ...DISCOVERY_VALUES,
};
const tokenBody = {
  access_token: 'a',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'r',
  scope: 'AIS:VALID_CONSENT_ID',
};

const TAKES: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['a consent', consentRequest, consentBody],
  [
    'null members and others unheard of',
    consentRequest,
    { ...consentBody, access: { accounts: null, x: 1 } },
  ],
  [
    'accounts named in many ways',
    consentRequest,
    {
      ...consentBody,
      access: {
        accounts: [
          { iban: IBAN, currency: 'EUR' },
          { bban: '1' },
          { maskedPan: '12**34' },
          { resourceId: 'a' },
        ],
        balances: [],
      },
    },
  ],
  ['a date that is none (a rule judges it)', consentRequest, { ...consentBody, validUntil: 'soon' }],
  ['a payment', paymentRequest, paymentBody],
  ['a payment without date', paymentRequest, { ...paymentBody, requestedExecutionDate: undefined }],
  [
    'a cross-border account by bban',
    crossBorderPaymentRequest,
    { ...paymentBody, creditorAccount: { bban: '12345' } },
  ],
  [
    'funds',
    fundsConfirmationRequest,
    { account: { iban: IBAN }, instructedAmount: { currency: 'EUR', amount: '1' } },
  ],
  ['a creation', consentCreation, { consentStatus: 'received', consentId: 'c', _links: { scaOAuth: link } }],
  ['extra members', consentCreation, { consentStatus: 'x', consentId: 'c', _links: links, psuMessage: 'hi' }],
  [
    'amounts as numbers in answers',
    balances,
    { balances: [{ balanceAmount: { currency: 'EUR', amount: -256.67 }, balanceType: 'expected' }] },
  ],
  ['a list of no accounts', accountList, { accounts: [] }],
  ['transactions by download', transactions, { _links: { download: link } }],
  ['a payment without status', payment, paymentBody],
  ['a token', token, tokenBody],
  ['bearer in small letters', token, { ...tokenBody, token_type: 'bearer' }],
  ['a discovery document', discovery, discoveryBody],
  ['a callback', callback, { 'payment-ID': 'p', transactionStatus: 'ACSC' }],
  ['messages', tppMessages, { tppMessages: [{ category: 'ERROR', code: 'OWN_CODE' }] }],
  ['a problem', problem, { type: 'https://bank.example/e', code: 'FORMAT_ERROR' }],
  ['an OAuth error', oauthError, { error: 'invalid_grant' }],
];

const REFUSES: readonly (readonly [string, z.ZodType, unknown, readonly string[]])[] = [
  ['nothing', consentRequest, undefined, ['']],
  ['an array', consentRequest, [], ['']],
  [
    'every missing field at once',
    consentRequest,
    {},
    ['access', 'recurringIndicator', 'validUntil', 'frequencyPerDay', 'combinedServiceIndicator'],
  ],
  [
    'texts for booleans and numbers',
    consentRequest,
    { ...consentBody, recurringIndicator: 'true', frequencyPerDay: '4' },
    ['recurringIndicator', 'frequencyPerDay'],
  ],
  [
    'the first account of a selection that is none, whatever follows',
    consentRequest,
    { ...consentBody, access: { accounts: [{ iban: IBAN }, 1, 2, 3], balances: [null], transactions: 'x' } },
    ['access.accounts.1', 'access.balances.0', 'access.transactions'],
  ],
  [
    'accounts that are named by no text',
    consentRequest,
    {
      ...consentBody,
      access: {
        accounts: [{}],
        balances: [{ iban: 12345 }],
        transactions: [{ iban: IBAN }, { currency: 'EUR' }],
      },
    },
    ['access.accounts.0', 'access.balances.0.iban', 'access.transactions.1'],
  ],
  [
    'a frequency that is no integer',
    consentRequest,
    { ...consentBody, frequencyPerDay: 1.5 },
    ['frequencyPerDay'],
  ],
  [
    'an amount as a number',
    paymentRequest,
    { ...paymentBody, instructedAmount: { currency: 'EUR', amount: 12.5 } },
    ['instructedAmount.amount'],
  ],
  [
    'a SEPA account by bban',
    paymentRequest,
    { ...paymentBody, creditorAccount: { bban: '12345' } },
    ['creditorAccount.iban'],
  ],
  [
    'an account named in no way',
    crossBorderPaymentRequest,
    { ...paymentBody, creditorAccount: { currency: 'EUR' } },
    ['creditorAccount'],
  ],
  ['an empty simulation', simulationRequest, {}, ['paymentId', 'tppNotificationUri', 'status']],
  [
    'a link as text',
    consentCreation,
    { consentStatus: 'received', consentId: 'c', _links: { scaOAuth: 'https://x' } },
    ['_links.scaOAuth'],
  ],
  ['a consent without its status', consent, { ...consentBody, lastActionDate: 'x' }, ['consentStatus']],
  [
    'a token of another type',
    token,
    { ...tokenBody, token_type: 'mac', expires_in: '3600' },
    ['token_type', 'expires_in'],
  ],
  ['a relative issuer', discovery, { ...discoveryBody, issuer: '/x' }, ['issuer']],
  ['no message', tppMessages, { tppMessages: [] }, ['tppMessages']],
  ['a callback in camel case', callback, { paymentId: 'p', transactionStatus: 'ACSC' }, ['payment-ID']],
];

describe('schemas', () => {
  it.each(TAKES)('take %s', (_, schema, body) => {
    expect(schema.safeParse(body).error?.issues).toBeUndefined();
  });

  it.each(REFUSES)('refuse %s', (_, schema, body, paths) => {
    const issues = schema.safeParse(body).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join('.')).sort()).toEqual([...paths].sort());
  });

  it('keep members that they do not know', () => {
    expect(consentRequest.parse({ ...consentBody, vendor: { x: 1 } })).toHaveProperty('vendor.x', 1);
  });
});

describe('bodies of operations', () => {
  it('an answer without body comes with 204, a redirect, or the accepted simulation', () => {
    const without = OPERATION_IDS.filter((id) => ANSWER_BODIES[id] === null);
    expect(without).toEqual(['consents.delete', 'oauth.authorize', 'notifications.simulate']);
  });
});
