/** All that is asked of chains and their entries, over one database. */
import { createChains } from './chains.js';
import type { Database, Query } from './database.js';
import { createEntries, createEntriesOf, type EntriesOf, type EntryPages } from './entries.js';
import { createChainRows } from './linked.js';

export function createQueries<P extends EntryPages>(
  db: Database,
  createPages: (query: Query, entriesOf: EntriesOf) => P,
) {
  const entriesOf = createEntriesOf(db);
  const pages = createPages(db.query, entriesOf);
  const chains = createChains(db);
  const entries = createEntries(db, entriesOf);
  return { db, chains, entries, pages, chainRows: createChainRows(db, chains, entries, pages) };
}

export type Queries = ReturnType<typeof createQueries>;
