import rule from '../../../src/rules/requests/id-form.js';
import { anAuthorisation, ledgerOf } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a UUID': { call: { operation: 'consents.authorisations.read' } },
    'the one of the authorize path': { call: { operation: 'oauth.authorize' } },
  },
  violates: {
    'a number': {
      call: { operation: 'payments.authorisations.read', params: { authorisationId: '1' } },
      finds: [{ place: 'path authorisationId', actual: '1' }],
    },
    'in the authorize path': { call: { operation: 'oauth.authorize', params: { authorisationId: 'abc' } } },
  },
  notApplicable: {
    'one that the bank gave so': {
      call: { operation: 'consents.authorisations.read', params: { authorisationId: 'auth-1' } },
      ledger: ledgerOf(anAuthorisation({ id: 'auth-1' })),
    },
    'a path without one': { call: { operation: 'consents.read' } },
  },
});
