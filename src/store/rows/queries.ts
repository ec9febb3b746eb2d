/** All that is asked of chains and their entries, over one database. */

import type { Vault } from '../vault.js';
import { createChains } from './chains.js';
import type { Database, Query } from './database.js';
import { createEntries, createEntriesOf, type EntriesOf, type EntryPages } from './entries.js';
import { createKeys } from './keys.js';
import { createChainRows } from './linked.js';
import { createSharedTexts } from './shared-texts.js';

export function createQueries<P extends EntryPages>(
  db: Database,
  createPages: (query: Query, entriesOf: EntriesOf) => P,
  vault: Vault | null = null,
) {
  const shared = createSharedTexts(db);
  const keys = createKeys(db.query, vault);
  const entriesOf = createEntriesOf(db, shared, keys);
  const pages = createPages(db.query, entriesOf);
  const chains = createChains(db);
  const entries = createEntries(db, entriesOf);
  const chainRows = createChainRows(db, chains, entries, pages, keys);
  /** Drops remembered texts, which may have been erased. */
  const forget = (): void => {
    shared.forget();
    keys.forget();
  };
  return { db, chains, entries, pages, chainRows, forget };
}

export type Queries = ReturnType<typeof createQueries>;
