import rule from '../../../src/rules/requests/id-form.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a UUID', call: { operation: 'consents.authorisations.read' } },
    { name: 'the one of the authorize path', call: { operation: 'oauth.authorize' } },
  ],
  violates: [
    {
      name: 'a number',
      call: { operation: 'payments.authorisations.read', params: { authorisationId: '1' } },
      finds: [{ place: 'path authorisationId', actual: '1' }],
    },
    {
      name: 'in the authorize path',
      call: { operation: 'oauth.authorize', params: { authorisationId: 'abc' } },
    },
  ],
  notApplicable: [{ name: 'a path without one', call: { operation: 'consents.read' } }],
});
