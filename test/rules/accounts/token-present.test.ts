import rule from '../../../src/rules/accounts/token-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    Bearer: { call: { operation: 'accounts.list', headers: { Authorization: 'Bearer t' } } },
    'bearer in small letters': {
      call: { operation: 'accounts.list', headers: { authorization: 'bearer t' } },
    },
  },
  violates: {
    absent: {
      call: { operation: 'accounts.list' },
      finds: [{ place: 'header Authorization', actual: 'absent' }],
    },
    'another scheme': {
      call: { operation: 'accounts.list', headers: { Authorization: 'Basic dDp0' } },
      finds: [{ actual: 'a value without the scheme Bearer' }],
    },
    'no token behind it': {
      call: { operation: 'accounts.list', headers: { Authorization: 'Bearer ' } },
      finds: [{ actual: 'Bearer without a token' }],
    },
    'two words behind it': {
      call: { operation: 'accounts.list', headers: { Authorization: 'Bearer a b' } },
      finds: [{ actual: 'Bearer with blanks in the token' }],
    },
    'the bare token': {
      call: { operation: 'accounts.list', headers: { Authorization: 'abcdef0123456789' } },
    },
  },
  notApplicable: { 'no account read': { call: { operation: 'payments.read' } } },
});
