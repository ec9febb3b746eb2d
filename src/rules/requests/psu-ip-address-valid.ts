import { isKnown } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/psu-ip-address-valid',
  statement: 'PSU-IP-Address is an IPv4 or IPv6 address',
  clauses: ['limits.1', 'accounts.psu-ip-address'],
  sources: ['BG'],
  appliesTo: isKnown,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Something else than an address does not show that the PSU is there, and does not lift the daily limit.',
  fix: 'Send one IPv4 or IPv6 address, without port or brackets; leave the header out where the PSU is not there.',
  examples: { complies: 'PSU-IP-Address: 2001:db8::1', violates: 'PSU-IP-Address: localhost' },
  check: ({ call }) => {
    const address = call.header['psu-ip-address'];
    if (address === undefined) return 'not-applicable';
    return (
      call.request.hasPsuAddress ||
      violation('header PSU-IP-Address', 'one IPv4 or IPv6 address', address || 'empty')
    );
  },
});
