/** The rule catalogue and the engine that judges calls and exchanges by it. */
export * from './rule.js';
