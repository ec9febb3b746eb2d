/** A whole valid journey as exchanges, to be changed at one step and then judged call by call with the whole catalogue. */
import { advance, applyChanges, createLedger } from '../../src/ledger/index.js';
import { judgeByRule, type Profile, RULES } from '../../src/rules/index.js';
import { DISCOVERY_VALUES } from '../../src/spec/index.js';
import { type AnswerParts, anExchange, type CallParts, fingerprint, judgeOptions, NOW } from '../builders.js';
import { AUTHORISATION, CONSENT, PAYMENT, REDIRECT_URI, REFRESH_TOKEN, STATE } from './ledger-of.js';
import {
  authorizeWith,
  CODE,
  CONSENT_BODY,
  exchangeWith,
  fundsWith,
  PAYMENT_BODY,
  refreshWith,
  simulationWith,
} from './requests-of.js';

export interface Step {
  readonly name: string;
  readonly call: CallParts;
  readonly answer: AnswerParts;
}

const PAYMENT_AUTHORISATION = '5d0f7c1e-93b2-4a57-8c64-2e1f0a9b7d33';
const PAYMENT_STATE = 'b1946ac92492d2347c6235b4d2611184';
const PAYMENT_CHALLENGE = 'LiGLBvVp3bU9yMZTHUMBhQ0bJ8QmHhPCkHrWaa0x1Bs';
const HOST = 'https://localhost:8443/stdgroup';

const creationHeaders = { 'TPP-Redirect-URI': REDIRECT_URI, 'PSU-IP-Address': '192.0.2.7' };
const discoveryLink = (id: string) => `${HOST}/.well-known/openid-configuration?authorizationId=${id}`;
const document = (id: string) => ({
  issuer: HOST,
  authorization_endpoint: `https://localhost:8444/stdgroup/authorization/authorize/${id}`,
  token_endpoint: `${HOST}/v1/token`,
  userinfo_endpoint: `${HOST}/v1/accounts`,
  ...DISCOVERY_VALUES,
});
const onPayment = { params: { paymentId: PAYMENT } };

function creationLinks(path: string, authorisation: string) {
  return {
    scaOAuth: { href: discoveryLink(authorisation) },
    scaStatus: { href: `${HOST}/v1/${path}/authorisations/${authorisation}` },
    self: { href: `${HOST}/v1/${path}` },
    status: { href: `${HOST}/v1/${path}/status` },
  };
}

/** The authorization request of the payment, with fields put over it. */
export function authorizePaymentWith(fields: Record<string, string>): CallParts {
  return authorizeWith(
    { scope: `PIS:${PAYMENT}`, state: PAYMENT_STATE, code_challenge: PAYMENT_CHALLENGE, ...fields },
    { params: { authorisationId: PAYMENT_AUTHORISATION } },
  );
}

const tokens = (scope: string, access: string, refresh: string): AnswerParts => ({
  body: { access_token: access, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh, scope },
});

const redirect = (code: string, state: string): AnswerParts => ({
  status: 302,
  headers: { Location: `${REDIRECT_URI}?code=${code}&state=${state}` },
});

const CONSENT_STEPS: readonly Step[] = [
  {
    name: 'create consent',
    call: { operation: 'consents.create', headers: creationHeaders, body: CONSENT_BODY },
    answer: {
      status: 201,
      body: {
        consentId: CONSENT,
        consentStatus: 'received',
        _links: creationLinks(`consents/${CONSENT}`, AUTHORISATION),
      },
    },
  },
  {
    name: 'read discovery',
    call: { operation: 'oauth.discovery', query: `authorizationId=${AUTHORISATION}` },
    answer: { body: document(AUTHORISATION) },
  },
  { name: 'authorize', call: authorizeWith({}), answer: redirect(CODE, STATE) },
  {
    name: 'exchange code',
    call: exchangeWith({ redirect_uri: REDIRECT_URI }),
    answer: tokens(`AIS:${CONSENT}`, 'access-1', REFRESH_TOKEN),
  },
  { name: 'refresh', call: refreshWith({}), answer: tokens(`AIS:${CONSENT}`, 'access-2', 'refresh-2') },
  {
    name: 'refresh again',
    call: refreshWith({ refresh_token: 'refresh-2' }),
    answer: tokens(`AIS:${CONSENT}`, 'access-3', 'refresh-3'),
  },
  {
    name: 'read consent',
    call: { operation: 'consents.read', params: { consentId: CONSENT } },
    answer: {
      body: {
        access: CONSENT_BODY.access,
        recurringIndicator: true,
        validUntil: CONSENT_BODY.validUntil,
        frequencyPerDay: 4,
        lastActionDate: '2026-06-15',
        consentStatus: 'valid',
      },
    },
  },
];

