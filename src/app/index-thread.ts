/** The program that keeps an index of the store, in a thread of its own: a thread runs what was built. */

/** This file and what the build makes of it lie two folders below the root. */
export const INDEX_THREAD = new URL('../../dist/store/lookup/thread.js', import.meta.url);
