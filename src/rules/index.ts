/** The rules layer: the catalogue, and the engine that judges calls and exchanges by it. */

export { catalogueDigest, isOwnRule, RULES, ruleOf } from './catalogue.js';
export { takesSignatures } from './checks/asks-for.js';
export { createJudge, isPlaceOf, type JudgeParts } from './judge.js';
export { judgeByRule, type RuleResult } from './judge-by-rule.js';
export { judgeCertificate, type RuleVerdict } from './judge-certificate.js';
export { CLAIMS, MEND_NOTES, MENDS, type MendFacts, mendedForm, TOKEN_TO_FILL } from './mends.js';
export { operationsOf } from './needs.js';
export { createProof, type Proof } from './proof.js';
export * from './rule.js';
export { findingsForStranger, refusesConnection, tellableFindings } from './tellable.js';
export {
  bankSeverity,
  type CallMatch,
  checkOverrides,
  checkWaivers,
  effectiveSeverity,
  fitsCall,
  type SeverityOverrides,
  type Waiver,
} from './waivers.js';
