import rule from '../../../src/rules/requests/psu-ip-address-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: {
    'a consent': { call: { operation: 'consents.create', headers: { 'PSU-IP-Address': '192.0.2.17' } } },
    'a payment': { call: { operation: 'payments.create', headers: { 'psu-ip-address': '192.0.2.17' } } },
    'an empty one, which another rule judges': {
      call: { operation: 'payments.create', headers: { 'PSU-IP-Address': '' } },
    },
  },
  violates: {
    absent: {
      call: { operation: 'consents.create' },
      finds: [{ place: 'header PSU-IP-Address', actual: 'absent' }],
    },
    'absent of a payment': { call: { operation: 'payments.create' } },
  },
  notApplicable: { 'a read': { call: { operation: 'consents.read' } } },
});
