/** Seals on PDF files: whose key, and the signature itself. Loaded only when asked for. */
export { type CheckedSeal, checkSeal, makeSignature } from './cms.js';
export { openSeal, type Seal, sealName } from './open-seal.js';
