/** The certificate layer: reads certificates, and issues test certificates. */

export type { Authority } from './authority.js';
export { CALENDAR_USES, type CalendarEntry, type CalendarRow, calendarOf } from './calendar.js';
export { certificateCard, daysLeft, keyText, revocationText } from './card.js';
export { openCrlFile, revocationOf } from './crl.js';
export * from './facts.js';
export {
  FORWARDED_FORM_NAMES,
  FORWARDED_FORMS,
  type ForwardedCertificate,
  type ForwardedFormName,
  readSealHeader,
} from './forwarded.js';
export { inspectCertificate, isForClients, trustOf } from './inspect.js';
export {
  type CertificateOrder,
  type IssuedCertificate,
  issueCertificate,
  issueCrl,
  type Psd2Order,
  type QualifiedOrder,
} from './issue.js';
export {
  type AuthorityOrder,
  createAuthority,
  type IssuingAuthority,
  openIssuingAuthority,
} from './issuing-authority.js';
export { keyIdFaults } from './key-id.js';
export { type OcspNote, type OcspVerdict, ocspText } from './ocsp-verdicts.js';
export { NCA_NAMES, OID, type QcTypeName, type RoleName } from './oids.js';
export { openPkcs12 } from './open-pkcs12.js';
export { parsePemFile } from './pem.js';
export { renderPkcs12 } from './pkcs12.js';
export { openRegister } from './register.js';
export type { AskedCertificate, OcspFacts, Responses } from './responses.js';
export {
  keyOfCertificate,
  probeSignature,
  SIGNATURE_ALGORITHMS,
  type SignatureProbe,
} from './seal.js';
export { type CertificateNode, certificateTree } from './tree.js';
export { createTrust, type NamedFile, TRUSTS_NOBODY, type Trust } from './trust.js';
export {
  ageOf,
  type ListedService,
  type ListPurpose,
  openTrustList,
  renderTrustList,
  staleWords,
  type TrustList,
  type TrustSnapshot,
} from './trust-list.js';
