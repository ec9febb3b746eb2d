/** The evidence layer: signed checkpoints of chains, time stamps on these, signed statements. */
export {
  beginningOf,
  checkWitness,
  isEarlier,
  type PlacedNote,
  type SignedCheckpoint,
  type Witnessed,
} from './check-witness.js';
export {
  type Checkpoint,
  openCheckpoint,
  openSigned,
  openSigner,
  type Sign,
  sign,
  type TrustedKey,
  unverifiedCheckpoint,
  validityOf,
} from './checkpoint.js';
export { FAR_MS, type Stamped } from './coverage.js';
export { removalsAmiss, SPARED_MS } from './removals.js';
export {
  askForTimeStamp,
  createQueue,
  createStamper,
  publisherTo,
  type Queue,
  type Signed,
} from './stamp.js';
export { createWitness, type Witness } from './witness.js';
