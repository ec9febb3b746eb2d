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
      'One body names all errors of a call. The first error gives the status, in the order certificate, signature, request, token, consent, the rest. If the certificate is not acceptable, body and Sandgate-Findings name only errors of certificate and request.',
    why: 'The developer sees everything in one round trip. A caller without proof of its identity sees nothing of the TPP that it claims to be.',
    source: 'practice',
  },
  'no-certificate-status': {
    clause: 'errors.8',
    chosen:
      '401 CERTIFICATE_MISSING; an unacceptable certificate: 401 CERTIFICATE_INVALID (also if not valid yet), _EXPIRED, _REVOKED or _BLOCKED.',
    why: 'The codes say what to correct; a failed handshake would say nothing.',
    source: 'BG',
  },
  'trusted-list-status': {
    clause: 'errors.8',
    chosen:
      'With --trust-list, the CA of a QWAC is an anchor while the trusted list of its country has a service of it, CA/QC for web site authentication, as granted at the time of the call. Its status on the day on which the certificate was issued does not count, nor do criteria within a service (Qualifications).',
    why: 'A certificate of a CA that was granted later is as good today as one issued today; after a withdrawal nobody vouches for any. Both would need more facts than a refusal can rest on.',
    source: 'ETSI TS 119 612 5.5.4',
  },
  'revocation-unknown-status': {
    clause: 'errors.8',
    chosen:
      'With --revocation hard, 503 SERVICE_UNAVAILABLE with Retry-After where neither a list nor the OCSP responder of its issuer calls the certificate good; unknown counts as no answer. The first call of a certificate waits for that, at most 3 seconds.',
    why: 'A bank that must know refuses, and the TPP cannot help it: the code asks for another try, and blames nobody.',
    source: 'RFC6960 2.2',
  },
  'signature-status': {
    clause: 'authentication.1',
    chosen:
      'Where the bank takes signed requests: 401 SIGNATURE_MISSING or SIGNATURE_INVALID; 400 FORMAT_ERROR for a Digest that is missing or malformed; 401 CERTIFICATE_MISSING, _INVALID, _EXPIRED or _REVOKED for the certificate of the signature.',
    why: 'The codes say what to correct.',
    source: 'BG 12',
  },
  'signature-headers': {
    clause: 'authentication.1',
    chosen:
      'A signature covers digest and x-request-id, and psu-id, psu-corporate-id, date and tpp-redirect-uri if they are sent. It may cover more.',
    why: 'Versions of the standard differ on date; some banks ask for (request-target).',
    source: 'BG 12',
  },
  'signature-digest': {
    clause: 'authentication.1',
    chosen: 'Digest is of the bytes on the wire, in their content coding; that of no body is of no bytes.',
    why: 'The digest of an instance is taken after its content codings.',
    source: 'RFC3230 4.3.2',
  },
  'signature-scheme': {
    clause: 'authentication.1',
    chosen:
      'hs2019 leaves the scheme to the key. ECDSA signatures are DER, or the two numbers one after the other.',
    why: 'The draft names no parameters that a certificate could carry, and libraries differ.',
    source: 'CAVAGE 2.1.3',
  },
  'signature-key-id': {
    clause: 'authentication.1',
    chosen:
      'keyId is SN=serial number in hexadecimal,CA=issuer. Order, names and encoding of the issuer’s attributes are free.',
    why: 'Tools write the same name in several ways.',
    source: 'BG 12',
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
    why: 'The standard gives this status to an unknown consent in the path.',
    source: 'BG',
  },
  'consent-unknown-header-status': {
    clause: 'accounts.headers',
    chosen: '400 CONSENT_UNKNOWN where the id stands in the Consent-Id header.',
    why: 'The standard distinguishes ids in the path from ids in a header.',
    source: 'BG',
  },
  'consent-not-valid-status': {
    clause: 'errors.8',
    chosen: '401 CONSENT_INVALID on account reads; 401 CONSENT_EXPIRED where the consent expired.',
    why: 'A TPP must be able to distinguish an expired consent from a refused one.',
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
      'Transactions older than 90 days can be read for 20 minutes after the SCA, and for 20 minutes after each answer of the bank that contains such transactions.',
    why: 'Banks give the whole history for 15 to 20 minutes after the SCA. A client that reads page by page is not too late.',
    source: 'practice',
  },
  'history-expired-status': {
    clause: 'errors.5',
    chosen:
      '401 CONSENT_EXPIRED for every transactions read with CONSENT_ID_TRANSACTION_90D_KO, whatever the dates.',
    why: 'The specification calls the access right expired, and the code means expired.',
    source: 'BG',
  },
  'token-fault-status': {
    clause: 'errors.8',
    chosen:
      '401 TOKEN_UNKNOWN, TOKEN_INVALID or TOKEN_EXPIRED, with WWW-Authenticate: Bearer error="invalid_token". An expired token is answered as expired if it is among the newest 50,000; older ones are unknown.',
    why: 'The interface family has the codes, OAuth the header.',
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
    why: 'The code exists for it. With Retry-After the TPP need not guess.',
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
    why: 'The standard gives this status to an unknown id in the path, except for accounts.',
    source: 'BG',
  },
  'authorisation-unknown-status': {
    clause: 'errors.8',
    chosen: '404 RESOURCE_UNKNOWN for an authorisation id that is not one of the resource, or no UUID.',
    why: 'Both are unknown ids to a client, so both get the same status.',
    source: 'practice',
  },
  'cancellation-final-status': {
    clause: 'endpoint.payments.cancel',
    chosen: '405 CANCELLATION_INVALID where the payment is settled, rejected or cancelled.',
    why: 'Banks of this interface family document it.',
    source: 'BG',
  },
  'authorize-error-page': {
    clause: 'errors.7',
    chosen:
      'A wrong client_id or redirect_uri gets an error page with 400, without redirect. Any other fault gets an error redirect; production and the living bank redirect only to the TPP-Redirect-URI of the creation.',
    why: 'A redirect to an unverified address would be an open redirect.',
    source: 'RFC6749 4.1.2.1',
  },
  'consent-answer-body': {
    clause: 'fields-not-covered.consent',
    chosen:
      'consentStatus received, consentId, _links; headers Location, ASPSP-SCA-Approach: REDIRECT, X-Request-ID.',
    why: 'The sandbox answers like this.',
    source: 'BG',
  },
  'payment-answer-body': {
    clause: 'fields-not-covered.payment',
    chosen: 'transactionStatus, paymentId, _links; headers as for a consent.',
    why: 'The sandbox answers like this.',
    source: 'BG',
  },
  'notification-support': {
    clause: 'events.3',
    chosen:
      'A creation that asks for notifications (TPP-Notification-URI) is answered with ASPSP-Notification-Support: false; any other without the header.',
    why: 'Only instant payments have notifications, and no product here is one; only the simulation sends a notification.',
    source: 'BG',
  },
  'creation-links': {
    clause: 'creation-response.other-links',
    chosen:
      'Implicit: scaOAuth, scaStatus, self, status. Explicit: startAuthorisation, self, status, and no scaOAuth.',
    why: 'The standard has these names, and the sandbox answers like this.',
    source: 'BG',
  },
  'creation-ids': {
    clause: 'fields-not-covered.consent',
    chosen:
      'In the sandbox an implicit consent is VALID_CONSENT_ID, an explicit one CONSENT_ID_NO_AUTHORIZATION; a payment PAYMENT_ID_RCVD_… when implicit, PAYMENT_ID_PATC_… when explicit.',
    why: 'The later steps of the document use these ids.',
    source: 'practice',
  },
  'creation-authorisation-ids': {
    clause: 'fields-not-covered.authorisation',
    chosen:
      'Each creation gives a new authorisation id with status received. Its address leads to the page of that flow, as often as it is called. Its status is the newest outcome, and only its TPP can read it. The eight fixed ids work for everybody and belong to no TPP.',
    why: 'The recorded sandbox gives fixed ids, which several TPPs share: one TPP’s page would name another, and 1111… is finalised before the PSU has opened any page.',
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
    why: 'The sandbox answers like this.',
    source: 'BG',
  },
  'authorisation-list': {
    clause: 'payloads-not-covered.reads',
    chosen: 'authorisationIds with 1111…, 2222… and the ids of this TPP’s newest creation.',
    why: 'As the sandbox answers, without an id that the document does not contain.',
    source: 'practice',
  },
  'consent-read-body': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'access, recurringIndicator, validUntil, frequencyPerDay, lastActionDate, consentStatus; a valid one links the accounts. Whatever the creation asked for, the sandbox shows its own consent: recurring, four times a day, until 90 days from today (an expired one until yesterday). The status read: consentStatus.',
    why: 'The standard requires these fields. The id fixes status and scope, so the other fields are fixed too, and a valid consent never ends.',
    source: 'BG',
  },
  'explicit-consent-status': {
    clause: 'states.consent',
    chosen:
      'CONSENT_ID_NO_AUTHORIZATION is received, and valid once the PSU has authorised it for this TPP; its authorisation is read under it.',
    why: 'The document gives the id no status, and an explicit creation must lead to a usable consent.',
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
    why: 'The sandbox answers like this; the standard has amounts as strings, and times with offset.',
    source: 'BG',
  },
  'account-list': {
    clause: 'endpoint.accounts.list',
    chosen:
      'Four accounts, ACCOUNT_ID and _2, _3, _4, each linked to itself; only ACCOUNT_ID can be read, and links balances and transactions. The list of a consent availableAccounts or availableAccountsWithBalances links nothing.',
    why: 'The sandbox answers like this. The other three accounts show the answer to a missing right.',
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
    why: 'The standard requires these fields. The id stands for one payment, whatever was posted.',
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
      'dateTo, withBalance, entryReferenceFrom, deltaList, pageIndex, itemsPerPage and page are known parameters. A missing dateTo means today, a missing dateFrom 90 days ago; if that would reverse the period, both dates are the same. The emulator pages by page or pageIndex, from 0, and by itemsPerPage. It does not offer entryReferenceFrom and deltaList (transactions-delta).',
    why: 'The standard has these names, and this interface family pages by page.',
    source: 'BG',
  },
  'transactions-link': {
    clause: 'endpoint.accounts.transactions',
    chosen:
      'The link transactions of an account has no query. The caller adds bookingStatus; without it the emulator refuses the call. Links in a list of transactions, to its pages too, contain the whole query. A link of a real bank may be called unchanged.',
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
    chosen: 'account and instructedAmount; cardNumber and payee are optional.',
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
      'Any account except the test account: 400 NO_PIIS_ACTIVATION; an invalid IBAN: 400 FORMAT_ERROR; another currency than EUR: fundsAvailable false.',
    why: 'Only that account has a PIIS consent, and the code says so.',
    source: 'BG',
  },
  'delete-answer': {
    clause: 'payloads-not-covered.delete',
    chosen: '204 without body.',
    why: 'The sandbox answers like this.',
    source: 'BG',
  },
  'delete-other-consents': {
    clause: 'endpoint.consents.delete',
    chosen: 'The five sandbox ids that are not listed for DELETE: 403 CONSENT_UNKNOWN.',
    why: 'The document lists the ids for DELETE; any other id gets the error for an unknown one.',
    source: 'practice',
  },
  'delete-sandbox-ids': {
    clause: 'states.consent.transitions',
    chosen: 'A sandbox id keeps its fixed status after DELETE.',
    why: 'The id names the status, and the tests of others rely on it.',
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
    why: 'Banks of this interface family answer like this.',
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
    why: 'Banks rotate refresh tokens. A client that keeps the old one should find out here, not by losing its consent.',
    source: 'RFC9700',
  },
  'discovery-scopes': {
    clause: 'discovery.scopes_supported',
    chosen:
      'The document lists account and payment, as the specification has it; authorize takes AIS:<id> and PIS:<id> alone.',
    why: 'Only the second form says which consent or payment is meant.',
    source: 'practice',
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
    why: 'Banks of this interface family answer like this; without it, nobody could try a payment token by hand.',
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
    chosen: 'The sandbox accepts any value; a finding says if production would not.',
    why: 'A developer should know before production.',
    source: 'practice',
  },
  'redirect-uri-any': {
    clause: 'authorize.redirect_uri',
    chosen:
      "Any absolute URI is accepted, of the web or of an app's own scheme, except schemes that a browser shows or executes itself (javascript, data, file, blob, about).",
    why: 'They lead to no application, and a redirect could execute what the caller wrote.',
    source: 'RFC8252 7',
  },
  'state-empty': {
    clause: 'authorize.state',
    chosen:
      'The sandbox accepts an empty state and returns it empty; in production it is a fault. A bank that leaves it out has no finding.',
    why: 'The document accepts any value; for OAuth, a parameter without a value is absent.',
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
      'POST /token accepts redirect_uri. If it differs from that of authorize, the sandbox answers and there is a finding; production answers 400 invalid_grant.',
    why: 'The document does not list it, but OAuth clients send it.',
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
    why: 'Tests without a browser need the outcomes too.',
    source: 'practice',
  },
  'sca-page-form': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank, the PSU posts forms to the address of the authorization request: login, accounts (if the consent leaves them open) and a code. The PSU posts them, so no rule judges them and nothing of them is recorded.',
    why: 'A password does not belong in an address, and a page of the bank is no operation of the interface.',
    source: 'practice',
  },
  'sca-attempts': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank the third wrong login or password ends the SCA (UNKNOWN_LOGIN, BAD_PASSWORD_LOGIN), and so does the third wrong code (SCA_NOK), also of a PSU who logs in again in between. Where TPPs send passwords (embedded, decoupled), three wrong ones from one TPP for one PSU within ten minutes, over all authorisations, lock that TPP out for that PSU until the first is ten minutes old; in both banks. scaStatus is psuIdentified once the login is known, psuAuthenticated once the password is right.',
    why: 'The outcomes exist for it, and a TPP can see how they come about.',
    source: 'practice',
  },
  'sca-confirmation': {
    clause: 'sca.scenarios',
    chosen:
      'Where a bank profile has the step confirmation, an SCA by redirect that succeeds is unconfirmed, and the PSU comes back with the query parameter confirmationCode. The TPP sends it by PUT to the link confirmation; only then the consent is valid or the payment authorised. The third wrong code fails the SCA (SCA_NOK).',
    why: 'Berlin Group 1.3.5 has it against stolen links; it leaves the name of the parameter open, so it is that of the member.',
    source: 'BG',
  },
  'token-first': {
    clause: 'authentication.2',
    chosen:
      'Under a bank profile with OAuth before, an authorization request whose scope names no consent gives a token for the PSU that logs in; oauth.grants with client_credentials gives one to the TPP itself, without refresh token. Creations need a token of this TPP for the service. Where scopes name no consent, reads need a token of the PSU that gave it; a bank without consents gives access to all accounts of that PSU. Where scopes name it and the page names no authorisation, the newest authorisation of what the scope names counts.',
    why: 'Banks that know OAuth as a pre-step do so; the specification begins with the consent.',
    source: 'practice',
  },
  'sca-first-psu': {
    clause: 'sca.scenarios',
    chosen:
      'In the living bank, the query parameters psu and accounts on authorize name the PSU and the selected accounts. accounts gets a page with 400 if the request leaves no choice. Without psu, the first owner of the account authorises, or the first PSU. A PSU who may not authorise it ends with SCA_REQUEST_REJECTED. psu without scenario ends with the outcome that was set ahead, or with SCA_OK.',
    why: 'Tests without a browser need users too.',
    source: 'practice',
  },
  'sca-once': {
    clause: 'sca.redirect',
    chosen:
      'An authorisation of the living bank ends once: authorize then shows a page with 400 that says so, and gives no second code. Only its own information page leads on, as long as the code can be used.',
    why: 'A second code would be a second authorisation.',
    source: 'RFC6749 4.1.2',
  },
  'psu-access-page': {
    clause: 'states.consent',
    chosen:
      'In the living bank, a PSU logs in at /stdgroup/authorization/access on the PSU listener, sees consents and payments, and can revoke consents: they become revokedByPsu.',
    why: 'The status exists, and every bank has such a page.',
    source: 'practice',
  },
  'psu-access-attempts': {
    clause: 'states.consent',
    chosen:
      'On the access page of the living bank, five wrong passwords within ten minutes (by the clock of the bank) lock the PSU out until the first of them is ten minutes old; the right password does not help. The SCA pages have their own limit (sca-attempts).',
    why: 'Nobody must find a password by trying. A login lasts ten minutes too.',
    source: 'practice',
  },
  'psu-home-page': {
    clause: 'authentication.2',
    chosen:
      'GET / of the PSU listener shows what the listener is for; in the living bank it links the access page. Callers on the same machine also see the addresses of the other listeners. No rule judges it.',
    why: 'The specification has no such path, but somebody who opens the host of an authorization request should not get an error.',
    source: 'practice',
  },
  'sca-rejects': {
    clause: 'states.consent.transitions',
    chosen:
      'In the living bank, a failed SCA rejects the consent or payment in two cases: the PSU or the bank said no (LOGIN_CANCEL, LOGIN_REQUEST_REJECTED, SCA_CANCEL, SCA_REQUEST_REJECTED), or no second authorisation is possible because the creation made the first one. Otherwise it stays received and can be authorised again.',
    why: 'After a no, nobody must ask again. After a technical failure, the TPP may, if the document allows a second authorisation.',
    source: 'BG',
  },
  'sca-error-redirect': {
    clause: 'sca.redirect',
    chosen:
      'SCA_OK and SCA_EXEMPTED end with a code; errors of the bank with error=server_error; all others with error=access_denied; state is always there.',
    why: 'OAuth has these errors for it.',
    source: 'RFC6749 4.1.2.1',
  },
  'nok-redirect-uri': {
    clause: 'sca.redirect',
    chosen:
      'A failed scenario goes to the TPP-Nok-Redirect-URI of this flow’s creation (or of the call that started the authorisation), if its TPP-Redirect-URI is the redirect_uri or absent. At a fixed authorisation id it always goes to the redirect_uri.',
    why: 'The header exists for it. At an id that all TPPs share, one TPP would see the address of another.',
    source: 'BG',
  },
  'notification-answer': {
    clause: 'endpoint.notifications.simulate',
    chosen: '202 with an empty JSON object, before the callback is sent.',
    why: 'The answer must not wait for the callback.',
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
    why: 'Otherwise any caller could make the endpoint send requests to any address.',
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
      'A day of the bank lasts from midnight to midnight in Europe/Brussels. This holds for the daily limit, validUntil, requestedExecutionDate, dateFrom and dateTo, the 90 days, bookings, cut-offs, every date in the answers of Sandgate’s banks, and the rules.',
    why: 'The document names no time zone, and its banks are Belgian. A bank that counts some dates by UTC and others by local time contradicts itself for an hour or two each night.',
    source: 'practice',
  },
  'daily-limit-key': {
    clause: 'limits.1',
    chosen:
      'Accesses are counted for each TPP, consent, operation and account. The limit is the frequencyPerDay that the bank showed last, or else the requested one, and at most 4.',
    why: 'The document sets the limit for each endpoint, and a consent may ask for fewer.',
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
      'In the living bank, a recurring consent that becomes valid ends the older recurring consents of the same PSU and TPP: they become expired, and reads under them get 401 CONSENT_EXPIRED.',
    why: 'The standard lets a bank end the older one, and banks answer with this code.',
    source: 'BG',
  },
  'consent-living': {
    clause: 'states.consent.transitions',
    chosen:
      'A consent of the living bank is received until its SCA, for at most a day (unauthorised-resource). It expires at the end of the day of validUntil (bank-calendar). DELETE of an ended consent is 204 and does not change its status; after a DELETE, the rules accept any final status.',
    why: 'The consent includes the day of validUntil, in the bank’s time zone.',
    source: 'practice',
  },
  'sca-link-lifetime': {
    clause: 'states.authorisation.transitions',
    chosen:
      'An unfinished authorisation of the living bank fails 20 minutes after its creation (--bank-sca-time sets another time): with LOGIN_TIMEOUT, or SCA_TIMEOUT if the PSU has logged in. Its link then leads to a page that says so.',
    why: 'A link that works for ever is a danger, and banks end it within the hour.',
    source: 'practice',
  },
  'unauthorised-resource': {
    clause: 'states.consent.transitions',
    chosen:
      'In the living bank, a consent or payment can be authorised for a day after its creation. Then the consent is rejected (or expired, if its last day ended before), the payment RJCT with MS02.',
    why: 'The standard has the status rejected for a consent that was never authorised, and a TPP must not poll for ever.',
    source: 'BG',
  },
  'clock-set-back': {
    clause: 'states.consent.transitions',
    chosen:
      'If the clock of the living bank is set back, actions of PSUs, TPPs and operators, and executions, stay done: a consent stays revoked, valid or replaced, an authorisation ended, a payment booked, cancelled or rejected. Changes by time alone follow the clock: an expired consent is valid again. Entries booked later than the clock shows appear in statements with today’s date.',
    why: 'The bank must not silently undo an answer that it gave, and a test that goes back to a day must find that day.',
    source: 'practice',
  },
  'consent-read-living': {
    clause: 'payloads-not-covered.reads',
    chosen:
      'In the living bank, access shows the requested access, and after the SCA the granted one. Lists name each account by IBAN and currency only. validUntil and frequencyPerDay are the granted ones; lastActionDate is the day on which the status changed, an authorisation was started, or the consent was first used.',
    why: 'A TPP must be able to see the PSU’s selection.',
    source: 'BG',
  },
  'consent-account-unknown': {
    clause: 'consent-request.access',
    chosen:
      'The living bank refuses a consent that names an unknown account (400 RESOURCE_UNKNOWN) or more than 1,000 accounts in a list (400 FORMAT_ERROR). If some of the accounts do not belong to the PSU who logs in, the SCA ends with SCA_REQUEST_REJECTED.',
    why: 'The bank can see a mistyped IBAN at once, but knows the PSU only after the login.',
    source: 'BG',
  },
  'consent-coverage': {
    clause: 'consent-scopes',
    chosen:
      'In the living bank, allPsd2 gives all accounts of the PSU; availableAccounts only the list of accounts; availableAccountsWithBalance(s) the list with balances, and the balances of each account. Lists of accounts give what they name; an account named in any list is in the list of accounts and can be read. For an empty list, the PSU selects the accounts that get this right. ownerName is shown if additionalInformation.ownerName asked for it.',
    why: 'The standard has these kinds, and a bank gives only what was requested.',
    source: 'BG',
  },
  'frequency-granted': {
    clause: 'consent-request.frequencyPerDay',
    chosen:
      'The living bank grants the requested frequency, at most 4, and always 1 if the consent is not recurring.',
    why: 'The law allows more than four a day only by contract.',
    source: 'RTS 36(5)',
  },
  'second-authorisation-living': {
    clause: 'creation.2',
    chosen:
      'In the living bank, an explicitly created consent takes up to 20 authorisations while it is received. The first one that succeeds makes it valid; all others then end with SCA_REQUEST_REJECTED.',
    why: 'A PSU who closed the page can be sent again.',
    source: 'practice',
  },
  'account-not-covered': {
    clause: 'errors.4',
    chosen:
      'In the living bank, a read of an account or right that the consent does not give gets 401 CONSENT_INVALID; an unknown account id gets 404 RESOURCE_UNKNOWN.',
    why: 'Another consent may give the right, but none gives an account that does not exist.',
    source: 'BG',
  },
  'account-record-living': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'In the living bank, an account also has status and usage, and links only what the consent gives; a balance has no lastChangeDateTime. Transactions come in pages of 100, or fewer by itemsPerPage.',
    why: 'These are the standard’s fields that the bank knows. Accounts may be blocked or deleted.',
    source: 'BG',
  },
  'transactions-pages-living': {
    clause: 'endpoint.accounts.transactions',
    chosen:
      'The page links of the living bank carry the number of entries at the first page (entries), so entries booked since then shift nothing. The link first, and a page requested without entries, begin anew.',
    why: 'A client that follows the links reads each entry once, whatever is booked meanwhile.',
    source: 'practice',
  },
  'authorize-living': {
    clause: 'authorize.redirect_uri',
    chosen:
      'At the living bank, a redirect_uri other than the TPP-Redirect-URI of the creation, or a client_id that is neither the TPP nor VALID_CLIENT_ID, gets an error page with 400. A wrong scope, response_type or method, or a missing code_challenge, gets an error redirect.',
    why: 'The bank knows who created the authorisation, and only that address is verified.',
    source: 'RFC6749 4.1.2.1',
  },
  'code-living': {
    clause: 'token.code_verifier',
    chosen:
      'The living bank verifies code_verifier, S256 or plain, and redirect_uri where it is sent; else 400 invalid_grant, and the code can still be used. A code used a second time is refused, and its tokens are revoked (401 TOKEN_INVALID; the text says when).',
    why: 'A developer should see before production what a production bank does.',
    source: 'RFC6749 10.5',
  },
  'token-living': {
    clause: 'authentication.6',
    chosen:
      'A token of the living bank ends with its consent. A read then gets the error of the consent (if the token has also expired, that error comes first), a refresh 400 invalid_grant.',
    why: 'The error shows that a new token does not help: the TPP must ask the PSU again.',
    source: 'BG',
  },
  'one-off-consent': {
    clause: 'consent-request.recurringIndicator',
    chosen:
      'In the living bank, a consent that is not recurring lasts for 20 minutes from its first read. Without the PSU, each operation can be called once for each account. Then the consent is expired.',
    why: 'For a TPP, list, balances and transactions are one reading; banks allow as much time for it as after an SCA.',
    source: 'practice',
  },
  'consent-days-shortened': {
    clause: 'consent-duration',
    chosen:
      'validUntil further ahead than 90 days is shortened to 90; 9999-12-31 means the longest possible.',
    why: 'The document sets the duration, and the standard lets the bank shorten it.',
    source: 'BG',
  },
  'body-limit': {
    clause: 'limits.5',
    chosen:
      'A request body has at most 1 MiB: else 413 FORMAT_ERROR; JSON is at most 1,000 levels deep, and a form has at most 1,000 fields: else 400.',
    why: 'No body of the interface comes near these limits, and deeper JSON cannot be checked.',
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
  'interface-document': {
    clause: 'conventions.path',
    chosen:
      'GET /openapi.json at the API listener gives the interface as OpenAPI 3.1, to callers without a certificate too; it is neither judged nor recorded.',
    why: 'It says nothing that docs/ does not say, and generators of clients seldom know a QWAC.',
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
    why: 'So every sandbox resource, and nothing else, can be authorised to the end.',
    source: 'RFC6749 4.1.2',
  },
  'discovery-unknown-authorisation': {
    clause: 'errors.1',
    chosen:
      'Discovery of an unknown authorisation is 404 RESOURCE_UNKNOWN; its authorize address a 404 page.',
    why: 'The document describes one authorisation, and an unknown one has none.',
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
      'In the living bank, a payment is RCVD until its SCA (PATC if the TPP has to start the authorisation), then ACTC, then ACSP for the hour before its execution, then ACSC or RJCT. Before its execution it may become RJCT or CANC at any time. If it is RJCT, psuMessage says why.',
    why: 'This is the order of the code set. Each step lasts long enough to be seen by a TPP that polls now and then.',
    source: 'ISO20022',
  },
  'settlement-times': {
    clause: 'states.payment.transitions',
    chosen:
      'A payment between two accounts of the living bank is executed when it is authorised, or at the beginning of requestedExecutionDate (bank-calendar). Any other payment is executed at a cut-off of a TARGET day: SEPA 10:00, 13:00 and 16:00, cross-border 13:00, Brussels time. The first cut-off counts that is at least an hour away and not before requestedExecutionDate.',
    why: 'Banks settle SEPA payments in several cycles of a bank day, and book their own transfers at once.',
    source: 'practice',
  },
  'payment-execution': {
    clause: 'states.payment.transitions',
    chosen:
      'At its execution, a payment needs funds once more: the booked balance and the overdraft, less the reservations of payments that became pending earlier and are due later. Payments due at the same time are executed in the order in which they became pending. Without funds, the payment is RJCT (AM04); with a closed account AC04 or AC07, with a blocked one AC06. A decision never changes later.',
    why: 'The first payment gets the money, and the balance is never spent twice.',
    source: 'ISO20022',
  },
  'payment-cover': {
    clause: 'states.payment.transitions',
    chosen:
      'If the debtor’s account does not cover a payment when the PSU authorises it, the living bank sets it to RJCT (AM04) at once; the SCA succeeds. A payment with a later requestedExecutionDate becomes ACTC without cover. From the beginning of that day it waits for cover, and no money is reserved for it. Without cover at its execution, it is RJCT (AM04).',
    why: 'The TPP sees the refusal at once, and a payment without cover does not block others.',
    source: 'ISO20022',
  },
  'payment-pending': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'A covered payment is pending on the debtor’s account, and reduces the available amount, from its authorisation until its execution; one with a later requestedExecutionDate from the beginning of that day. If the account does not cover all pending payments, it covers the earliest first.',
    why: 'The money is reserved, but a payment of next month does not block it yet.',
    source: 'practice',
  },
  'standing-order-days': {
    clause: 'states.payment.transitions',
    chosen:
      'A periodic payment is paid on startDate, and then by its frequency. dayOfExecution gives the day of the month, 31 the last one of whichever month; without it, the day is that of startDate. A day on which banks do not settle is moved by executionRule, without it to the following one. Daily means each bank day. The codes of ISO 20022 (DAIL, WEEK, TOWK, MNTH, TOMN, QUTR, FOMN, SEMI, YEAR) are known, too. endDate is the last day that may fall due. MonthlyVariable is paid in monthsOfExecution. After 500 payments it ends.',
    why: 'The standard names the members and leaves their reckoning to the bank. The bound keeps a clock that is moved on by decades from making payments without end.',
    source: 'BG',
  },
  'standing-order-life': {
    clause: 'states.payment.transitions',
    chosen:
      'A periodic payment is ACTC after its SCA, ACSP from the hour before its first payment, and ACSC after its last one. A payment that is not covered is left out, and the next one follows. If an account is closed (AC04, AC07), the periodic payment becomes RJCT. Its cancellation makes it CANC, and what was paid stays paid. An account has at most 20 of them.',
    why: 'The status is that of the order; each of its payments shows among the transactions.',
    source: 'practice',
  },
  'standing-orders-listed': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'bookingStatus=information lists the periodic payments of the account that run: creditor, transactionAmount below zero, bankTransactionCode PMNT-ICDT-STDO, and standingOrderDetails in additionalInformationStructured.',
    why: 'These are the members of the standard for standing orders.',
    source: 'BG',
  },
  'bulk-payment-body': {
    clause: 'states.payment.transitions',
    chosen:
      'A bulk payment holds at most 100 payments in 24,576 bytes, all in one currency. If one of them cannot be taken, none is: path says which. Each is booked by itself, whatever batchBookingPreferred says.',
    why: 'A TPP sees at once what is wrong with which payment. The standard leaves the booking to the bank.',
    source: 'BG',
  },
  'bulk-payment-life': {
    clause: 'states.payment.transitions',
    chosen:
      'The payments of a bulk payment are executed together, at the cut-off of an ordinary payment to another bank. It becomes ACSC if all are booked, RJCT if none is, and PART if some are. Its SCA does not ask for funds.',
    why: 'PART is the code of ISO 20022 for a group of which only some are accepted.',
    source: 'ISO20022',
  },
  'sca-approach': {
    clause: 'sca.redirect',
    chosen:
      'Under a bank profile with several SCA approaches, TPP-Decoupled-Preferred: true chooses decoupled, else TPP-Redirect-Preferred: true redirect or OAuth, and false embedded or decoupled; the first that the profile has. If the profile has none of these, or the TPP prefers nothing, it is the first approach of the profile. OAuth is passed over if neither the address of its page nor a scope of the profile names the authorisation. ASPSP-SCA-Approach names it.',
    why: 'The standard leaves the choice to the bank and lets the TPP prefer.',
    source: 'BG',
  },
  'sca-start': {
    clause: 'creation.2',
    chosen:
      'Under a bank profile, a creation comes with an authorisation if sca.links.implicit has a link of the approach, or names no links and the approach is redirect or OAuth; if the approach is decoupled, also if the call has PSU-ID. Otherwise the TPP starts it. The link to start asks for what is missing: the identification of the PSU without PSU-ID, its password with it; its name is one that sca.links has.',
    why: 'These are the links of version 1.3.8. Older versions let the bank open an embedded authorisation itself.',
    source: 'BG',
  },
  'sca-redirect-page': {
    clause: 'sca.redirect',
    chosen:
      'Under a bank profile with redirect, scaRedirect leads to the SCA pages of the emulator. At the end, the PSU comes back to TPP-Redirect-URI without parameters, or to TPP-Nok-Redirect-URI if nothing was authorised.',
    why: 'Without OAuth there is no code to hand over: the TPP reads the status.',
    source: 'BG',
  },
  'sca-steps': {
    clause: 'sca.redirect',
    chosen:
      'In an embedded SCA, PUT takes one step: PSU-ID alone, psuData.password (or encryptedPassword, which the emulator compares as it stands), authenticationMethodId, scaAuthenticationData. The start of an authorisation may hold the first of them. A step that the status does not take is 409 STATUS_INVALID. With one SCA method the bank selects it. challengeData never holds the code.',
    why: 'This is the order of the standard; a bank with one method does not ask for it.',
    source: 'BG',
  },
  'sca-credentials': {
    clause: 'sca.redirect',
    chosen:
      'In an embedded SCA, the PSU of the sandbox bank is PSU_ID with the password PSU_PASSWORD; PSUs of the living bank are those of its log-in page. The code is 123456 at both. Wrong credentials are 401 PSU_CREDENTIALS_INVALID, a wrong code is 400 SCA_INVALID; the third one ends the SCA. Without a second factor, exempted, are payments below sca.exemptBelow; the sandbox takes the amount of its own payment.',
    why: 'Tests need fixed values. Error codes are those of the standard.',
    source: 'BG',
  },
  'sca-decoupled': {
    clause: 'sca.redirect',
    chosen:
      'In a decoupled SCA, scaStatus is started once the bank knows the PSU (by PSU-ID, in the creation, the start, or a PUT; a bank without PUT asks the PSU that is likely), and psuMessage tells it where to confirm. The PSU of the sandbox bank confirms 20 seconds later. A PSU of the living bank confirms or refuses on the access page; if an outcome is set ahead, the next call of the TPP about the consent or payment ends the SCA so.',
    why: 'Tests need an end without a person, and people one that they can see.',
    source: 'practice',
  },
  'cancellation-started': {
    clause: 'payloads-not-covered.delete',
    chosen:
      'Under a bank profile with the operation payments.cancellation-authorisations.create, the 202 to the DELETE of an authorised payment links the start of its authorisation, and has none with it. In the sandbox bank these are the payments that are neither final nor RCVD nor PATC; they keep their status.',
    why: 'This is the explicit start of the standard.',
    source: 'BG',
  },
  'single-transaction': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'Under a bank profile with accounts.transaction, the answer is transactionsDetails with the entry as the list has it, found by its transactionId or entryReference, within the history that the list has. Any other id is 404 RESOURCE_UNKNOWN.',
    why: 'The standard has this body.',
    source: 'BG',
  },
  'sandbox-orders': {
    clause: 'states.payment.transitions',
    chosen:
      'The sandbox bank answers periodic and bulk payments by the ids of payments: PAYMENT_ID_<status>_<product>. Its periodic payment is monthly from requestedExecutionDate on, its bulk payment holds one payment.',
    why: 'The ids say their status, whatever the service.',
    source: 'practice',
  },
  'pain-001': {
    clause: 'states.payment.transitions',
    chosen:
      'A product in XML takes pain.001.001.03 and .09 of at most 24,576 bytes: one PmtInf, with one payment (payments, periodic-payments) or up to 100 (bulk-payments). It means the JSON of the same members; path in an error names the member of the JSON. NbOfTxs and CtrlSum have to be right. A DTD is refused. GET answers the XML as it came. A periodic one is multipart: xml_sct, and json_standingorderType with the members of the standing order.',
    why: 'One reading of a payment serves both forms. Entities of a DTD are a way to attack whoever reads them.',
    source: 'BG',
  },
  'pain-002': {
    clause: 'states.payment.transitions',
    chosen:
      'The status of a payment in XML is JSON, or pain.002 if Accept prefers application/xml: .03 for pain.001.001.03, .10 for .09. It holds the status of the whole, and for a bulk payment that of each payment with the reason of a rejection. Codes are those of transactionStatus.',
    why: 'JSON is what clients of other products read. The standard lets a TPP choose by Accept.',
    source: 'BG',
  },
  'balance-types': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'The living bank shows the six balances of the sandbox: closingBooked of yesterday, openingBooked and interimBooked of today, expected (with pending entries), interimAvailable and forwardAvailable (tomorrow), both with the overdraft.',
    why: 'The balance types of the standard.',
    source: 'BG',
  },
  'payment-debtor': {
    clause: 'payment-request.debtorAccount',
    chosen:
      'The living bank answers 400 RESOURCE_UNKNOWN to an unknown or closed debtor account (AC01), and to a creditor IBAN of this bank without an account (AC03); 400 RESOURCE_BLOCKED to a blocked debtor account; 400 PAYMENT_FAILED if debtor and creditor are the same account. Only an owner of the debtor account can authorise the payment; any other PSU ends with SCA_REQUEST_REJECTED.',
    why: 'A typing error should show at once, not after the PSU has been to the bank.',
    source: 'BG',
  },
  'debtor-currency': {
    clause: 'fields-not-covered.payment',
    chosen:
      'Both banks refuse a debtorAccount whose IBAN they know, but in another currency: 400 RESOURCE_UNKNOWN. The sandbox checks nothing else about that account.',
    why: 'IBAN and currency together identify an account, and the bank has no such account.',
    source: 'BG',
  },
  'payment-forms': {
    clause: 'fields-not-covered.payment',
    chosen:
      'The living bank refuses a payment that violates psd2-api 1.3.11: 400 FORMAT_ERROR for texts that are too long (names 70, endToEndIdentification 35, remittance 140 characters) and for malformed IBANs, BICs, purpose codes and other codes; 400 RESOURCE_UNKNOWN if it names another currency for an account of the bank. A null member counts as absent, and later reads leave it out.',
    why: 'A read shows the posted payment, and the bank must not break the schema of its own answers.',
    source: 'BG',
  },
  'payment-currency': {
    clause: 'payment-request.currency',
    chosen:
      'If the currencies of payment and account differ, the living bank exchanges at fixed rates. The debit is rounded up to the next unit. A creditor account in the currency of the payment receives the instructed amount; any other account receives the debited amount, exchanged and rounded down. An amount that rounds to zero for debtor or creditor, or a currency without a rate: 400 PAYMENT_FAILED; more decimals than the currency has: 400 FORMAT_ERROR.',
    why: 'Cross-border payments need other currencies, tests need predictable rates, and rounding must never create money.',
    source: 'practice',
  },
  'living-bounds': {
    clause: 'endpoint.payments.create',
    chosen:
      'The living bank remembers 16 MiB for each TPP and 64 MiB in all, over all sessions. If it needs room, it forgets the oldest consents and payments that have ended or were not authorised within a day, with their authorisations and tokens. Booked payments stay in statements. If it still has no room, creations get 503 SERVICE_UNAVAILABLE. For each code it remembers the newest twenty pairs of tokens.',
    why: 'One TPP must not fill the bank for all. An error with a reason is better than a bank that forgets consents in use.',
    source: 'practice',
  },
  'cancellation-authorised': {
    clause: 'payloads-not-covered.delete',
    chosen:
      'In the living bank, a payment that waits for its SCA is cancelled at once (204). The cancellation of an authorised payment needs an SCA: 202 with transactionStatus, scaStatus, and links scaOAuth, scaStatus, self and status; another DELETE gets the same answer while that SCA is open. If the PSU agrees before the execution, the payment is CANC; otherwise it is executed.',
    why: 'A TPP must not cancel alone what the PSU has authorised. The document shows no creation of such an authorisation, so the answer contains it, whatever the TPP prefers.',
    source: 'BG',
  },
  'notify-all': {
    clause: 'events.3',
    chosen:
      'With --bank-notify all, the living bank sends each status after the creation to TPP-Notification-URI, if that address is allowed. ASPSP-Notification-Support is then true, and ASPSP-Notification-Content is status=PROCESS, or status=LAST if the TPP prefers that.',
    why: 'No product of the interface is an instant payment, but TPPs must be able to test their receivers.',
    source: 'BG',
  },
  'funds-living': {
    clause: 'fields-not-covered.funds-confirmation',
    chosen:
      'In the living bank, every account that is not closed has a consent for funds confirmation. fundsAvailable is true if balance and overdraft, less reservations of pending payments, cover the amount; it is false for a blocked account or another currency. An unknown account gets 400 NO_PIIS_ACTIVATION. The test account answers as in the sandbox.',
    why: 'The specification shows no way to create such a consent.',
    source: 'practice',
  },
  'habits-payment-life': {
    clause: 'states.payment.transitions',
    chosen:
      'With --bank-habits a payment may also be PDNG for two hours after its SCA; ACCP or ACWC half an hour after it; ACWP for the last half hour. An ACWC payment is executed on the next bank day, and requestedExecutionDate then shows that day. A late one shows ACSC or RJCT a day after the execution. A returned one stays ACSC, and its amount is credited two to four bank days later with the code PMNT-ICDT-RRTN.',
    why: 'Banks use all statuses of the list, and no status shows a return.',
    source: 'ISO20022',
  },
  'habits-rejected-at-once': {
    clause: 'payment-response.scaOAuth',
    chosen:
      'With --bank-habits a creation may be answered 201 with transactionStatus RJCT and psuMessage; it then links self and status, and no SCA.',
    why: 'The payment exists and can be read, but there is nothing to authorise.',
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
    why: 'The law demands a new SCA after some time, independently of the consent’s own end.',
    source: 'BG',
  },
  'habits-half-year': {
    clause: 'consent-duration',
    chosen:
      'With --bank-habits a consent may last 180 days; the answer to its creation then holds validUntil.',
    why: 'The law has allowed 180 days since July 2023. A TPP that does not read the consent again must see it there.',
    source: 'practice',
  },
  'habits-entries': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'With --bank-habits card payments may be pending one to five days before, and others never be booked; entries may appear up to three days after their bookingDate, be booked twice and reversed, have other ids at each delivery, have entryReference and no transactionId, remittanceInformationStructured, or currencyExchange beside an amount in the currency of the account. Pages continue the list of the first page. Holds reduce the expected and the available balances.',
    why: 'Banks do all of this, and TPPs break on it.',
    source: 'practice',
  },
  'habits-accounts': {
    clause: 'fields-not-covered.accounts',
    chosen:
      'With --bank-habits, or by an operator, an account may be closed (status deleted; it keeps its last balance), blocked, opened later, change its IBAN, or lose an owner. An old IBAN leads to the account for 90 days. A consent may have its own resource ids; all other ids are then unknown under it (404).',
    why: 'The standard lets resource ids differ between consents, and banks redirect an old IBAN for a while.',
    source: 'practice',
  },
} as const satisfies Record<string, ReadingRow>;

export type ReadingId = keyof typeof READINGS;

export const READING_IDS = Object.keys(READINGS) as ReadingId[];

/** The row of a reading with its general type. */
export function readingRow(id: ReadingId): ReadingRow {
  return READINGS[id];
}
