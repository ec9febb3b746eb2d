import { type Call, memberOf, type Place } from '../../exchange/index.js';
import { judgeIbanMembers } from '../checks/money.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule } from '../rule.js';

const SELECTIONS = [
  ['accounts'],
  ['balances'],
  ['transactions'],
  ['additionalInformation', 'ownerName'],
  ['additionalInformation', 'trustedBeneficiaries'],
] as const;

export default defineRule({
  id: 'consents/iban-valid',
  statement: "IBANs in a consent pass their country's length and the mod-97 check",
  sources: ['ISO13616'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ creates }) => creates === 'consent',
  needs: ['json'],
  why: 'The PSU cannot consent to an account that does not exist.',
  fix: 'Check IBANs at the input, and send them in capitals without spaces.',
  examples: {
    complies: '"access":{"accounts":[{"iban":"BE68539007547034"}]}',
    violates: '"access":{"accounts":[{"iban":"12345"}]}',
  },
  check: ({ call, options }) => judgeIbanMembers(ibansOf(call), options.dialect),
});

function* ibansOf(call: Call): Generator<readonly [Place, unknown]> {
  for (const names of SELECTIONS) {
    const selection = names.reduce(memberOf, bodyMember(call, 'access'));
    if (!Array.isArray(selection)) continue;
    for (const [i, account] of selection.entries())
      yield [`body access.${names.join('.')}[${i}].iban`, memberOf(account, 'iban')];
  }
}
