/** The sandbox's fixed identifiers and trigger values (§Sandbox test identifiers). */
import { PAYMENT_PRODUCTS, type ProductCode } from './operations.js';
import {
  type ConsentStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type ScaStatus,
  SPECIFIED_PAYMENT_STATUSES,
} from './statuses.js';

export type ConsentScope = 'allPsd2' | 'availableAccounts' | 'availableAccountsWithBalances' | 'preselected';

export interface SandboxConsent {
  readonly status: ConsentStatus;
  readonly scope: ConsentScope;
  /** DELETE is offered for this id. */
  readonly deletable: boolean;
  readonly special?: string;
}

export const SANDBOX_CONSENTS = {
  VALID_CONSENT_ID: {
    status: 'valid',
    scope: 'preselected',
    deletable: true,
    special: 'An implicit creation returns it.',
  },
  CONSENT_ID_REVOKED_BY_PSU: { status: 'revokedByPsu', scope: 'preselected', deletable: true },
  CONSENT_ID_EXPIRED: { status: 'expired', scope: 'preselected', deletable: true },
  CONSENT_ID_REJECTED: { status: 'rejected', scope: 'preselected', deletable: true },
  CONSENT_ID_TERMINATED_BY_TPP: { status: 'terminatedByTpp', scope: 'preselected', deletable: true },
  CONSENT_ID_RECEIVED: { status: 'received', scope: 'preselected', deletable: true },
  CONSENT_ID_ALL_PSD2: { status: 'valid', scope: 'allPsd2', deletable: false },
  CONSENT_ID_AVAILABLE_ACCOUNTS: { status: 'valid', scope: 'availableAccounts', deletable: false },
  CONSENT_ID_AVAILABLE_ACCOUNTS_WITH_BALANCES: {
    status: 'valid',
    scope: 'availableAccountsWithBalances',
    deletable: false,
  },
  CONSENT_ID_TRANSACTION_90D_KO: {
    status: 'valid',
    scope: 'preselected',
    deletable: false,
    special: 'Transactions are answered 401 CONSENT_EXPIRED.',
  },
  CONSENT_ID_NO_AUTHORIZATION: {
    status: 'received',
    scope: 'preselected',
    deletable: false,
    special: 'An explicit creation returns it; create its authorisation next.',
  },
} as const satisfies Record<string, SandboxConsent>;
export type SandboxConsentId = keyof typeof SANDBOX_CONSENTS;

export const SANDBOX = {
  clientId: 'VALID_CLIENT_ID',
  accountId: 'ACCOUNT_ID',
  /** The consent that an implicit creation returns, and the only one whose authorisations are found. */
  validConsent: 'VALID_CONSENT_ID',
  /** The consent that an explicit creation returns: it waits for its authorisation to be created. */
  consentWithoutAuthorisation: 'CONSENT_ID_NO_AUTHORIZATION',
  consent90dExpired: 'CONSENT_ID_TRANSACTION_90D_KO',
} as const;

/** The PSU of the sandbox, where a bank profile has a TPP send its credentials (reading `sca-credentials`). */
export const SANDBOX_PSU = { id: 'PSU_ID', password: 'PSU_PASSWORD' } as const;

/** Token codes, each with the scope of the token it gives. The PIS code is known of the family, not of the document. */
export const SANDBOX_CODES = {
  AIS_VALID_CODE: 'AIS:VALID_CONSENT_ID',
  AIS_VALID_CODE_TRANSACTION_90D_KO: 'AIS:CONSENT_ID_TRANSACTION_90D_KO',
  PIS_VALID_CODE: 'PIS:PAYMENT_ID_RCVD_SCT',
} as const;
export type SandboxCode = keyof typeof SANDBOX_CODES;

/** Authorisation ids and the status each returns, for consents, payments and cancellations alike. */
export const SANDBOX_AUTHORISATIONS = {
  '11111111-1111-1111-1111-111111111111': 'finalised',
  '22222222-2222-2222-2222-222222222222': 'received',
  '33333333-3333-3333-3333-333333333333': 'psuIdentified',
  '44444444-4444-4444-4444-444444444444': 'psuAuthenticated',
  '55555555-5555-5555-5555-555555555555': 'scaMethodSelected',
  '66666666-6666-6666-6666-666666666666': 'started',
  '77777777-7777-7777-7777-777777777777': 'failed',
  '88888888-8888-8888-8888-888888888888': 'exempted',
} as const satisfies Record<string, ScaStatus>;
export type SandboxAuthorisationId = keyof typeof SANDBOX_AUTHORISATIONS;

