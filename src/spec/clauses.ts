/** Every normative sentence of the specification as a clause, so that rules, readings and reports can cite it. */
import type { BuiltInOperationId } from './operations.js';

/** Behaviour of the emulator, and where a test of it stands. */
export interface Evidence {
  readonly does: string;
  readonly file: string;
  /** The name of the test as it is written there. */
  readonly test: string;
}

export interface ClauseRow {
  /** The place of the sentence: the heading, and the number or the row under it. */
  readonly section: string;
  /** The sentence, quoted or faithfully condensed. */
  readonly text: string;
  /** The emulator's behaviour for this clause, with the test that proves it. */
  readonly emulator?: Evidence;
  readonly notCheckable?: string;
}

const SILENT = 'The document shows nothing here; a reading fills it.';

function shown(does: string, test: string, file = 'test/e2e/whole-bank.test.ts'): Evidence {
  return { does, file, test };
}
const OFFERED = shown(
  'The emulator offers these operations, and each succeeds.',
  'met every operation with a success',
);

export const CLAUSES = {
  'conventions.path': {
    section: 'Conventions',
    text: 'Every path starts with /stdgroup/v1 after {base_url}, except where a path is written in full; stdgroup stands for a fixed path segment.',
  },

  'service.1': {
    section: 'What the service does 1',
    text: 'AIS consent management: create, read, read status, delete, and list or read the authorisations of a consent.',
    emulator: OFFERED,
  },
  'service.2': {
    section: 'What the service does 2',
    text: 'Account information: list accounts, read one account, read balances, read transactions.',
    emulator: OFFERED,
  },
  'service.3': {
    section: 'What the service does 3',
    text: 'Payment initiation: create a payment, create its authorisation, read the payment and its status, read the authorisations of a payment.',
    emulator: OFFERED,
  },
  'service.4': {
    section: 'What the service does 4',
    text: 'Payment cancellation: delete a payment, read the cancellation authorisations.',
    emulator: OFFERED,
  },
  'service.5': {
    section: 'What the service does 5',
    text: 'Funds confirmation: check whether an amount is available on an account.',
    emulator: OFFERED,
  },
  'service.6': {
    section: 'What the service does 6',
    text: 'SCA by OAuth 2.0 redirect. A mocked web page simulates the login and SCA outcomes.',
    emulator: OFFERED,
  },
  'service.7': {
    section: 'What the service does 7',
    text: 'A payment status notification callback, which is simulated by an internal endpoint (Instant Payment only).',
    emulator: OFFERED,
  },
  'service.rule.1': {
    section: 'What the service does, rule 1',
    text: 'A response is simulated only when the request matches specific header, path and query values. A deviation from them may return an error.',
  },
  'service.rule.2': {
    section: 'What the service does, rule 2',
    text: 'The endpoints of the sandbox are identical to those of production.',
  },
  'service.rule.3': {
    section: 'What the service does, rule 3',
    text: 'Every request must be sent with a valid PSD2 QWAC certificate. Without it an error is returned.',
  },
  'service.rule.4': {
    section: 'What the service does, rule 4',
    text: 'The sandbox is freely accessible. No enrolment is needed.',
    emulator: shown(
      'The emulator serves every TPP whose certificate is trusted, without anything set up for it.',
      'counts each TPP by itself',
      'test/e2e/daily-limit.test.ts',
    ),
  },

  'consent-request.access': {
    section: 'Consent request, access',
    text: 'access is an object that contains allPsd2.',
  },
  'consent-request.access.allPsd2': {
    section: 'Consent request, access.allPsd2',
    text: 'access.allPsd2 is a string; allowed value: allAccounts.',
  },
  'consent-request.recurringIndicator': {
    section: 'Consent request, recurringIndicator',
    text: 'recurringIndicator is a boolean.',
  },
  'consent-request.frequencyPerDay': {
    section: 'Consent request, frequencyPerDay',
    text: 'frequencyPerDay is an integer: the number of accesses per day.',
  },
  'consent-request.combinedServiceIndicator': {
    section: 'Consent request, combinedServiceIndicator',
    text: 'combinedServiceIndicator is a boolean.',
  },
  'consent-request.validUntil': {
    section: 'Consent request, validUntil',
    text: 'validUntil is a date, format YYYY-MM-DD.',
  },
  'consent-scopes': {
    section: 'Consent request, scopes',
    text: 'Consent scopes that can be observed on a stored consent: allPsd2, availableAccounts, availableAccountsWithBalances, or a preselected scope.',
    emulator: shown('Each sandbox id is read with its scope.', '%s has its status and its scope'),
  },
  'consent-duration': {
    section: 'Consent request, duration',
    text: 'AIS consent duration: 90 days.',
  },
  'creation-response.scaOAuth': {
    section: 'Consent creation response, _links.scaOAuth.href',
    text: '_links.scaOAuth.href is returned when the authorisation is created implicitly. It is either the authorize URL itself or a discovery-document URL.',
    emulator: shown(
      'An implicit creation links scaOAuth: the discovery document, or the authorize address where configured so.',
      'is left out where links are direct',
    ),
  },
  'creation-response.other-links': {
    section: 'Consent creation response, other _links',
    text: 'Further entries exist in _links next to scaOAuth. Their names are not listed.',
    emulator: shown(
      'A creation also links scaStatus, self and status.',
      'are created implicitly where the header is %s',
    ),
  },

  'payment-request.currency': {
    section: 'Payment request, instructedAmount.currency',
    text: 'instructedAmount.currency is a currency code.',
  },
  'payment-request.amount': {
    section: 'Payment request, instructedAmount.amount',
    text: 'instructedAmount.amount is a decimal amount carried as a string.',
  },
  'payment-request.debtorAccount': {
    section: 'Payment request, debtorAccount.iban',
    text: 'debtorAccount.iban is an IBAN.',
  },
  'payment-request.creditorAccount': {
    section: 'Payment request, creditorAccount.iban',
    text: 'creditorAccount.iban is an IBAN.',
  },
  'payment-request.creditorName': {
    section: 'Payment request, creditorName',
    text: 'creditorName is a string.',
  },
  'payment-request.requestedExecutionDate': {
    section: 'Payment request, requestedExecutionDate',
    text: 'requestedExecutionDate is a date, format YYYY-MM-DD.',
  },
  'payment-response.scaOAuth': {
    section: 'Payment request, response',
    text: 'The payment initiation response carries _links.scaOAuth.href, used as for consents.',
  },

  'token-response.access_token': {
    section: 'Token response, access_token',
    text: 'access_token is a string with limited validity.',
  },
  'token-response.token_type': {
    section: 'Token response, token_type',
    text: 'token_type is Bearer.',
  },
  'token-response.expires_in': {
    section: 'Token response, expires_in',
    text: 'expires_in is an integer: the lifetime in seconds.',
  },
  'token-response.refresh_token': {
    section: 'Token response, refresh_token',
    text: 'refresh_token is a string, valid 90 days.',
  },
  'token-response.scope': {
    section: 'Token response, scope',
    text: 'scope is a string of the form AIS:<consent_id>.',
  },

  'discovery.issuer': {
    section: 'Discovery document, issuer',
    text: 'issuer is a URL.',
  },
  'discovery.authorization_endpoint': {
    section: 'Discovery document, authorization_endpoint',
    text: 'authorization_endpoint is a URL: the base of the authorize URL.',
  },
  'discovery.token_endpoint': {
    section: 'Discovery document, token_endpoint',
    text: 'token_endpoint is a URL: the token endpoint.',
  },
  'discovery.userinfo_endpoint': {
    section: 'Discovery document, userinfo_endpoint',
    text: 'userinfo_endpoint is a URL: the accounts endpoint.',
  },
  'discovery.scopes_supported': {
    section: 'Discovery document, scopes_supported',
    text: 'scopes_supported is account, payment.',
  },
  'discovery.response_types_supported': {
    section: 'Discovery document, response_types_supported',
    text: 'response_types_supported is code.',
  },
  'discovery.grant_types_supported': {
    section: 'Discovery document, grant_types_supported',
    text: 'grant_types_supported is client_credentials, authorization_code, refresh_token.',
  },
  'discovery.code_challenge_methods_supported': {
    section: 'Discovery document, code_challenge_methods_supported',
    text: 'code_challenge_methods_supported is S256.',
  },
  'discovery.subject_types_supported': {
    section: 'Discovery document, subject_types_supported',
    text: 'subject_types_supported is public.',
  },

  'notification-body.payment-ID': {
    section: 'Payment status notification, payment-ID',
    text: 'payment-ID is a string: the payment identifier.',
  },
  'notification-body.transactionStatus': {
    section: 'Payment status notification, transactionStatus',
    text: 'transactionStatus is a payment status code.',
  },
  'simulation-request.paymentId': {
    section: 'Simulation request, paymentId',
    text: 'paymentId is a string: the payment identifier of the notification.',
  },
  'simulation-request.tppNotificationUri': {
    section: 'Simulation request, tppNotificationUri',
    text: 'tppNotificationUri is a URL: the address at which the TPP receives the notification.',
  },
  'simulation-request.status': {
    section: 'Simulation request, status',
    text: 'status is the payment status code of the event. It can be changed to simulate other statuses.',
  },

  'sandbox-ids.consents': {
    section: 'Sandbox test identifiers, consents',
    text: 'Eleven consent identifiers are fixed, VALID_CONSENT_ID to CONSENT_ID_NO_AUTHORIZATION.',
  },
  'sandbox-ids.payments': {
    section: 'Sandbox test identifiers, payments',
    text: 'A payment identifier has the shape PAYMENT_ID_<status>_<product>; status is a payment status code, product is SCT or CBP.',
  },
  'sandbox-ids.payments.authorisations': {
    section: 'Sandbox test identifiers, payments with authorisations',
    text: 'PAYMENT_ID_PATC_SCT and PAYMENT_ID_PATC_CBP are used for authorisation creation and listing.',
    emulator: shown(
      'Both ids list their authorisations and those of their cancellation.',
      'has its authorisations and those of its cancellation',
      'test/answer/emulator/payments.test.ts',
    ),
  },
  'sandbox-ids.client': {
    section: 'Sandbox test identifiers, client',
    text: 'The client id is VALID_CLIENT_ID.',
  },
  'sandbox-ids.account': {
    section: 'Sandbox test identifiers, account',
    text: 'The account id is ACCOUNT_ID.',
  },
  'sandbox-ids.codes': {
    section: 'Sandbox test identifiers, token codes',
    text: 'AIS_VALID_CODE gives a token for VALID_CONSENT_ID, AIS_VALID_CODE_TRANSACTION_90D_KO one for CONSENT_ID_TRANSACTION_90D_KO.',
    emulator: shown(
      'Each code gives a token of its scope.',
      'takes %s, whatever the verifier, and refreshes what it gave',
    ),
  },
  'sandbox-ids.authorisations': {
    section: 'Sandbox test identifiers, authorisations',
    text: 'Eight authorisation identifiers, 1111… to 8888…, return a given status each, for consents, payments and cancellations alike.',
    emulator: shown(
      'Each of the eight ids returns its status.',
      'show their authorisations for VALID_CONSENT_ID only',
    ),
  },
  'funds-test-account': {
    section: 'Sandbox test identifiers, funds confirmation',
    text: 'One fixed test IBAN has a configured balance, a configured overdraft, currency EUR, and an existing PIIS consent.',
    emulator: shown(
      'One IBAN has balance and overdraft: up to their sum funds are available, above it not.',
      'tells whether %s is available',
    ),
  },
  'fields-not-covered.consent': {
    section: 'Fields not covered, consent response',
    text: 'Consent response fields other than _links.scaOAuth.href: not shown.',
    notCheckable: SILENT,
  },
  'fields-not-covered.payment': {
    section: 'Fields not covered, payment response',
    text: 'Payment initiation response fields other than _links.scaOAuth.href: not shown.',
    notCheckable: SILENT,
  },
  'fields-not-covered.accounts': {
    section: 'Fields not covered, accounts',
    text: 'Account, balance and transaction record fields: not shown.',
    notCheckable: SILENT,
  },
  'fields-not-covered.authorisation': {
    section: 'Fields not covered, authorisation',
    text: 'Authorisation resource fields beyond its status: not shown.',
    notCheckable: SILENT,
  },
  'fields-not-covered.funds-confirmation': {
    section: 'Fields not covered, funds confirmation',
    text: 'Funds confirmation request and response fields: not shown.',
    notCheckable: SILENT,
  },
  'fields-not-covered.cross-border': {
    section: 'Fields not covered, cross-border payment',
    text: 'Request body of a cross-border payment: not shown.',
    notCheckable: SILENT,
  },

  'states.consent': {
    section: 'Consent statuses',
    text: 'A consent is valid, revokedByPsu, expired, rejected, terminatedByTpp or received; each has a sandbox id that returns it.',
    emulator: shown('Each sandbox id is read with its status.', '%s has its status and its scope'),
  },
  'states.consent.transitions': {
    section: 'Consent statuses, transitions',
    text: 'Transitions: not shown.',
    notCheckable: SILENT,
  },
  'states.payment': {
    section: 'Payment statuses',
    text: 'A payment status is ACCP, ACSC, ACSP, ACTC, ACWC, ACWP, RCVD, PDNG, RJCT, CANC or PATC.',
  },
  'states.payment.transitions': {
    section: 'Payment statuses, transitions',
    text: 'Transitions: not shown.',
    notCheckable: SILENT,
  },
  'states.payment.sandbox': {
    section: 'Payment statuses, sandbox',
    text: 'The status of a sandbox payment is given by the status code inside its identifier.',
    emulator: shown(
      'A payment and its status are read with the status in the id.',
      'is read with its status',
      'test/answer/emulator/payments.test.ts',
    ),
  },
  'states.authorisation': {
    section: 'Authorisation statuses',
    text: 'An authorisation is received, psuIdentified, psuAuthenticated, scaMethodSelected, started, finalised, failed or exempted.',
  },
  'states.authorisation.transitions': {
    section: 'Authorisation statuses, transitions',
    text: 'Transitions: not shown.',
    notCheckable: SILENT,
  },

  'creation.1': {
    section: 'Rules tied to creation 1',
    text: 'When TPP-Explicit-Authorisation-Preferred is false on consent or payment creation, an authorisation is created implicitly. Creating another authorisation on that consent or payment is then forbidden. The PSU authorises by using the link in the response.',
    emulator: shown(
      'After an implicit creation a further authorisation is refused.',
      'that were authorised implicitly take no second authorisation',
    ),
  },
  'creation.2': {
    section: 'Rules tied to creation 2',
    text: 'When the header is true, the TPP creates the authorisation with the authorisation-creation request to obtain the authorize link.',
    emulator: shown(
      'After an explicit creation the authorisation is created by a call of its own, which gives the link.',
      'are created explicitly where the header is true, and authorised by a call of its own',
    ),
  },
  'sca.scenarios': {
    section: 'SCA outcomes',
    text: 'The mocked page simulates fourteen outcomes, from LOGIN_CANCEL to SCA_INTERNAL_ERROR.',
    emulator: shown(
      'The page offers the fourteen outcomes.',
      'offers all scenarios on a page that needs no script',
    ),
  },
  'sca.redirect': {
    section: 'SCA outcomes, redirect',
    text: 'Every scenario ends on an information page, then the PSU is redirected with HTTP 302 to the redirect_uri.',
    emulator: shown(
      'Each scenario shows its information page, then redirects with 302 to the redirect_uri.',
      'ends %s on an information page and in a redirect',
    ),
  },

  'path.payment-service': {
    section: 'Endpoints, payment-service',
    text: '{payment-service} is payments.',
  },
  'path.payment-product': {
    section: 'Endpoints, payment-product',
    text: '{payment-product} is sepa-credit-transfers, cross-border-payments or cross-border-credit-transfers; all three spellings are given for the sandbox.',
  },
  'path.ids': {
    section: 'Endpoints, ids',
    text: '{paymentId}, {consentId}, {accountId} and the authorisation ids are strings.',
    notCheckable: 'Every path segment is a string.',
  },

  'endpoint.consents.create': {
    section: 'Consents, POST /consents',
    text: 'Headers: TPP-Explicit-Authorisation-Preferred (boolean), TPP-Redirect-URI. Body: consent request. Response: consent creation response.',
  },
  'endpoint.consents.authorisations.create': {
    section: 'Consents, POST /consents/{consentId}/authorisations',
    text: 'Creates the authorisation when the header was true. Sandbox id: CONSENT_ID_NO_AUTHORIZATION. Returns the authorize link.',
  },
  'endpoint.consents.read': {
    section: 'Consents, GET /consents/{consentId}',
    text: 'Returns the consent.',
  },
  'endpoint.consents.status': {
    section: 'Consents, GET /consents/{consentId}/status',
    text: 'Returns the consent status.',
  },
  'endpoint.consents.delete': {
    section: 'Consents, DELETE /consents/{consentId}',
    text: 'Deletes the consent. Sandbox ids: VALID_CONSENT_ID, CONSENT_ID_REVOKED_BY_PSU, CONSENT_ID_EXPIRED, CONSENT_ID_REJECTED, CONSENT_ID_TERMINATED_BY_TPP, CONSENT_ID_RECEIVED.',
    emulator: shown('The six ids are deleted, no other is.', '%s is deleted where the document says so'),
  },
  'endpoint.consents.authorisations.list': {
    section: 'Consents, GET /consents/{consentId}/authorisations',
    text: 'Lists the authorisations. Only VALID_CONSENT_ID is found.',
  },
  'endpoint.consents.authorisations.read': {
    section: 'Consents, GET /consents/{consentId}/authorisations/{consentAuthorisationId}',
    text: 'One authorisation with its status. Only VALID_CONSENT_ID is found.',
  },

  'endpoint.oauth.authorize': {
    section: 'OAuth 2.0, GET /stdgroup/authorization/authorize/{authorisation-id}',
    text: 'Query: scope, client_id, state, redirect_uri, code_challenge, response_type, code_challenge_method. Result: HTTP 302 to the redirect URI with query code=<authorization_code>&state=<state>.',
  },
  'endpoint.oauth.token': {
    section: 'OAuth 2.0, POST /token',
    text: 'Content type application/x-www-form-urlencoded. Code exchange: grant_type, client_id, code_verifier, code. Refresh: grant_type=refresh_token, refresh_token, client_id. Response: token response.',
  },
  'endpoint.oauth.discovery': {
    section: 'OAuth 2.0, GET /stdgroup/.well-known/openid-configuration',
    text: 'Called with authorizationId=<authorisation_id>; returns the discovery document.',
  },
  'token.grant_type': {
    section: 'OAuth 2.0, grant_type',
    text: 'The grant_type value for the code exchange is authorization_code.',
  },
  'token.code_verifier': {
    section: 'OAuth 2.0, code_verifier',
    text: 'The sandbox accepts any code_verifier.',
    emulator: shown(
      'A literal code is exchanged with whatever verifier.',
      'takes %s, whatever the verifier, and refreshes what it gave',
    ),
  },

  'accounts.headers': {
    section: 'Accounts, headers',
    text: 'All four need the header Consent-Id and the access token of the matching consent.',
  },
  'accounts.psu-ip-address': {
    section: 'Accounts, PSU-IP-Address',
    text: 'The optional header PSU-IP-Address affects the daily limit.',
    emulator: shown(
      'Accesses with the address of the PSU do not count.',
      'counts each endpoint and account by itself, and no call that carries the PSU’s address',
      'test/e2e/daily-limit.test.ts',
    ),
  },
  'endpoint.accounts.list': {
    section: 'Accounts, GET /accounts',
    text: 'Lists accounts. Consent-Id=VALID_CONSENT_ID.',
  },
  'endpoint.accounts.read': {
    section: 'Accounts, GET /accounts/{accountId}',
    text: 'One account. ACCOUNT_ID for a valid consent. Any other account gives a no-permission result.',
  },
  'endpoint.accounts.balances': {
    section: 'Accounts, GET /accounts/{accountId}/balances',
    text: 'Balances. Same ids as for one account.',
  },
  'endpoint.accounts.transactions': {
    section: 'Accounts, GET /accounts/{accountId}/transactions',
    text: 'Query: dateFrom (date), bookingStatus (a value such as booked). Same ids as for one account. With CONSENT_ID_TRANSACTION_90D_KO and ACCOUNT_ID the access right to transactions older than 90 days is expired.',
  },

  'endpoint.payments.create': {
    section: 'Payments, POST /{payment-service}/{payment-product}',
    text: 'Header TPP-Explicit-Authorisation-Preferred. Body: payment request. Response carries _links.scaOAuth.href.',
  },
  'endpoint.payments.authorisations.create': {
    section: 'Payments, POST /{payment-service}/{payment-product}/{paymentId}/authorisations',
    text: 'Creates the authorisation when the header was true.',
  },
  'endpoint.payments.read': {
    section: 'Payments, GET /{payment-service}/{payment-product}/{paymentId}',
    text: 'Returns the payment. The id shape gives its status.',
  },
  'payments.consent-id': {
    section: 'Payments, Consent-Id',
    text: 'The payment id is also used in the Consent-Id header.',
  },
  'endpoint.payments.status': {
    section: 'Payments, GET /{payment-service}/{payment-product}/{paymentId}/status',
    text: 'Returns the payment status.',
  },
  'endpoint.payments.authorisations.list': {
    section: 'Payments, GET /{payment-service}/{payment-product}/{paymentId}/authorisations',
    text: 'Lists the authorisations. Sandbox ids PAYMENT_ID_PATC_SCT (with sepa-credit-transfers) and PAYMENT_ID_PATC_CBP (with cross-border-credit-transfers).',
  },
  'endpoint.payments.authorisations.read': {
    section:
      'Payments, GET /{payment-service}/{payment-product}/{paymentId}/authorisations/{paymentAuthorisationId}',
    text: 'One authorisation with its status.',
  },
  'endpoint.payments.cancel': {
    section: 'Payments, DELETE /{payment-service}/{payment-product}/{paymentId}',
    text: 'Cancels the payment.',
  },
  'endpoint.payments.cancellation-authorisations.list': {
    section: 'Payments, GET /{payment-service}/{payment-product}/{paymentId}/cancellation-authorisations',
    text: 'Lists the cancellation authorisations. Same sandbox ids as the authorisation list.',
  },
  'endpoint.payments.cancellation-authorisations.read': {
    section:
      'Payments, GET /{payment-service}/{payment-product}/{paymentId}/cancellation-authorisations/{paymentAuthorisationId}',
    text: 'One cancellation authorisation with its status.',
  },

  'endpoint.funds-confirmations.create': {
    section: 'Funds confirmation, POST /funds-confirmations',
    text: 'Checks whether funds are available for an account and an amount.',
  },
  'endpoint.notifications.simulate': {
    section: 'Payment status notification simulation, POST /internal/stdgroup/authorization/v1/tpp/notify',
    text: 'Body: simulation request. It triggers the callback described in Events.',
  },
  'payloads-not-covered.authorisation-creation': {
    section: 'Payloads not covered, authorisation creation',
    text: 'Body of the POST authorisation-creation requests: not shown.',
    notCheckable: SILENT,
  },
  'payloads-not-covered.reads': {
    section: 'Payloads not covered, reads',
    text: 'Response bodies of the GET consent, status, account, balance, transaction, payment and authorisation requests: not shown.',
    notCheckable: SILENT,
  },
  'payloads-not-covered.transactions-query': {
    section: 'Payloads not covered, transactions query',
    text: 'Transactions query parameters other than dateFrom and bookingStatus, and values of bookingStatus other than booked: not shown.',
    notCheckable: SILENT,
  },
  'payloads-not-covered.funds-confirmation': {
    section: 'Payloads not covered, funds confirmation',
    text: 'Request and response payloads of funds confirmation: not shown.',
    notCheckable: SILENT,
  },
  'payloads-not-covered.delete': {
    section: 'Payloads not covered, DELETE',
    text: 'Response payload of the DELETE operations: not shown.',
    notCheckable: SILENT,
  },
  'payloads-not-covered.cancellation-authorisation': {
    section: 'Payloads not covered, cancellation authorisation',
    text: 'Creation of a cancellation authorisation: not shown.',
    notCheckable: SILENT,
  },

  'authentication.1': {
    section: 'Authentication 1',
    text: 'Every request needs a valid PSD2 QWAC certificate. Without it an error is returned.',
  },
  'authentication.2': {
    section: 'Authentication 2',
    text: 'Access is by the OAuth 2.0 authorization-code flow with PKCE (RFC 7636) and SCA by redirect: create the consent or payment, build the authorize URL, the PSU authorises and is redirected with code and state, POST /token exchanges the code.',
  },
  'authentication.3': {
    section: 'Authentication 3',
    text: 'The authorize URL carries scope, client_id, state, redirect_uri, code_challenge, response_type and code_challenge_method.',
  },
  'authorize.scope': {
    section: 'Authentication 3, scope',
    text: 'scope is AIS:VALID_CONSENT_ID or PIS:PAYMENT_ID_RCVD_SCT in the sandbox; in production AIS:<consent_id> or PIS:<payment_id> as returned by the creation.',
  },
  'authorize.client_id': {
    section: 'Authentication 3, client_id',
    text: "client_id is VALID_CLIENT_ID in the sandbox, the TPP's NCA id in production.",
  },
  'authorize.state': {
    section: 'Authentication 3, state',
    text: 'state is any value in the sandbox, a dynamic value that prevents XSRF in production.',
  },
  'authorize.redirect_uri': {
    section: 'Authentication 3, redirect_uri',
    text: "redirect_uri is any URI in the sandbox; in production it is the PSU's return address and equals the TPP-Redirect-URI header of the creation.",
  },
  'authorize.code_challenge': {
    section: 'Authentication 3, code_challenge',
    text: 'code_challenge is any value in the sandbox, the PKCE challenge in production.',
  },
  'authorize.response_type': {
    section: 'Authentication 3, response_type',
    text: 'response_type is code.',
  },
  'authorize.code_challenge_method': {
    section: 'Authentication 3, code_challenge_method',
    text: 'code_challenge_method is S256 in the sandbox; in production it is optional: S256 or plain.',
  },
  'authentication.4': {
    section: 'Authentication 4',
    text: 'Two ways exist to obtain the authorize URL from the scaOAuth link.',
  },
  'authorize.link.direct': {
    section: 'Authentication 4, direct',
    text: 'Direct (current production): the link is the authorize URL to which the parameters are appended.',
  },
  'authorize.link.discovery': {
    section: 'Authentication 4, discovery',
    text: 'Discovery (sandbox, and production in a later version): the link is a discovery URL. The TPP calls it, reads authorization_endpoint and appends the parameters to that address.',
  },
  'authentication.5': {
    section: 'Authentication 5',
    text: 'token_type is Bearer. The access token has a limited validity. The refresh token is valid 90 days and is exchanged through POST /token with grant_type=refresh_token.',
  },
  'authentication.6': {
    section: 'Authentication 6',
    text: 'The TPP must use the access token that belongs to the consent in the Consent-Id header.',
  },
  'authentication.7': {
    section: 'Authentication 7',
    text: 'Header that carries the access token: not shown.',
    notCheckable: SILENT,
  },
  'authentication.8': {
    section: 'Authentication 8',
    text: 'Use of the client_credentials grant listed in the discovery document: not shown.',
    notCheckable: SILENT,
  },

  'events.1': {
    section: 'Events 1',
    text: 'The TPP calls the internal sandbox endpoint with paymentId, tppNotificationUri and status.',
  },
  'events.2': {
    section: 'Events 2',
    text: 'The sandbox then sends an HTTP POST to tppNotificationUri with the callback body (payment-ID, transactionStatus).',
    emulator: shown(
      'The callback is sent after the answer, with both fields.',
      'is answered at once and sent afterwards',
    ),
  },
  'events.3': {
    section: 'Events 3',
    text: 'No other event is sent for other payment kinds. Only Instant Payment is supported.',
    emulator: shown(
      'One simulation sends one callback, and nothing else is ever sent.',
      'is answered at once and sent afterwards',
    ),
  },
  'events.4': {
    section: 'Events 4',
    text: 'The relation between the status given in the simulation request and the transactionStatus sent in the callback: not shown.',
    notCheckable: SILENT,
  },
  'events.5': {
    section: 'Events 5',
    text: 'Retries, signing and delivery guarantees of the callback: not shown.',
    notCheckable: SILENT,
  },

  'errors.1': {
    section: 'Errors 1',
    text: 'When a request deviates from the required header, path or query values, an error code may be returned.',
  },
  'errors.2': {
    section: 'Errors 2',
    text: 'When no valid QWAC certificate is presented, an error is returned.',
  },
  'errors.3': {
    section: 'Errors 3',
    text: 'For consent authorisation reads, any consent id other than VALID_CONSENT_ID is treated as not found.',
    emulator: shown(
      'The authorisations of any other consent are not found.',
      'show their authorisations for VALID_CONSENT_ID only',
    ),
  },
  'errors.4': {
    section: 'Errors 4',
    text: 'For account, balance and transaction reads, an account id other than ACCOUNT_ID gives a no-permission result.',
    emulator: shown(
      'Another account than ACCOUNT_ID is refused: the consent gives no right to it.',
      'are read one by one: ACCOUNT_ID%s, and no other',
    ),
  },
  'errors.5': {
    section: 'Errors 5',
    text: 'For transaction reads with CONSENT_ID_TRANSACTION_90D_KO on ACCOUNT_ID, the error is that the access right to transactions older than 90 days is expired.',
    emulator: shown(
      'Transactions under that consent are refused: the right is expired.',
      'are read by CONSENT_ID_TRANSACTION_90D_KO, their transactions are not',
    ),
  },
  'errors.6': {
    section: 'Errors 6',
    text: 'SCA failures are simulated by the scenarios listed under States.',
    emulator: shown(
      'Each failing scenario ends in its error at the redirect.',
      'ends %s on an information page and in a redirect',
    ),
  },
  'errors.7': {
    section: 'Errors 7',
    text: 'Error body format and error codes: not shown.',
    notCheckable: SILENT,
  },
  'errors.8': {
    section: 'Errors 8',
    text: 'HTTP status codes of error responses: not shown. Only the HTTP 302 redirect after authorisation is given.',
    notCheckable: SILENT,
  },

  'limits.1': {
    section: 'Limits 1',
    text: 'Account information endpoints: 4 accesses per day. The restriction does not apply when the request includes the PSU-IP-Address header with the IP address from which the PSU reaches the TPP service.',
    emulator: shown(
      'The fifth access of a day is refused, until the next day.',
      'refuses the fifth access of a day, until the next day',
      'test/e2e/daily-limit.test.ts',
    ),
  },
  'limits.2': {
    section: 'Limits 2',
    text: 'Consent duration: 90 days. Refresh token validity: 90 days.',
  },
  'limits.3': {
    section: 'Limits 3',
    text: 'Transactions older than 90 days are subject to the access right described in Errors.',
  },
  'limits.4': {
    section: 'Limits 4',
    text: 'Exact lifetime of the access token: not shown.',
    notCheckable: SILENT,
  },
  'limits.5': {
    section: 'Limits 5',
    text: 'Other limits (request rate, size, pagination): not shown.',
    notCheckable: SILENT,
  },

  'versioning.1': {
    section: 'Versioning 1',
    text: 'The interface version is carried in the path as v1. The authorize request, the discovery URL and the internal notify path are given without a v1 segment, except the notify path, which holds v1 after authorization.',
  },
  'versioning.2': {
    section: 'Versioning 2',
    text: 'The sandbox and production use identical endpoints.',
  },
  'versioning.3': {
    section: 'Versioning 3',
    text: 'The discovery-based scaOAuth link is already active in the sandbox. In production it is deferred to a future version. Until then the production scaOAuth link holds the authorize URL directly.',
  },
  'versioning.4': {
    section: 'Versioning 4',
    text: 'Version negotiation headers and deprecation policy: not shown.',
    notCheckable: SILENT,
  },
} as const satisfies Record<string, ClauseRow> & Record<`endpoint.${BuiltInOperationId}`, ClauseRow>;

export type ClauseId = keyof typeof CLAUSES;

export const CLAUSE_IDS = Object.keys(CLAUSES) as ClauseId[];

/** The row of a clause with its general type; the table itself keeps the literal ones. */
export function clauseRow(id: ClauseId): ClauseRow {
  return CLAUSES[id];
}
