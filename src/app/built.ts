/** Files that come with the program beside its code. This file and what the build makes of it lie two folders below the root. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const BUILT_IN_DATA = fileURLToPath(new URL('../../data/sandbox', import.meta.url));
export const BUILT_IN_BANKS = fileURLToPath(new URL('../../data/banks', import.meta.url));
export const PAGE_FOLDER = fileURLToPath(new URL('../../dist/page', import.meta.url));
/** The program that keeps an index of the store, in a thread of its own: a thread runs what was built. */
export const INDEX_THREAD = new URL('../../dist/store/lookup/thread.js', import.meta.url);
/** The program that runs own rules in a thread of its own. */
export const OWN_RULES_THREAD = new URL('../../dist/app/own-rules/thread.js', import.meta.url);

/** Names of the bank profiles that come with the program. */
export const bankProfileNames = (): readonly string[] =>
  readdirSync(BUILT_IN_BANKS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
