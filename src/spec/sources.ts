/** The texts outside the specification on which rules and readings rest, by short tag. */

export interface OutsideSourceRow {
  readonly title: string;
  /** Only where the address is certain. */
  readonly url?: string;
}

export const OUTSIDE_SOURCES = {
  BG: { title: 'Berlin Group, NextGenPSD2 XS2A Framework 1.3.x', url: 'https://www.berlin-group.org' },
  CAVAGE: {
    title: 'draft-cavage-http-signatures-12, Signing HTTP Messages',
    url: 'https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures-12',
  },
  RFC3230: { title: 'RFC 3230, Instance Digests in HTTP', url: 'https://www.rfc-editor.org/rfc/rfc3230' },
  RFC3739: {
    title: 'RFC 3739, Internet X.509 Public Key Infrastructure: Qualified Certificates Profile',
    url: 'https://www.rfc-editor.org/rfc/rfc3739',
  },
  RFC3986: {
    title: 'RFC 3986, Uniform Resource Identifier: Generic Syntax',
    url: 'https://www.rfc-editor.org/rfc/rfc3986',
  },
  RFC6749: {
    title: 'RFC 6749, The OAuth 2.0 Authorization Framework',
    url: 'https://www.rfc-editor.org/rfc/rfc6749',
  },
  RFC6750: {
    title: 'RFC 6750, OAuth 2.0 Bearer Token Usage',
    url: 'https://www.rfc-editor.org/rfc/rfc6750',
  },
  RFC7636: {
    title: 'RFC 7636, Proof Key for Code Exchange by OAuth Public Clients',
    url: 'https://www.rfc-editor.org/rfc/rfc7636',
  },
  RFC8259: {
    title: 'RFC 8259, The JSON Data Interchange Format',
    url: 'https://www.rfc-editor.org/rfc/rfc8259',
  },
  RFC8252: {
    title: 'RFC 8252, OAuth 2.0 for Native Apps',
    url: 'https://www.rfc-editor.org/rfc/rfc8252',
  },
  RFC8705: {
    title: 'RFC 8705, OAuth 2.0 Mutual-TLS Client Authentication and Certificate-Bound Access Tokens',
    url: 'https://www.rfc-editor.org/rfc/rfc8705',
  },
  RFC9110: { title: 'RFC 9110, HTTP Semantics', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  RFC9440: {
    title: 'RFC 9440, Client-Cert HTTP Header Field',
    url: 'https://www.rfc-editor.org/rfc/rfc9440',
  },
  RFC9457: {
    title: 'RFC 9457 (obsoletes RFC 7807), Problem Details for HTTP APIs',
    url: 'https://www.rfc-editor.org/rfc/rfc9457',
  },
  RFC9700: {
    title: 'RFC 9700, Best Current Practice for OAuth 2.0 Security',
    url: 'https://www.rfc-editor.org/rfc/rfc9700',
  },
  RFC5280: {
    title: 'RFC 5280, Internet X.509 Public Key Infrastructure Certificate and CRL Profile',
    url: 'https://www.rfc-editor.org/rfc/rfc5280',
  },
  RFC6960: {
    title: 'RFC 6960, X.509 Internet Public Key Infrastructure Online Certificate Status Protocol',
    url: 'https://www.rfc-editor.org/rfc/rfc6960',
  },
  ETSI: { title: 'ETSI TS 119 495 and EN 319 412, certificate profiles for PSD2 and qualified certificates' },
  CABF: { title: 'CA/Browser Forum, Baseline Requirements for TLS Server Certificates' },
  RTS: {
    title: 'Delegated Regulation (EU) 2018/389, strong customer authentication and secure communication',
    url: 'https://eur-lex.europa.eu/eli/reg_del/2018/389/oj',
  },
  ISO4217: { title: 'ISO 4217, codes for currencies' },
  ISO13616: { title: 'ISO 13616, International Bank Account Number (IBAN)' },
  ISO20022: { title: 'ISO 20022, external code sets (payment status, purpose)' },
  ISO9362: { title: 'ISO 9362, Business identifier code (BIC)' },
  practice: { title: 'Good practice: known of traffic in the field, demanded by no text' },
  security: { title: 'Security of the gateway itself' },
} as const satisfies Record<string, OutsideSourceRow>;
export type SourceTag = keyof typeof OUTSIDE_SOURCES;
