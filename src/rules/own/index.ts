/** Rules of the user's own, as the engine takes them. */
export { isAbout } from '../needs.js';
export { runExample } from './example.js';
export * from './own-rule.js';
export type { Said } from './said.js';
export type { SeenExchange, Violation as OwnViolation } from './types.js';
