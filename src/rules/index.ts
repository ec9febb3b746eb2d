/** The rule catalogue and the engine that judges calls and exchanges by it. */
export { judgeByRule, type RuleResult } from './judge-by-rule.js';
export * from './rule.js';
