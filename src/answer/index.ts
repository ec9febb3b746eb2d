/** Who answers a call that the rules let pass. */
export * from './answerer.js';
