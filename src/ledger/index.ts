/** The ledger layer: what was learned from the exchanges so far, as a pure fold. */
export * from './advance.js';
export * from './awaited.js';
export * from './bounds.js';
export { mayBeUnseen } from './creators.js';
export * from './daily-limit.js';
export * from './daily-window.js';
export * from './facts.js';
export { FactFamily, type Family, type Index, type Looks } from './family.js';
export { isRepetition } from './fold-access.js';
export { authorizeRequestOf } from './fold-authorize.js';
export { oldestAsked } from './fold-history.js';
export { linkFollowed } from './fold-links.js';
export * from './keys.js';
export * from './ledger.js';
export { bearsOtherName, nameOf } from './names.js';
export * from './sweep.js';
export * from './under-way.js';
export { UnderWay } from './under-way-uses.js';
