/** The store layer: keeps sessions, exchanges and the ledger. */
export { breakText, type ChainBreak } from './chain.js';
export {
  type ChainNote,
  erasedText,
  type Removed,
  readRemoved,
  removedOf,
} from './chain-notes.js';
export { type Copied, copyBetween } from './copy/copy.js';
export { type CopiedKeys, copySession, readSession, sessionLines } from './copy/session-text.js';
export { FILTER_FIELDS } from './filter/fields.js';
export { matches } from './filter/match.js';
export { parseFilter } from './filter/parse.js';
export type { FilterField, FilterTree } from './filter/tree.js';
export { changesOf, movesOf, placedChanges } from './kept-changes.js';
export { type IndexThread, indexPath, type Lookup, openLookup } from './lookup/lookup.js';
export type { Past } from './lookup/past.js';
export { readable } from './lookup/readable.js';
export type { Found } from './lookup/search.js';
export { createTimeline } from './lookup/timeline.js';
export { makeDirectory } from './make-directory.js';
export { checkDriver, isInMemory, openStore, type StoreOptions, shownStore, storeFile } from './open.js';
export * from './port.js';
export type { RecordedExchange } from './recorded.js';
export { type Chunks, replaceFile } from './replace-file.js';
export * from './session-name.js';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/store.js';
export { storeName } from './store-name.js';
export { orderBehind } from './turns.js';
export { VIEWS } from './views.js';
export { withContent } from './with-content.js';
export { withSteps } from './with-steps.js';
export * from './with-unfinished.js';
export * from './world-state.js';
