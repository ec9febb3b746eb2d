/** Defects of clients as the field has them: each, alone in a journey, is named by one finding of one rule. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/rules/index.js';
import { aCertificate, type CallParts, fingerprint, NOW, OTHER_TPP, organisation, TPP } from '../builders.js';
import { authorizePaymentWith, type Found, JOURNEY, judgeJourney, type Step } from './journey.js';
import {
  AUTHORISATION,
  CHALLENGE,
  CONSENT,
  PAYMENT,
  REDIRECT_URI,
  REFRESH_TOKEN,
  STATE,
  VERIFIER,
} from './ledger-of.js';
import { authorizeWith, CODE, consentWith, exchangeWith, paymentWith, refreshWith } from './requests-of.js';

interface Defect {
  /** The journey with the defect in it. */
  steps: readonly Step[];
  finds: Partial<Found> & { rule: string };
  /** Where the defect is one, or is named by this rule. */
  only?: Profile;
}

const DIGEST = createHash('sha256').update(VERIFIER).digest();
const GUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const byOther = {
  certificate: aCertificate({ organizationIdentifier: organisation(OTHER_TPP), ncaId: 'DE-BAFIN' }),
};
const creation = {
  headers: { 'TPP-Redirect-URI': REDIRECT_URI, 'PSU-IP-Address': '192.0.2.7' },
};
const SECOND: CallParts = { operation: 'consents.authorisations.create', params: { consentId: CONSENT } };

