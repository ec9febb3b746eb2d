import rule from '../../../src/rules/requests/psu-ip-address-present.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    {
      name: 'a consent',
      call: { operation: 'consents.create', headers: { 'PSU-IP-Address': '192.0.2.17' } },
    },
    {
      name: 'a payment',
      call: { operation: 'payments.create', headers: { 'psu-ip-address': '192.0.2.17' } },
    },
    {
      name: 'an empty one, which another rule judges',
      call: { operation: 'payments.create', headers: { 'PSU-IP-Address': '' } },
    },
  ],
  violates: [
    {
      name: 'absent',
      call: { operation: 'consents.create' },
      finds: [{ place: 'header PSU-IP-Address', actual: 'absent' }],
    },
    { name: 'absent of a payment', call: { operation: 'payments.create' } },
  ],
  notApplicable: [{ name: 'a read', call: { operation: 'consents.read' } }],
});
