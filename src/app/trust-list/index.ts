/** Trusted lists: made into a snapshot, from files or from the network, and opened. */
export { importLists, type MadeSnapshot, signersIn, updateLists } from './make-snapshot.js';
export { readTrustList } from './read-trust-list.js';
