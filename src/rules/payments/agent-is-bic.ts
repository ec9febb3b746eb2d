import { isBic } from '../../spec/index.js';
import { clearTextIn, judgeEach } from '../checks/each-payment.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/agent-is-bic',
  statement: 'creditorAgent, if sent, is a BIC',
  sources: ['ISO9362'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The payment cannot be routed if the code names no bank.',
  fix: 'Send the BIC of the bank of the creditor in capitals; its name belongs in creditorAgentName.',
  examples: { complies: '"creditorAgent":"COBADEFFXXX"', violates: '"creditorAgent":"cobadeff"' },
  check: ({ call }) =>
    judgeEach(call, ({ payment, at }) => {
      const value = clearTextIn(payment, 'creditorAgent');
      if (value === undefined) return 'not-applicable';
      return (
        isBic(value) ||
        violation(`body ${at}creditorAgent`, 'a BIC: 8 or 11 capitals and digits, such as COBADEFFXXX', value)
      );
    }),
});
