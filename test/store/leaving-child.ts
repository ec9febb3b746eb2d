/** A process that notes something in a store, and leaves it open. */
import { createSqliteStore } from '../../src/store/index.js';

createSqliteStore({ path: process.argv[2] ?? '' }).note('test', { at: 1, kind: 'started', settings: {} });
