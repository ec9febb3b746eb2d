import { judgeStatus } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/consent-status-known',
  statement: "consentStatus is one of the specification's (partiallyAuthorised is tolerated)",
  clauses: ['states.consent'],
  sources: ['BG'],
  judges: 'aspsp',
  appliesTo: ({ tells }) => tells.includes('consentStatus'),
  needs: ['bank-success', 'answer-json'],
  looksAt: 'answer',
  why: 'A client cannot tell whether it may use a consent whose status it does not know.',
  fix: 'Answer with a status of the specification, in its spelling.',
  examples: { complies: '"consentStatus":"valid"', violates: '"consentStatus":"VALID"' },
  check: (context) => judgeStatus(context, 'consentStatus'),
});
