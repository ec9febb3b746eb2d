import rule from '../../../src/rules/requests/boolean-headers.js';
import { testRule } from '../rule-tester.js';

const explicit = (value: string) => ({ headers: { 'TPP-Explicit-Authorisation-Preferred': value } });

testRule(rule, {
  complies: {
    true: { call: explicit('true') },
    false: { call: explicit('false') },
  },
  violates: {
    yes: {
      call: explicit('yes'),
      finds: [{ place: 'header TPP-Explicit-Authorisation-Preferred', actual: 'yes' }],
    },
    'in capitals': { call: explicit('TRUE') },
    empty: { call: explicit(''), finds: [{ actual: 'empty' }] },
    'two of them, one finding each': {
      call: { headers: { 'TPP-Explicit-Authorisation-Preferred': '1', 'TPP-Redirect-Preferred': '0' } },
      finds: [
        { place: 'header TPP-Redirect-Preferred' },
        { place: 'header TPP-Explicit-Authorisation-Preferred' },
      ],
    },
  },
  notApplicable: { absent: {} },
});
