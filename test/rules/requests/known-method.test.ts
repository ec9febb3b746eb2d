import rule from '../../../src/rules/requests/known-method.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a method of the path': {},
    'HEAD where there is GET': { call: { operation: 'accounts.list', method: 'HEAD' } },
  },
  violates: {
    'PUT on a consent': {
      call: { method: 'PUT' },
      finds: [
        {
          place: 'method',
          expected: 'GET or HEAD or DELETE, which this interface offers here',
          actual: 'PUT',
        },
      ],
    },
    OPTIONS: { call: { operation: 'accounts.list', method: 'OPTIONS' } },
  },
  notApplicable: { 'the path is unknown': { call: { target: '/nowhere', method: 'PUT' } } },
});
