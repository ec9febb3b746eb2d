/** The store layer: keeps sessions, exchanges and the ledger. */
export { breakText, type ChainBreak } from './chain.js';
export { type ChainNote, removedOf } from './chain-notes.js';
export { FILTER_FIELDS } from './filter/fields.js';
export { matches } from './filter/match.js';
export { parseFilter } from './filter/parse.js';
export type { FilterTree } from './filter/tree.js';
export { changesOf, movesOf, placedChanges } from './kept-changes.js';
export { type IndexThread, type Lookup, openLookup } from './lookup/lookup.js';
export { type Found, readable } from './lookup/search.js';
export { makeDirectory } from './make-directory.js';
export { isInMemory, openStore, type StoreOptions, storeFile, storeName } from './open.js';
export * from './port.js';
export type { RecordedExchange } from './recorded.js';
export { replaceFile } from './replace-file.js';
export * from './session-name.js';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/store.js';
export * from './standing.js';
export * from './with-unfinished.js';
