/** The folder of test certificates: made, listed, issued. */

export { anchorEntries, bankEntries, seenIn, serverEntry, tppEntry } from './calendar.js';
export { type Certificates, ensureCertificates } from './ensure.js';
export { EVIDENCE_PUBLIC, evidenceKeyOf } from './evidence-key.js';
export { type IssueOrder, issueInto } from './issue.js';
export { KEY_TYPES } from './key-pairs.js';
export { authorityWarning, toOrder } from './order.js';
export {
  type ListedCertificate,
  listCertificates,
  TEST_CERTIFICATE_NAMES,
  type TestCertificateName,
} from './test-certificates.js';
