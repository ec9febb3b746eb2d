import rule from '../../../src/rules/oauth/response-type.js';
import { authorizeAnd, authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [{ name: 'code', call: authorizeWith({}) }],
  violates: [
    {
      name: 'token',
      call: authorizeWith({ response_type: 'token' }),
      finds: [{ place: 'query response_type', expected: 'code', actual: 'token' }],
    },
    { name: 'a hybrid', call: authorizeWith({ response_type: 'code id_token' }) },
    { name: 'another letter case', call: authorizeWith({ response_type: 'Code' }) },
  ],
  notApplicable: [
    { name: 'none, which another rule judges', call: authorizeWith({ response_type: undefined }) },
    { name: 'two, which another rule judges', call: authorizeAnd('response_type=token') },
  ],
});
