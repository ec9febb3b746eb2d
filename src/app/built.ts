/** Files that come with the program beside its code. This file and what the build makes of it lie two folders below the root. */
import { fileURLToPath } from 'node:url';

export const BUILT_IN_DATA = fileURLToPath(new URL('../../data/sandbox', import.meta.url));
export const PAGE_FOLDER = fileURLToPath(new URL('../../dist/page', import.meta.url));
/** The program that keeps an index of the store, in a thread of its own: a thread runs what was built. */
export const INDEX_THREAD = new URL('../../dist/store/lookup/thread.js', import.meta.url);
