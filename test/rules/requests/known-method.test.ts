import rule from '../../../src/rules/requests/known-method.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a method of the path' },
    { name: 'HEAD where there is GET', call: { operation: 'accounts.list', method: 'HEAD' } },
  ],
  violates: [
    {
      name: 'PUT on a consent',
      call: { method: 'PUT' },
      finds: [
        {
          place: 'method',
          expected: 'GET or HEAD or DELETE, which this interface offers here',
          actual: 'PUT',
        },
      ],
    },
    { name: 'OPTIONS', call: { operation: 'accounts.list', method: 'OPTIONS' } },
  ],
  notApplicable: [{ name: 'the path is unknown', call: { target: '/nowhere', method: 'PUT' } }],
});
