/**
 * Readings: what Sandgate does where the specification shows nothing or leaves a choice, and why. Emulator, rules,
 * report and docs cite them by id, so that a reader can tell the standard from our reading of it.
 */
import type { ClauseId } from './clauses.js';
import type { SourceTag } from './sources.js';

export interface ReadingRow {
  /** The clause that it fills or makes precise. */
  readonly clause: ClauseId;
  readonly chosen: string;
  readonly why: string;
  /** The outside text it rests on: a tag of `OUTSIDE_SOURCES`, perhaps with a place in it. */
  readonly source: SourceTag | `${SourceTag} ${string}`;
}

export const READINGS = {
  'error-body': {
    clause: 'errors.7',
    chosen:
      'An error is application/json with tppMessages: category, code, text, path; application/problem+json where Accept prefers it.',
    why: 'The standard of the interface family has this body first; clients of the field read it.',
    source: 'BG',
  },
  'error-body-oauth': {
    clause: 'errors.7',
    chosen: 'An error of POST /token is the JSON of OAuth: error, error_description.',
    why: 'The endpoint is OAuth, and clients use OAuth libraries on it.',
    source: 'RFC6749 5.2',
  },
  'error-several': {
    clause: 'errors.7',
    chosen:
      'All errors of a call are in one body; the status is that of the first, in the order certificate, request, token, consent, the rest. If the certificate itself is not acceptable, only those of certificate and request, in Sandgate-Findings too.',
    why: 'One round trip shows the developer everything; a caller that has not proved who it is learns nothing about the TPP that it claims to be.',
    source: 'practice',
  },
  'no-certificate-status': {
    clause: 'errors.8',
    chosen:
      '401 CERTIFICATE_MISSING; an unacceptable certificate: 401 CERTIFICATE_INVALID (also if not valid yet), _EXPIRED, _REVOKED or _BLOCKED.',
    why: 'The codes say what to correct; a failed handshake would say nothing.',
    source: 'BG',
  },
  'role-missing-status': {
    clause: 'errors.8',
    chosen: '401 ROLE_INVALID where the roles of the certificate do not cover the service.',
    why: 'The code exists for it.',
    source: 'BG',
  },
  'path-unknown-status': {
    clause: 'errors.8',
    chosen: '404 RESOURCE_UNKNOWN; the text names the nearest path.',
    why: 'A typing error in the path is the commonest first error.',
    source: 'BG',
  },
  'method-unknown-status': {
    clause: 'errors.8',
    chosen: '405 SERVICE_INVALID with an Allow header.',
    why: 'HTTP asks for Allow.',
    source: 'RFC9110 15.5.6',
  },
  'format-error-status': {
    clause: 'errors.8',
    chosen: '400 FORMAT_ERROR for headers, query and body; 415 for a media type that is not taken.',
    why: 'The code exists for it.',
    source: 'BG',
  },
  'consent-unknown-path-status': {
    clause: 'errors.3',
    chosen: '403 CONSENT_UNKNOWN where the id stands in the path.',
    why: '“Not found” is said of the consent, and the standard gives an unknown consent in the path this status.',
    source: 'BG',
  },
  'consent-unknown-header-status': {
    clause: 'accounts.headers',
    chosen: '400 CONSENT_UNKNOWN where the id stands in the Consent-Id header.',
    why: 'The standard tells ids in the path from ids in a header.',
    source: 'BG',
  },
  'consent-not-valid-status': {
    clause: 'errors.8',
    chosen: '401 CONSENT_INVALID on account reads; 401 CONSENT_EXPIRED where the consent expired.',
    why: 'A TPP must be able to tell an expired consent from one that was refused.',
    source: 'BG',
  },
  'account-no-permission-status': {
    clause: 'errors.4',
    chosen: '401 CONSENT_INVALID for any account but ACCOUNT_ID.',
    why: 'The account may exist; what is missing is the right of the consent.',
    source: 'BG',
  },
  'history-after-sca': {
    clause: 'limits.3',
    chosen:
      'The access right to transactions older than 90 days lasts 20 minutes from the SCA, and from each answer of the bank that holds such transactions.',
    why: 'Banks of the field give the whole history for 15 to 20 minutes after the SCA; a client that reads on page by page is not late.',
    source: 'practice',
  },
  'history-expired-status': {
    clause: 'errors.5',
    chosen:
      '401 CONSENT_EXPIRED for every transactions read with CONSENT_ID_TRANSACTION_90D_KO, whatever the dates.',
    why: 'The specification calls the right expired, and this code means that.',
    source: 'BG',
  },
  'token-fault-status': {
    clause: 'errors.8',
    chosen:
      '401 TOKEN_UNKNOWN, TOKEN_INVALID or TOKEN_EXPIRED, with WWW-Authenticate: Bearer error="invalid_token". An expired token is told from an unknown one as long as it is among the 50,000 that were given out last.',
    why: 'The code of the interface family beside that of OAuth.',
    source: 'RFC6750 3',
  },
  'second-authorisation-status': {
    clause: 'creation.1',
    chosen: '409 STATUS_INVALID.',
    why: 'The code stands for a resource that allows no further authorisation.',
    source: 'BG',
  },
  'daily-limit-status': {
    clause: 'limits.1',
    chosen: '429 ACCESS_EXCEEDED, with Retry-After.',
    why: 'The code exists for it; the time spares the TPP a guess.',
    source: 'BG',
  },
  'product-unknown-status': {
    clause: 'path.payment-product',
    chosen: '404 PRODUCT_UNKNOWN, also for another payment service than payments.',
    why: 'The code exists for it.',
    source: 'BG',
  },
  'payment-unknown-status': {
    clause: 'errors.8',
    chosen: '403 RESOURCE_UNKNOWN for a payment that is not of this TPP, or not of the product in the path.',
    why: 'The standard gives an unknown id in the path, accounts apart, this status.',
    source: 'BG',
  },
  'authorisation-unknown-status': {
    clause: 'errors.8',
    chosen: '404 RESOURCE_UNKNOWN for an authorisation id that is not one of the resource, or no UUID.',
    why: 'One status for both, so that a typing error looks like what it is.',
    source: 'practice',
  },
  'cancellation-final-status': {
    clause: 'endpoint.payments.cancel',
    chosen: '405 CANCELLATION_INVALID where the payment is settled, rejected or cancelled.',
    why: 'Printed by banks of this interface family.',
    source: 'BG',
  },
  'authorize-error-page': {
    clause: 'errors.7',
    chosen:
      'A wrong client_id or redirect_uri ends on an error page with 400, without redirect; any other fault in an error redirect, in production and in the living bank only to the TPP-Redirect-URI of the creation.',
    why: 'A redirect to an address that is not proven would be an open redirect.',
    source: 'RFC6749 4.1.2.1',
  },
  'consent-answer-body': {
    clause: 'fields-not-covered.consent',
    chosen:
      'consentStatus received, consentId, _links; headers Location, ASPSP-SCA-Approach: REDIRECT, X-Request-ID.',
    why: 'As recorded of the sandbox.',
    source: 'BG',
  },
  'payment-answer-body': {
    clause: 'fields-not-covered.payment',
    chosen: 'transactionStatus, paymentId, _links; headers as for a consent.',
    why: 'As recorded of the sandbox.',
    source: 'BG',
  },
  'notification-support': {
    clause: 'events.3',
    chosen:
      'A creation that asks for notifications (TPP-Notification-URI) is answered with ASPSP-Notification-Support: false; any other without the header.',
    why: 'Notifications are of instant payments, which are not among the products; only the simulation sends one.',
    source: 'BG',
  },
  'creation-links': {
    clause: 'creation-response.other-links',
    chosen:
      'Implicit: scaOAuth, scaStatus, self, status. Explicit: startAuthorisation, self, status, and no scaOAuth.',
    why: 'The names of the standard; as recorded of the sandbox.',
    source: 'BG',
  },
  'creation-ids': {
    clause: 'fields-not-covered.consent',
    chosen:
      'In the sandbox an implicit consent is VALID_CONSENT_ID, an explicit one CONSENT_ID_NO_AUTHORIZATION; a payment PAYMENT_ID_RCVD_… when implicit, PAYMENT_ID_PATC_… when explicit.',
    why: 'These are the ids that the later steps of the document take.',
    source: 'practice',
  },
  'creation-authorisation-ids': {
    clause: 'fields-not-covered.authorisation',
    chosen:
      'Each creation hands out an authorisation id of its own, with the status received; the eight fixed ids keep working, for whoever uses them, as nobody’s. Its address leads to the page of that flow, as often as it is called; its status is the outcome of the last time, and only its TPP can read it.',
    why: 'Recorded of the sandbox are fixed ids, which several TPPs share: the page of one would name the other, and 1111… says finalised before the PSU has been anywhere.',
    source: 'practice',
  },
  'implicit-by-default': {
    clause: 'creation.1',
    chosen: 'Without the header the authorisation is created implicitly.',
    why: 'The standard leaves it to the bank; the flow of the document is the implicit one.',
    source: 'BG',
  },
  'authorisation-request-body': {
    clause: 'payloads-not-covered.authorisation-creation',
    chosen: 'No body, an empty object, or psuData, which is not used.',
    why: 'The PSU logs in at the bank, so nothing needs to be sent.',
    source: 'BG',
  },
  'authorisation-answer-body': {
    clause: 'fields-not-covered.authorisation',
    chosen:
      'Creation: scaStatus received, authorisationId, _links with scaOAuth and scaStatus. Read: scaStatus.',
    why: 'As recorded of the sandbox.',
    source: 'BG',
  },
  'authorisation-list': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'authorisationIds with 1111… and 2222…, and what was handed out to this TPP with its newest creation under the id.',
    why: 'As recorded of the sandbox, less an id that the document does not know.',
    source: 'practice',
  },
  'consent-read-body': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'access, recurringIndicator, validUntil, frequencyPerDay, lastActionDate, consentStatus; a valid one links the accounts, which are read with its token and Consent-Id. All of it is the consent of the sandbox, whatever the creation asked for: recurring, four times a day, until 90 days from today (an expired one until yesterday). The status read: consentStatus.',
    why: 'The required fields of the standard. The id says the status and the scope, so the rest is of the same consent; and what is valid never comes to its end.',
    source: 'BG',
  },
  'explicit-consent-status': {
    clause: 'states.consent',
    chosen:
      'CONSENT_ID_NO_AUTHORIZATION is received, and valid once the PSU has authorised it for this TPP; its authorisation is read under it.',
    why: 'The document gives the id no status, and the consent of an explicit creation must come to be of use.',
    source: 'practice',
  },
  'consent-scopes-of-ids': {
    clause: 'consent-scopes',
    chosen:
      'CONSENT_ID_ALL_PSD2, _AVAILABLE_ACCOUNTS and _AVAILABLE_ACCOUNTS_WITH_BALANCES have the scope of their name; every other id a preselected one on ACCOUNT_ID.',
    why: 'Their names say so.',
    source: 'practice',
  },
  'consent-access-forms': {
    clause: 'consent-request.access',
    chosen:
      'Beside allPsd2 also availableAccounts, availableAccountsWithBalance(s) and lists of accounts are taken, one kind at a time.',
    why: 'The document shows consents of these scopes; the standard has them.',
    source: 'BG',
  },
  'account-record': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'Account: resourceId, iban, bic, currency, name, product, cashAccountType, _links. Balance: balanceAmount, balanceType, lastChangeDateTime, referenceDate. Transaction: transactionId, dates, transactionAmount, creditor or debtor, remittance.',
    why: 'As recorded of the sandbox; amounts as strings and times with offset, as the standard has them.',
    source: 'BG',
  },
  'account-list': {
    clause: 'endpoint.accounts.list',
    chosen:
      'Four accounts, ACCOUNT_ID and _2, _3, _4, each linked to itself; only ACCOUNT_ID can be read, and links balances and transactions. The list of a consent availableAccounts or availableAccountsWithBalances links nothing.',
    why: 'As recorded of the sandbox; the other three show what a missing right looks like.',
    source: 'practice',
  },
  'account-read-body': {
    clause: 'payloads-not-covered.reads',
    chosen: 'One account stands in a member named account.',
    why: 'The standard wraps it.',
    source: 'BG',
  },
  'payment-read-body': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'The payment of the sandbox, of the product in the path, with the transactionStatus of its id; the status read: transactionStatus.',
    why: 'The required fields of the standard. The id stands for one payment, whatever was posted.',
    source: 'BG',
  },
  'cross-border-body': {
    clause: 'fields-not-covered.cross-border',
    chosen:
      'The body of a SEPA transfer; accounts may be named by bban too, and creditorAgent, creditorAddress and chargeBearer are taken.',
    why: 'The standard has one body for both.',
    source: 'BG',
  },
  'transactions-query': {
    clause: 'payloads-not-covered.transactions-query',
    chosen:
      'dateTo, withBalance, entryReferenceFrom, deltaList, pageIndex, itemsPerPage and page are known: no rule finds fault with them. A date that is absent is today (dateTo) or 90 days before (dateFrom), or the other one where that would be reversed. The emulator pages by page or pageIndex, from 0, and by itemsPerPage; entryReferenceFrom and deltaList it does not offer (transactions-delta).',
    why: 'The names of the standard, and the one that this interface family pages by.',
    source: 'BG',
  },
  'transactions-link': {
    clause: 'endpoint.accounts.transactions',
    chosen:
      'The link transactions of an account is its plain address, to which bookingStatus is added, and the emulator refuses it as it stands; that of a report, and its page links, hold the whole query. A link of a real bank is taken as it was given.',
    why: 'The caller chooses the status; a query in the link would be doubled by clients that append theirs.',
    source: 'BG',
  },
  'booking-status-values': {
    clause: 'payloads-not-covered.transactions-query',
    chosen: 'booked, pending, both, all, information; missing or another value: 400 FORMAT_ERROR.',
    why: 'The values of the standard.',
    source: 'BG',
  },
  'date-range-inclusive': {
    clause: 'payloads-not-covered.transactions-query',
    chosen:
      'Both dates are included; a booked entry counts by its booking date. Reversed dates: 400 PERIOD_INVALID.',
    why: 'The standard says so.',
    source: 'BG',
  },
  'funds-request-body': {
    clause: 'fields-not-covered.funds-confirmation',
    chosen: 'account and instructedAmount; cardNumber and payee may be there.',
    why: 'The required fields of the standard.',
    source: 'BG',
  },
  'funds-answer-body': {
    clause: 'payloads-not-covered.funds-confirmation',
    chosen: '200 with fundsAvailable, true where the amount is at most balance plus overdraft.',
    why: 'The document gives the test account a balance and an overdraft.',
    source: 'BG',
  },
  'funds-account-unknown': {
    clause: 'funds-test-account',
    chosen:
      'Any account but the test one: 400 NO_PIIS_ACTIVATION; what is no IBAN: 400 FORMAT_ERROR; another currency than EUR: fundsAvailable false.',
    why: 'Only that account has a PIIS consent; the code says it.',
    source: 'BG',
  },
  'delete-answer': {
    clause: 'payloads-not-covered.delete',
    chosen: '204 without body.',
    why: 'As recorded of the sandbox.',
    source: 'BG',
  },
  'delete-other-consents': {
    clause: 'endpoint.consents.delete',
    chosen: 'The five sandbox ids that are not listed for DELETE: 403 CONSENT_UNKNOWN.',
    why: 'A deviation from the trigger values may be an error; this is the error for an unknown id.',
    source: 'practice',
  },
  'delete-sandbox-ids': {
    clause: 'states.consent.transitions',
    chosen: 'A sandbox id keeps its fixed status after DELETE.',
    why: 'The id says the status; tests of others rely on it.',
    source: 'practice',
  },
  'cancel-answer': {
    clause: 'payloads-not-covered.delete',
    chosen: 'A cancellable payment is cancelled at once: 204, no authorisation needed.',
    why: 'Banks of this interface family need none for single payments.',
    source: 'BG',
  },
  'cancellation-authorisation-creation': {
    clause: 'payloads-not-covered.cancellation-authorisation',
    chosen: 'Not offered: POST on the path is 405 with Allow: GET, HEAD.',
    why: 'The document shows no such endpoint, and no cancellation waits for one.',
    source: 'practice',
  },
  'consent-transitions': {
    clause: 'states.consent.transitions',
    chosen:
      'received leads to valid, rejected or expired; valid to revokedByPsu, expired or terminatedByTpp; these are final. partiallyAuthorised is tolerated of a bank.',
    why: 'The life of a consent in the standard.',
    source: 'BG',
  },
  'payment-transitions': {
    clause: 'states.payment.transitions',
    chosen:
      'A payment never falls back in rank; ACSC, RJCT and CANC are final. ACCC, ACFC and PART are tolerated of a bank.',
    why: 'The order in which the code set describes them.',
    source: 'ISO20022',
  },
  'authorisation-transitions': {
    clause: 'states.authorisation.transitions',
    chosen:
      'In the order received, psuIdentified, psuAuthenticated, scaMethodSelected, started, then finalised or failed; exempted is final too. unconfirmed is tolerated of a bank.',
    why: 'The order of the standard.',
    source: 'BG',
  },
  'token-header': {
    clause: 'authentication.7',
    chosen: 'Authorization: Bearer.',
    why: 'token_type is Bearer.',
    source: 'RFC6750 2.1',
  },
  'token-on-other-calls': {
    clause: 'authentication.7',
    chosen:
      'Required for account reads only; consents, payments and funds confirmation need only the certificate.',
    why: 'Banks of this interface family require no token there; the document names it for the account reads only.',
    source: 'practice',
  },
  'access-token-lifetime': {
    clause: 'limits.4',
    chosen: '3600 seconds for AIS, 300 for PIS.',
    why: 'Banks of this interface family print these.',
    source: 'practice',
  },
  'token-form': {
    clause: 'token-response.access_token',
    chosen: 'Opaque, 96 hexadecimal characters.',
    why: 'As recorded of this interface family.',
    source: 'practice',
  },
  'token-scope-forms': {
    clause: 'token-response.scope',
    chosen: 'PIS:<payment id> for payments, beside AIS:<consent id>.',
    why: 'The authorize scope of a payment has that form.',
    source: 'BG',
  },
  'refresh-rotation': {
    clause: 'authentication.5',
    chosen:
      'A refresh hands out a new refresh token. The older one keeps working in the sandbox until its end, and its use is a finding.',
    why: 'Banks rotate; a client that keeps the old one should learn it here, not lose its consent.',
    source: 'RFC9700',
  },
  'client-credentials-grant': {
    clause: 'authentication.8',
    chosen: 'Refused: 400 unsupported_grant_type, though the discovery document lists it.',
    why: 'Nothing in the interface takes a token of that grant.',
    source: 'RFC6749 5.2',
  },
  'pis-code': {
    clause: 'sandbox-ids.codes',
    chosen: 'PIS_VALID_CODE gives a token with scope PIS:PAYMENT_ID_RCVD_SCT.',
    why: 'Recorded of this interface family; without it no payment token could be tried by hand.',
    source: 'practice',
  },
  'code-lifetime': {
    clause: 'endpoint.oauth.token',
    chosen: 'A code is used once, within ten minutes; the literal sandbox codes are exempt.',
    why: 'The rule of OAuth.',
    source: 'RFC6749 4.1.2',
  },
  'sandbox-any-values': {
    clause: 'authorize.code_challenge',
    chosen:
      '“Any value” holds for answers: the sandbox takes it, and a finding tells where production would not.',
    why: 'A developer should learn before production.',
    source: 'practice',
  },
  'redirect-uri-any': {
    clause: 'authorize.redirect_uri',
    chosen:
      "“Any URI” is any absolute one: of the web, or of an app's own scheme; but none that the browser shows or carries out by itself (javascript, data, file, blob, about).",
    why: 'No application stands behind those, and a redirect to one could run what the caller wrote.',
    source: 'RFC8252 7',
  },
  'state-empty': {
    clause: 'authorize.state',
    chosen:
      'In the sandbox an empty state is taken and comes back empty, in production it is a fault; a bank that leaves it out is not blamed.',
    why: 'The document takes any value; OAuth takes a parameter without a value for none.',
    source: 'RFC6749 3.1',
  },
  'challenge-method-absent': {
    clause: 'authorize.code_challenge_method',
    chosen: 'Without the parameter the method is plain.',
    why: 'PKCE says so.',
    source: 'RFC7636 4.3',
  },
  'redirect-uri-at-token': {
    clause: 'endpoint.oauth.token',
    chosen:
      'redirect_uri is taken at POST /token. If it differs from that of authorize: a finding in the sandbox, which answers; 400 invalid_grant in production.',
    why: 'The document does not list it; OAuth clients send it.',
    source: 'RFC6749 4.1.3',
  },
  'psu-without-certificate': {
    clause: 'authentication.1',
    chosen: 'The authorization request needs no certificate.',
    why: "The PSU's browser calls it, and has none.",
    source: 'practice',
  },
  'authorize-scenario': {
    clause: 'sca.scenarios',
    chosen: 'A query parameter scenario on authorize picks the outcome without showing the page.',
    why: 'Tests without browser need the outcomes too.',
    source: 'practice',
  },
  'sca-page-form': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank the steps of the SCA (log-in, accounts where the consent leaves them open, a code) are forms that are posted to the address of the authorization request. What is posted is the PSU’s doing: no rule judges it, and nothing of it is recorded.',
    why: 'A password has no place in an address, and a page of the bank is no operation of the interface.',
    source: 'practice',
  },
  'sca-attempts': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank the third wrong login or password ends the SCA (UNKNOWN_LOGIN, BAD_PASSWORD_LOGIN), and so does the third wrong code (SCA_NOK), also of a PSU who logs in again in between. scaStatus is psuIdentified once the login is known, psuAuthenticated once the password is right.',
    why: 'The outcomes exist for it, and a TPP sees them come about.',
    source: 'practice',
  },
  'sca-first-psu': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank psu and accounts on authorize say who authorises, and what is selected; accounts for a request that leaves none open is a page with 400. Without psu it is the first owner of what is asked for, or the first PSU of all. A PSU who cannot authorise it ends with SCA_REQUEST_REJECTED. psu without scenario ends as was set ahead, or with SCA_OK.',
    why: 'Tests without browser need users too.',
    source: 'practice',
  },
  'sca-once': {
    clause: 'sca.redirect',
    chosen:
      'An authorisation of the living bank ends once: authorize then shows a page with 400 that says so, and gives no second code. Only its own information page leads on, as long as the code can be used.',
    why: 'A code for what was authorised once would be a second authorisation.',
    source: 'RFC6749 4.1.2',
  },
  'psu-access-page': {
    clause: 'states.consent',
    chosen:
      'In the living bank a PSU logs in at /stdgroup/authorization/access on the PSU listener, sees consents and payments, and takes consents back: they are revokedByPsu.',
    why: 'The status exists, and every bank has such a page.',
    source: 'practice',
  },
  'psu-access-attempts': {
    clause: 'states.consent',
    chosen:
      'On the access page of the living bank a PSU who gave five wrong passwords within ten minutes, by the clock of the bank, is not logged in until the first of them is ten minutes old, not even with the right password. Log-ins on the SCA pages are limited by themselves (sca-attempts).',
    why: 'A password must not be found out by trying; ten minutes are also how long a log-in lasts.',
    source: 'practice',
  },
  'psu-home-page': {
    clause: 'authentication.2',
    chosen:
      'GET / of the PSU listener is a page that says what the listener is for, with the way to the access page in the living bank; to callers on the machine itself it says where the other listeners are. No rule judges it.',
    why: 'The specification has no such path; who follows the address of an authorization request up to its host should not meet an error.',
    source: 'practice',
  },
  'sca-rejects': {
    clause: 'states.consent.transitions',
    chosen:
      'In the living bank a failed SCA rejects the consent or payment where the PSU or the bank said no (LOGIN_CANCEL, LOGIN_REQUEST_REJECTED, SCA_CANCEL, SCA_REQUEST_REJECTED), and after any other failure where no further authorisation can be created, because the first came with the creation. Else it stays received, and may be authorised anew.',
    why: 'A no must not be asked again; what broke down may be, as far as the document allows a second authorisation.',
    source: 'BG',
  },
  'sca-error-redirect': {
    clause: 'sca.redirect',
    chosen:
      'SCA_OK and SCA_EXEMPTED end with a code; errors of the bank with error=server_error; all others with error=access_denied; state is always there.',
    why: 'The errors that OAuth has for it.',
    source: 'RFC6749 4.1.2.1',
  },
  'nok-redirect-uri': {
    clause: 'sca.redirect',
    chosen:
      'A failed scenario goes to TPP-Nok-Redirect-URI where the creation (or the call that started the authorisation) of this flow gave one, and its TPP-Redirect-URI is the redirect_uri or absent; at a fixed authorisation id always to the redirect_uri.',
    why: 'The header exists for it; at an id that all TPPs share, the address of one would be told to another.',
    source: 'BG',
  },
  'notification-answer': {
    clause: 'endpoint.notifications.simulate',
    chosen: '202 with an empty JSON object, before the callback is sent.',
    why: 'The callback must not hold up the answer.',
    source: 'practice',
  },
  'callback-status': {
    clause: 'events.4',
    chosen: 'transactionStatus is the status of the simulation request.',
    why: 'The document says that it can be changed to simulate others.',
    source: 'practice',
  },
  'callback-delivery': {
    clause: 'events.5',
    chosen:
      'Unsigned; three retries, each after a longer pause, until an answer 2xx; then given up. No guarantee.',
    why: 'Enough for a receiver that restarts.',
    source: 'practice',
  },
  'callback-addresses': {
    clause: 'simulation-request.tppNotificationUri',
    chosen: 'Only addresses within the configured allow list.',
    why: 'Otherwise the endpoint would send requests wherever a caller likes.',
    source: 'security',
  },
  'daily-window': {
    clause: 'limits.1',
    chosen:
      'A day is a calendar day, Europe/Brussels (bank-calendar); another zone for this limit alone, or a rolling 24 hours, can be configured.',
    why: 'The document says “per day”.',
    source: 'RTS 36(5)',
  },
  'bank-calendar': {
    clause: 'limits.1',
    chosen:
      'A day of the bank is one of Europe/Brussels, from midnight to midnight: for the daily limit, validUntil, requestedExecutionDate, dateFrom and dateTo, the 90 days, bookings, cut-offs, and every date that the banks of Sandgate answer with. The rules count by the same days.',
    why: 'The document names no time zone; its banks are Belgian. A bank that counted one date by UTC and another by its own clock would contradict itself for an hour or two of each night.',
    source: 'practice',
  },
  'daily-limit-key': {
    clause: 'limits.1',
    chosen:
      'Counted for one TPP, consent, operation and account; the limit is frequencyPerDay of the consent, as the bank showed it last, else as it was asked for, at most 4.',
    why: 'The limit is said of the endpoints, and a consent may ask for fewer.',
    source: 'RTS 36(5)',
  },
  'daily-limit-counts': {
    clause: 'limits.1',
    chosen: 'Only successful answers count; further pages of the same query do not.',
    why: 'A refused call gave no access.',
    source: 'practice',
  },
  'consent-replaced': {
    clause: 'states.consent.transitions',
    chosen:
      'In the living bank a recurring consent that becomes valid ends the older recurring ones of the same PSU and TPP: they are expired, and reads with them are 401 CONSENT_EXPIRED.',
    why: 'The standard lets a bank end the former; banks of the field answer with this code.',
    source: 'BG',
  },
  'consent-living': {
    clause: 'states.consent.transitions',
    chosen:
      'A consent of the living bank waits as received until its SCA, at most a day (unauthorised-resource); any that has not ended by then expires when the day of validUntil has ended (bank-calendar). DELETE of one that has ended is 204, and it stays as it ended; after a DELETE the rules take any end for right.',
    why: 'The day of validUntil belongs to the consent, and ends where the bank is.',
    source: 'practice',
  },
  'sca-link-lifetime': {
    clause: 'states.authorisation.transitions',
    chosen:
      'An authorisation of the living bank that nobody walks to its end has failed 20 minutes after its creation (--bank-sca-time sets another time): LOGIN_TIMEOUT, or SCA_TIMEOUT where somebody has logged in. Its link then leads to a page that says so.',
    why: 'A link that leads to an SCA for ever is a danger, and banks of the field end it within the hour.',
    source: 'practice',
  },
  'unauthorised-resource': {
    clause: 'states.consent.transitions',
    chosen:
      'What nobody has authorised a day after its creation cannot be authorised any more: in the living bank a consent is rejected (expired, where its last day ended before), a payment RJCT with MS02.',
    why: 'The standard has rejected for a consent that no authorisation made valid; a TPP must not poll for ever.',
    source: 'BG',
  },
  'clock-set-back': {
    clause: 'states.consent.transitions',
    chosen:
      'Where the clock of the living bank is set back, what a PSU, a TPP, an operator or an execution did stays done: a consent stays revoked, valid or replaced, an authorisation ended, a payment booked, cancelled or rejected. What time alone did follows the clock: a consent that expired is valid again. What was booked later than the clock shows stands in statements as of today.',
    why: 'Nothing that a client was told may be undone behind its back, and a test that goes back to a day finds that day.',
    source: 'practice',
  },
  'consent-read-living': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'In the living bank access is what was asked for, and once the PSU has given it, what was granted: lists name each account by IBAN and currency, and hold no more of a request than that. validUntil and frequencyPerDay are those granted; lastActionDate is the day on which the status moved, an authorisation was started, or the consent was first used.',
    why: 'A TPP must be able to see what the PSU selected.',
    source: 'BG',
  },
  'consent-account-unknown': {
    clause: 'consent-request.access',
    chosen:
      'A consent that names an account unknown to the living bank is refused at its creation: 400 RESOURCE_UNKNOWN; one with more than 1,000 in a list: 400 FORMAT_ERROR. Where the accounts are there, but not all of the PSU who logs in, the SCA ends as SCA_REQUEST_REJECTED.',
    why: 'Whose account it is, the bank learns at the log-in; a mistyped IBAN it can tell at once.',
    source: 'BG',
  },
  'consent-coverage': {
    clause: 'consent-scopes',
    chosen:
      'In the living bank allPsd2 gives all that the PSU owns; availableAccounts the list alone; availableAccountsWithBalance(s) the list with balances, and the balances of each account; lists give what they name, and an account that is named anywhere stands in the list and can be read. Empty lists give, for the accounts that the PSU selects, those rights of which the list was sent. ownerName is shown where additionalInformation.ownerName asked for it.',
    why: 'The standard has these kinds; what is not asked for is not given.',
    source: 'BG',
  },
  'frequency-granted': {
    clause: 'consent-request.frequencyPerDay',
    chosen:
      'The living bank grants the frequency that is asked for, at most 4, and 1 to a consent that is not recurring.',
    why: 'More than four a day the law leaves to a contract.',
    source: 'RTS 36(5)',
  },
  'second-authorisation-living': {
    clause: 'creation.2',
    chosen:
      'In the living bank a consent of an explicit creation takes authorisations as long as it is received, 20 at most; the first that succeeds makes it valid, and any other then ends as SCA_REQUEST_REJECTED.',
    why: 'A PSU who closed the page can be sent again.',
    source: 'practice',
  },
  'account-not-covered': {
    clause: 'errors.4',
    chosen:
      'In the living bank an account or a right that the consent does not give is 401 CONSENT_INVALID; an unknown id 404 RESOURCE_UNKNOWN.',
    why: 'The right may be had by another consent; an account that is not there by none.',
    source: 'BG',
  },
  'account-record-living': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'In the living bank an account has status and usage besides, and links what the consent lets read of it; a balance has no lastChangeDateTime. Transactions come in pages of 100 unless itemsPerPage says fewer.',
    why: 'The fields of the standard, as far as the bank knows them; accounts may be blocked or deleted.',
    source: 'BG',
  },
  'transactions-pages-living': {
    clause: 'endpoint.accounts.transactions',
    chosen:
      'The links to pages of the living bank carry how many entries the first page saw (entries), and go on from these: what is booked meanwhile shifts nothing. The link first begins anew, and so does a page that is asked for without entries.',
    why: 'A client that follows the links reads each entry once, whatever is booked meanwhile.',
    source: 'practice',
  },
  'authorize-living': {
    clause: 'authorize.redirect_uri',
    chosen:
      'At an authorisation of the living bank another redirect_uri than the TPP-Redirect-URI of its creation, and a client_id that is neither the TPP nor VALID_CLIENT_ID, end on an error page with 400; another scope, response_type or method, and no code_challenge, in an error redirect.',
    why: 'It knows who created the authorisation, and no address but that one is proven.',
    source: 'RFC6749 4.1.2.1',
  },
  'code-living': {
    clause: 'token.code_verifier',
    chosen:
      'The living bank verifies code_verifier, S256 or plain, and redirect_uri where it is sent; else 400 invalid_grant, and the code can still be used. A code that comes a second time is refused, and the tokens that it gave are no longer taken (401 TOKEN_INVALID).',
    why: 'What a production bank does is to be seen before production.',
    source: 'RFC6749 10.5',
  },
  'token-living': {
    clause: 'authentication.6',
    chosen:
      'A token of the living bank ends with its consent: a read is then answered with the error of the consent, after that of a token which has expired by itself, and a refresh with 400 invalid_grant.',
    why: 'The error tells the TPP what to do: ask the PSU anew, not the token endpoint.',
    source: 'BG',
  },
  'one-off-consent': {
    clause: 'consent-request.recurringIndicator',
    chosen:
      'In the living bank a consent that is not recurring serves for 20 minutes from its first read, once for each operation and account without the PSU; then it is expired.',
    why: 'List, balances and transactions are one reading for a TPP; banks of the field give it as long as after an SCA.',
    source: 'practice',
  },
  'consent-days-shortened': {
    clause: 'consent-duration',
    chosen:
      'validUntil further ahead than 90 days is shortened to 90; 9999-12-31 means the longest possible.',
    why: 'The document gives the duration, the standard the shortening.',
    source: 'BG',
  },
  'body-limit': {
    clause: 'limits.5',
    chosen:
      'A request body has at most 1 MiB: else 413 FORMAT_ERROR; JSON is at most 1,000 levels deep, and a form has at most 1,000 fields: else 400.',
    why: 'Far above any body of the interface; what is nested deeper can be read, but not looked into.',
    source: 'practice',
  },
  'request-rate': {
    clause: 'limits.5',
    chosen: 'No limit of rate; the list of accounts is not paged.',
    why: 'Nothing is said; a test sandbox should not throttle.',
    source: 'practice',
  },
  'version-negotiation': {
    clause: 'versioning.4',
    chosen: 'None: the path is the version, and no header is read or sent.',
    why: 'Nothing is said.',
    source: 'practice',
  },
  'sca-link-forms': {
    clause: 'versioning.3',
    chosen:
      'The emulator gives the discovery link under profile sandbox, the direct one under production; either can be configured.',
    why: 'The document describes both.',
    source: 'practice',
  },
  'fixed-segment': {
    clause: 'conventions.path',
    chosen: 'stdgroup, unless another segment is configured.',
    why: 'The document says that the word stands for a fixed segment.',
    source: 'practice',
  },
  'head-as-get': {
    clause: 'conventions.path',
    chosen: 'HEAD is answered as GET, without body.',
    why: 'HTTP asks it of a server that has GET.',
    source: 'RFC9110 9.3.2',
  },
  'request-id': {
    clause: 'service.rule.1',
    chosen:
      'X-Request-ID, a UUID, is required on every call except the OAuth ones and the simulation, and echoed.',
    why: 'Required by the standard; the document does not name it.',
    source: 'BG',
  },
  'sca-code-of-scopes': {
    clause: 'sca.redirect',
    chosen:
      'The scopes of the three literal codes get their code; any other sandbox resource an opaque code for one use; an unknown resource the error invalid_scope.',
    why: 'Every resource of the sandbox can then be walked to its end, and nothing else can.',
    source: 'RFC6749 4.1.2',
  },
  'discovery-unknown-authorisation': {
    clause: 'errors.1',
    chosen:
      'Discovery of an unknown authorisation is 404 RESOURCE_UNKNOWN; its authorize address a 404 page.',
    why: 'The document belongs to one authorisation; there is none to describe.',
    source: 'practice',
  },
  'transactions-delta': {
    clause: 'endpoint.accounts.transactions',
    chosen: 'entryReferenceFrom and deltaList are 400 PARAMETER_NOT_SUPPORTED.',
    why: 'The document names neither, and the standard has a code for parameters that a bank does not offer.',
    source: 'BG',
  },
  'consent-scope-limits': {
    clause: 'sandbox-ids.consents',
    chosen:
      'A consent availableAccounts allows the list only, availableAccountsWithBalances the list with balances and the balances of ACCOUNT_ID; more is 401 CONSENT_INVALID.',
    why: 'The names of the scopes say what they cover.',
    source: 'BG',
  },
  'payment-life': {
    clause: 'states.payment.transitions',
    chosen:
      'In the living bank a payment is RCVD, or PATC where the TPP is to start the authorisation, until its SCA; then ACTC; ACSP for the hour before its execution; then ACSC, or RJCT. RJCT and CANC may come at any time before; psuMessage tells why it is RJCT.',
    why: 'The order of the code set, each step long enough to be seen by a TPP that reads now and then.',
    source: 'ISO20022',
  },
  'settlement-times': {
    clause: 'states.payment.transitions',
    chosen:
      'Between two accounts of the living bank a payment is executed as soon as it is authorised, or as the day of requestedExecutionDate begins (bank-calendar). Any other is executed at a cut-off of a bank day of TARGET: SEPA 10:00, 13:00 and 16:00, across borders 13:00, by the clocks of Brussels; the first that is at least an hour away, and not before requestedExecutionDate.',
    why: 'Banks settle SEPA payments in several cycles of a bank day, and book their own transfers at once.',
    source: 'practice',
  },
  'payment-execution': {
    clause: 'states.payment.transitions',
    chosen:
      'Funds are asked for once more when a payment is executed: what is booked then, with the overdraft, less what is reserved for payments that were pending before it and are due later. Payments due together are executed in the order in which they became pending. Without funds it is RJCT (AM04), with a closed account AC04 or AC07, a blocked one AC06. A later date never changes what was decided.',
    why: 'Who first asks for the money gets it, and the balance is never spent twice.',
    source: 'ISO20022',
  },
  'payment-cover': {
    clause: 'states.payment.transitions',
    chosen:
      'A payment of the living bank that the account of its debtor does not cover when the PSU authorises it is RJCT (AM04) at once; the SCA succeeds. One with a later requestedExecutionDate is ACTC whatever the account holds. From the beginning of that day until its execution it waits for cover, without any of the money being reserved for it; if there is none then, it is RJCT (AM04).',
    why: 'The TPP learns at once what it can do nothing about, and a payment that cannot be made does not block those that can.',
    source: 'ISO20022',
  },
  'payment-pending': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'A payment that is covered stands as pending on the account of its debtor, and lessens what is available, from its authorisation until its execution; one with a later requestedExecutionDate from the beginning of that day. Where the account does not cover all of them, those are covered that were pending first.',
    why: 'The money is spoken for; a payment of next month does not block it yet.',
    source: 'practice',
  },
  'balance-types': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'The living bank shows the six balances of the sandbox: closingBooked of yesterday, openingBooked and interimBooked of today, expected with what is pending, interimAvailable and forwardAvailable (tomorrow) with the overdraft besides.',
    why: 'The balance types of the standard.',
    source: 'BG',
  },
  'payment-debtor': {
    clause: 'payment-request.debtorAccount',
    chosen:
      'A debtor account that is unknown to the living bank or closed: 400 RESOURCE_UNKNOWN (AC01), and a creditor account by an IBAN of this bank that nobody has (AC03); a blocked one: 400 RESOURCE_BLOCKED; the same account as the creditor: 400 PAYMENT_FAILED. Only a PSU who owns it can authorise the payment; any other ends in SCA_REQUEST_REJECTED.',
    why: 'A typing error should show at once, not after the PSU has been to the bank.',
    source: 'BG',
  },
  'debtor-currency': {
    clause: 'fields-not-covered.payment',
    chosen:
      'Both banks refuse a debtorAccount with the IBAN of one of their accounts and another currency than it has: 400 RESOURCE_UNKNOWN. The sandbox asks nothing else of that account.',
    why: 'IBAN and currency name an account together, and the bank has none of that name.',
    source: 'BG',
  },
  'payment-forms': {
    clause: 'fields-not-covered.payment',
    chosen:
      'A payment beyond psd2-api 1.3.11 is refused by the living bank: 400 FORMAT_ERROR for texts that are too long (names 70, endToEndIdentification 35, remittance 140 characters), and for IBANs, BICs, purpose codes and other codes of no such form. An account of the bank whose currency is named and is another one: 400 RESOURCE_UNKNOWN. A member that is null is taken as absent, and is not read again.',
    why: 'What was posted is what is read: the bank must not break the schema of its own answers.',
    source: 'BG',
  },
  'payment-currency': {
    clause: 'payment-request.currency',
    chosen:
      'Where currencies of payment and account differ, the living bank exchanges at rates that never change. The debit is rounded up to the next unit. A creditor account in the currency of the payment receives the instructed amount; any other receives what was debited, exchanged and rounded down. An amount that rounds to nothing in the currency of the debtor account, or brings the creditor nothing, or a currency without a rate: 400 PAYMENT_FAILED; more decimals than it has: 400 FORMAT_ERROR.',
    why: 'Payments across borders are in other currencies, a test can reckon with fixed rates, and rounding never makes money.',
    source: 'practice',
  },
  'living-bounds': {
    clause: 'endpoint.payments.create',
    chosen:
      'The living bank remembers 16 MiB for each TPP, and 64 MiB in all, of all sessions together. What has ended is forgotten first, the oldest first, with its authorisations and tokens, and so is what nobody authorised within a day. Of booked payments what statements show stays. Beyond that, what a TPP wants to add is answered 503 SERVICE_UNAVAILABLE. Of one code the newest twenty pairs of tokens are remembered.',
    why: 'One TPP must not end the bank for all; an error that says why is better than a bank that forgets what is in use.',
    source: 'practice',
  },
  'cancellation-authorised': {
    clause: 'payloads-not-covered.delete',
    chosen:
      'In the living bank a payment that waits for its SCA is cancelled at once (204). One that the PSU has authorised needs an SCA for its cancellation: 202 with transactionStatus, scaStatus, and links scaOAuth, scaStatus, self and status; the same again while that one is open. It is CANC once the PSU has agreed before the execution; else it goes on.',
    why: 'What the PSU has authorised is not for the TPP alone to take back. As the creation of such an authorisation is not shown, it comes with the answer, whatever the TPP prefers.',
    source: 'BG',
  },
  'notify-all': {
    clause: 'events.3',
    chosen:
      'With --bank-notify all the living bank tells each status that follows on the creation to TPP-Notification-URI, where that may be called; ASPSP-Notification-Support is then true and ASPSP-Notification-Content status=PROCESS, or status=LAST where the TPP prefers only that.',
    why: 'No product of the interface is an instant payment, and a receiver of notifications must be testable.',
    source: 'BG',
  },
  'funds-living': {
    clause: 'fields-not-covered.funds-confirmation',
    chosen:
      'In the living bank every account that is not closed has a consent for funds confirmation; it is given if the amount is available: with the overdraft, less what is reserved for pending payments. A blocked account, or another currency than its own: fundsAvailable false; an unknown account: 400 NO_PIIS_ACTIVATION. The test account answers as in the sandbox.',
    why: 'The specification shows no way to create such a consent.',
    source: 'practice',
  },
  'habits-payment-life': {
    clause: 'states.payment.transitions',
    chosen:
      'With --bank-habits a payment may also be PDNG for two hours after its SCA; ACCP or ACWC half an hour after it; ACWP for the last half hour. One that is ACWC is executed on the next bank day, and requestedExecutionDate shows that day from then on. A late one tells ACSC or RJCT a day after the execution. One that is returned stays ACSC, and its amount is credited two to four bank days later with the code PMNT-ICDT-RRTN.',
    why: 'Banks of the field use all statuses of the list, and no status tells a return.',
    source: 'ISO20022',
  },
  'habits-rejected-at-once': {
    clause: 'payment-response.scaOAuth',
    chosen:
      'With --bank-habits a creation may be answered 201 with transactionStatus RJCT and psuMessage; it then links self and status, and no SCA.',
    why: 'The payment exists and can be read, and nothing is left to authorise.',
    source: 'BG',
  },
  'habits-two-signatories': {
    clause: 'creation.1',
    chosen:
      'With --bank-habits a business account may need two of its owners. After the SCA of the first one, a payment is PATC and a consent partiallyAuthorised, also if the creation made the authorisation. The TPP then creates another authorisation for the second one. A code of the first SCA gives tokens, which read nothing before the second.',
    why: 'The standard has both statuses for this, and one authorisation for each PSU.',
    source: 'BG',
  },
  'habits-sca-again': {
    clause: 'consent-duration',
    chosen:
      'With --bank-habits a consent may outlive the access: reads are 401 CONSENT_INVALID with a text that says so, the status stays valid, and POST …/authorisations starts an SCA by the same PSU, also if the creation made the first one.',
    why: 'The law asks for an SCA again after some time, and the consent has a date of its own.',
    source: 'BG',
  },
  'habits-half-year': {
    clause: 'consent-duration',
    chosen:
      'With --bank-habits a consent may last 180 days; the answer to its creation then holds validUntil.',
    why: 'The law allows 180 days since July 2023. A TPP that reads nothing else has to learn it.',
    source: 'practice',
  },
  'habits-entries': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'With --bank-habits card payments may be pending one to five days before, and others never be booked; entries may appear up to three days after their bookingDate, be booked twice and reversed, have other ids at each delivery, have entryReference and no transactionId, remittanceInformationStructured, or currencyExchange beside an amount in the currency of the account. Pages go on from what the first page saw. What is held lessens the expected and the available balances.',
    why: 'All of it is known of banks of the field, and TPPs break on it.',
    source: 'practice',
  },
  'habits-accounts': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'With --bank-habits, or by an operator, an account may be closed (status deleted; it keeps its last balance), blocked, opened later, change its IBAN, or lose an owner. An old IBAN leads to the account for 90 days. A consent may give resource ids of its own; others are then unknown under it (404).',
    why: 'The standard lets a resourceId differ by consent; banks redirect an old IBAN for a while.',
    source: 'practice',
  },
} as const satisfies Record<string, ReadingRow>;

export type ReadingId = keyof typeof READINGS;

export const READING_IDS = Object.keys(READINGS) as ReadingId[];

/** The row of a reading with its general type. */
export function readingRow(id: ReadingId): ReadingRow {
  return READINGS[id];
}
