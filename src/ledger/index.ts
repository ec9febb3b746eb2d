/** The ledger layer: what was learned from the exchanges so far, as a pure fold. */
export * from './advance.js';
export * from './bounds.js';
export * from './daily-limit.js';
export * from './daily-window.js';
export * from './facts.js';
export * from './keys.js';
export { isRepetition } from './learn-access.js';
export { authorizeRequestOf } from './learn-authorize.js';
export { oldestAsked } from './learn-history.js';
export { linkFollowed } from './learn-links.js';
export * from './ledger.js';
export * from './sweep.js';
export * from './under-way.js';