function step(name: string): Step {
  const found = JOURNEY.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no step ${name}.`);
  return found;
}
const withCall = (name: string, call: CallParts): Step[] =>
  JOURNEY.map((one) => (one.name === name ? { ...one, call } : one));
const without = (name: string): Step[] => JOURNEY.filter((one) => one.name !== name);
const after = (name: string, ...added: Step[]): Step[] =>
  JOURNEY.flatMap((one) => (one.name === name ? [one, ...added] : [one]));

const consent = (members: Record<string, unknown>) =>
  withCall('create consent', consentWith(members, creation));
const payment = (members: Record<string, unknown>) =>
  withCall('create payment', paymentWith(members, creation));
const authorize = (fields: Record<string, string | undefined>) =>
  withCall('authorize', authorizeWith(fields));
const exchange = (fields: Record<string, string | undefined>) =>
  withCall('exchange code', exchangeWith(fields));
const refresh = (fields: Record<string, string | undefined>, parts: CallParts = {}) =>
  withCall('refresh again', refreshWith({ refresh_token: 'refresh-2', ...fields }, parts));
const on = (name: string, parts: CallParts): Step[] => withCall(name, { ...step(name).call, ...parts });
/** Such a client sends the PSU there, and never gets to authorize. */
const stuckAtDiscovery = (appended: string): Step[] =>
  on('read discovery', { query: `authorizationId=${AUTHORISATION}?${appended}` }).slice(0, 2);
/** The verifier at the token endpoint, and the challenge that such a client makes of it. */
const pkce = (challenge: string, verifier = VERIFIER): Step[] =>
  authorize({ code_challenge: challenge }).map((one) =>
    one.name === 'exchange code' ? { ...one, call: exchangeWith({ code_verifier: verifier }) } : one,
  );

const PKCE: Readonly<Record<string, Defect>> = {
  'a GUID as verifier, its challenge rightly made': {
    steps: pkce(createHash('sha256').update(GUID).digest('base64url'), GUID),
    finds: { rule: 'oauth/verifier-well-formed', step: 'exchange code', actual: '36 characters: a GUID' },
  },
  'a challenge in padded base64': {
    steps: pkce(`${CHALLENGE}=`),
    finds: {
      rule: 'oauth/challenge-well-formed',
      step: 'authorize',
      actual: '44 characters: base64 with padding (=)',
    },
  },
  'a challenge in standard base64': {
    steps: pkce(DIGEST.toString('base64').replace(/=+$/, '')),
    finds: {
      rule: 'oauth/challenge-well-formed',
      actual: '43 characters: base64 of the standard alphabet (+ and /)',
    },
  },
  'a challenge in standard base64 with padding': {
    steps: pkce(DIGEST.toString('base64')),
    finds: { rule: 'oauth/challenge-well-formed', step: 'authorize' },
  },
  'a challenge in hexadecimal': {
    steps: pkce(DIGEST.toString('hex')),
    finds: { rule: 'oauth/challenge-well-formed', actual: '64 characters: the digest in hexadecimal' },
  },
  'the verifier sent as challenge': {
    steps: pkce(VERIFIER),
    finds: { rule: 'oauth/verifier-matches-challenge', step: 'exchange code' },
  },
  'a verifier of another request': {
    steps: pkce(CHALLENGE, 'M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag'),
    finds: { rule: 'oauth/verifier-matches-challenge', step: 'exchange code' },
  },
  'no method, in the sandbox': {
    steps: authorize({ code_challenge_method: undefined }),
    finds: {
      rule: 'oauth/challenge-uses-s256',
      actual: 'absent, which means plain: if the challenge is a hash, POST /token fails with invalid_grant',
    },
    only: 'sandbox',
  },
  'no method, in production': {
    steps: authorize({ code_challenge: VERIFIER, code_challenge_method: undefined }),
    finds: {
      rule: 'oauth/challenge-uses-s256',
      actual: 'absent, which means plain: if the challenge is a hash, POST /token fails with invalid_grant',
    },
    only: 'production',
  },
  'a plain challenge, in production': {
    steps: authorize({ code_challenge: VERIFIER, code_challenge_method: 'plain' }),
    finds: { rule: 'oauth/challenge-uses-s256', actual: 'plain' },
    only: 'production',
  },
  'an unknown method': {
    steps: authorize({ code_challenge_method: 's256' }),
    finds: { rule: 'oauth/challenge-method', actual: 's256' },
  },
};

const FLOW: Readonly<Record<string, Defect>> = {
  'a constant state': {
    steps: authorize({ state: 'test' }),
    finds: { rule: 'oauth/state-unguessable', step: 'authorize', actual: '"test", a constant' },
    only: 'production',
  },
  'the same state for consent and payment': {
    steps: withCall('authorize payment', authorizePaymentWith({ state: STATE })),
    finds: { rule: 'oauth/state-fresh', step: 'authorize payment', severity: 'must' },
    only: 'production',
  },
  'the same state for consent and payment, which the sandbox takes': {
    steps: withCall('authorize payment', authorizePaymentWith({ state: STATE })),
    finds: { rule: 'oauth/state-fresh', step: 'authorize payment', severity: 'note' },
    only: 'sandbox',
  },
  'the same challenge for consent and payment': {
    steps: withCall('authorize payment', authorizePaymentWith({ code_challenge: CHALLENGE })),
    finds: { rule: 'oauth/challenge-fresh', step: 'authorize payment' },
    only: 'production',
  },
  'another redirect_uri at the token endpoint': {
    steps: exchange({ redirect_uri: 'http://localhosta' }),
    finds: { rule: 'oauth/redirect-uri-same-at-token', expected: REDIRECT_URI, actual: 'http://localhosta' },
  },
  'another redirect_uri at authorize': {
    steps: authorize({ redirect_uri: `${REDIRECT_URI}/` }),
    finds: { rule: 'oauth/redirect-uri-matches-creation', step: 'authorize' },
  },
  'the parameters appended to the discovery link with a second question mark': {
    steps: stuckAtDiscovery(`scope=AIS:${CONSENT}`),
    finds: { rule: 'oauth/discovery-read-first', step: 'read discovery', place: 'query authorizationId' },
  },
  'all parameters appended to the discovery link with a second question mark': {
    steps: stuckAtDiscovery(step('authorize').call.query ?? ''),
    finds: { rule: 'oauth/discovery-read-first', step: 'read discovery', place: 'query authorizationId' },
  },
  'all parameters appended to the discovery link with an ampersand': {
    steps: on('read discovery', {
      query: `authorizationId=${AUTHORISATION}&${step('authorize').call.query}`,
    }),
    finds: { rule: 'oauth/discovery-read-first', step: 'read discovery', place: 'query scope' },
  },
  'the discovery document never read': {
    steps: without('read discovery'),
    finds: { rule: 'oauth/discovery-read-first', step: 'authorize' },
  },
  'the scope of another service': {
    steps: authorize({ scope: `PIS:${CONSENT}` }),
    finds: { rule: 'oauth/scope-names-created-resource', step: 'authorize' },
  },
  'a made-up scope': {
    steps: authorize({ scope: 'AIS:made-up' }),
    finds: { rule: 'oauth/scope-names-created-resource', step: 'authorize' },
  },
  'a scope without service': {
    steps: authorize({ scope: CONSENT }),
    finds: { rule: 'oauth/scope-form', step: 'authorize' },
  },
  'the scope of the consent at the authorisation of the payment': {
    steps: withCall('authorize payment', authorizePaymentWith({ scope: `AIS:${CONSENT}` })),
    finds: { rule: 'oauth/scope-matches-authorisation', step: 'authorize payment' },
  },
  'the client_id of another TPP at authorize': {
    steps: authorize({ client_id: OTHER_TPP }),
    finds: { rule: 'oauth/client-id', step: 'authorize', actual: OTHER_TPP },
  },
  'the literal client_id in production': {
    steps: authorize({ client_id: 'VALID_CLIENT_ID' }),
    finds: { rule: 'oauth/client-id', step: 'authorize' },
    only: 'production',
  },
  'a response type of the implicit flow': {
    steps: authorize({ response_type: 'token' }),
    finds: { rule: 'oauth/response-type', step: 'authorize' },
  },
  ...Object.fromEntries(
    ['scope', 'client_id', 'state', 'redirect_uri', 'code_challenge', 'response_type'].map((name) => [
      `authorize without ${name}`,
      {
        steps: authorize({ [name]: undefined }),
        finds: { rule: 'oauth/authorize-parameters', place: `query ${name}`, actual: 'absent' },
      },
    ]),
  ),
};

const TOKENS: Readonly<Record<string, Defect>> = {
  'the code exchanged twice': {
    steps: after('exchange code', { ...step('exchange code'), name: 'exchange code again' }),
    finds: { rule: 'oauth/code-used-once', step: 'exchange code again' },
  },
  'an old refresh token after rotation': {
    steps: refresh({ refresh_token: REFRESH_TOKEN }),
    finds: {
      rule: 'oauth/refresh-token-current',
      step: 'refresh again',
      actual: 'an older refresh token, replaced since',
    },
  },
  'a refresh token after 91 days': {
    steps: withCall('refresh again', {
      ...step('refresh again').call,
      at: Date.UTC(2026, 8, 15),
      certificate: aCertificate({ notAfter: '2027-06-15T00:00:00.000Z' }),
    }),
    finds: { rule: 'oauth/refresh-within-90-days', step: 'refresh again' },
  },
  'the refresh token of one TPP used by another, under its own client_id': {
    steps: refresh({ client_id: OTHER_TPP }, byOther),
    finds: { rule: 'oauth/refresh-token-belongs-to-tpp', step: 'refresh again' },
  },
  'the certificate of another TPP under the client_id of the first': {
    steps: refresh({}, byOther),
    finds: { rule: 'oauth/token-client-id', step: 'refresh again' },
  },
  'the client_id of another TPP at the token endpoint': {
    steps: exchange({ client_id: OTHER_TPP }),
    finds: { rule: 'oauth/token-client-id', step: 'exchange code' },
  },
  'an unknown grant': {
    steps: exchange({ grant_type: 'client_credentials' }),
    finds: { rule: 'oauth/grant-type', step: 'exchange code' },
  },
  'all fields in the URL': {
    steps: withCall('refresh again', {
      operation: 'oauth.token',
      query: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: TPP,
        refresh_token: 'refresh-2',
      }).toString(),
    }),
    finds: { rule: 'oauth/token-parameters', step: 'refresh again', place: 'query' },
  },
  'no grant': {
    steps: exchange({ grant_type: undefined }),
    finds: { rule: 'oauth/grant-type', step: 'exchange code', actual: 'absent' },
  },
  ...Object.fromEntries(
    ['client_id', 'code', 'code_verifier'].map((name) => [
      `an exchange without ${name}`,
      {
        steps: exchange({ [name]: undefined }),
        finds: { rule: 'oauth/token-parameters', place: `body ${name}` },
      },
    ]),
  ),
  'the code sent twice': {
    steps: withCall('exchange code', {
      operation: 'oauth.token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `grant_type=authorization_code&client_id=VALID_CLIENT_ID&code=${CODE}&code=${CODE}&code_verifier=${VERIFIER}`,
    }),
    finds: { rule: 'oauth/token-parameters', place: 'body code', actual: '2 times' },
    only: 'sandbox',
  },
  'no body at the token endpoint': {
    steps: withCall('exchange code', { operation: 'oauth.token' }),
    finds: { rule: 'oauth/grant-type', step: 'exchange code' },
  },
};

const money = (amount: unknown) => ({ instructedAmount: { currency: 'EUR', amount } });

const BODIES: Readonly<Record<string, Defect>> = {
  'validUntil one day too far': {
    steps: consent({ validUntil: '2026-09-14' }),
    finds: { rule: 'consents/valid-until-within-90-days', actual: '2026-09-14, which is 91 days ahead' },
  },
  'validUntil past': {
    steps: consent({ validUntil: '2026-06-14' }),
    finds: { rule: 'consents/valid-until-not-past' },
  },
  'validUntil no date': {
    steps: consent({ validUntil: '2026-02-30' }),
    finds: { rule: 'consents/valid-until-is-a-date' },
  },
  ...Object.fromEntries(
    ['access', 'recurringIndicator', 'validUntil', 'frequencyPerDay', 'combinedServiceIndicator'].flatMap(
      (name) => [
        [
          `a consent without ${name}`,
          {
            steps: consent({ [name]: undefined }),
            finds: { rule: 'consents/body-well-formed', place: `body ${name}`, actual: 'absent' },
          },
        ],
        [
          `a consent whose ${name} is a list`,
          {
            steps: consent({ [name]: [] }),
            finds: { rule: 'consents/body-well-formed', place: `body ${name}`, actual: 'an array' },
          },
        ],
      ],
    ),
  ),
  'a frequency of 0': {
    steps: consent({ frequencyPerDay: 0 }),
    finds: { rule: 'consents/frequency-positive' },
  },
  'a frequency of 1.5': {
    steps: consent({ frequencyPerDay: 1.5 }),
    finds: { rule: 'consents/frequency-positive' },
  },
  'a frequency of 24': {
    steps: consent({ frequencyPerDay: 24 }),
    finds: { rule: 'consents/frequency-allowed' },
  },
  'four accesses a day for a consent that is used once': {
    steps: consent({ recurringIndicator: false }),
    finds: { rule: 'consents/one-off-frequency' },
  },
  'no kind of access': { steps: consent({ access: {} }), finds: { rule: 'consents/access-is-one-kind' } },
  'two kinds of access': {
    steps: consent({ access: { allPsd2: 'allAccounts', accounts: [{ iban: 'BE68539007547034' }] } }),
    finds: { rule: 'consents/access-is-one-kind' },
  },
  'another access value': {
    steps: consent({ access: { allPsd2: 'all' } }),
    finds: { rule: 'consents/access-value' },
  },
  'no body of a consent': {
    steps: withCall('create consent', { operation: 'consents.create', ...creation }),
    finds: { rule: 'consents/body-well-formed', place: 'body' },
  },
  'an amount as JSON number': {
    steps: payment(money(123.5)),
    finds: {
      rule: 'payments/amount-well-formed',
      place: 'body instructedAmount.amount',
      expected: 'a string, such as "123.50"',
      actual: '123.5 (a number)',
    },
  },
  'an amount of zero': { steps: payment(money('0')), finds: { rule: 'payments/amount-well-formed' } },
  'no amount': { steps: payment(money(undefined)), finds: { rule: 'payments/body-well-formed' } },
  'dollars by SEPA': {
    steps: payment({ instructedAmount: { currency: 'USD', amount: '1.00' } }),
    finds: { rule: 'payments/currency-known' },
  },
  'an IBAN mistyped': {
    steps: payment({ debtorAccount: { iban: 'BE68539007547035' } }),
    finds: { rule: 'payments/iban-valid' },
  },
  'an account as text': {
    steps: payment({ debtorAccount: 'BE68' }),
    finds: { rule: 'payments/body-well-formed' },
  },
  'no creditor name': {
    steps: payment({ creditorName: undefined }),
    finds: { rule: 'payments/body-well-formed' },
  },
  'a long creditor name': {
    steps: payment({ creditorName: 'a'.repeat(71) }),
    finds: { rule: 'payments/text-lengths' },
  },
  'an umlaut': { steps: payment({ creditorName: 'Müller' }), finds: { rule: 'payments/text-characters' } },
  'an execution date of yesterday': {
    steps: payment({ requestedExecutionDate: '2026-06-14' }),
    finds: { rule: 'payments/execution-date' },
  },
  'an execution date as number': {
    steps: payment({ requestedExecutionDate: 20260616 }),
    finds: { rule: 'payments/body-well-formed' },
  },
  'an amount as JSON number in a funds confirmation': {
    steps: on('confirm funds', { body: { account: { iban: 'BE68539007547034' }, ...money(1) } }),
    finds: { rule: 'funds/amount-well-formed' },
  },
  'a notification to another host': {
    steps: on('simulate', {
      body: { paymentId: PAYMENT, tppNotificationUri: 'http://169.254.169.254/', status: 'ACSC' },
    }),
    finds: { rule: 'notifications/uri-allowed' },
  },
  'a notification to no address': {
    steps: on('simulate', { body: { paymentId: PAYMENT, tppNotificationUri: '/notify', status: 'ACSC' } }),
    finds: { rule: 'notifications/simulation-body' },
  },
};

const RESOURCES: Readonly<Record<string, Defect>> = {
  'the consent of one TPP used by another': {
    steps: on('read consent', byOther),
    finds: { rule: 'consents/known-to-tpp', step: 'read consent', actual: CONSENT },
  },
  'the payment of one TPP used by another': {
    steps: on('read payment status', byOther),
    finds: { rule: 'payments/known-to-tpp', step: 'read payment status', actual: PAYMENT },
  },
  'a second authorisation of a consent': {
    steps: after('read consent', {
      name: 'authorise again',
      call: SECOND,
      answer: { status: 409, body: {} },
    }),
    finds: { rule: 'consents/authorised-once', step: 'authorise again' },
  },
  'a payment under another product': {
    steps: on('read payment status', {
      params: { paymentId: PAYMENT, paymentProduct: 'cross-border-payments' },
    }),
    finds: { rule: 'payments/product-matches-payment', step: 'read payment status' },
  },
  'a payment under an unknown product': {
    steps: on('read payment status', { params: { paymentId: PAYMENT, paymentProduct: 'target-2-payments' } }),
    finds: { rule: 'payments/product-known', step: 'read payment status' },
  },
  'a payment initiated under an unknown service': {
    steps: on('create payment', { params: { paymentService: 'bulk-payments' } })
      .map((one) => (one.name === 'create payment' ? { ...one, answer: { status: 404, body: {} } } : one))
      .slice(0, 8),
    finds: { rule: 'payments/product-known', step: 'create payment' },
  },
  'the id of a consent in the Consent-Id of a payment call': {
    steps: on('read payment status', { headers: { 'Consent-Id': CONSENT } }),
    finds: { rule: 'payments/consent-id-is-payment-id', step: 'read payment status' },
  },
  'a payment status read at once again': {
    steps: after('read payment status', {
      ...step('read payment status'),
      name: 'read again',
      call: { ...step('read payment status').call, at: NOW + 10 * 2_000 + 200 },
    }),
    finds: {
      rule: 'payments/polling-restraint',
      step: 'read again',
      actual: 'a payment whose status was read 200 ms before',
    },
    only: 'production',
  },
  'a payment cancelled twice': {
    steps: after('cancel payment', { ...step('cancel payment'), name: 'cancel again' }),
    finds: { rule: 'payments/cancellable', step: 'cancel again' },
  },
};

const PROFILES: readonly Profile[] = ['sandbox', 'production'];

describe('a journey without defect', () => {
  for (const profile of PROFILES)
    it(`has no finding under profile ${profile}`, () => {
      expect(judgeJourney(JOURNEY, profile)).toEqual([]);
    });
});

/** What a HAR file holds: no certificate, no TLS. */
const asHar = (one: Step): Step => ({
  ...one,
  call: { ...one.call, certificate: 'not-observed', connection: { address: '', tls: 'not-observed' } },
});
/** What the store holds: fingerprints of secrets. */
const SECRETS = ['code', 'code_verifier', 'refresh_token'];
function asStored(one: Step): Step {
  if (one.call.form === undefined) return one;
  const fields = Object.entries(one.call.form).map(([name, value]) => [
    name,
    SECRETS.includes(name) ? fingerprint(value) : value,
  ]);
  return { ...one, call: { ...one.call, form: Object.fromEntries(fields) } };
}

describe('the same journey with less to see', () => {
  for (const profile of PROFILES) {
    it(`has no finding in a HAR file (${profile})`, () => {
      expect(judgeJourney(JOURNEY.map(asHar), profile)).toEqual([]);
    });
    it(`has no finding in a recording (${profile})`, () => {
      expect(judgeJourney(JOURNEY.map(asStored), profile)).toEqual([]);
    });
    it(`shows an old refresh token in a recording (${profile})`, () => {
      const steps = refresh({ refresh_token: REFRESH_TOKEN }).map(asStored);
      expect(judgeJourney(steps, profile)).toMatchObject([{ rule: 'oauth/refresh-token-current' }]);
    });
  }
});

it('a hash without its method is advised against, and names why no token is given in production', () => {
  const found = judgeJourney(authorize({ code_challenge_method: undefined }), 'production');
  expect(found).toMatchObject([
    { step: 'authorize', rule: 'oauth/challenge-uses-s256' },
    { step: 'exchange code', rule: 'oauth/verifier-matches-challenge' },
  ]);
});

describe.each([
  ['PKCE', PKCE],
  ['the way of the PSU', FLOW],
  ['the token endpoint', TOKENS],
  ['bodies', BODIES],
  ['consents and payments in the path', RESOURCES],
])('a defect in %s is named by one finding', (_, defects) => {
  for (const [name, { steps, finds, only }] of Object.entries(defects))
    for (const profile of only === undefined ? PROFILES : [only])
      it(`${name} (${profile})`, () => {
        const found = judgeJourney(steps, profile, finds.rule);
        expect(found.map(({ step: at, rule }) => `${at}: ${rule}`)).toHaveLength(1);
        expect(found[0]).toMatchObject(finds);
      });
});
