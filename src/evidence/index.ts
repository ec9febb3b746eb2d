/** What makes a recording believed by others: signed checkpoints of its chain, and time stamps of these. */
export { type CheckOptions, checkWitness, type SignedCheckpoint, type Witnessed } from './check-witness.js';
export { type Checkpoint, openCheckpoint, type TrustedKey, unverifiedCheckpoint } from './checkpoint.js';
export { openSigned, openSigner, type Sign, sign, validityOf } from './jws.js';
export { createPublisher } from './publish.js';
export { createWitness, type Witness } from './witness.js';
