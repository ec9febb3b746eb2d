import rule from '../../../src/rules/oauth/response-type.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: { code: { call: authorizeWith({}) } },
  violates: {
    token: {
      call: authorizeWith({ response_type: 'token' }),
      finds: [{ place: 'query response_type', expected: 'code', actual: 'token' }],
    },
    'a hybrid': { call: authorizeWith({ response_type: 'code id_token' }) },
    'another letter case': { call: authorizeWith({ response_type: 'Code' }) },
  },
  notApplicable: {
    'none, which another rule judges': { call: authorizeWith({ response_type: undefined }) },
    'two, which another rule judges': { call: authorizeAnd('response_type=token') },
  },
});
