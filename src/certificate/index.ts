/** What a certificate says, and the making of test ones. */
export { NCA_NAMES } from './authorities.js';
export type * from './facts.js';
export { inspectCertificate, subjectLine } from './inspect.js';
export { ROLE_OIDS, ROLES, type RoleName } from './oids.js';
export { parsePemFile } from './pem.js';
export { createTrust, type Trust, type TrustParts } from './trust.js';