const PAYMENT_STEPS: readonly Step[] = [
  {
    name: 'create payment',
    call: { operation: 'payments.create', headers: creationHeaders, body: PAYMENT_BODY },
    answer: {
      status: 201,
      body: {
        paymentId: PAYMENT,
        transactionStatus: 'RCVD',
        _links: creationLinks(`payments/sepa-credit-transfers/${PAYMENT}`, PAYMENT_AUTHORISATION),
      },
    },
  },
  {
    name: 'read discovery for payment',
    call: { operation: 'oauth.discovery', query: `authorizationId=${PAYMENT_AUTHORISATION}` },
    answer: { body: document(PAYMENT_AUTHORISATION) },
  },
  {
    name: 'authorize payment',
    call: authorizePaymentWith({}),
    answer: redirect('code-of-the-payment', PAYMENT_STATE),
  },
  {
    name: 'read payment status',
    call: { operation: 'payments.status', ...onPayment },
    answer: { body: { transactionStatus: 'ACTC' } },
  },
  { name: 'cancel payment', call: { operation: 'payments.cancel', ...onPayment }, answer: { status: 204 } },
  { name: 'confirm funds', call: fundsWith({}), answer: { body: { fundsAvailable: true } } },
  { name: 'simulate', call: simulationWith({}), answer: { status: 202, body: {} } },
];

export const JOURNEY: readonly Step[] = [...CONSENT_STEPS, ...PAYMENT_STEPS];

export interface Found {
  readonly step: string;
  readonly rule: string;
  readonly severity: string;
  readonly place: string;
  readonly expected: string;
  readonly actual: string | undefined;
}

/**
 * The findings of severity must and should about the TPP, of all calls in their order, two seconds apart. A rule that
 * is a note in the profile is judged where it is meant.
 */
export function judgeJourney(steps: readonly Step[], profile: Profile, meant?: string): Found[] {
  const ledger = createLedger();
  const options = judgeOptions(profile);
  const found: Found[] = [];
  for (const [index, step] of steps.entries()) {
    const exchange = anExchange({
      call: {
        at: NOW + index * 2_000,
        ...step.call,
        headers: { ...requestId(index, step), ...step.call.headers },
      },
      answer: step.answer,
    });
    for (const rule of RULES) {
      const severity = rule.severity[profile];
      const counts = severity === 'must' || severity === 'should' || rule.id === meant;
      if (rule.judges !== 'tpp' || !counts) continue;
      const { violations } = judgeByRule(rule, exchange, ledger, options, fingerprint);
      for (const { place, expected, actual } of violations)
        found.push({ step: step.name, rule: rule.id, severity, place, expected, actual });
    }
    applyChanges(ledger, advance(ledger, exchange, fingerprint));
  }
  return found;
}

/** Each call has an X-Request-ID of its own; the OAuth calls need none. */
function requestId(index: number, { call }: Step): Record<string, string> {
  if (call.operation?.startsWith('oauth.') || call.operation === 'notifications.simulate') return {};
  return { 'X-Request-ID': `99391c7e-ad88-49ec-a2ad-${String(index).padStart(12, '0')}` };
}
