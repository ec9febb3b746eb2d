/** The evidence layer: signed checkpoints of chains, time stamps on these, signed statements. */
export {
  beginningOf,
  checkWitness,
  isEarlier,
  type PlacedNote,
  type SignedCheckpoint,
  type Witnessed,
} from './check-witness.js';
export { type Checkpoint, openCheckpoint, type TrustedKey, unverifiedCheckpoint } from './checkpoint.js';
export { FAR_MS, type Stamped } from './judge-stamps.js';
export { openSigned, openSigner, type Sign, sign, validityOf } from './jws.js';
export { publisherTo } from './publish.js';
export { createQueue, type Queue } from './queue.js';
export { removalsAmiss, SPARED_MS } from './removals.js';
export { createStamper, type Signed } from './stamp.js';
export { createWitness, type Witness } from './witness.js';