export type SandboxPaymentId = `PAYMENT_ID_${PaymentStatus}_${ProductCode}`;

export const SANDBOX_PAYMENTS: ReadonlyMap<
  string,
  { readonly status: PaymentStatus; readonly product: ProductCode }
> = new Map(
  SPECIFIED_PAYMENT_STATUSES.flatMap((status) =>
    [...new Set(Object.values(PAYMENT_PRODUCTS))].map(
      (product) => [`PAYMENT_ID_${status}_${product}`, { status, product }] as const,
    ),
  ),
);

const CONSENTS_BY_ID: ReadonlyMap<string, SandboxConsent> = new Map(Object.entries(SANDBOX_CONSENTS));

/** The sandbox consent of that id, or undefined. */
export function sandboxConsent(id: string): SandboxConsent | undefined {
  return CONSENTS_BY_ID.get(id);
}

/** Whether a resource id (consent or payment) is one of the sandbox's literal ones. */
export function isSandboxResource(id: string): boolean {
  return CONSENTS_BY_ID.has(id) || SANDBOX_PAYMENTS.has(id);
}

export interface FixedIdentifier {
  readonly kind: string;
  readonly id: string;
  /** One sentence, or two. */
  readonly does: string;
}

const rowsOf = <T>(
  kind: string,
  rows: Iterable<readonly [string, T]>,
  does: (one: T) => string,
): FixedIdentifier[] => Array.from(rows, ([id, one]) => ({ kind, id, does: does(one) }));

const FIXED_IDENTIFIERS: readonly FixedIdentifier[] = [
  ...rowsOf(
    'token code',
    Object.entries(SANDBOX_CODES),
    (scope) => `POST /token gives a token for ${scope}.`,
  ),
  ...rowsOf(
    'consent',
    Object.entries<SandboxConsent>(SANDBOX_CONSENTS),
    ({ status, scope, deletable, special = '' }) =>
      `Status ${status}, access ${scope}; DELETE is answered ${deletable ? '204' : '403 CONSENT_UNKNOWN'}. ${special}`.trim(),
  ),
  {
    kind: 'account',
    id: SANDBOX.accountId,
    does: 'Has balances and transactions; any other is answered 401 CONSENT_INVALID.',
  },
  ...rowsOf(
    'authorisation',
    Object.entries(SANDBOX_AUTHORISATIONS),
    (status) => `Status ${status}, of consents, payments and cancellations.`,
  ),
  ...rowsOf(
    'payment',
    SANDBOX_PAYMENTS,
    ({ status, product }) =>
      `Status ${status} (${PAYMENT_STATUSES[status].meaning}), product ${Object.entries(PAYMENT_PRODUCTS)
        .filter(([, code]) => code === product)
        .map(([name]) => name)
        .join(' or ')}.`,
  ),
];

/** All that the sandbox knows by its name. */
export const SANDBOX_IDENTIFIERS: readonly FixedIdentifier[] = [
  { kind: 'client', id: SANDBOX.clientId, does: 'The client_id of authorisation and token requests.' },
  ...FIXED_IDENTIFIERS,
];

const FIXED_IDS: ReadonlySet<string> = new Set(FIXED_IDENTIFIERS.map(({ id }) => id));

/** Whether a text is a literal identifier of the sandbox: it says by itself what is found under it. */
export function isFixedIdentifier(text: string): boolean {
  return FIXED_IDS.has(text);
}

/** The scope of the token that a literal sandbox code gives, or undefined. */
export function sandboxCodeScope(code: string): string | undefined {
  return Object.hasOwn(SANDBOX_CODES, code) ? SANDBOX_CODES[code as SandboxCode] : undefined;
}

/** The token code that gives a token of the scope; undefined: none does. */
export const sandboxCodeFor = (scope: string): string | undefined =>
  Object.entries(SANDBOX_CODES).find(([, given]) => given === scope)?.[0];
