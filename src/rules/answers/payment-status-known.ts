import { judgeStatus } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/payment-status-known',
  statement: "transactionStatus is one of the specification's (ACCC, ACFC, PART are tolerated as note)",
  clauses: ['states.payment'],
  sources: ['BG'],
  judges: 'aspsp',
  appliesTo: ({ tells }) => tells.includes('transactionStatus'),
  needs: ['bank-success', 'answer-json'],
  looksAt: 'answer',
  why: 'A client cannot tell whether money will move when it does not know the status.',
  fix: 'Answer with a payment status code of the specification.',
  examples: { complies: '"transactionStatus":"ACSC"', violates: '"transactionStatus":"ACCEPTED"' },
  check: (context) => judgeStatus(context, 'transactionStatus'),
});
