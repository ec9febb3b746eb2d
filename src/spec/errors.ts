/** Message codes of the interface with their HTTP status, taken from the field: the specification shows none. */

export interface WireErrorRow {
  /** Statuses with which the code may come; the first is the one that the gateway itself answers. */
  readonly statuses: readonly [number, ...number[]];
  readonly text: string;
}

export const WIRE_ERRORS = {
  CERTIFICATE_MISSING: { statuses: [401], text: 'No client certificate was presented.' },
  CERTIFICATE_INVALID: { statuses: [401], text: 'The client certificate is not a valid PSD2 QWAC.' },
  CERTIFICATE_EXPIRED: { statuses: [401], text: 'The client certificate has expired.' },
  CERTIFICATE_BLOCKED: { statuses: [401], text: 'The organisation of the client certificate is blocked.' },
  CERTIFICATE_REVOKED: { statuses: [401], text: 'The client certificate is revoked.' },
  CERTIFICATE_REVOKE: {
    statuses: [401],
    text: 'The client certificate is revoked (spelling of older texts).',
  },
  ROLE_INVALID: { statuses: [401], text: 'The roles of the certificate do not cover this service.' },
  SIGNATURE_INVALID: { statuses: [401], text: 'The signature of the request is not valid.' },
  SIGNATURE_MISSING: { statuses: [401], text: 'The request is not signed.' },
  TOKEN_UNKNOWN: { statuses: [401], text: 'The access token is not known.' },
  TOKEN_INVALID: { statuses: [401], text: 'The access token does not fit this request.' },
  TOKEN_EXPIRED: { statuses: [401], text: 'The access token is expired.' },
  PSU_CREDENTIALS_INVALID: { statuses: [401], text: 'The credentials of the PSU are not valid.' },
  CORPORATE_ID_INVALID: { statuses: [401], text: 'The corporate id is not valid.' },
  CONSENT_INVALID: { statuses: [401], text: 'The consent does not allow this access.' },
  CONSENT_EXPIRED: { statuses: [401], text: 'The consent is expired.' },
  CONSENT_UNKNOWN: { statuses: [403, 400], text: 'The consent is not known for this TPP.' },
  RESOURCE_UNKNOWN: { statuses: [404, 403, 400], text: 'The addressed resource is not known for this TPP.' },
  RESOURCE_EXPIRED: { statuses: [403, 400], text: 'The addressed resource is expired.' },
  RESOURCE_BLOCKED: { statuses: [400], text: 'The addressed resource cannot be addressed by this request.' },
  SERVICE_INVALID: { statuses: [405, 400], text: 'The service does not offer this method.' },
  SERVICE_BLOCKED: { statuses: [403], text: 'The service is not reachable for this PSU or TPP.' },
  FORMAT_ERROR: { statuses: [400, 413, 415, 431], text: 'The format of the request is not right.' },
  PARAMETER_NOT_CONSISTENT: { statuses: [400], text: 'The parameters contradict each other.' },
  PARAMETER_NOT_SUPPORTED: { statuses: [400], text: 'A parameter is not supported.' },
  TIMESTAMP_INVALID: { statuses: [400], text: 'The timestamp is not within the accepted period.' },
  PERIOD_INVALID: { statuses: [400], text: 'The requested period is out of bound.' },
  SCA_METHOD_UNKNOWN: { statuses: [400], text: 'The SCA method is not known.' },
  SCA_INVALID: { statuses: [400], text: 'The SCA is not valid.' },
  STATUS_INVALID: { statuses: [409], text: 'The resource does not allow a further authorisation.' },
  PRODUCT_INVALID: { statuses: [403], text: 'The payment product is not available for this PSU.' },
  PRODUCT_UNKNOWN: { statuses: [404], text: 'The payment product is not supported.' },
  PAYMENT_FAILED: { statuses: [400], text: 'The payment initiation failed.' },
  EXECUTION_DATE_INVALID: { statuses: [400], text: 'The requested execution date is not valid.' },
  REQUIRED_KID_MISSING: { statuses: [401], text: 'The key id is missing.' },
  CANCELLATION_INVALID: { statuses: [405], text: 'The payment cannot be cancelled any more.' },
  SESSIONS_NOT_SUPPORTED: { statuses: [400], text: 'Combined sessions are not supported.' },
  ACCESS_EXCEEDED: { statuses: [429], text: 'The accesses of this day without the PSU are used.' },
  REQUESTED_FORMATS_INVALID: { statuses: [406], text: 'None of the accepted formats is offered.' },
  CARD_INVALID: { statuses: [400], text: 'The card is not known.' },
  NO_PIIS_ACTIVATION: { statuses: [400], text: 'The account has no consent for funds confirmation.' },
  REFERENCE_MIX_INVALID: { statuses: [400], text: 'The references must not be mixed.' },
  REFERENCE_STATUS_INVALID: {
    statuses: [409],
    text: 'The references are in a status that does not allow this.',
  },
  UNSUPPORTED_MEDIA_TYPE: { statuses: [415], text: 'The media type is not supported.' },
  INTERNAL_SERVER_ERROR: { statuses: [500, 502, 504], text: 'The request could not be answered.' },
  SERVICE_UNAVAILABLE: { statuses: [503], text: 'The service is not available at the moment.' },
} as const satisfies Record<string, WireErrorRow>;
export type WireErrorCode = keyof typeof WIRE_ERRORS;

/** Errors of the token endpoint (RFC 6749 5.2) with their status. */
export const TOKEN_ERRORS = {
  invalid_request: 400,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_client: 401,
  server_error: 500,
} as const;
export type TokenError = keyof typeof TOKEN_ERRORS;

/** The status with which the gateway answers a code. */
export function statusOf(code: WireErrorCode): number {
  return WIRE_ERRORS[code].statuses[0];
}
