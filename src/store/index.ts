/** Where recordings are kept. */
export type * from './store.js';
