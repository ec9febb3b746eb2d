/** What the gateway has learned from the exchanges so far: a pure fold over them. */
export type * from './facts.js';
export * from './keys.js';
export * from './ledger.js';
