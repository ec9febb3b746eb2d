import rule from '../../../src/rules/requests/psu-ip-address-plausible.js';
import { testRule } from '../rule-tester.js';

const address = (value: string) => ({ headers: { 'PSU-IP-Address': value } });

testRule(rule, {
  complies: {
    IPv4: { call: address('198.51.100.17') },
    IPv6: { call: address('2001:db8::1') },
    'next to a private range': { call: address('172.32.0.1') },
    'next to link-local': { call: address('169.253.1.1') },
    'of a carrier that shares addresses': { call: address('100.64.0.1') },
    'IPv4 in IPv6': { call: address('::ffff:198.51.100.17') },
  },
  violates: {
    loopback: {
      call: address('127.0.0.1'),
      finds: [{ place: 'header PSU-IP-Address', actual: '127.0.0.1, which is loopback' }],
    },
    private: { call: address('10.1.2.3'), finds: [{ actual: '10.1.2.3, which is private' }] },
    'private of a home': { call: address('192.168.1.2') },
    'private in between': { call: address('172.16.0.1') },
    'link-local': { call: address('169.254.169.254') },
    multicast: { call: address('224.0.0.1') },
    unspecified: { call: address('0.0.0.0') },
    'loopback of IPv6': { call: address('::1') },
    'private of IPv6': { call: address('fd00::1') },
    'link-local of IPv6': { call: address('fe80::1') },
    'private IPv4 in IPv6': { call: address('::ffff:10.0.0.7') },
  },
  notApplicable: {
    absent: {},
    'no address, which another rule judges': { call: address('localhost') },
    empty: { call: address('') },
  },
});
