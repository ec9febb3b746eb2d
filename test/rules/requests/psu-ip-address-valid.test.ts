import rule from '../../../src/rules/requests/psu-ip-address-valid.js';
import { testRule } from '../rule-tester.js';

const address = (value: string) => ({ headers: { 'PSU-IP-Address': value } });

testRule(rule, {
  complies: [
    { name: 'IPv4', call: address('192.0.2.17') },
    { name: 'IPv6', call: address('2001:db8::1') },
    { name: 'IPv4 in IPv6', call: address('::ffff:192.0.2.17') },
  ],
  violates: [
    {
      name: 'a name',
      call: address('localhost'),
      finds: [{ place: 'header PSU-IP-Address', actual: 'localhost' }],
    },
    { name: 'out of range', call: address('256.1.1.1') },
    { name: 'with a port', call: address('192.0.2.17:443') },
    { name: 'two of them', call: address('192.0.2.17, 192.0.2.18') },
    { name: 'empty', call: address(''), finds: [{ actual: 'empty' }] },
  ],
  notApplicable: [{ name: 'absent' }],
});
