/** The table of operations: path, method, who may call each, and how it succeeds. */

export const ROLES = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'] as const;
export type Role = (typeof ROLES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Group = 'consents' | 'oauth' | 'accounts' | 'payments' | 'funds-confirmations' | 'notifications';

export interface OperationRow {
  readonly method: Method;
  /** Path template. `{segment}` is the fixed path segment, any other `{name}` is a parameter. */
  readonly path: string;
  readonly group: Group;
  /** The listener that offers it: `psu` is reached by a browser, without client certificate. */
  readonly listener: 'api' | 'psu';
  /** The PSD2 role that the caller's certificate must hold; `any` of PI, AI, IC; `none` where no certificate is. */
  readonly role: Role | 'any' | 'none';
  /** HTTP statuses of a success. */
  readonly success: readonly number[];
  /** Media type of the request body. `optional-json`: a body may be missing. */
  readonly body: 'none' | 'json' | 'optional-json' | 'form';
  /** Query parameters that the operation knows. */
  readonly query: readonly string[];
  /** Whether X-Request-ID is asked of the call and echoed (Berlin Group calls, not the OAuth ones). */
  readonly requestId: boolean;
  /** Whether the call is an access to account information, counted by the daily limit (§Limits 1). */
  readonly counted: boolean;
  readonly summary: string;
}

const AUTHORISE_QUERY = [
  'scope',
  'client_id',
  'state',
  'redirect_uri',
  'code_challenge',
  'response_type',
  'code_challenge_method',
  'choice',
  'scenario',
] as const;

const api = { listener: 'api', requestId: true, counted: false, query: [] as readonly string[] } as const;
const consents = { ...api, group: 'consents', role: 'PSP_AI' } as const;
const accounts = { ...api, group: 'accounts', role: 'PSP_AI', counted: true, method: 'GET' } as const;
const payments = { ...api, group: 'payments', role: 'PSP_PI' } as const;

const V1 = '/{segment}/v1';
const PRODUCT = `${V1}/{paymentService}/{paymentProduct}`;

export const OPERATIONS = {
  'consents.create': {
    ...consents,
    method: 'POST',
    path: `${V1}/consents`,
    success: [201],
    body: 'json',
    summary: 'Creates a consent',
  },
  'consents.read': {
    ...consents,
    method: 'GET',
    path: `${V1}/consents/{consentId}`,
    success: [200],
    body: 'none',
    summary: 'Returns the consent',
  },
  'consents.status': {
    ...consents,
    method: 'GET',
    path: `${V1}/consents/{consentId}/status`,
    success: [200],
    body: 'none',
    summary: 'Returns the consent status',
  },
  'consents.delete': {
    ...consents,
    method: 'DELETE',
    path: `${V1}/consents/{consentId}`,
    success: [204],
    body: 'none',
    summary: 'Deletes the consent',
  },
  'consents.authorisations.create': {
    ...consents,
    method: 'POST',
    path: `${V1}/consents/{consentId}/authorisations`,
    success: [201],
    body: 'optional-json',
    summary: 'Creates the authorisation of a consent',
  },
  'consents.authorisations.list': {
    ...consents,
    method: 'GET',
    path: `${V1}/consents/{consentId}/authorisations`,
    success: [200],
    body: 'none',
    summary: 'Lists the authorisations of a consent',
  },
  'consents.authorisations.read': {
    ...consents,
    method: 'GET',
    path: `${V1}/consents/{consentId}/authorisations/{authorisationId}`,
    success: [200],
    body: 'none',
    summary: 'One authorisation of a consent with its status',
  },

  'oauth.authorize': {
    group: 'oauth',
    listener: 'psu',
    role: 'none',
    requestId: false,
    counted: false,
    method: 'GET',
    path: '/{segment}/authorization/authorize/{authorisationId}',
    success: [200, 302],
    body: 'none',
    query: AUTHORISE_QUERY,
    summary: 'The PSU authorises; ends in a 302 to the redirect URI',
  },
  'oauth.token': {
    ...api,
    group: 'oauth',
    role: 'any',
    requestId: false,
    method: 'POST',
    path: `${V1}/token`,
    success: [200],
    body: 'form',
    summary: 'Exchanges a code or a refresh token for an access token',
  },
  'oauth.discovery': {
    ...api,
    group: 'oauth',
    role: 'any',
    requestId: false,
    method: 'GET',
    path: '/{segment}/.well-known/openid-configuration',
    success: [200],
    body: 'none',
    query: ['authorizationId'],
    summary: 'Returns the discovery document',
  },

  'accounts.list': {
    ...accounts,
    path: `${V1}/accounts`,
    success: [200],
    body: 'none',
    query: ['withBalance'],
    summary: 'Lists accounts',
  },
  'accounts.read': {
    ...accounts,
    path: `${V1}/accounts/{accountId}`,
    success: [200],
    body: 'none',
    query: ['withBalance'],
    summary: 'One account',
  },
  'accounts.balances': {
    ...accounts,
    path: `${V1}/accounts/{accountId}/balances`,
    success: [200],
    body: 'none',
    summary: 'Balances of an account',
  },
  'accounts.transactions': {
    ...accounts,
    path: `${V1}/accounts/{accountId}/transactions`,
    success: [200],
    body: 'none',
    query: [
      'dateFrom',
      'dateTo',
      'bookingStatus',
      'withBalance',
      'entryReferenceFrom',
      'deltaList',
      'pageIndex',
      'itemsPerPage',
      'page',
    ],
    summary: 'Transactions of an account',
  },

  'payments.create': {
    ...payments,
    method: 'POST',
    path: PRODUCT,
    success: [201],
    body: 'json',
    summary: 'Initiates a payment',
  },
  'payments.read': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}`,
    success: [200],
    body: 'none',
    summary: 'Returns the payment',
  },
  'payments.status': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}/status`,
    success: [200],
    body: 'none',
    summary: 'Returns the payment status',
  },
  'payments.cancel': {
    ...payments,
    method: 'DELETE',
    path: `${PRODUCT}/{paymentId}`,
    success: [202, 204],
    body: 'none',
    summary: 'Cancels the payment',
  },
  'payments.authorisations.create': {
    ...payments,
    method: 'POST',
    path: `${PRODUCT}/{paymentId}/authorisations`,
    success: [201],
    body: 'optional-json',
    summary: 'Creates the authorisation of a payment',
  },
  'payments.authorisations.list': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}/authorisations`,
    success: [200],
    body: 'none',
    summary: 'Lists the authorisations of a payment',
  },
  'payments.authorisations.read': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}/authorisations/{authorisationId}`,
    success: [200],
    body: 'none',
    summary: 'One authorisation of a payment with its status',
  },
  'payments.cancellation-authorisations.list': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations`,
    success: [200],
    body: 'none',
    summary: 'Lists the cancellation authorisations',
  },
  'payments.cancellation-authorisations.read': {
    ...payments,
    method: 'GET',
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations/{authorisationId}`,
    success: [200],
    body: 'none',
    summary: 'One cancellation authorisation with its status',
  },

  'funds-confirmations.create': {
    ...api,
    group: 'funds-confirmations',
    role: 'PSP_IC',
    method: 'POST',
    path: `${V1}/funds-confirmations`,
    success: [200],
    body: 'json',
    summary: 'Checks whether funds are available',
  },

  'notifications.simulate': {
    ...api,
    group: 'notifications',
    role: 'any',
    requestId: false,
    method: 'POST',
    path: '/internal/{segment}/authorization/v1/tpp/notify',
    success: [202],
    body: 'json',
    summary: 'Triggers the payment status notification (sandbox only)',
  },
} as const satisfies Record<string, OperationRow>;

export type OperationId = keyof typeof OPERATIONS;

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

/** The row of an operation with its general type; the table itself keeps the literal ones. */
export function operationRow(id: OperationId): OperationRow {
  return OPERATIONS[id];
}

/** Payment services of the standard. The interface offers `payments` only (§Endpoints); the others are recognised, and refused. */
export const PAYMENT_SERVICES = ['payments', 'bulk-payments', 'periodic-payments'] as const;

/** Values of bookingStatus (reading `booking-status-values`). */
export const BOOKING_STATUSES = ['booked', 'pending', 'both', 'all', 'information'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

export function isBookingStatus(text: string): text is BookingStatus {
  return BOOKING_STATUSES.some((status) => status === text);
}

/** The three spellings of a payment product (§Endpoints), each with the product code of the sandbox ids. */
export const PAYMENT_PRODUCTS = {
  'sepa-credit-transfers': 'SCT',
  'cross-border-payments': 'CBP',
  'cross-border-credit-transfers': 'CBP',
} as const;
export type PaymentProduct = keyof typeof PAYMENT_PRODUCTS;
export type ProductCode = (typeof PAYMENT_PRODUCTS)[PaymentProduct];
