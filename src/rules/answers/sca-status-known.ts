import { judgeStatus } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/sca-status-known',
  statement: "scaStatus is one of the specification's (unconfirmed is tolerated)",
  clauses: ['states.authorisation'],
  sources: ['BG'],
  judges: 'aspsp',
  // A creation may carry the status of the authorisation that came with it.
  appliesTo: ({ tells }) => tells.includes('scaStatus'),
  needs: ['bank-success', 'answer-json'],
  looksAt: 'answer',
  why: 'A client that polls the authorisation cannot tell whether the PSU is done.',
  fix: 'Answer with an authorisation status of the specification, in its spelling.',
  examples: { complies: '"scaStatus":"finalised"', violates: '"scaStatus":"finalized"' },
  check: (context) => judgeStatus(context, 'scaStatus'),
});
