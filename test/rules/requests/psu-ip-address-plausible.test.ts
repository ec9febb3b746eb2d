import rule from '../../../src/rules/requests/psu-ip-address-plausible.js';
import { testRule } from '../rule-tester.js';

const address = (value: string) => ({ headers: { 'PSU-IP-Address': value } });

testRule(rule, {
  complies: [
    { name: 'IPv4', call: address('198.51.100.17') },
    { name: 'IPv6', call: address('2001:db8::1') },
    { name: 'next to a private range', call: address('172.32.0.1') },
    { name: 'next to link-local', call: address('169.253.1.1') },
    { name: 'of a carrier that shares addresses', call: address('100.64.0.1') },
    { name: 'IPv4 in IPv6', call: address('::ffff:198.51.100.17') },
  ],
  violates: [
    {
      name: 'loopback',
      call: address('127.0.0.1'),
      finds: [{ place: 'header PSU-IP-Address', actual: '127.0.0.1, which is loopback' }],
    },
    { name: 'private', call: address('10.1.2.3'), finds: [{ actual: '10.1.2.3, which is private' }] },
    { name: 'private of a home', call: address('192.168.1.2') },
    { name: 'private in between', call: address('172.16.0.1') },
    { name: 'link-local', call: address('169.254.169.254') },
    { name: 'multicast', call: address('224.0.0.1') },
    { name: 'unspecified', call: address('0.0.0.0') },
    { name: 'loopback of IPv6', call: address('::1') },
    { name: 'private of IPv6', call: address('fd00::1') },
    { name: 'link-local of IPv6', call: address('fe80::1') },
    { name: 'private IPv4 in IPv6', call: address('::ffff:10.0.0.7') },
  ],
  notApplicable: [
    { name: 'absent' },
    { name: 'no address, which another rule judges', call: address('localhost') },
    { name: 'empty', call: address('') },
  ],
});
