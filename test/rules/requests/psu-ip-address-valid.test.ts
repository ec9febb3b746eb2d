import rule from '../../../src/rules/requests/psu-ip-address-valid.js';
import { testRule } from '../rule-tester.js';

const address = (value: string) => ({ headers: { 'PSU-IP-Address': value } });

testRule(rule, {
  complies: {
    IPv4: { call: address('192.0.2.17') },
    IPv6: { call: address('2001:db8::1') },
    'IPv4 in IPv6': { call: address('::ffff:192.0.2.17') },
  },
  violates: {
    'a name': {
      call: address('localhost'),
      finds: [{ place: 'header PSU-IP-Address', actual: 'localhost' }],
    },
    'out of range': { call: address('256.1.1.1') },
    'with a port': { call: address('192.0.2.17:443') },
    'two of them': { call: address('192.0.2.17, 192.0.2.18') },
    empty: { call: address(''), finds: [{ actual: 'empty' }] },
  },
  notApplicable: { absent: {} },
});
