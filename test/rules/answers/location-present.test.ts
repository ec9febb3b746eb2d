import rule from '../../../src/rules/answers/location-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'an absolute address': {
      call: { operation: 'consents.create' },
      answer: { status: 201, headers: { Location: 'https://localhost:8443/stdgroup/v1/consents/C1' } },
    },
    'a relative one': {
      call: { operation: 'payments.create' },
      answer: { status: 201, headers: { location: '/stdgroup/v1/payments/sepa-credit-transfers/P1' } },
    },
  },
  violates: {
    none: {
      call: { operation: 'consents.create' },
      answer: { status: 201 },
      finds: [{ place: 'answer header Location', actual: 'absent' }],
    },
    'an empty one': {
      call: { operation: 'payments.create' },
      answer: { status: 201, headers: { Location: '' } },
    },
  },
  notApplicable: {
    'a rejection creates nothing': { call: { operation: 'consents.create' }, answer: { status: 400 } },
    'a read': { answer: { status: 200 } },
  },
});
