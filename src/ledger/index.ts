/** The ledger layer: what was learned from the exchanges so far, as a pure fold. */
export * from './advance.js';
export * from './awaited.js';
export * from './bounds.js';
export * from './daily-limit.js';
export * from './facts.js';
export * from './family.js';
export * from './fold-access.js';
export { authorizeRequestOf } from './fold-authorize.js';
export { linkFollowed } from './fold-links.js';
export * from './keys.js';
export * from './ledger.js';
export * from './sweep.js';
export * from './under-way.js';
