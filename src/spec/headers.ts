/** Request headers that the interface knows, lower case, with their maximum length where one is known. */

export interface HeaderRow {
  /** The name as the standard writes it. */
  readonly name: string;
  readonly maxLength?: number;
  readonly form?: 'uuid' | 'boolean' | 'uri' | 'ip';
}

export const HEADERS = {
  'x-request-id': { name: 'X-Request-ID', form: 'uuid' },
  'consent-id': { name: 'Consent-Id' },
  authorization: { name: 'Authorization' },
  'psu-ip-address': { name: 'PSU-IP-Address', maxLength: 140, form: 'ip' },
  'psu-ip-port': { name: 'PSU-IP-Port' },
  'psu-id': { name: 'PSU-ID', maxLength: 50 },
  'psu-id-type': { name: 'PSU-ID-Type', maxLength: 50 },
  'psu-corporate-id': { name: 'PSU-Corporate-ID', maxLength: 50 },
  'psu-corporate-id-type': { name: 'PSU-Corporate-ID-Type', maxLength: 50 },
  'psu-accept': { name: 'PSU-Accept' },
  'psu-accept-charset': { name: 'PSU-Accept-Charset' },
  'psu-accept-encoding': { name: 'PSU-Accept-Encoding' },
  'psu-accept-language': { name: 'PSU-Accept-Language' },
  'psu-user-agent': { name: 'PSU-User-Agent' },
  'psu-http-method': { name: 'PSU-Http-Method' },
  'psu-device-id': { name: 'PSU-Device-ID' },
  'psu-geo-location': { name: 'PSU-Geo-Location' },
  'tpp-redirect-uri': { name: 'TPP-Redirect-URI', maxLength: 500, form: 'uri' },
  'tpp-nok-redirect-uri': { name: 'TPP-Nok-Redirect-URI', maxLength: 500, form: 'uri' },
  'tpp-redirect-preferred': { name: 'TPP-Redirect-Preferred', form: 'boolean' },
  'tpp-decoupled-preferred': { name: 'TPP-Decoupled-Preferred', form: 'boolean' },
  'tpp-explicit-authorisation-preferred': { name: 'TPP-Explicit-Authorisation-Preferred', form: 'boolean' },
  'tpp-rejection-nofunds-preferred': { name: 'TPP-Rejection-NoFunds-Preferred', form: 'boolean' },
  'tpp-brand-logging-information': { name: 'TPP-Brand-Logging-Information', maxLength: 255 },
  'tpp-notification-uri': { name: 'TPP-Notification-URI', form: 'uri' },
  'tpp-notification-content-preferred': { name: 'TPP-Notification-Content-Preferred' },
} as const satisfies Record<string, HeaderRow>;
export type HeaderName = keyof typeof HEADERS;
