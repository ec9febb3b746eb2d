import { judgeIbanMembers } from '../checks/money.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'funds/iban-valid',
  statement: "IBANs in a funds confirmation pass their country's length and the mod-97 check",
  sources: ['ISO13616'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ group }) => group === 'funds-confirmations',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A mistyped account number asks for an account that does not exist.',
  fix: 'Check IBANs at the input, and send them in capitals without spaces.',
  examples: {
    complies: '"account":{"iban":"BE68539007547034"}',
    violates: '"account":{"iban":"BE68539007547035"}',
  },
  check: ({ call, options }) =>
    judgeIbanMembers([['body account.iban', bodyMember(call, 'account', 'iban')]], options.dialect),
});
