/** The certificate layer: reads certificates, and issues test certificates. */
export { NCA_NAMES } from './authorities.js';
export { openCrlFile } from './crl.js';
export type * from './facts.js';
export { FORWARDED_FORM_NAMES, FORWARDED_FORMS, type ForwardedFormName } from './forwarded/forms.js';
export type { ForwardedCertificate } from './forwarded/read.js';
export { inspectCertificate } from './inspect.js';
export { type CertificateOrder, type IssuedCertificate, issueCertificate } from './issue.js';
export { issueCrl } from './issue-crl.js';
export type { Psd2Order, QualifiedOrder } from './issue-statements.js';
export {
  type AuthorityOrder,
  createAuthority,
  type IssuingAuthority,
  openIssuingAuthority,
} from './issuing-authority.js';
export { OID, type QcTypeName, type RoleName } from './oids.js';
export { parsePemFile } from './pem.js';
export { renderPkcs12 } from './pkcs12.js';
export { standingOf } from './standing.js';
export { createTrust, type NamedFile, TRUSTS_NOBODY, type Trust } from './trust.js';
