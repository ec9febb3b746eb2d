/** The table of operations: path, method, who may call each, and how it succeeds. */

export const ROLES = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'] as const;
export type Role = (typeof ROLES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Group = 'consents' | 'oauth' | 'accounts' | 'payments' | 'funds-confirmations' | 'notifications';

export type StatusMember = 'consentStatus' | 'transactionStatus' | 'scaStatus';

export interface OperationRow {
  readonly method: Method;
  /** Path template. `{segment}` is the fixed path segment, any other `{name}` is a parameter. */
  readonly path: string;
  readonly group: Group;
  /** The resource that a success creates, if any. */
  readonly creates: 'consent' | 'payment' | 'authorisation' | null;
  /** The existing resource that the path names. */
  readonly on: 'consent' | 'payment' | 'account' | 'authorisation' | null;
  readonly tells: readonly StatusMember[];
  /** The listener that offers it: `psu` is reached by a browser, without client certificate. */
  readonly listener: 'api' | 'psu';
  /** The PSD2 role that the caller's certificate must hold; `any` of PI, AI, IC; `none` where no certificate is. */
  readonly role: Role | 'any' | 'none';
  readonly success: readonly number[];
  /** Media type of the request body. `optional-json`: a body may be missing. */
  readonly body: 'none' | 'json' | 'optional-json' | 'form';
  readonly query: readonly string[];
  /** Whether X-Request-ID is asked of the call and echoed (Berlin Group calls, not the OAuth ones). */
  readonly requestId: boolean;
  /** Whether the call is an access to account information, counted by the daily limit (§Limits 1). */
  readonly counted: boolean;
  readonly summary: string;
}

/** Parameters that the bank's own pages add to those of the TPP. */
export const PAGE_QUERY = ['choice', 'scenario', 'psu', 'accounts', 'authorisation_code'] as const;

const AUTHORISE_QUERY = [
  'scope',
  'client_id',
  'state',
  'redirect_uri',
  'code_challenge',
  'response_type',
  'code_challenge_method',
  ...PAGE_QUERY,
] as const;

const plain = { counted: false, query: [], creates: null, on: null, tells: [] } as const;
const api = { ...plain, listener: 'api', requestId: true } as const;
const read = { method: 'GET', success: [200], body: 'none' } as const;
const consents = { ...api, group: 'consents', role: 'PSP_AI', on: 'consent' } as const;
const accounts = {
  ...api,
  ...read,
  group: 'accounts',
  role: 'PSP_AI',
  counted: true,
  on: 'account',
} as const;
const payments = { ...api, group: 'payments', role: 'PSP_PI', on: 'payment' } as const;
const oauth = { ...api, group: 'oauth', role: 'any', requestId: false } as const;
const authorisationCreation = {
  method: 'POST',
  creates: 'authorisation',
  tells: ['scaStatus'],
  success: [201],
  body: 'optional-json',
} as const;
/** Embedded SCA (Berlin Group): PSU data, the method, or the code, by PUT. */
const authorisationUpdate = {
  method: 'PUT',
  tells: ['scaStatus'],
  success: [200],
  body: 'json',
} as const;

/** The discovery document's path below the segment (§Authentication 4). */
export const DISCOVERY_PATH = '/.well-known/openid-configuration';

const V1 = '/{segment}/v1';
const PRODUCT = `${V1}/{paymentService}/{paymentProduct}`;

/** The built-in interface (§Endpoints). */
const BUILT_IN = {
  'consents.create': {
    ...consents,
    method: 'POST',
    creates: 'consent',
    on: null,
    tells: ['consentStatus', 'scaStatus'],
    path: `${V1}/consents`,
    success: [201],
    body: 'json',
    summary: 'Creates a consent',
  },
  'consents.read': {
    ...consents,
    ...read,
    tells: ['consentStatus'],
    path: `${V1}/consents/{consentId}`,
    summary: 'Returns the consent',
  },
  'consents.status': {
    ...consents,
    ...read,
    tells: ['consentStatus'],
    path: `${V1}/consents/{consentId}/status`,
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
    ...authorisationCreation,
    path: `${V1}/consents/{consentId}/authorisations`,
    summary: 'Creates the authorisation of a consent',
  },
  'consents.authorisations.list': {
    ...consents,
    ...read,
    path: `${V1}/consents/{consentId}/authorisations`,
    summary: 'Lists the authorisations of a consent',
  },
  'consents.authorisations.read': {
    ...consents,
    ...read,
    tells: ['scaStatus'],
    path: `${V1}/consents/{consentId}/authorisations/{authorisationId}`,
    summary: 'One authorisation of a consent with its status',
  },

  'oauth.authorize': {
    ...oauth,
    listener: 'psu',
    role: 'none',
    method: 'GET',
    on: 'authorisation',
    path: '/{segment}/authorization/authorize/{authorisationId}',
    success: [200, 302],
    body: 'none',
    query: AUTHORISE_QUERY,
    summary: 'The PSU authorises; ends in a 302 to the redirect URI',
  },
  'oauth.token': {
    ...oauth,
    method: 'POST',
    path: `${V1}/token`,
    success: [200],
    body: 'form',
    summary: 'Exchanges a code or a refresh token for an access token',
  },
  'oauth.discovery': {
    ...oauth,
    ...read,
    path: `/{segment}${DISCOVERY_PATH}`,
    query: ['authorizationId'],
    summary: 'Returns the discovery document',
  },

  'accounts.list': {
    ...accounts,
    on: null,
    path: `${V1}/accounts`,
    query: ['withBalance'],
    summary: 'Lists accounts',
  },
  'accounts.read': {
    ...accounts,
    path: `${V1}/accounts/{accountId}`,
    query: ['withBalance'],
    summary: 'One account',
  },
  'accounts.balances': {
    ...accounts,
    path: `${V1}/accounts/{accountId}/balances`,
    summary: 'Balances of an account',
  },
  'accounts.transactions': {
    ...accounts,
    path: `${V1}/accounts/{accountId}/transactions`,
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
    creates: 'payment',
    on: null,
    tells: ['transactionStatus', 'scaStatus'],
    path: PRODUCT,
    success: [201],
    body: 'json',
    summary: 'Initiates a payment',
  },
  'payments.read': {
    ...payments,
    ...read,
    tells: ['transactionStatus'],
    path: `${PRODUCT}/{paymentId}`,
    summary: 'Returns the payment',
  },
  'payments.status': {
    ...payments,
    ...read,
    tells: ['transactionStatus'],
    path: `${PRODUCT}/{paymentId}/status`,
    summary: 'Returns the payment status',
  },
  'payments.cancel': {
    ...payments,
    method: 'DELETE',
    tells: ['transactionStatus'],
    path: `${PRODUCT}/{paymentId}`,
    success: [202, 204],
    body: 'none',
    summary: 'Cancels the payment',
  },
  'payments.authorisations.create': {
    ...payments,
    ...authorisationCreation,
    path: `${PRODUCT}/{paymentId}/authorisations`,
    summary: 'Creates the authorisation of a payment',
  },
  'payments.authorisations.list': {
    ...payments,
    ...read,
    path: `${PRODUCT}/{paymentId}/authorisations`,
    summary: 'Lists the authorisations of a payment',
  },
  'payments.authorisations.read': {
    ...payments,
    ...read,
    tells: ['scaStatus'],
    path: `${PRODUCT}/{paymentId}/authorisations/{authorisationId}`,
    summary: 'One authorisation of a payment with its status',
  },
  'payments.cancellation-authorisations.list': {
    ...payments,
    ...read,
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations`,
    summary: 'Lists the cancellation authorisations',
  },
  'payments.cancellation-authorisations.read': {
    ...payments,
    ...read,
    tells: ['scaStatus'],
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations/{authorisationId}`,
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

/** Operations of the standard that the built-in interface lacks: offered where a bank profile says so. */
const BY_PROFILE = {
  'sca.redirect': {
    ...oauth,
    listener: 'psu',
    role: 'none',
    method: 'GET',
    on: 'authorisation',
    path: '/{segment}/authorization/redirect/{authorisationId}',
    success: [200, 302],
    body: 'none',
    query: PAGE_QUERY,
    summary: 'The PSU authorises; ends in a 302 to TPP-Redirect-URI (redirect)',
  },
  'consents.authorisations.update': {
    ...consents,
    ...authorisationUpdate,
    path: `${V1}/consents/{consentId}/authorisations/{authorisationId}`,
    summary: 'Sends what the SCA of a consent needs next (embedded)',
  },
  'accounts.transaction': {
    ...accounts,
    path: `${V1}/accounts/{accountId}/transactions/{transactionId}`,
    summary: 'One transaction of an account',
  },
  'payments.authorisations.update': {
    ...payments,
    ...authorisationUpdate,
    path: `${PRODUCT}/{paymentId}/authorisations/{authorisationId}`,
    summary: 'Sends what the SCA of a payment needs next (embedded)',
  },
  'payments.cancellation-authorisations.create': {
    ...payments,
    ...authorisationCreation,
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations`,
    summary: 'Creates the authorisation of a cancellation',
  },
  'payments.cancellation-authorisations.update': {
    ...payments,
    ...authorisationUpdate,
    path: `${PRODUCT}/{paymentId}/cancellation-authorisations/{authorisationId}`,
    summary: 'Sends what the SCA of a cancellation needs next (embedded)',
  },
} as const satisfies Record<string, OperationRow>;

export const OPERATIONS = { ...BUILT_IN, ...BY_PROFILE } as const;

export type OperationId = keyof typeof OPERATIONS;
export type BuiltInOperationId = keyof typeof BUILT_IN;

/** Operations of the built-in interface. */
export const OPERATION_IDS = Object.keys(BUILT_IN) as BuiltInOperationId[];
/** These and those that only bank profiles offer. */
export const EVERY_OPERATION_ID = Object.keys(OPERATIONS) as OperationId[];

export const isBuiltIn = (id: OperationId): id is BuiltInOperationId => Object.hasOwn(BUILT_IN, id);

/** The row of an operation with its general type; the table itself keeps the literal ones. */
export function operationRow(id: OperationId): OperationRow {
  return OPERATIONS[id];
}

/** Whether calls of the operation only ask. The PSU's page is sent as GET too, and authorises. */
export function isRead(id: OperationId): boolean {
  const { method, listener } = operationRow(id);
  return method === 'GET' && listener === 'api';
}

/** Links that lead to where the PSU authorises, whatever path a bank gives it. */
export const AUTHORISE_LINKS: ReadonlySet<string> = new Set(['scaOAuth', 'authorization_endpoint']);

/** The form of a scaOAuth link, by its path (§Authentication 4). */
export function scaLinkForm(href: string): 'discovery' | 'direct' {
  return href.split(/[?#]/, 1)[0]?.endsWith(DISCOVERY_PATH) ? 'discovery' : 'direct';
}

/** The kind of resource that a success creates for the PSU to authorise; null if none. */
export function resourceCreatedBy(id: OperationId | null): 'consent' | 'payment' | null {
  const creates = id === null ? null : operationRow(id).creates;
  return creates === 'authorisation' ? null : creates;
}

/** Payment services of the standard. The interface offers `payments` only (§Endpoints); the others are recognised, and refused. */
export const PAYMENT_SERVICES = ['payments', 'bulk-payments', 'periodic-payments'] as const;
export type PaymentService = (typeof PAYMENT_SERVICES)[number];

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
