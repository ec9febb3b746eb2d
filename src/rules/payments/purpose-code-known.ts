import { isPurposeCode } from '../../spec/index.js';
import { clearTextIn, judgeEach } from '../checks/each-payment.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/purpose-code-known',
  statement: 'purposeCode, if sent, is in the external code list of ISO 20022',
  sources: ['BG', 'ISO20022'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates }) => creates === 'payment',
  needs: ['json'],
  why: 'Banks on the way drop a purpose that they do not know, or refuse the payment.',
  fix: 'Send a code of the list in capitals, or leave the member out.',
  examples: { complies: '"purposeCode":"SALA"', violates: '"purposeCode":"sala"' },
  check: ({ call }) =>
    judgeEach(call, ({ payment, at }) => {
      const value = clearTextIn(payment, 'purposeCode');
      if (value === undefined) return 'not-applicable';
      return (
        isPurposeCode(value) ||
        violation(`body ${at}purposeCode`, 'a purpose code of ISO 20022, such as SALA', value)
      );
    }),
});
