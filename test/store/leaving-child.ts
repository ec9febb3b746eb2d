/** A process that notes something in a store, and leaves it open. */
import { createSqliteStore, noteIn } from '../../src/store/index.js';

const store = createSqliteStore({ path: process.argv[2] ?? '' });
noteIn(store, 'test', { at: 1, kind: 'started', settings: {} });
