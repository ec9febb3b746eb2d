/** Values that the sandbox bank answers, as examples of parameters and bodies. */
import {
  bankDateAt,
  type Dialect,
  type OperationId,
  SANDBOX,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CODES,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
  type SandboxCode,
  type SandboxData,
} from '../../spec/index.js';

const PAYMENT_ID = 'PAYMENT_ID_RCVD_SCT';
/** The sandbox bank finds authorisations under this payment, and not under each. */
const PAYMENT_WITH_AUTHORISATIONS = 'PAYMENT_ID_PATC_SCT';
/** It stands for one that was just created. */
const NEW_AUTHORISATION = '22222222-2222-2222-2222-222222222222';
const AIS_CODE = 'AIS_VALID_CODE' satisfies SandboxCode;
const RETURN_ADDRESS = 'https://tpp.example/callback';
/** RFC 7636 appendix B. */
const PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const;

interface Examples {
  readonly example?: string;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: string }>>;
}

const valuesOf = <R>(rows: Iterable<readonly [string, R]>, summary: (row: R) => string): Examples => ({
  examples: Object.fromEntries([...rows].map(([id, row]) => [id, { summary: summary(row), value: id }])),
});

const CONSENTS = valuesOf(Object.entries(SANDBOX_CONSENTS), ({ status, scope }) => `${status}, ${scope}`);
const PAYMENTS = valuesOf(SANDBOX_PAYMENTS, ({ status, product }) => `${status}, ${product}`);
const AUTHORISATIONS = valuesOf(Object.entries(SANDBOX_AUTHORISATIONS), (status) => status);

const BY_NAME: Readonly<Record<string, string>> = {
  accountId: SANDBOX.accountId,
  authorizationId: NEW_AUTHORISATION,
  'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'PSU-IP-Address': '192.0.2.17',
  'TPP-Redirect-URI': RETURN_ADDRESS,
  'TPP-Explicit-Authorisation-Preferred': 'false',
  scope: SANDBOX_CODES[AIS_CODE],
  client_id: SANDBOX.clientId,
  state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
  redirect_uri: RETURN_ADDRESS,
  code_challenge: PKCE.challenge,
  code_challenge_method: 'S256',
  response_type: 'code',
  bookingStatus: 'booked',
};

/** The first of several examples is one with which the operation succeeds. */
export function examplesOf(name: string, id: OperationId, dialect: Dialect): Examples {
  if (name === 'consentId' && id === 'consents.authorisations.create')
    return beginningWith(CONSENTS, SANDBOX.consentWithoutAuthorisation);
  if (name === 'consentId' || (name === 'Consent-Id' && !id.startsWith('payments.'))) return CONSENTS;
  if (name === 'paymentId' || name === 'Consent-Id') return beginningWith(PAYMENTS, paymentOf(id));
  if (name === 'authorisationId')
    return id === 'oauth.authorize' ? { example: NEW_AUTHORISATION } : AUTHORISATIONS;
  if (name === 'paymentService') return { example: 'payments' };
  if (name === 'paymentProduct') {
    const [first] = dialect.productsOf('payments');
    return first === undefined ? {} : { example: first };
  }
  const example = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  return example === undefined ? {} : { example };
}

const paymentOf = (id: OperationId): string =>
  id.includes('authorisations') ? PAYMENT_WITH_AUTHORISATIONS : PAYMENT_ID;

function beginningWith({ examples = {} }: Examples, id: string): Examples {
  const { [id]: first, ...others } = examples;
  return first === undefined ? { examples } : { examples: { [id]: first, ...others } };
}

/** Data for what a document shows beside the interface itself. */
export interface Shown {
  readonly data: SandboxData;
  /** Dates in examples follow it. */
  readonly now: number;
  /** Base URL under which the browsers of PSUs reach the bank. */
  readonly psuUrl: string;
}

const HALF_A_CONSENT_MS = 45 * 86_400_000;

/** A body with which the sandbox bank answers the operation by a success at that time; undefined: it has none to show. */
export function exampleBody(id: OperationId, { now, data: { funds, payments } }: Shown): object | undefined {
  switch (id) {
    case 'consents.create':
      return {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: bankDateAt(now + HALF_A_CONSENT_MS),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      };
    case 'payments.create': {
      const { requestedExecutionDay: _, ...payment } = payments.SCT;
      return payment;
    }
    case 'funds-confirmations.create':
      return {
        account: { iban: funds.iban },
        instructedAmount: { currency: funds.currency, amount: '10.00' },
      };
    case 'oauth.token':
      return {
        grant_type: 'authorization_code',
        client_id: SANDBOX.clientId,
        code: AIS_CODE,
        code_verifier: PKCE.verifier,
      };
    case 'notifications.simulate':
      return {
        paymentId: PAYMENT_ID,
        tppNotificationUri: 'https://tpp.example/notifications',
        status: 'ACSC',
      };
    default:
      return undefined;
  }
}
